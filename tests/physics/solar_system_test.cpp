/// The solar system over long times.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "system.hpp"

#include <pleiad/models.hpp>
#include <pleiad/orbits.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::physics;

namespace {

Snapshot sun_and_planets() { return make_model("solar-system", std::vector<std::string>{}, 1); }
double year_of(const Snapshot& s) { return 2 * pi / std::sqrt(s.G * s.bodies.mass[0]); }
Gravity law_of(const Snapshot& s) { return {.G = s.G}; }

/// Longitude of the perihelion of Mercury, in arcseconds.
double perihelion(const Snapshot& s) {
  const auto& b = s.bodies;
  const auto e = elements_of(s.G * (b.mass[0] + b.mass[1]), b.position(1) - b.position(0),
                             b.velocity(1) - b.velocity(0));
  return (e.node + e.pericentre) * 180 / pi * 3600;
}

}  // namespace

/// Ten thousand years, in steps of 4 days, against Gauss-Radau, whose errors are those of rounding: 0.1
/// arcseconds a century. The perihelion itself moves by 530 arcseconds a century.
TEST(SolarSystem, PerihelionOfMercuryIsThatOfAConvergedIntegration) {
  const auto start = sun_and_planets();
  const double year = year_of(start);
  auto method = fixed("gauss-radau", year);
  method.adaptive = true;
  Simulation exact(start, law_of(start), method, in(Precision::f64)),
      map(start, law_of(start), fixed("wisdom-holman-jacobi", year * 4 / 365.25), in(Precision::f64));
  double moved = 0;
  for (int k = 1; k <= 10; ++k) {
    const double time = start.time + 1000 * k * year;
    exact.run_until(time), map.run_until(time);
    const double off =
        std::remainder(perihelion(map.snapshot()) - perihelion(exact.snapshot()), 360.0 * 3600);
    EXPECT_LE(std::abs(off), 0.1 * 10 * k) << 1000 * k << " years";
    moved = perihelion(exact.snapshot()) - perihelion(start);
  }
  EXPECT_NEAR(moved / 100, 550, 60);
}
