/// The conversations of the unit tests between processes, with messages in pieces of 64 bytes: longer ones
/// than an int can count travel in such pieces too.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "ranks/mpi.hpp"
#include "unit/ranks/conversations.hpp"

#include <cstdio>
#include <exception>

int main() try {
  const auto comm = pleiad::ranks::start_mpi(64);
  converse(*comm, 1000);
  if (comm->rank() == 0) std::printf("%d ranks agree\n", comm->ranks());
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "converse: %s\n", e.what());
  pleiad::ranks::end_all_ranks(1);
}
