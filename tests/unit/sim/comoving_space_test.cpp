/// Steps in an expanding universe: factors, the error of a growing mode, the acceleration criterion.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "sim/comoving_space.hpp"

#include "engine/step_list.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

constexpr cosmology::Cosmology einstein_de_sitter{.omega_m = 1, .omega_lambda = 0};
constexpr double hubble = 2;

/// ln of the growth of a linear mode from a = begin to end in steps of one length in ln a, by kdk. Its pull
/// is 4 pi G rho = 3/2 H0^2 times itself; it starts as the growing mode, psi = a and p = a^3 H, and grows by
/// the ratio of the scale factors.
double log_growth(double begin, double end, int steps) {
  const ComovingSpace space(einstein_de_sitter, hubble);
  const double start = std::log(begin), dt = (std::log(end) - start) / steps;
  double psi = begin, p = hubble * std::pow(begin, 1.5);
  for (int k = 0; k < steps; ++k)
    for_stages(
        {.integrator = &integrator_named("kdk"), .dt = dt, .time = start + k * dt, .factors = &space},
        1.5 * hubble * hubble, [&](double h) { p += h * psi; }, [] {},
        [&](double h, double) { psi += h * p; });
  return std::log(psi / begin);
}

// Means over the step: of one that is short, the value in its middle, to dt^2 / 24 times a second derivative
// of order 10; the other way the same, to the roundings of a, 1e-16 of dt = 1e-4 each.
TEST(ComovingSpace, FactorsAreMeansOfDtOverAPowerOfA) {
  const ComovingSpace space(einstein_de_sitter, hubble);
  for (const double a : {0.02, 0.3, 1.0}) {
    const double time = std::log(a), dt = 1e-4, H = hubble * std::pow(a, -1.5);
    // dt / d ln a is 1 / H.
    EXPECT_NEAR(space.kick(time, time) * a * H, 1, 1e-14);
    EXPECT_NEAR(space.drift(time, time) * a * a * H, 1, 1e-14);
    EXPECT_NEAR(space.kick(time - dt / 2, time + dt / 2) * a * H, 1, 1e-8);
    EXPECT_NEAR(space.drift(time - dt / 2, time + dt / 2) * a * a * H, 1, 1e-8);
    EXPECT_NEAR(space.kick(time + dt / 2, time - dt / 2) / space.kick(time - dt / 2, time + dt / 2), 1,
                1e-11);
  }
  EXPECT_FALSE(space.constant());
}

// The growth lags by 0.105 dt^2 in an e-fold; 32 and 128 steps from 0.02 to 0.1 have been measured by an
// independent program: -4.3e-4 and -2.7e-5.
TEST(ComovingSpace, ALeapfrogLagsByATenthOfItsStepSquared) {
  for (const auto& [steps, known] : {std::pair{32, -4.3e-4}, std::pair{128, -2.7e-5}}) {
    const double length = std::log(5.0), dt = length / steps, error = log_growth(0.02, 0.1, steps) - length;
    EXPECT_NEAR(error, known, 0.02 * std::abs(known)) << steps;
    EXPECT_NEAR(-error / (0.105 * dt * dt * length), 1, 0.2) << steps;
  }
  // From z = 49 to 0 in steps of 0.049: 1e-3.
  const double whole = std::log(50.0);
  EXPECT_LE(std::abs(log_growth(0.02, 1, int(std::ceil(whole / 0.049))) - whole), 1e-3);
}

Simulation adaptive(double a, double eta, bool symmetric = false) {
  Snapshot s = make_model("plummer", std::vector<std::string>{"n=50"}, 4);
  s.time = std::log(a);
  return {std::move(s),
          {.softening = {0.1}},
          {.integrator = &integrator_named("kdk"),
           .dt = 1,
           .adaptive = true,
           .eta = eta,
           .symmetric_steps = symmetric,
           .space = std::make_shared<ComovingSpace>(einstein_de_sitter, hubble)},
          {.precision = Precision::f64, .backend = "cpu"}};
}

// dt = sqrt(2 eta eps / |pull|) of the physical softening a eps and the physical pull g / a^2, times H. The
// root of the rounding of the largest pull is 1e-15.
TEST(ComovingSpace, AdaptiveStepsFollowFromPhysicalAccelerations) {
  for (const double a : {0.1, 0.7}) {
    const double eta = 0.025, eps = 0.1;
    auto s = adaptive(a, eta);
    const auto now = s.snapshot_with_fields();
    double most = 0;
    for (std::size_t i = 0; i < now.bodies.size(); ++i)
      most = std::max(most, norm(Vec3<double>{now.ax[i], now.ay[i], now.az[i]}));
    const double dt = std::sqrt(2 * eta * a * eps / (most / (a * a))), H = hubble * std::pow(a, -1.5);
    ASSERT_LT(H * dt, 1);
    s.make_steps(1);
    EXPECT_NEAR((s.time() - std::log(a)) / (H * dt), 1, 1e-12);
    auto symmetric = adaptive(a, eta, true);
    symmetric.make_steps(1);
    EXPECT_NEAR((symmetric.time() - std::log(a)) / symmetric_step(H * dt, 0, 1), 1, 1e-12);
  }
}

}  // namespace
}  // namespace pleiad
