/// The only file that is recompiled when the commit changes.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "version.hpp"

#include "commit.hpp"
#include "core/version.hpp"
#include "doctor/doctor.hpp"

#include <pleiad/kernel/direct.hpp>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

std::string vector_instructions() {
  return fmt::format("vectors {}, {} lanes of fp32", doctor::instruction_set(), simd_lanes_f32());
}

}  // namespace

std::string name_and_commit() { return fmt::format("{} (commit {})", pleiad::version(), source_commit); }

std::string version() {
#ifdef __clang__
  const char* compiler = "Clang " __clang_version__;
#else
  const char* compiler = "GCC " __VERSION__;
#endif
  return fmt::format("pleiad {}\n{}; {}", name_and_commit(), compiler, vector_instructions());
}

}  // namespace pleiad::app
