/// How much a test takes on: every size and scene in `make test-all`, which sets PLEIAD_TEST_ALL=1, and on a
/// real GPU; in `make test` as much as shows what the test is about.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string_view>

namespace pleiad::test {

/// Whether every size and scene is asked for.
inline bool all_sizes() {
  const char* value = std::getenv("PLEIAD_TEST_ALL");
  return value != nullptr && std::string_view(value) == "1";
}
/// `all` where every size is asked for, else `few`.
template <class T>
T all_or(T all, T few) {
  return all_sizes() ? all : few;
}

/// The same where each thread of a GPU is a fiber, which takes a hundred times as long; `all` on a real GPU.
template <class T>
T emulated_size([[maybe_unused]] T all, [[maybe_unused]] T few) {
#ifdef PLEIAD_EMULATE_CUDA
  return all_or(all, few);
#else
  return all;
#endif
}

}  // namespace pleiad::test
