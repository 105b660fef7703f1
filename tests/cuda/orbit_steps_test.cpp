/// Test particles of Wisdom-Holman maps on a GPU: the orbits of the CPU, bodies with mass of the same bits,
/// particles of the same bits in any batches, after looks and after a resume, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/steps/orbit_steps.hpp"

#include "core/larger.hpp"
#include "cuda/gpu.hpp"
#include "engine/device_orbit_particles.hpp"
#include "engine/host_engine.hpp"
#include "orbits/universal.hpp"

#include <pleiad/error.hpp>
#include <pleiad/orbits.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

using OrbitStepsOnAGpu = Gpu;

constexpr double pi = 3.14159265358979323846;
const auto& scheme = integrator_named("wisdom-holman");

void add(Snapshot& s, double mass, double a, double e, double anomaly) {
  StatedOrbit orbit;
  orbit.semi_major_axis = a, orbit.eccentricity = e, orbit.mean_anomaly = anomaly;
  orbit.inclination = 0.05 * a, orbit.node = anomaly;
  add_on_orbit(s, mass, orbit, orbit_centre_named("0"));
}
/// A star that moves, `planets` of them, and particles between and beyond them, at every other place of the
/// order.
Snapshot system(std::size_t planets, std::size_t particles, double e = 0.1) {
  Snapshot s;
  s.bodies.add(1, {0.3, -0.2, 0.1}, {0.01, 0.02, -0.01});
  for (std::size_t k = 0; k < std::max(planets, particles); ++k) {
    if (k < particles) add(s, 0, 1.3 + 0.02 * double(k), e, 0.7 * double(k));
    if (k < planets) add(s, 1e-4 / double(k + 1), double(1U << k), 0.05, 2.0 * double(k));
  }
  return s;
}
EngineOptions on(const std::string& backend) {
  return {.precision = Precision::f64, .backend = backend, .integrator = &scheme};
}
Simulation simulation(const Snapshot& s, const std::string& backend, double dt, int corrector = 0) {
  return Simulation(s, Gravity{}, {.integrator = &scheme, .dt = dt, .corrector = corrector}, on(backend));
}
Bodies after(Simulation s, std::uint64_t steps) {
  s.make_steps(steps);
  return s.snapshot().bodies;
}
/// The largest distance among bodies with or without mass.
double distance(const Bodies& a, const Bodies& b, bool massive) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a.mass[i] > 0) != massive) continue;
    const double d = norm(a.position(i) - b.position(i)) + norm(a.velocity(i) - b.velocity(i));
    take_larger(largest, d);
  }
  return largest;
}

}  // namespace

/// Both round alike but for the last digits of kicks and orbits: some 1e-16 a step, which shifts a particle
/// along its orbit by 1e-16 n^2 / 2 of a radian times the step of 0.1: 2e-12 after 500 steps.
TEST_F(OrbitStepsOnAGpu, AreThoseOfTheCpu) {
  for (const std::size_t planets : {1U, 3U, 8U})
    for (const int corrector : {0, 7}) {
      const auto start = system(planets, 150);
      const auto cpu = after(simulation(start, "cpu", 0.1, corrector), 500);
      const auto gpu = after(simulation(start, "cuda", 0.1, corrector), 500);
      EXPECT_EQ(distance(cpu, gpu, true), 0) << planets << " " << corrector;
      EXPECT_LE(distance(cpu, gpu, false), 2e-11) << planets << " " << corrector;
      EXPECT_GE(distance(start.bodies, gpu, false), 1);
    }
}

/// Steps of a third of a period, and orbits that series do not reach: hyperbolas, falls into the centre and
/// pericentres far shorter than a step, all by the equation that cannot fail. A planet that is far away and
/// has hardly any mass alone, so that the orbits are known.
TEST_F(OrbitStepsOnAGpu, FollowEveryOrbit) {
  Snapshot s;
  s.bodies.add(1, {0, 0, 0}, {0, 0, 0});
  s.bodies.add(1e-300, {1e6, 0, 0}, {0, 0, 0});
  const std::vector<orbits::Phase> starts{{{1, 0, 0}, {0, 1, 0}},        {{1, 0, 0}, {0, 0.01, 0}},
                                          {{0.02, 0, 0.01}, {0, 9, 0}},  {{1, 2, 0}, {-3, -6.01, 0}},
                                          {{1, 0, 0}, {0, 0, 0}},        {{0, 5, 0}, {std::sqrt(0.4), 0, 0}},
                                          {{100, 0, 0}, {-30, 0.1, 0}},  {{1e-3, 0, 0}, {0, 31, 0}},
                                          {{1, 1, 1}, {0.1, -0.2, 0.3}}, {{1e4, 0, 0}, {0, 0.001, 0}}};
  for (const auto& start : starts) s.bodies.add(0, start.x, start.v);
  constexpr double dt = 2;
  auto gpu = simulation(s, "cuda", dt);
  for (std::uint64_t k = 1; k <= 3; ++k) {
    gpu.make_steps(1);
    const auto now = gpu.snapshot().bodies;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      // Step by step, as the GPU does it: a radial orbit keeps its digits no other way.
      orbits::Phase expected = starts[i];
      for (std::uint64_t m = 0; m < k; ++m) expected = orbits::kepler_step(1, expected, dt);
      const auto x = now.position(2 + i), v = now.velocity(2 + i);
      // Rounding of a step grows with the passages of the pericentre in it, at most 1e4 here.
      EXPECT_LE(norm(x - expected.x), 1e-9 * (1 + norm(expected.x))) << i << " " << k;
      EXPECT_LE(norm(v - expected.v), 1e-9 * (1 + dot(expected.v, expected.v) * norm(expected.v)))
          << i << " " << k;
    }
  }
}

TEST_F(OrbitStepsOnAGpu, HaveTheSameBitsInAnyBatchesAfterLooksAndAResume) {
  for (const int corrector : {0, 5}) {
    const auto start = system(3, 140);
    const auto whole = after(simulation(start, "cuda", 0.1, corrector), 300);
    auto parts = simulation(start, "cuda", 0.1, corrector);
    for (const std::uint64_t steps : {1U, 7U, 128U, 129U}) {
      parts.make_steps(steps);
      (void)parts.energies(), (void)parts.snapshot();
    }
    auto resumed = Simulation(parts.snapshot(), parts.clock(), Gravity{},
                              {.integrator = &scheme, .dt = 0.1, .corrector = corrector}, on("cuda"));
    resumed.make_steps(35);
    EXPECT_TRUE(resumed.snapshot().bodies == whole) << corrector;
    parts.make_steps(35);
    EXPECT_TRUE(parts.snapshot().bodies == whole) << corrector;
  }
}

TEST_F(OrbitStepsOnAGpu, GoBackTheWayTheyCame) {
  const auto start = system(3, 130);
  auto s = simulation(start, "cuda", 0.1);
  s.make_steps(300);
  s.reverse_velocities();
  s.make_steps(300);
  auto back = s.snapshot().bodies;
  for (auto* axis : {&back.vx, &back.vy, &back.vz})
    for (double& v : *axis) v = -v;
  EXPECT_LE(distance(start.bodies, back, false), 2e-11);
}

/// A particle at the place of the star moves on in a straight line.
TEST_F(OrbitStepsOnAGpu, StayFiniteAtThePlaceOfTheStar) {
  auto s = system(2, 0);
  s.bodies.add(0, s.bodies.position(0), s.bodies.velocity(0));
  auto gpu = simulation(s, "cuda", 0.1);
  gpu.make_steps(1);
  EXPECT_TRUE(gpu.finite());
  const auto b = gpu.snapshot().bodies, cpu = after(simulation(s, "cpu", 0.1), 1);
  EXPECT_LE(norm(b.position(3) - cpu.position(3)), 1e-14);
}

TEST_F(OrbitStepsOnAGpu, AreDescribedAndRefused) {
  const auto engine = simulation(system(2, 5), "cuda", 0.1).describe();
  EXPECT_NE(engine.why.find("5 test particles on the GPU"), std::string::npos) << engine.why;
  EXPECT_EQ(engine.gpus, 1);
  EXPECT_EQ(engine.test_particles, 5U);
  EXPECT_EQ(simulation(system(2, 5), "auto", 0.1).describe().gpus, 0);  // too few
  auto many = system(1, 0);
  for (int k = 0; k < 16384; ++k) many.bodies.add(0, {2 + 1e-4 * k, 0, 0}, {0, 0.7, 0});
  EXPECT_EQ(simulation(many, "auto", 0.1).describe().gpus, 1);
  const auto refusal = [](const Snapshot& s, const Gravity& gravity) -> std::string {
    try {
      Simulation(s, gravity, {.integrator = &scheme, .dt = 0.1}, on("cuda"));
    } catch (const UsageError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(refusal(system(2, 0), {}).find("of which there are none"), std::string::npos);
  EXPECT_NE(
      refusal(system(2, 3), {.forces = {added_force_of("gr-potential c=10")}}).find("without gravity.forces"),
      std::string::npos);
  EXPECT_NE(refusal(system(2, 3), {.softening = {0.1}}).find("without softening"), std::string::npos);
  EXPECT_THROW(cuda::orbit_steps({.particles = 1, .pulling = cuda::most_pulling + 1, .steps = 1}),
               UsageError);
}

}  // namespace pleiad
