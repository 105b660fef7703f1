/// The program beside the tests: where it was packed with them, else where it was built.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace pleiad::test {

inline std::filesystem::path program_under_test() {
  const auto beside = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "pleiad";
  return std::filesystem::exists(beside) ? beside : PLEIAD_PROGRAM;
}

}  // namespace pleiad::test
