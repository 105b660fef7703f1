/// Files of earlier releases: docs/stability.md promises that all later ones read them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/shell.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace pleiad::test {

// A figure-eight at t = 0.5 by 0.3.0, fourth order in 64 steps. Its energy error stays at the 3e-9 of the
// truncation error of these steps; a number that is read into a wrong field changes it by parts of 1.
TEST(Golden, ACheckpointOfVersion03IsContinued) {
  const auto end = Scratch().run("mkdir old && cp " PLEIAD_GOLDEN
                                 "/run-0.3.pleiad old/checkpoint.pleiad && "
                                 "pleiad run --resume old --t-end 1 --accept-other-build && grep -o "
                                 "'\"energy_error\": *[^,]*' old/summary.json");
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.out.find("3 bodies to t = 1 in 128 steps"), std::string::npos) << end.out;
  const auto at = end.out.find("\"energy_error\":");
  ASSERT_NE(at, std::string::npos) << end.out;
  EXPECT_LE(std::abs(std::stod(end.out.substr(end.out.find(':', at) + 1))), 1e-8) << end.out;
}

}  // namespace pleiad::test
