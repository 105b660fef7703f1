/// Diagnostics against values that can be computed by hand, and radii against all bodies in order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "core/radii.hpp"
#include "core/threads.hpp"
#include "sim/kdk_error_term.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/models.hpp>
#include <pleiad/rng.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

/// Bodies by their distance from a centre, equal ones by their number; what is nowhere is last.
std::vector<std::pair<double, std::size_t>> in_order(const Bodies& b, Vec3<double> centre,
                                                     const std::vector<std::size_t>& members) {
  std::vector<std::pair<double, std::size_t>> order;
  for (const auto i : members) {
    const auto d = b.position(i) - centre;
    const double r2 = d.x * d.x + d.y * d.y + d.z * d.z;
    order.emplace_back(std::isfinite(r2) ? r2 : std::numeric_limits<double>::infinity(), i);
  }
  std::ranges::sort(order);
  return order;
}

/// By definition, for whole masses.
std::vector<double> radii_by_definition(const Bodies& b, Vec3<double> centre,
                                        std::span<const double> fractions) {
  std::vector<std::size_t> all(b.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto order = in_order(b, centre, all);
  double total = 0;
  for (const double m : b.mass) total += m;
  std::vector<double> radii(fractions.size());
  for (std::size_t k = 0; k < radii.size() && !order.empty(); ++k) {
    double inside = 0;
    for (const auto& [r2, i] : order) {
      radii[k] = std::sqrt(r2);
      if ((inside += b.mass[i]) >= fractions[k] * total && (inside > 0 || total == 0)) break;
    }
  }
  return radii;
}
Vec3<double> density_centre_by_definition(const Bodies& b) {
  std::vector<std::size_t> members(b.size());
  std::iota(members.begin(), members.end(), std::size_t{0});
  Vec3<double> centre{};
  for (;;) {
    double mass = 0;
    Vec3<double> sum{};
    for (const auto i : members) mass += b.mass[i], sum += b.mass[i] * b.position(i);
    if (!(mass > 0)) return centre;
    centre = sum * (1 / mass);
    if (members.size() / 2 < std::max<std::size_t>(b.size() / 10, 1) || members.size() <= 8) return centre;
    const auto order = in_order(b, centre, members);
    members.clear();
    for (std::size_t k = 0; k < order.size() / 2; ++k) members.push_back(order[k].second);
  }
}

/// Whole masses, so that sums of them are exact, and some of none.
Bodies ball(std::size_t n) {
  Bodies b;
  for (std::size_t i = 0; i < n; ++i) {
    Random r(5, i);
    b.add(double(i * 7 % 5), std::pow(r.uniform(), 2) * r.direction(), {});
  }
  return b;
}

void expect_definition(const Bodies& b, const std::string& what) {
  const auto centre = density_centre(b), wanted = density_centre_by_definition(b);
  EXPECT_LE(norm(centre - wanted), 1e-14) << what;  // sums in another order, of coordinates of at most 1
  const auto radii = radii_of(b);
  EXPECT_EQ(radii.centre, centre) << what;
  EXPECT_EQ(std::vector(radii.lagrangian.begin(), radii.lagrangian.end()),
            radii_by_definition(b, centre, lagrangian_fractions))
      << what;
}

}  // namespace

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
  // A reference of 0 has parts: T, |W| and what else it counts here, 6.
  EXPECT_EQ(diagnose({.energies = {2, -8}}, 1, 10, 0).energy_error, -6.0 / 16);
  EXPECT_EQ(diagnose({.energies = {2, -8}}, 1, 10, 0, 0, 12.0).energy_error, -0.5);
  EXPECT_EQ(diagnose({.energies = {2, -8}}, 1, 10, 0, 0, 0.0).energy_error, -6);
  EXPECT_EQ(diagnose({.energies = {2, 0}}, 1, 10, 1).virial_ratio, 0);
}

/// A cluster on an orbit has the virial ratio that it has at rest and alone: the motion of its centre and the
/// field of the galaxy, thousands of times its own energies, are no part of it.
TEST(Diagnostics, TheVirialRatioIsThatOfTheBodiesThemselves) {
  const auto start = make_model("plummer", std::vector<std::string>{"n=500"}, 3);
  auto moved = start;
  for (auto& x : moved.bodies.x) x += 800;
  for (auto& v : moved.bodies.vy) v += 47;
  const auto row = [](const Snapshot& s, const std::vector<std::string>& potentials) {
    const Gravity gravity{.softening = {0.05}, .potentials = potentials_of(potentials)};
    return Simulation(s, gravity, {.integrator = &integrator_named("kdk"), .dt = 0.01},
                      {.precision = Precision::f64, .backend = "cpu"})
        .diagnostics(-1);
  };
  const auto alone = row(start, {}), orbiting = row(moved, {"plummer mass=1e6 scale=100"});
  // Doubles of energies of 1e3, and differences of places at 800: 1e-12 of the cluster's own energies.
  EXPECT_NEAR(orbiting.virial_ratio, alone.virial_ratio, 1e-10);
  EXPECT_NEAR(alone.virial_ratio, 0.5, 4 / std::sqrt(500.0));
  EXPECT_NEAR(orbiting.energies.mutual(), alone.energies.potential, 1e-10);
  // Each body in the field of the galaxy; sums of 500 numbers of one sign, each of a few roundings.
  double expected = 0;
  const auto& b = moved.bodies;
  for (std::size_t i = 0; i < b.size(); ++i)
    expected -= 1e6 * b.mass[i] / std::hypot(norm(b.position(i)), 100.0);
  EXPECT_NEAR(orbiting.energies.external, expected, 1e-13 * std::abs(expected));
  EXPECT_EQ(alone.energies.external, 0);
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

TEST(Radii, AreThoseOfTheDefinition) {
  // Also more than are sorted at once and than one piece of work, and at two distances only: their numbers
  // decide.
  for (const std::size_t n : {0, 1, 2, 8, 9, 10, 17, 71, 72, 79, 100, 4096, 4097, 20001, 40001}) {
    const auto b = ball(n);
    expect_definition(b, std::to_string(n));
    auto shells = b;
    for (std::size_t i = 0; i < n; ++i) shells.x[i] = i % 3 == 0 ? 1 : 0.5, shells.y[i] = shells.z[i] = 0;
    expect_definition(shells, std::to_string(n) + " in shells");
    auto point = b;
    for (auto* each : {&point.x, &point.y, &point.z}) std::ranges::fill(*each, 0.25);
    expect_definition(point, std::to_string(n) + " at one place");
  }
}

TEST(Radii, BearAnyRange) {
  auto b = ball(9000);
  for (std::size_t i = 0; i < b.size(); ++i) b.x[i] *= std::pow(10, double(i % 300) - 150);
  const auto radii = lagrangian_radii(b, {}, lagrangian_fractions);
  EXPECT_EQ(radii, radii_by_definition(b, {}, lagrangian_fractions));
  // One heavy body and many that are nothing beside it.
  auto sun = ball(6000);
  std::ranges::fill(sun.mass, 1e-30);
  sun.mass[3000] = 1e6;
  for (const double r : lagrangian_radii(sun, {}, lagrangian_fractions))
    EXPECT_EQ(r, norm(sun.position(3000)));
}

TEST(Radii, WithoutMassAreThoseOfTheNearest) {
  auto b = ball(5000);
  std::ranges::fill(b.mass, 0);
  expect_definition(b, "no mass");
  std::ranges::fill(b.mass, 5e-324);  // too little to be told from none
  EXPECT_EQ(lagrangian_radii(b, {}, lagrangian_fractions).size(), lagrangian_fractions.size());
}

/// Which is all that a look at a run that has gone wrong asks for.
TEST(Radii, OfBodiesThatAreNowhereEnd) {
  for (const std::size_t n : {20, 9000}) {
    auto b = ball(n);
    b.y[n / 2] = std::numeric_limits<double>::quiet_NaN();
    const auto radii = radii_of(b);
    EXPECT_EQ(std::vector(radii.lagrangian.begin(), radii.lagrangian.end()),
              radii_by_definition(b, radii.centre, lagrangian_fractions));
  }
}

TEST(Radii, HaveTheSameBitsForAnyNumberOfThreadsAndInEveryEngine) {
  const auto b = make_model("plummer", std::vector<std::string>{"n=50001"}, 3).bodies;
  const auto expected = radii_of(b);
  std::vector<Mass<double>> packed(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) packed[i] = {b.x[i], b.y[i], b.z[i], b.mass[i]};
  for (const int count : {1, 2, 5}) {
    set_threads(count);
    EXPECT_EQ(radii_of(b), expected) << count;
    EXPECT_EQ(radii_of(std::span<const Mass<double>>(packed)), expected) << count;
  }
  set_threads(0);
}

TEST(Diagnostics, TakeTheRadiiFromTheEngine) {
  const auto s = make_model("plummer", std::vector<std::string>{"n=300"}, 1);
  const Method method{.integrator = &integrator_named("kdk"), .dt = 0.01};
  Simulation sim(s, {.softening = {0.01}}, method, {.precision = Precision::f64});
  sim.run_until(0.02);
  Diagnostics expected;
  add_radii(expected, sim.snapshot().bodies);
  EXPECT_EQ(sim.diagnostics(0).lagrangian_radii, expected.lagrangian_radii);
}

/// The energy of kdk follows its error term, to the next order in the step.
TEST(KdkErrorTerm, IsWhatTheEnergyOfALeapfrogShows) {
  const auto start = make_model("plummer", std::vector<std::string>{"n=100"}, 4);
  constexpr double eps = 0.2, dt = 1.0 / 256;
  Simulation s(start, {.softening = {eps}}, {.integrator = &integrator_named("kdk"), .dt = dt},
               {.precision = Precision::f64, .backend = "cpu"});
  const double energy = s.energies().total(), before = kdk_error_term(start.bodies, 1, eps);
  double largest = 0, missed = 0;
  for (int k = 0; k < 20; ++k) {
    s.make_steps(16);
    const double change = s.energies().total() - energy;
    const double predicted = -dt * dt * (kdk_error_term(s.snapshot().bodies, 1, eps) - before);
    take_larger(largest, std::abs(change)), take_larger(missed, std::abs(change - predicted));
  }
  // Frequencies are at most some 10: (10 / 256)^2 is 2e-3 of the error.
  EXPECT_GT(largest, 1e-8);
  EXPECT_LE(missed, 0.01 * largest) << missed << " of " << largest;
}

TEST(KdkErrorTerm, OfAPairIsThatOfItsSecondDerivatives) {
  Bodies b;
  b.add(2, {0, 0, 0}, {0, 0, 0});
  b.add(3, {2, 0, 0}, {1, 1, 0});
  // G m m' = 12, r = 2: V'' = 12 (u^2 / r^3 - 3 (r.u)^2 / r^5) = 12 (2/8 - 3/8) = -1.5; the pulls are 1.5 and
  // 1.
  EXPECT_NEAR(kdk_error_term(b, 2, 0), -1.5 / 12 - (2 * 1.5 * 1.5 + 3 * 1.0) / 24, 1e-15);
}
