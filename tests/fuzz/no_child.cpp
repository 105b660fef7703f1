/// HDF5 files are read in a child process, since the library can crash on damaged ones. Targets that only
/// read what the library itself has written link this: no child can be had, and files are read where they are
/// asked for, seen by the fuzzer and many times faster.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include <sys/types.h>

extern "C" pid_t fork() noexcept {
  errno = EAGAIN;
  return -1;
}
