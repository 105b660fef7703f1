/// The instruction set that the tests of this binary run with: that of the variable PLEIAD_TEST_SIMD, where
/// the machine has it. So machines with a wider one test the others too.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cpu/target.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace {

/// Chosen anew before each test: some go back to the best one at their end.
class InstructionSet final : public testing::EmptyTestEventListener {
 public:
  explicit InstructionSet(std::string name) : name_(std::move(name)) {}
  void OnTestStart(const testing::TestInfo&) override { pleiad::cpu::use_simd_target(name_); }

 private:
  std::string name_;
};

/// A machine without it has nothing to test.
bool begin() {
  const char* name = std::getenv("PLEIAD_TEST_SIMD");
  if (name == nullptr) return false;
  if (std::ranges::count(pleiad::cpu::simd_targets(), name) == 0) testing::GTEST_FLAG(filter) = "-*";
  else testing::UnitTest::GetInstance()->listeners().Append(new InstructionSet(name));
  return true;
}
[[maybe_unused]] const bool begun = begin();

}  // namespace
