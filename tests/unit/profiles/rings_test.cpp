/// Rotation curves against closed forms: Freeman's disc, spheres, and bodies on circles.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "profiles/profiles.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/rng.hpp>

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

using namespace pleiad;
using profiles::Choice;
using profiles::frame_of;
using profiles::rotation_curve;

namespace {

constexpr double pi = std::numbers::pi;
constexpr double sigmas = 5;
const Choice at_rest{.centre = Vec3<double>{}, .velocity = Vec3<double>{}, .axis = Vec3<double>{0, 0, 1}};

/// The radial force of a thin exponential disc with G = M = R_d = 1 at the height z, as the integral over its
/// Hankel transform (Binney & Tremaine, eq. 2.165): softening by eps is the force at the height eps.
double disc_force(double R, double z) {
  double sum = 0;
  constexpr double step = 1e-3;
  for (double k = step / 2; k < 60; k += step)
    sum += k * std::cyl_bessel_j(1.0, k * R) * std::exp(-k * z) / std::pow(1 + k * k, 1.5) * step;
  return sum;
}

/// Freeman's curve (1970): v^2 = 2 y^2 (I0 K0 - I1 K1) at y = R / 2, in the same units.
double freeman(double R) {
  const double y = R / 2;
  return 2 * y * y *
         (std::cyl_bessel_i(0.0, y) * std::cyl_bessel_k(0.0, y) -
          std::cyl_bessel_i(1.0, y) * std::cyl_bessel_k(1.0, y));
}

}  // namespace

TEST(RotationCurve, OfAThinDiscIsFreemans) {
  // The integral without softening is Freeman's closed form; the tail beyond k = 60 oscillates with an
  // amplitude of k^-2 k^-1/2 / R.
  for (const double R : {1.0, 2.2, 4.0}) EXPECT_NEAR(R * disc_force(R, 0), freeman(R), 1e-3);
  constexpr int n = 40000;
  constexpr double eps = 0.1;
  Snapshot s;
  Random random(11, 0);
  for (int i = 0; i < n; ++i) {
    // R exp(-R): the sum of two exponential deviates.
    const double R = -std::log((1 - random.uniform()) * (1 - random.uniform())),
                 angle = 2 * pi * random.uniform();
    s.bodies.add(1.0 / n, {R * std::cos(angle), R * std::sin(angle), 0}, {}, Type::disc);
  }
  const auto c = rotation_curve(s, at_rest, {.count = 10, .logarithmic = false, .low = 0, .high = 5}, eps);
  for (std::size_t k = 1; k < c.rows(); ++k) {
    const double R = c["radius"][k], exact = disc_force(R, eps);
    // Near bodies: the variance of sum m d / (d^2 + eps^2)^1.5 over a plane of density Sigma is
    // m Sigma pi / (4 eps^2) in one direction, at points that are independent of each other where they are
    // eps or more apart (2 pi R / 32 > eps from R = 0.5 on). Far ones: (M / R^2)^2 / n at most, common to all
    // points.
    const double Sigma = std::exp(-R) / (2 * pi);
    const double error = std::sqrt(Sigma * pi / (4 * eps * eps) / n / 32 + 1 / (R * R * R * R) / n);
    EXPECT_LE(std::abs(std::pow(c["circular_velocity"][k], 2) / R - exact), sigmas * error) << R;
    const double within = 1 - std::exp(-R) * (1 + R);
    EXPECT_LE(std::abs(std::pow(c["spherical_circular_velocity"][k], 2) * R - within),
              sigmas * std::sqrt(within * (1 - within) / n))
        << R;
  }
  // At the disc's peak the sphere of the same mass is 13 % slower: the two columns differ.
  EXPECT_GE(c["circular_velocity"][4], 1.1 * c["spherical_circular_velocity"][4]);
}

TEST(RotationCurve, OfASphereIsThatOfTheMassWithin) {
  const auto s = model("plummer", {{"n", 20000}}, 3);
  constexpr double a = 3 * pi / 16, eps = 0.02;
  const auto c = rotation_curve(s, at_rest, {.count = 8, .logarithmic = false, .low = 0, .high = 2}, eps);
  for (std::size_t k = 1; k < 8; ++k) {
    const double R = c["radius"][k];
    const double exact = R * R / std::pow(R * R + a * a, 1.5);
    // Near bodies: the variance is 4 pi / 3 m rho 3 pi / (16 eps), the integral of d^4 / (d^2 + eps^2)^3
    // being 3 pi / (16 eps); far ones as of a disc. Softening takes less than 2 pi rho eps of the force.
    const double rho = 3 / (4 * pi * a * a * a) * std::pow(1 + R * R / (a * a), -2.5);
    const double error = std::sqrt(rho * pi * pi / (4 * eps) / 20000 / 32 + exact / R / (R * R) / 20000);
    EXPECT_LE(std::abs(std::pow(c["circular_velocity"][k], 2) - exact),
              R * (sigmas * error + 2 * pi * rho * eps))
        << R;
    const double within = std::pow(1 + a * a / (R * R), -1.5);
    EXPECT_LE(std::abs(std::pow(c["spherical_circular_velocity"][k], 2) - exact),
              sigmas * std::sqrt(within / 20000) / R);
    // Without rotation the mean vanishes within its stated error.
    EXPECT_LE(std::abs(c["azimuthal_velocity"][k]), sigmas * c["azimuthal_velocity_error"][k]) << R;
  }
}

TEST(RotationCurve, FindsPlaneAndSenseOfRotationWhereverTheDiscIs) {
  // Four rings of bodies on circles of speed 1 + R about a tilted axis, moving as a whole.
  const Vec3<double> axis{2.0 / 3, -1.0 / 3, 2.0 / 3}, place{5, 6, 7}, drift{-1, 0.5, 2};
  const Vec3<double> first{1 / std::sqrt(5.0), 2 / std::sqrt(5.0), 0};
  const auto second = cross(axis, first);
  Snapshot s;
  for (int ring = 1; ring <= 4; ++ring)
    for (int i = 0; i < 200; ++i) {
      const double angle = 2 * pi * i / 200;
      const auto out = std::cos(angle) * first + std::sin(angle) * second;
      s.bodies.add(1, place + double(ring) * out, drift + (1.0 + ring) * cross(axis, out), Type::disc);
    }
  // A halo that would turn the axis away if it counted.
  for (int i = 0; i < 200; ++i)
    s.bodies.add(1, place + Vec3<double>{i % 2 ? 0.1 : -0.1, 0, 0},
                 drift + Vec3<double>{0, i % 2 ? 90.0 : -90.0, 0});
  auto choice = Choice{.centre = place};
  const auto frame = frame_of(s, choice);
  EXPECT_LE(norm(frame.velocity - drift), 1e-12);
  EXPECT_LE(norm(frame.axis - axis), 1e-12) << "counterclockwise, by the bodies of the disc alone";
  // The nearest 100 bodies of the disc alone are half a ring.
  choice.types = {Type::disc}, choice.velocity = frame.velocity;
  const auto c = rotation_curve(s, choice, {.count = 4, .logarithmic = false, .low = 0.5, .high = 4.5}, 0.1);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(c["bodies"][k], 200);
    EXPECT_NEAR(c["azimuthal_velocity"][k], 2 + double(k), 1e-12);
    // Differences of squares of numbers up to 25, each rounded by 1e-16 of itself or so: the root of 1e-14.
    EXPECT_LE(c["azimuthal_dispersion"][k] + c["radial_dispersion"][k] + c["vertical_dispersion"][k], 1e-6);
    EXPECT_NEAR(c["surface_density"][k], 200 / (pi * (std::pow(k + 1.5, 2) - std::pow(k + 0.5, 2))), 1e-9);
  }
  choice.axis = Vec3<double>{-2, 1, -2};
  EXPECT_NEAR(rotation_curve(s, choice, {.count = 4, .logarithmic = false, .low = 0.5, .high = 4.5},
                             0.1)["azimuthal_velocity"][0],
              -2, 1e-12)
      << "clockwise about the opposite axis";
}

TEST(RotationCurve, RefusesWhatHasNoSense) {
  const auto s = model("plummer", {{"n", 50}}, 3);
  EXPECT_THROW(rotation_curve(s, {}, {}, -1), UsageError);
  EXPECT_THROW(rotation_curve(s, {.axis = Vec3<double>{}}, {}, 0), UsageError);
}
