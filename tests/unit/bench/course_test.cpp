/// Numbers of rungs: those of the course, and those that version 0.3 listed.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/course.hpp"

#include <pleiad/error.hpp>

#include <utility>

#include <gtest/gtest.h>

using namespace pleiad;
using bench::kernel_of_number;

TEST(Course, NumbersRungsAnewOnEachDevice) {
  for (const auto& [number, name] : {std::pair{"cpu/2", "cpu/blocked"},
                                     {"cpu/6", "cpu/ewald"},
                                     {"cuda/1", "cuda/naive"},
                                     {"cuda/2", "cuda/tile"},
                                     {"cuda/15", "cuda/split-reduced"},
                                     {"cuda/28", "cuda/symmetric-atomics"},
                                     {"cuda/34", "cuda/mixed-symmetric"}})
    EXPECT_EQ(kernel_of_number(number), name) << number;
}
// Version 0.3 had 1 to 6, 101 to 122 and 125 to 136.
TEST(Course, TakesTheNumbersOfVersion03) {
  for (const auto& [number, name] : {std::pair{"2", "cpu/blocked"},
                                     {"101", "cuda/naive"},
                                     {"115", "cuda/split-reduced"},
                                     {"130", "cuda/symmetric-atomics"},
                                     {"136", "cuda/mixed-symmetric"}})
    EXPECT_EQ(kernel_of_number(number), name) << number;
}
TEST(Course, RefusesNumbersThatItDoesNotHave) {
  for (const auto* number : {"-1", "0", "7", "100", "123", "124", "137", "999", "cpu/0", "cpu/7", "cpu/102",
                             "cuda/0", "cuda/35", "cuda/102", "cuda/136"})
    EXPECT_THROW(kernel_of_number(number), UsageError) << number;
}
TEST(Course, LeavesNamesAsTheyAre) {
  for (const auto* name :
       {"", "auto", "cuda/tile", "cuda/tyle", "cuda/", "cpu/fmm order=5", "2x", "99999999999"})
    EXPECT_EQ(kernel_of_number(name), name);
}
