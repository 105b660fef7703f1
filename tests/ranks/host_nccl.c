/* The calls of NCCL that the program makes, for the memory of the host and by MPI: on the emulated GPU the
 * way of bodies and sums by NCCL is tested with it. Calls of a group are made at once; that a group is begun
 * and ended, as the real library asks for, is checked. */
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  char bytes[128];
} Id;

enum { success = 0, invalid = 4, as_uint64 = 5, as_sum = 0 };
static int in_group = 0, here = -1, members = 0;

static void need(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "emulated NCCL: %s\n", what);
  abort();
}

int ncclGetVersion(int* version) {
  *version = 22809;
  return success;
}
const char* ncclGetErrorString(int result) { return result == invalid ? "invalid argument" : "no error"; }
int ncclGetUniqueId(Id* id) {
  snprintf(id->bytes, sizeof id->bytes, "a group of the tests");
  return success;
}
int ncclCommInitRank(void** group, int ranks, Id id, int rank) {
  MPI_Comm_size(MPI_COMM_WORLD, &members);
  MPI_Comm_rank(MPI_COMM_WORLD, &here);
  const char* trouble = rank == 1 ? getenv("PLEIAD_EMULATED_NCCL_TROUBLE") : NULL;
  if (trouble != NULL && strcmp(trouble, "late") == 0) pause();
  if (trouble != NULL) return invalid;
  need(ranks == members && rank == here, "another number of ranks");
  need(id.bytes[0] == 'a', "rank 0's name of the group did not arrive");
  *group = &members;
  return success;
}
int ncclCommAbort(void* group) { return group == &members ? success : invalid; }
int ncclGroupStart(void) { return in_group++ == 0 ? success : invalid; }
static MPI_Request messages[64];
static int open_messages = 0;
int ncclGroupEnd(void) {
  MPI_Waitall(open_messages, messages, MPI_STATUSES_IGNORE);
  open_messages = 0;
  return in_group-- == 1 ? success : invalid;
}
int ncclSend(const void* from, size_t count, int type, int to, void* group, void* stream) {
  need(in_group == 1 && group == &members && type == as_uint64 && stream != NULL && to != here, "a message");
  need(open_messages < 64, "fewer messages in a group");
  MPI_Isend(from, (int)count, MPI_UINT64_T, to, 77, MPI_COMM_WORLD, &messages[open_messages++]);
  return success;
}
int ncclRecv(void* to, size_t count, int type, int from, void* group, void* stream) {
  need(in_group == 1 && group == &members && type == as_uint64 && stream != NULL && from != here,
       "a message");
  need(open_messages < 64, "fewer messages in a group");
  MPI_Irecv(to, (int)count, MPI_UINT64_T, from, 77, MPI_COMM_WORLD, &messages[open_messages++]);
  return success;
}
int ncclBroadcast(const void* from, void* to, size_t count, int type, int root, void* group, void* stream) {
  need(in_group == 1 && group == &members && type == as_uint64 && stream != NULL && from == to,
       "a broadcast");
  MPI_Bcast(to, (int)count, MPI_UINT64_T, root, MPI_COMM_WORLD);
  return success;
}
int ncclReduce(const void* from, void* to, size_t count, int type, int how, int root, void* group,
               void* stream) {
  need(in_group == 1 && group == &members && type == as_uint64 && how == as_sum && stream != NULL,
       "a reduction");
  need((to != NULL) == (root == here), "room for sums of others");
  MPI_Reduce(from, to, (int)count, MPI_UINT64_T, MPI_SUM, root, MPI_COMM_WORLD);
  return success;
}
