/// The hybrid Wisdom-Holman map: encounters of planets with each other, with particles and with the star.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "system.hpp"

#include <pleiad/error.hpp>
#include <pleiad/orbits.hpp>

#include <cmath>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::physics;

namespace {

constexpr const char* hybrid = "wisdom-holman-hybrid";

void add(Snapshot& s, double mass, double a, double e, double anomaly, double inclination = 0.01) {
  StatedOrbit orbit;
  orbit.semi_major_axis = a, orbit.eccentricity = e, orbit.true_anomaly = anomaly;
  orbit.inclination = inclination, orbit.node = anomaly;
  add_on_orbit(s, mass, orbit, orbit_centre_named("0"));
}

/// Two planets of a thousandth of the star less than two mutual Hill radii apart: they meet within some
/// orbits, and again and again.
Snapshot crossing() {
  Snapshot s;
  s.bodies.add(1, {0.3, -0.2, 0.1}, {0.01, 0.02, -0.01});
  add(s, 1e-3, 1, 0.05, 0), add(s, 5e-4, 1.12, 0.05, 2), add(s, 1e-4, 3, 0.02, -1);
  return s;
}
/// Three planets that stay apart.
Snapshot apart() {
  Snapshot s;
  s.bodies.add(1, {0.3, -0.2, 0.1}, {0.01, 0.02, -0.01});
  add(s, 1e-4, 1, 0.1, 1), add(s, 3e-4, 2, 0.05, 3), add(s, 1e-4, 4, 0.02, -1);
  return s;
}
Simulation simulation(const Snapshot& s, double dt, const char* map = hybrid) {
  return Simulation(s, Gravity{}, fixed(map, dt), in(Precision::f64));
}
/// Steps in which Gauss-Radau took part, which evaluates forces more often.
std::uint64_t busy_steps(Simulation& s, std::uint64_t steps) {
  std::uint64_t busy = 0;
  for (std::uint64_t k = 0; k < steps; ++k) {
    const auto before = s.evaluations();
    s.run_towards(1e9, 1);
    busy += s.evaluations() - before > 1 ? 1 : 0;
  }
  return busy;
}
bool same_bits(const Bodies& a, const Bodies& b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (a.position(i) != b.position(i) || a.velocity(i) != b.velocity(i)) return false;
  return true;
}

}  // namespace

TEST(Hybrid, IsTheMapWherePlanetsStayApart) {
  auto one = simulation(apart(), 0.1), other = simulation(apart(), 0.1, "wisdom-holman");
  one.run_towards(1e9, 1000), other.run_towards(1e9, 1000);
  EXPECT_EQ(one.snapshot().bodies, other.snapshot().bodies);
}

TEST(Hybrid, IsOfSecondOrderInTheEnergy) {
  std::vector<double> errors;
  for (const int steps : {160, 80, 40}) {
    auto s = simulation(apart(), 2 * pi / steps);
    errors.push_back(worst_energy_error(s, static_cast<std::uint64_t>(20 * steps)));
  }
  EXPECT_LE(std::abs(slope(errors) - 2), 0.05) << slope(errors);
}

/// 400 orbits with encounters in some of the steps. The energy keeps an error of the size that the map has on
/// the eccentric orbits between them, whatever the number of encounters; the map alone loses it.
TEST(Hybrid, KeepsTheEnergyOfPlanetsThatMeet) {
  const double dt = 2 * pi / 50;
  auto s = simulation(crossing(), dt), alone = simulation(crossing(), dt, "wisdom-holman");
  auto probe = simulation(crossing(), dt);
  EXPECT_GT(busy_steps(probe, 5000), 100u);
  const double found = worst_energy_error(s, 20'000), without = worst_energy_error(alone, 20'000);
  EXPECT_LE(found, 1e-4) << found;
  EXPECT_GE(without, 100 * found) << without;
  // All that moves is the pull of planets on each other: momentum and barycentre stay.
  const auto before = centre_of_mass(crossing().bodies), now = centre_of_mass(s.snapshot().bodies);
  EXPECT_LE(norm(now.velocity - before.velocity), 1e-13);
}

/// Through one encounter the orbits are those of Gauss-Radau, with an error that falls with the square of the
/// step.
TEST(Hybrid, PassesAnEncounterAsGaussRadauDoes) {
  auto method = fixed("gauss-radau", 1);
  method.adaptive = true;
  const auto after = [&](auto&& s) {
    s.run_until(20);
    return s.snapshot().bodies;
  };
  const auto exact = after(Simulation(crossing(), Gravity{}, method, in(Precision::f64)));
  const double coarse = distance(after(simulation(crossing(), 20.0 / 400)), exact),
               fine = distance(after(simulation(crossing(), 20.0 / 1600)), exact);
  EXPECT_LE(fine, 1e-3) << fine;
  EXPECT_LE(fine, coarse / 8) << coarse << " " << fine;
}

/// A planet that comes within 0.02 of the star, in steps that pass its pericentre in a fifth of one.
TEST(Hybrid, PassesAPericentreThatStepsDoNotResolve) {
  Snapshot s;
  s.bodies.add(1, {}, {});
  add(s, 1e-4, 1, 0.98, 3), add(s, 1e-3, 5, 0.05, 1);
  const double dt = 2 * pi / 50;
  auto found = simulation(s, dt), alone = simulation(s, dt, "wisdom-holman");
  const double error = worst_energy_error(found, 5000), without = worst_energy_error(alone, 5000);
  // Steps of half the time in which the pull changes are still those of the map.
  EXPECT_LE(error, 5e-5) << error;
  EXPECT_GE(without, 100 * error) << without;
}

TEST(Hybrid, GoesBackTheWayItCame) {
  const auto start = crossing();
  auto s = simulation(start, 0.1);
  s.run_towards(1e9, 300);
  EXPECT_GT(distance(s.snapshot().bodies, start.bodies), 0.1);
  s.reverse_velocities();
  s.run_towards(1e9, 300);
  // Rounding errors and those of Gauss-Radau, which encounters multiply.
  EXPECT_LE(distance(s.snapshot().bodies, start.bodies), 1e-8);
}

TEST(Hybrid, ParticlesInEncountersDoNotChangeABitOfThePlanets) {
  auto among = crossing();
  for (int k = 0; k < 40; ++k) add(among, 0, 0.9 + 0.01 * k, 0.1, 0.7 * k, 0.02);
  add(among, 0, 1, 0.99, 1), add(among, 0, 3.01, 0.02, -1.02);  // past the star, and beside a planet
  auto alone = simulation(crossing(), 0.1), with = simulation(among, 0.1);
  alone.run_towards(1e9, 400), with.run_towards(1e9, 400);
  EXPECT_TRUE(same_bits(alone.snapshot().bodies, with.snapshot().bodies, 4));
  EXPECT_TRUE(with.finite());
}

/// Particles that pass a planet and the star, against Gauss-Radau.
TEST(Hybrid, MovesParticlesThroughEncounters) {
  Snapshot s;
  s.bodies.add(1, {}, {});
  add(s, 1e-3, 1, 0.01, 0);
  add(s, 0, 1.04, 0.01, 0.25), add(s, 0, 1.5, 0.985, 3);
  auto method = fixed("gauss-radau", 1);
  method.adaptive = method.particles_limit_step = true;
  Simulation exact(s, Gravity{}, method, in(Precision::f64));
  auto found = simulation(s, 1.0 / 128);
  exact.run_until(12), found.run_until(12);
  // The map's own error next to the pericentre does not fall with the step: the shorter it is, the closer to
  // the star the map is used.
  EXPECT_LE(distance(found.snapshot().bodies, exact.snapshot().bodies), 3e-5);
  auto alone = simulation(s, 1.0 / 128, "wisdom-holman");
  alone.run_until(12);
  EXPECT_GE(distance(alone.snapshot().bodies, exact.snapshot().bodies), 3e-3);
}

TEST(Hybrid, HasTheSameBitsInAnyBatchesAndAfterAResume) {
  auto start = crossing();
  add(start, 0, 1.05, 0.05, 1);
  auto whole = simulation(start, 0.1);
  whole.run_towards(1e9, 300);
  auto parts = simulation(start, 0.1);
  for (int k = 0; k < 100; ++k) {
    parts.run_towards(1e9, 3);
    if (k % 10 == 0) (void)parts.diagnostics(1);
  }
  EXPECT_EQ(parts.snapshot().bodies, whole.snapshot().bodies);
  auto first = simulation(start, 0.1);
  first.run_towards(1e9, 120);
  Simulation second(first.snapshot(), first.clock(), Gravity{}, fixed(hybrid, 0.1), in(Precision::f64));
  second.run_towards(1e9, 180);
  EXPECT_EQ(second.snapshot().bodies, whole.snapshot().bodies);
}

TEST(Hybrid, SemiActiveBodiesMeetTheOthersAlone) {
  auto start = crossing();
  for (int k = 0; k < 6; ++k) {
    add(start, 1e-7, 1 + 0.02 * k, 0.05, 2 * k + 1);
    start.bodies.type.back() = Type::disc;
  }
  const Gravity gravity{.semi_active = semi_active_of("disc")};
  Simulation s(start, gravity, fixed(hybrid, 0.05), in(Precision::f64));
  EXPECT_LE(worst_energy_error(s, 2000), 1e-5);
}

/// Kozai's cycles of a particle about a star, by a far companion on a circle: the eccentricity rises to
/// sqrt(1 - 5/3 cos^2 i) of the first inclination (Kozai 1962, Lidov 1962).
TEST(Kozai, CyclesReachTheKnownEccentricity) {
  Snapshot s;
  s.bodies.add(1, {}, {});
  constexpr double inclination = 75 * pi / 180;
  StatedOrbit inner;
  inner.semi_major_axis = 1, inner.eccentricity = 0.001, inner.inclination = inclination,
  inner.true_anomaly = 0;
  inner.pericentre = pi / 4;  // where the eccentricity grows
  add_on_orbit(s, 0, inner, orbit_centre_named("0"));
  StatedOrbit outer;
  outer.semi_major_axis = 15, outer.true_anomaly = 1;
  add_on_orbit(s, 0.9, outer, orbit_centre_named("0"));
  auto method = fixed("gauss-radau", 100);
  method.adaptive = method.particles_limit_step = true;
  Simulation sim(s, Gravity{}, method, in(Precision::f64));
  double largest = 0;
  for (int k = 1; k <= 4000; ++k) {
    sim.run_until(2 * pi * 2 * k);
    const auto& b = sim.snapshot().bodies;
    take_larger(largest,
                elements_of(1, b.position(1) - b.position(0), b.velocity(1) - b.velocity(0)).eccentricity);
  }
  const double c = std::cos(inclination), known = std::sqrt(1 - 5.0 / 3 * c * c);
  EXPECT_LE(std::abs(largest / known - 1), 0.01) << largest << " " << known;
}
