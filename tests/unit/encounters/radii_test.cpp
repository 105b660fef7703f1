/// Radii of bodies, and the rows of events.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "encounters/radii.hpp"

#include "encounters/event.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::encounters;

TEST(EncounterRadii, AreStatedOrOfTheMassOrOneForAll) {
  const Radii one(0.5, 0, {{7, 0.25}});
  EXPECT_EQ(one.of(1, 3), 0.5);
  EXPECT_EQ(one.of(7, 3), 0.25);
  const Radii dense(0, 2, {});
  EXPECT_NEAR(4 * std::numbers::pi / 3 * std::pow(dense.of(1, 3), 3) * 2, 3, 1e-14);
  EXPECT_EQ(dense.of(1, 0), 0);
  EXPECT_FALSE(Radii().any());
  EXPECT_TRUE(one.any());
}

TEST(EncounterRadii, AreKeptBitForBit) {
  Radii radii(0.1, 0, {{7, 1.0 / 3}, {18446744073709551615U, 1e-300}});
  radii.set(3, 0.7), radii.set(4, 1), radii.forget(4);
  Radii again(0.1, 0, {{1, 5}});
  again.restore(radii.text(), "the checkpoint");
  EXPECT_EQ(again.stated(), radii.stated());
  for (const char* text : {"7\n", "x 0x1p0\n", "7 -1\n", "7 nan\n"})
    EXPECT_THROW(again.restore(text, "the checkpoint"), InputError) << text;
}

TEST(EventRows, HaveEveryDigitAndACellForEachColumn) {
  Event e{.kind = Kind::approach,
          .time = 0.1,
          .step = 3,
          .id = 4,
          .other = 9,
          .mass = 1.0 / 3,
          .other_mass = 2,
          .distance = 1e-300,
          .speed = 5,
          .x = {1, 2, 3},
          .v = {4, 5, 6},
          .energy = -0.25};
  EXPECT_EQ(row_of(e), "0.1,3,approach,4,9,1e-300,5,0.3333333333333333,2,1,2,3,4,5,6,-0.25,,,,");
  e.kind = Kind::removal, e.other.reset(), e.energy.reset(), e.energy_lost = 2;
  EXPECT_EQ(row_of(e), "0.1,3,removal,4,,1e-300,5,0.3333333333333333,,1,2,3,4,5,6,,2,0,0,0");
  const auto commas = [](std::string_view text) { return std::ranges::count(text, ','); };
  EXPECT_EQ(commas(row_of(e)), commas(event_columns));
  EXPECT_EQ(words_of(e), "a removal of body 4 at t = 0.1");
  e.kind = Kind::escape;
  EXPECT_EQ(words_of(e), "an escape of body 4 at t = 0.1");
}
