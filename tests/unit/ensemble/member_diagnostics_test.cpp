/// What a look at a small system shows, on systems made by hand.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/ensemble.hpp>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {
/// A circular binary of masses 1 and 1 at distance 1 (speeds sqrt(1/2) each), and a third body.
Snapshot binary_and(double mass, Vec3<double> position, Vec3<double> velocity) {
  Snapshot s;
  const double v = std::sqrt(0.5);
  s.bodies.add(1, {-0.5, 0, 0}, {0, -v, 0});
  s.bodies.add(1, {0.5, 0, 0}, {0, v, 0});
  s.bodies.add(mass, position, velocity);
  return s;
}
}  // namespace

TEST(MemberDiagnostics, GivesABinarysNumbers) {
  Snapshot s;
  const double v = std::sqrt(0.5);
  s.bodies.add(1, {-0.5, 0, 0}, {0, -v, 0});
  s.bodies.add(1, {0.5, 0, 0}, {0, v, 0});
  const auto diagnostics = diagnose(s, {.G = 1});
  // A handful of operations, each rounded to 2^-53.
  EXPECT_LE(std::abs(diagnostics.energies.kinetic - 0.5), 1e-15);
  EXPECT_LE(std::abs(diagnostics.energies.potential + 1), 1e-15);
  EXPECT_LE(std::abs(diagnostics.angular_momentum.z - v), 1e-15);
  EXPECT_LE(std::abs(diagnostics.virial_ratio - 0.5), 1e-15);
  EXPECT_EQ(diagnostics.closest, 1);
  EXPECT_EQ(diagnostics.half_mass_radius, 0.5);
  EXPECT_EQ(diagnostics.bound, 1);
  EXPECT_EQ(diagnostics.escapers, 0u);
}

TEST(MemberDiagnostics, HasTheVirialRatioOfTheBodiesThemselves) {
  Snapshot s;
  const double v = std::sqrt(0.5);
  s.bodies.add(1, {99.5, 0, 0}, {0, 30 - v, 0});
  s.bodies.add(1, {100.5, 0, 0}, {0, 30 + v, 0});
  const auto diagnostics =
      diagnose(s, {.potentials = potentials_of(std::vector<std::string>{"point mass=1e4"})});
  // Energies of 1e3, each of a few roundings of 2^-53.
  EXPECT_LE(std::abs(diagnostics.virial_ratio - 0.5), 1e-11);
  EXPECT_LE(std::abs(diagnostics.energies.mutual() + 1), 1e-11);
}

TEST(MemberDiagnostics, SoftensAndTakesTheNearestImage) {
  Snapshot s;
  s.bodies.add(2, {0.1, 0, 0}, {});
  s.bodies.add(3, {0.9, 0, 0}, {});
  const auto diagnostics = diagnose(s, {.G = 2, .softening = {0.3}, .boundary = {true, {1, 1, 1}}});
  EXPECT_LE(std::abs(diagnostics.closest - 0.2), 1e-15);
  EXPECT_LE(std::abs(diagnostics.energies.potential + 2 * 6 / std::sqrt(0.04 + 0.09)), 1e-13);
  EXPECT_EQ(diagnostics.escapers, 0u);
}

TEST(MemberDiagnostics, CountsWhoEscapes) {
  // From the third body at distance r of a binary of mass 2 the escape speed is 2 at r = 1: sqrt(2 (2 + m)/r)
  // for the relative motion.
  EXPECT_EQ(diagnose(binary_and(0, {100, 0, 0}, {1, 0, 0}), {}).escapers, 1u);
  EXPECT_EQ(diagnose(binary_and(0, {100, 0, 0}, {1, 0, 0}), {}).escaper, 2u);
  EXPECT_EQ(diagnose(binary_and(0, {100, 0, 0}, {1, 0, 0}), {}).bound, 2 / 3.0);
  EXPECT_EQ(diagnose(binary_and(0, {100, 0, 0}, {-1, 0, 0}), {}).escapers, 0u);  // comes nearer
  EXPECT_EQ(diagnose(binary_and(0, {100, 0, 0}, {-1, 0, 0}), {}).bound, 2 / 3.0);
  EXPECT_EQ(diagnose(binary_and(0, {100, 0, 0}, {0.19, 0, 0}), {}).escapers, 0u);  // 0.2 would be enough
  EXPECT_EQ(diagnose(binary_and(0, {100, 0, 0}, {0.21, 0, 0}), {}).escapers, 1u);
  EXPECT_EQ(diagnose(binary_and(0, {4, 0, 0}, {3, 0, 0}), {}).escapers, 0u);  // not yet far: 10 x 0.5
  // With a mass of 6 the two bodies of the pair must reach sqrt(2 x 8/100) = 0.4 relative to it.
  EXPECT_EQ(diagnose(binary_and(6, {100, 0, 0}, {0.39, 0, 0}), {}).escapers, 0u);
  EXPECT_EQ(diagnose(binary_and(6, {100, 0, 0}, {0.41, 0, 0}), {}).escapers, 1u);
}

TEST(MemberDiagnostics, OfFewBodiesIsWellDefined) {
  EXPECT_EQ(diagnose({}, {}).energies.total(), 0);
  EXPECT_EQ(diagnose({}, {}).bound, 1);
  Snapshot one;
  one.bodies.add(2, {1, 2, 3}, {3, 0, 4});
  EXPECT_EQ(diagnose(one, {}).energies.total(), 25);
  EXPECT_EQ(diagnose(one, {}).bound, 1);
  EXPECT_TRUE(std::isinf(diagnose(one, {}).closest));
  // A star and a planet without mass: the star has nothing that could bind it.
  Snapshot two;
  two.bodies.add(1, {}, {});
  two.bodies.add(0, {1, 0, 0}, {0, 1, 0});
  EXPECT_EQ(diagnose(two, {}).bound, 1);
}

TEST(History, KeepsTheWorst) {
  const auto diagnostics = [](double time, double kinetic, std::uint64_t escapers) {
    MemberDiagnostics l;
    l.time = time, l.energies = {kinetic, -2}, l.escapers = escapers, l.closest = 1 / (1 + time);
    l.angular_momentum = {0, 0, 1 + time};
    return l;
  };
  History h;
  h.add(diagnostics(0, 1, 0));
  h.add(diagnostics(1, 1.5, 1));
  EXPECT_EQ(h.escape_time, 1);
  h.add(diagnostics(2, 1.25, 0));  // it came back
  EXPECT_TRUE(std::isnan(h.escape_time));
  h.add(diagnostics(3, 1.25, 2));
  h.add(diagnostics(4, 0.75, 2));
  EXPECT_EQ(h.escape_time, 3);
  EXPECT_EQ(h.worst_energy_error, 0.5);
  EXPECT_EQ(h.energy_error(), -0.25);
  EXPECT_EQ(h.angular_momentum_error(), 4);
  EXPECT_EQ(h.closest, 0.2);
  h.add(diagnostics(5, std::nan(""), 0));
  h.add(diagnostics(6, 1, 0));
  EXPECT_TRUE(std::isnan(h.worst_energy_error));  // not forgotten
}

TEST(Quantile, IsLinearBetweenNeighbours) {
  constexpr std::array v{1.0, 2.0, 4.0, 8.0, 16.0};
  EXPECT_EQ(quantile(v, 0), 1);
  EXPECT_EQ(quantile(v, 0.5), 4);
  EXPECT_EQ(quantile(v, 0.625), 6);
  EXPECT_EQ(quantile(v, 1), 16);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
}
