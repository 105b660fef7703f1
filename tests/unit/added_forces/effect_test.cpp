/// Every kind of added force: its acceleration is that of its energy, its jerk the change of its acceleration
/// along an orbit; and what is known of each.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "potentials/at_time.hpp"

#include <pleiad/added_force.hpp>
#include <pleiad/rng.hpp>

#include <added_forces/kinds.hpp>  // written by CMake
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

using added::Effect;
using added::Place;
using potentials::Dual;

template <class T>
Effect<T> effect_of(const AddedForce& force, const Place<T>& place) {
  return added::with_kind(force.kind,
                          [&]<class Kind>(Kind) { return Kind::template at<T>(force.parameters, place); });
}

/// Forces of all kinds, with parameters of order 1 where they may have them.
std::vector<AddedForce> drawn(int of_each) {
  std::vector<AddedForce> all;
  Random random(11, 0);
  for (std::size_t kind = 0; kind < added_force_kinds().size(); ++kind)
    for (int k = 0; k < of_each; ++k) {
      AddedForce force;
      force.kind = static_cast<int>(kind);
      const auto& parameters = added_force_kinds()[kind].parameters;
      for (std::size_t i = 0; i < parameters.size(); ++i)
        force.parameters[i] = std::clamp(0.3 + 2 * random.uniform(), parameters[i].low, parameters[i].high);
      all.push_back(force);
    }
  return all;
}

template <class T>
Place<T> place_at(const Vec3<T>& r, const Vec3<T>& v) {
  Place<T> place;
  place.r = r, place.v = v, place.Gm = 1.7, place.m = 0.4;
  return place;
}
Vec3<double> any_vector(Random& random) { return {random.normal(), random.normal(), random.normal()}; }
template <class T>
Vec3<T> as(const Vec3<double>& a) {
  return {T(a.x), T(a.y), T(a.z)};
}

}  // namespace

TEST(AddedForces, OfPositionsAreTheGradientsOfTheirEnergies) {
  using Exact = long double;
  Random random(3, 0);
  for (const auto& force : drawn(40)) {
    const auto& kind = kind_of(force);
    if (!kind.keeps_energy || kind.of_velocities) continue;
    const auto r = as<Exact>(any_vector(random));
    const Exact h = 1e-5L * norm(r);
    const auto energy = [&](Exact x, Exact y, Exact z) {
      return effect_of<Exact>(force, place_at<Exact>({r.x + x, r.y + y, r.z + z}, {})).energy;
    };
    const Vec3<Exact> gradient{(energy(h, 0, 0) - energy(-h, 0, 0)) / (2 * h),
                               (energy(0, h, 0) - energy(0, -h, 0)) / (2 * h),
                               (energy(0, 0, h) - energy(0, 0, -h)) / (2 * h)};
    const auto a = effect_of<Exact>(force, place_at<Exact>(r, {})).acceleration;
    // Differences over 2 h leave h^2 / 6 third derivatives, 7 * 8 * 9 / 6 1e-10 of the steepest term, r^-5.
    EXPECT_LE(norm(a + gradient), 1e-7L * norm(a)) << text_of(force);
  }
}

/// v . a + d energy / dt = 0 along a Newtonian orbit, to the order of the force.
TEST(AddedForces, PostNewtonianEnergyChangesByTheWorkOfTheForce) {
  Random random(5, 0);
  for (const auto& force : drawn(40)) {
    if (kind_of(force).name != "post-newtonian") continue;
    const auto r = any_vector(random), v = any_vector(random);
    const double length = norm(r);
    const auto newton = r * (-1.7 / (length * length * length));
    const auto effect =
        effect_of<Dual>(force, place_at<Dual>({{r.x, v.x}, {r.y, v.y}, {r.z, v.z}},
                                              {{v.x, newton.x}, {v.y, newton.y}, {v.z, newton.z}}));
    const auto& a = effect.acceleration;
    const double work = v.x * a.x.value + v.y * a.y.value + v.z * a.z.value;
    const double scale =
        norm(v) * norm(Vec3<double>{a.x.value, a.y.value, a.z.value}) + std::abs(effect.energy.rate);
    EXPECT_LE(std::abs(work + effect.energy.rate), 1e-14 * scale);
  }
}

TEST(AddedForces, HaveTheJerksOfTheirAccelerations) {
  Random random(7, 0);
  for (const auto& force : drawn(40)) {
    if (!kind_of(force).has_jerks) continue;
    const auto r = any_vector(random), v = any_vector(random), b = any_vector(random);
    const auto at = [&](double t) {
      return effect_of<double>(force, place_at<double>(r + t * v + t * t / 2 * b, v + t * b)).acceleration;
    };
    const auto dual = effect_of<Dual>(force, place_at<Dual>({{r.x, v.x}, {r.y, v.y}, {r.z, v.z}},
                                                            {{v.x, b.x}, {v.y, b.y}, {v.z, b.z}}))
                          .acceleration;
    const double h = 1e-4 * norm(r) / (1 + norm(v));
    const auto change = (at(h) - at(-h)) * (1 / (2 * h));
    const Vec3<double> jerk{dual.x.rate, dual.y.rate, dual.z.rate};
    // Differences leave h^2 / 6 times the third derivative, at most some 10^3 of the jerk here, and rounding
    // errors of 1e-16 / 1e-4.
    EXPECT_LE(norm(change - jerk), 3e-5 * (norm(jerk) + norm(at(0)))) << text_of(force);
    EXPECT_EQ(dual.x.value, at(0).x) << text_of(force);
  }
}

/// P2 and P4 are 1 on the axis, -1/2 and 3/8 in the plane; and no harmonic has sources outside the body.
TEST(AddedForces, OblateBodiesHaveTheirHarmonics) {
  const auto force = added_force_of("oblate j2=0.2 j4=-0.3 radius=0.7 axis_x=2 axis_y=-1 axis_z=2");
  const Vec3<double> axis{2.0 / 3, -1.0 / 3, 2.0 / 3},
      across{1 / std::numbers::sqrt2, 0, -1 / std::numbers::sqrt2};
  const double r = 1.3, q2 = 0.49 / (1.3 * 1.3), phi = 1.7 / r;
  const auto energy = [&](const Vec3<double>& n) {
    return effect_of<double>(force, place_at(r * n, {})).energy;
  };
  EXPECT_NEAR(energy(axis), phi * (0.2 * q2 - 0.3 * q2 * q2), 1e-15);
  EXPECT_NEAR(energy(across), phi * (-0.1 * q2 - 0.1125 * q2 * q2), 1e-15);
  Random random(9, 0);
  for (int k = 0; k < 20; ++k) {
    const auto at = any_vector(random);
    const auto along = [&](double x, double y, double z) {
      return effect_of<Dual>(force, place_at<Dual>({{at.x, x}, {at.y, y}, {at.z, z}}, {})).acceleration;
    };
    const double xx = along(1, 0, 0).x.rate, yy = along(0, 1, 0).y.rate, zz = along(0, 0, 1).z.rate;
    EXPECT_LE(std::abs(xx + yy + zz), 1e-13 * (std::abs(xx) + std::abs(yy) + std::abs(zz)));
  }
}

/// Chandrasekhar's formula with the density of a Plummer sphere, and a speed of one dispersion times the root
/// of 2; at small speeds it is linear, 4 / (3 pi^(1/2)) X^3.
TEST(AddedForces, FrictionHasTheDensityOfItsPotential) {
  const double G = 1.3, M = 5, b = 0.8, sigma = 0.6, m = 0.01;
  const auto potential = potential_of("plummer mass=5 scale=0.8 x=0.5 vx=0.1");
  const auto halo = potentials::instant_of<double>(potential, 2.0);
  const auto force = added_force_of("dynamical-friction log_lambda=3 sigma=0.6");
  const Vec3<double> offset{0.3, -0.4, 1.2};  // of length 1.3
  Place<double> place{.G = G, .m = m, .medium = &halo, .medium_velocity = {0.1, 0, 0}};
  place.r = Vec3<double>{0.7, 0, 0} + offset;
  const double rho = 3 * M / (4 * std::numbers::pi * b * b * b) * std::pow(1 + 1.69 / (b * b), -2.5);
  for (const double x : {1.0, 1e-3}) {
    const double speed = x * std::numbers::sqrt2 * sigma;
    place.v = Vec3<double>{0.1, speed, 0};
    const double slower = x == 1 ? std::erf(1.0) - 2 * std::numbers::inv_sqrtpi * std::exp(-1.0)
                                 : 4.0 / 3 * std::numbers::inv_sqrtpi * x * x * x;
    const double expected = -4 * std::numbers::pi * G * G * m * rho * 3 * slower / (speed * speed);
    const auto a = effect_of<double>(force, place).acceleration;
    EXPECT_NEAR(a.y / expected, 1, x == 1 ? 1e-13 : 1e-6) << x;  // the series leaves 3/5 X^2
    EXPECT_EQ(a.z, 0);
    EXPECT_LE(std::abs(a.x), 1e-15 * std::abs(a.y));
  }
}

}  // namespace pleiad
