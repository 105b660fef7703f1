/// Regularised groups: two bodies on eccentric orbits, collision orbits, one body, forces from outside.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bodies.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::regular;

namespace {

/// Bounds for e = 0.9999: U is 1e4 times the energy at pericentre, so its rounding errors of 1e-16 are 1e-12
/// of the energy, and a random walk of those of ten thousand passages reaches ten times that. The angular
/// momentum has errors of 1e-16 / sqrt(1 - e^2) = 7e-15, some 1e5 of which walk to 2e-12, and less for an
/// orbit along an axis. e changes by (1 - e^2) / 2 times what they do.
void expect_same_orbit(const Orbit& now, const Orbit& before) {
  EXPECT_LE(std::abs(now.a / before.a - 1), 2e-11);
  EXPECT_LE(std::abs(now.e - before.e), 1e-14);
  EXPECT_LE(std::abs(now.longitude - before.longitude), 1e-12);
  EXPECT_LE(std::abs(now.momentum / before.momentum - 1), 1e-12);
}

}  // namespace

TEST(Groups, KeepAnOrbitOfEccentricity9999) {
  Group group(pair_at_apocentre(0.9999), {});
  const auto before = orbit_of(group.bodies());
  for (int k = 0; k < 1000; ++k) group.advance(2 * pi);
  expect_same_orbit(orbit_of(group.bodies()), before);
  // Back at apocentre: a relative error of 1e-12 of a is one of 1e-8 of the phase after a thousand periods,
  // at a speed of 0.0035; the errors of a walk to a tenth of that.
  EXPECT_LE(norm(rounded_vec(group.bodies()[0].x) - Vec3<double>{0.5 * 1.9999, 0, 0}), 3e-11);
  EXPECT_LE(group.evaluations(), 1'600'000u);
}

TEST(WholeOrbits, KeepTenThousandOfEccentricity9999) {
  for (const double first : {0.5, 1 - 1e-9}) {
    Group group(pair_at_apocentre(0.9999, first), {});
    const auto before = orbit_of(group.bodies());
    for (int k = 0; k < 10'000; ++k) group.advance(2 * pi);
    expect_same_orbit(orbit_of(group.bodies()), before);
  }
}

// Half a period after rest at a distance of 1 the bodies are at one place, and a whole one after it back.
TEST(Groups, PassThroughACollision) {
  for (const double across : {0.0, 1e-6, 1e-9}) {
    Group group({body(0.5, {0.5, 0, 0}, {0, across, 0}), body(0.5, {-0.5, 0, 0}, {0, -across, 0})}, {});
    const double a = 1 / (2 - 4 * across * across), period = 2 * pi * a * std::sqrt(a);
    for (int k = 0; k < 3; ++k) {
      group.advance(0.8 * period);
      EXPECT_LE(std::abs(double(orbit_of(group.bodies()).a) / a - 1), 1e-12) << across;
      group.advance(0.2 * period);
    }
    // Speeds are a few times `across` there, and the time is off by rounding.
    EXPECT_LE(norm(rounded_vec(group.bodies()[0].x) - Vec3<double>{0.5, 0, 0}), 1e-12) << across;
  }
}

TEST(Groups, MoveOneBodyStraightAndNoneNot) {
  Group one({body(0, {1, 2, 3}, {0.5, -0.25, 1})}, {});
  one.advance(8), one.advance(-2);
  EXPECT_EQ(rounded_vec(one.bodies()[0].x), (Vec3<double>{4, 0.5, 9}));
  EXPECT_EQ(rounded_vec(one.bodies()[0].v), (Vec3<double>{0.5, -0.25, 1}));
  EXPECT_EQ(one.time(), 6);
  Group none({}, {});
  none.advance(1);
  EXPECT_TRUE(none.bodies().empty());
}

TEST(Groups, RefuseMassesThatAreNotPositive) {
  for (const double mass : {0.0, -1.0, double(NAN)})
    EXPECT_THROW(Group({body(1, {}, {}), body(mass, {1, 0, 0}, {})}, {}), UsageError) << mass;
  EXPECT_THROW(
      Group({body(1, {}, {}), body(1, {1, 0, 0}, {})}, {.clock = Clock::by_masses, .slow_down = SlowDown{}}),
      UsageError);
}

TEST(Groups, SayWhereBodiesAreAtOnePlace) {
  Group group({body(1, {1, 1, 1}, {}), body(1, {1, 1, 1}, {1, 0, 0})}, {});
  EXPECT_THROW(group.advance(1), NumericalError);
}

// Far from all others a close binary keeps its digits: by single positions its orbit would lose 8 of them.
TEST(Groups, KeepACloseBinaryFarFromTheOrigin) {
  auto bodies = pair_at_apocentre(0.5);
  for (auto& b : bodies) {
    for (auto* c : {&b.x.x, &b.x.y}) *c = *c * 0x1p-40;
    for (auto* c : {&b.v.x, &b.v.y}) *c = *c * 0x1p20;
    b.x += double_vec({1, 2, 3}), b.v += double_vec({0.1, 0, 0});
  }
  Group group(bodies, {});
  const auto before = orbit_of(group.bodies());
  group.advance(100 * 2 * pi * 0x1p-60);
  const auto after = orbit_of(group.bodies());
  // A hundred orbits of e = 0.5, with some ten steps of errors of 1e-15 each.
  EXPECT_LE(std::abs(after.a / before.a - 1), 1e-12);
  EXPECT_LE(std::abs(after.e - before.e), 1e-12);
}

// The centre of mass falls as in free fall, and the orbit stays.
TEST(Groups, FallInAUniformField) {
  const Perturbation field = [](double, std::span<const Vec3<double>>, std::span<Vec3<double>> a) {
    for (auto& each : a) each += {0, 0, -2};
  };
  Group group(pair_at_apocentre(0.99), {});
  const auto before = orbit_of(group.bodies());
  for (int k = 0; k < 10; ++k) group.advance(2 * pi, &field);
  const auto after = orbit_of(group.bodies());
  const double t = group.time();
  EXPECT_LE(std::abs(after.a / before.a - 1), 1e-11);
  EXPECT_LE(std::abs(after.e - before.e), 1e-12);
  const auto centre = 0.5 * (rounded_vec(group.bodies()[0].x) + rounded_vec(group.bodies()[1].x));
  EXPECT_LE(std::abs(centre.z / (-t * t) - 1), 1e-13);
  EXPECT_LE(std::abs(rounded_vec(group.bodies()[0].v).z / (-2 * t) - 1), 1e-12);
}

// A force that grows in time: v = t^3 / 3, x = t^4 / 12, also backwards.
TEST(Groups, SeeAForceAtItsTime) {
  const Perturbation field = [](double t, std::span<const Vec3<double>>, std::span<Vec3<double>> a) {
    for (auto& each : a) each += {0, 0, t * t};
  };
  for (const std::size_t n : {1u, 2u}) {
    auto bodies = pair_at_apocentre(0.3);
    bodies.resize(n);
    Group group(bodies, {}, 0);
    for (int k = 0; k < 4; ++k) group.advance(0.5, &field);
    double z = 0, w = 0;
    for (const auto& b : group.bodies()) z += b.x.z.value() / double(n), w += b.v.z.value() / double(n);
    EXPECT_LE(std::abs(z / (16.0 / 12) - 1), 1e-13) << n;
    EXPECT_LE(std::abs(w / (8.0 / 3) - 1), 1e-13) << n;
    group.advance(-2, &field);
    EXPECT_LE(norm(rounded_vec(group.bodies()[0].x - bodies[0].x)), 1e-12) << n;
  }
}

// In a harmonic trap the centre of mass swings as a pendulum, and the relative motion keeps
// v^2 / 2 - 1 / r + w^2 r^2 / 2. If B did not follow the work, drifts and kicks would take other times.
TEST(Groups, ExchangeEnergyWithATrap) {
  constexpr double w = 0.3;
  const Perturbation trap = [](double, std::span<const Vec3<double>> x, std::span<Vec3<double>> a) {
    for (std::size_t i = 0; i < x.size(); ++i) a[i] -= w * w * x[i];
  };
  auto bodies = pair_at_apocentre(0.9, 0.8);
  for (auto& b : bodies) b.x += double_vec({2, 0, 1});
  Group group(bodies, {});
  const auto relative = [&] {
    const auto x = rounded_vec(group.bodies()[1].x - group.bodies()[0].x),
               v = rounded_vec(group.bodies()[1].v - group.bodies()[0].v);
    return dot(v, v) / 2 - 1 / norm(x) + w * w * dot(x, x) / 2;
  };
  const double before = relative();
  for (int k = 0; k < 100; ++k) group.advance(1.7, &trap);
  // Some 1e3 steps with errors of 5e-15 of U, which is up to 20 times the energy.
  EXPECT_LE(std::abs(relative() / before - 1), 1e-11);
  const auto centre = 0.8 * rounded_vec(group.bodies()[0].x) + 0.2 * rounded_vec(group.bodies()[1].x);
  EXPECT_LE(std::abs(centre.x - 2 * std::cos(w * group.time())), 1e-11);
  EXPECT_LE(std::abs(centre.z - std::cos(w * group.time())), 1e-11);
}

// Errors of the tolerance are those of a step: looser ones cost less.
TEST(Groups, TakeATolerance) {
  std::uint64_t evaluations = 0;
  for (const double tolerance : {1e-14, 1e-10, 1e-6}) {
    Group group(pair_at_apocentre(0.5), {.tolerance = tolerance});
    const auto before = orbit_of(group.bodies());
    for (int k = 0; k < 10; ++k) group.advance(2 * pi);
    // Some ten steps in each of ten orbits.
    EXPECT_LE(std::abs(orbit_of(group.bodies()).a / before.a - 1), 100 * tolerance) << tolerance;
    if (evaluations > 0) {
      EXPECT_LT(group.evaluations(), evaluations) << tolerance;
    }
    evaluations = group.evaluations();
  }
}
