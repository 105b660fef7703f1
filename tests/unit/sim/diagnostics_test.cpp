/// Diagnostics against values that can be computed by hand.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/diagnostics.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

TEST(Energies, OfAPairAreThoseOnPaper) {
  Bodies b;
  b.add(3, {0, 0, 0}, {0, 2, 0});
  b.add(5, {3, 4, 0}, {1, 0, 0});
  const auto e = direct_energies(b, {.G = 2, .softening = {12}});  // sqrt(25 + 144) = 13
  EXPECT_LE(std::abs(e.kinetic - (0.5 * 3 * 4 + 0.5 * 5)), 1e-14);
  EXPECT_LE(std::abs(e.potential + 2 * 15 / 13.0), 1e-15);
}

TEST(Energies, OfTheEngineAgreeWithTheDirectOnes) {
  const std::vector<std::string> settings{"n=777"};
  const auto s = make_model("plummer", settings, 1);
  const Gravity g{.softening = {0.01}};
  const auto exact = direct_energies(s.bodies, g);
  // Single precision pairs err by 1e-7 each, in random directions; the state itself is rounded to 6e-8 in
  // f32.
  for (const auto& [precision, bound] :
       {std::pair{Precision::f64, 1e-14}, {Precision::mixed, 2e-8}, {Precision::f32, 2e-7}}) {
    Simulation sim(s, g, {.integrator = &integrator_named("kdk"), .dt = 0.01}, {.precision = precision});
    EXPECT_LE(std::abs(sim.energies().potential / exact.potential - 1), bound) << name_of(precision);
    EXPECT_LE(std::abs(sim.energies().kinetic / exact.kinetic - 1), bound) << name_of(precision);
  }
}

TEST(Diagnostics, HasMomentaAndRadiiOfAKnownSet) {
  Snapshot s;
  for (int i = 1; i <= 100; ++i) s.bodies.add(1, {i % 2 ? double(i) : -double(i), 0, 0}, {0, 1, 0});
  Simulation sim(s, {.softening = {1}}, {.integrator = &integrator_named("kdk"), .dt = 0.01});
  const auto d = sim.diagnostics(-3);
  EXPECT_EQ(d.momentum.y, 100);
  EXPECT_EQ(d.angular_momentum.z, -50);  // sum of x: 1 - 2 + 3 - ... - 100
  EXPECT_EQ(d.centre.mass, 100);
  EXPECT_LE(std::abs(d.centre.position.x + 0.5), 1e-15);
  EXPECT_EQ(d.centre.velocity.y, 1);
  EXPECT_EQ(d.energies.kinetic, 50);
  const std::vector<double> half{0.5, 1.0};
  const auto r = lagrangian_radii(s.bodies, {}, half);
  EXPECT_EQ(r[0], 50);
  EXPECT_EQ(r[1], 100);
}

TEST(Diagnostics, ComparesEnergiesWithTheReference) {
  const auto d = diagnose({.energies = {2, -8}}, 1, 10, -3);
  EXPECT_EQ(d.energy_error, -1);
  EXPECT_EQ(d.virial_ratio, 0.25);
  EXPECT_EQ(d.step, 10);
  // Of a reference of 0 there is no part.
  EXPECT_EQ(diagnose({.energies = {2, -8}}, 1, 10, 0).energy_error, -6);
  EXPECT_EQ(diagnose({.energies = {2, 0}}, 1, 10, 1).virial_ratio, 0);
}

// So near one another that they are not told apart before they are sorted; the half is reached exactly.
TEST(Diagnostics, ARadiusHoldsItsMassAndNoMore) {
  Bodies b;
  for (const double r : {1.0003, 1.0, 1.0002, 1.0001}) b.add(0.25, {0, r, 0}, {});
  const std::vector<double> fractions{0.25, 0.5, 0.75, 1};
  const auto r = lagrangian_radii(b, {}, fractions);
  // A square and a root, each rounded.
  for (std::size_t k = 0; k < 4; ++k) EXPECT_LE(std::abs(r[k] - (1 + 1e-4 * double(k))), 5e-16) << k;
}

/// The largest pull by hand, and one velocity that is no number.
TEST(Totals, KnowTheLargestAccelerationAndWhatIsNotFinite) {
  Snapshot s;
  s.bodies.add(3, {0, 0, 0}, {});
  s.bodies.add(5, {3, 4, 0}, {});
  const Gravity g{.G = 2, .softening = {12}};
  const Method method{.integrator = &integrator_named("kdk"), .dt = 0.01};
  const auto t = Simulation(s, g, method, {.precision = Precision::f64}).totals();
  EXPECT_LE(std::abs(t.largest_acceleration / (2 * 5 * 5 / std::pow(13, 3)) - 1), 1e-14);
  EXPECT_TRUE(t.finite);
  s.bodies.vy[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(Simulation(s, g, method, {.precision = Precision::f64}).totals().finite);
}

/// Against all bodies sorted: masses from 1 to 8, so many at the same distances that order among equals
/// matters, some of no mass, one at the centre, one where no float reaches.
TEST(LagrangianRadii, AreThoseOfAllBodiesInOrder) {
  Bodies b;
  for (int i = 0; i < 5000; ++i) b.add(i * 7 % 9, {double(i * 37 % 211), 0, std::pow(1.01, i % 1000)}, {});
  b.add(1, {0, 0, 0}, {});
  b.add(1, {1e30, 0, 0}, {});
  std::vector<std::pair<double, double>> order;
  for (std::size_t i = 0; i < b.size(); ++i) order.emplace_back(norm(b.position(i)), b.mass[i]);
  std::ranges::sort(order);
  double total = 0;
  for (const double m : b.mass) total += m;
  const std::vector<double> fractions{0.9, 0, 1e-5, 0.1, 0.25, 0.5, 0.999, 1};
  const auto radii = lagrangian_radii(b, {}, fractions);
  for (std::size_t k = 0; k < fractions.size(); ++k) {
    double inside = 0, expected = 0;
    for (const auto& [r, m] : order)
      if (inside += m, expected = r; inside >= fractions[k] * total) break;
    EXPECT_EQ(radii[k], expected) << fractions[k];
  }
}

/// A run that has gone wrong is told by its energy; its radii have to be something.
TEST(LagrangianRadii, OfWhatIsNoNumberAreInfinite) {
  Bodies b;
  for (int i = 0; i < 9; ++i) b.add(1, {double(i), 0, 0}, {});
  b.x[3] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> fractions{0.5, 1};
  const auto radii = lagrangian_radii(b, {}, fractions);
  EXPECT_EQ(radii[0], 5);  // the fifth of those that are somewhere, without 3
  EXPECT_EQ(radii[1], std::numeric_limits<double>::infinity());
}

TEST(DensityCentre, FindsTheDenseClumpAndNotTheCentreOfMass) {
  const std::vector<std::string> settings{"n=1000"};
  auto b = make_model("plummer", settings, 2).bodies;
  for (auto& x : b.x) x *= 0.1;
  for (auto& y : b.y) y *= 0.1;
  for (auto& z : b.z) z *= 0.1;
  b.add(0.5, {30, 0, 0}, {});
  const auto c = density_centre(b);
  EXPECT_LE(norm(c), 0.05);  // the clump's own noise, 0.1 / sqrt(100)
}
