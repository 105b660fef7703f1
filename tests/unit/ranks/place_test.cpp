/// Where ranks run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "ranks/place.hpp"

#include <gtest/gtest.h>

namespace pleiad {
namespace {

TEST(Place, TellsOfProcessorsThatNoRankMayUse) {
  EXPECT_EQ(ranks::idle_processors(2, 2), "");
  EXPECT_EQ(ranks::idle_processors(17, 32), "");
  EXPECT_EQ(ranks::idle_processors(0, 32), "") << "unknown";
  for (const std::size_t used : {1U, 2U, 16U}) {
    const auto said = ranks::idle_processors(used, 32);
    EXPECT_NE(said.find(std::to_string(used) + " of its 32 processors"), said.npos) << said;
    EXPECT_NE(said.find("--bind-to none"), said.npos) << said;
  }
}

}  // namespace
}  // namespace pleiad
