/// Columns: their units and their rows.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "profiles/columns.hpp"

#include <pleiad/error.hpp>

#include <cmath>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::profiles;

TEST(Columns, HaveRowsThatAreReadBackToTheLastBit) {
  const Columns c{{{"radius", Quantity::length, {0.1, 1.0 / 3}},
                   {"bodies", Quantity::number, {12, 1e6}},
                   {"anisotropy", Quantity::number, {-0.25, std::nan("")}}}};
  EXPECT_EQ(names_of(c), "radius,bodies,anisotropy");
  EXPECT_EQ(row_of(c, 0), "0.1,12,-0.25");
  EXPECT_EQ(row_of(c, 1), "0.3333333333333333,1000000,nan");
  EXPECT_EQ(c["bodies"][1], 1e6);
  EXPECT_THROW(c["mass"], UsageError);
}

TEST(Columns, StateTheirUnits) {
  const auto galactic = units_named("galactic");
  EXPECT_EQ(unit_of(Quantity::density, galactic), "1e10 Msun / kpc^3");
  EXPECT_EQ(unit_of(Quantity::velocity, units_named("cluster")), "km/s");
  EXPECT_EQ(unit_of(Quantity::length, custom_units(2, 3, 4)), "2 cm");
  EXPECT_EQ(unit_of(Quantity::number, galactic), "");
  EXPECT_EQ(unit_of(Quantity::mass, {}), "");
  const Columns c{
      {{"radius", Quantity::length, {}}, {"bodies", Quantity::number, {}}, {"mass", Quantity::mass, {}}}};
  EXPECT_EQ(units_of(c, galactic), "radius in kpc, mass in 1e10 Msun");
  EXPECT_EQ(units_of(c, {}), "");
}
