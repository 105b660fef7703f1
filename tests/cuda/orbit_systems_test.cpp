/// Wisdom-Holman steps of many planetary systems on a GPU: those of the CPU, and the same bits in any
/// launches and beside any other systems.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/gpu.hpp"
#include "cuda/steps/planetary_systems.hpp"

#include <pleiad/error.hpp>
#include <pleiad/orbits.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

using OrbitSystemsOnAGpu = Gpu;

constexpr double dt = 0.1;

/// A star that moves, behind its first planet, with planets on periods of 2 pi and longer; the last one, if
/// there are four or more, has no mass.
Bodies system(std::size_t planets, double turn) {
  Snapshot s;
  s.bodies.add(1, {0.3, -0.2, 0.1}, {0.01, 0.02, -0.01});
  for (std::size_t k = 0; k < planets; ++k) {
    StatedOrbit orbit;
    orbit.semi_major_axis = std::pow(1.5, double(k)), orbit.eccentricity = 0.05;
    orbit.mean_anomaly = turn + 2.0 * double(k), orbit.inclination = 0.02 * double(k);
    add_on_orbit(s, planets >= 4 && k + 1 == planets ? 0 : 1e-4 / double(k + 1), orbit,
                 orbit_centre_named("0"));
  }
  Bodies b;
  for (std::size_t i = 0; i <= planets; ++i) {
    const std::size_t from = planets > 0 && i < 2 ? 1 - i : i;
    b.add(s.bodies.mass[from], s.bodies.position(from), s.bodies.velocity(from));
  }
  return b;
}
std::vector<Bodies> systems(std::size_t count, std::size_t planets) {
  std::vector<Bodies> all;
  for (std::size_t k = 0; k < count; ++k) all.push_back(system(planets, 0.7 * double(k)));
  return all;
}
cuda::PlanetarySystems on_gpu(std::span<const Bodies> start, bool jacobi = false) {
  return {start.size(),
          [&](std::size_t k) -> const Bodies& { return start[k]; },
          {.G = 1, .dt = dt, .jacobi = jacobi}};
}
Bodies of(const cuda::PlanetarySystems& all, std::size_t k, Bodies b) {
  cuda::PlanetarySystems::Seen seen;
  all.see(seen);
  all.write(seen, k, b);
  return b;
}
double energy(const Bodies& b) {
  double e = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    e += b.mass[i] * dot(b.velocity(i), b.velocity(i)) / 2;
    for (std::size_t j = 0; j < i; ++j) e -= b.mass[i] * b.mass[j] / norm(b.position(i) - b.position(j));
  }
  return e;
}

}  // namespace

/// Both round alike but for the order of sums and the last digits: some 1e-16 a step, which shifts a planet
/// along its orbit by 1e-16 n^2 / 2 of a radian times the step of 0.1: 2e-12 after 500 steps.
TEST_F(OrbitSystemsOnAGpu, AreThoseOfTheCpu) {
  for (const char* integrator : {"wisdom-holman", "wisdom-holman-jacobi"})
    for (const std::size_t planets : {0U, 1U, 3U, 8U, 20U}) {
      const auto start = systems(5, planets);
      auto gpu = on_gpu(start, std::string(integrator) == "wisdom-holman-jacobi");
      gpu.advance(500);
      for (const std::size_t k : {0U, 4U}) {
        Snapshot s;
        s.bodies = start[k];
        const Method method{.integrator = &integrator_named(integrator), .dt = dt};
        Simulation cpu(s, {}, method, {.precision = Precision::f64, .backend = "cpu"});
        cpu.make_steps(500);
        const auto found = of(gpu, k, start[k]), expected = cpu.snapshot().bodies;
        const auto where = integrator + std::string(" ") + std::to_string(planets);
        for (std::size_t i = 0; i < found.size(); ++i) {
          EXPECT_LE(norm(found.position(i) - expected.position(i)), 2e-11) << where << " " << k << " " << i;
          EXPECT_LE(norm(found.velocity(i) - expected.velocity(i)), 2e-11) << where << " " << k << " " << i;
        }
        EXPECT_GE(norm(found.position(2 % found.size()) - start[k].position(2 % found.size())), 0.01);
        if (planets == 0) continue;
        // The size of the perturbations, 1e-4, times the square of the step in units of the shortest period.
        EXPECT_LE(std::abs(energy(found) / energy(start[k]) - 1), 1e-6) << where << " " << k;
      }
    }
}

/// The innermost planet alone has no kick in Jacobi coordinates, to the last bit: it stays on its orbit, and
/// the energy errs by rounding only, 1e-16 a step at random, 3e-15 after 1000.
TEST_F(OrbitSystemsOnAGpu, KeepOnePlanetOnItsOrbitInJacobiCoordinates) {
  const auto start = systems(3, 1);
  auto gpu = on_gpu(start, true);
  gpu.advance(1000);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_LE(std::abs(energy(of(gpu, k, start[k])) / energy(start[k]) - 1), 2e-14) << k;
}

TEST_F(OrbitSystemsOnAGpu, HaveTheSameBitsInAnyLaunchesAndCompany) {
  for (const bool jacobi : {false, true}) {
    const auto start = systems(37, 8);
    auto whole = on_gpu(start, jacobi), parts = on_gpu(start, jacobi),
         alone = on_gpu(std::span<const Bodies>(start).subspan(20, 1), jacobi);
    whole.advance(100), alone.advance(100);
    for (const std::uint64_t steps : {1U, 60U, 39U}) parts.advance(steps);
    for (const std::size_t k : {0U, 20U, 36U})
      EXPECT_TRUE(of(whole, k, start[k]) == of(parts, k, start[k])) << k;
    EXPECT_TRUE(of(whole, 20, start[20]) == of(alone, 0, start[20]));
    // From a state with its low parts.
    std::vector<Bodies> middle;
    auto first = on_gpu(start, jacobi);
    first.advance(61);
    for (std::size_t k = 0; k < start.size(); ++k) middle.push_back(of(first, k, start[k]));
    auto resumed = on_gpu(middle, jacobi);
    resumed.advance(39);
    EXPECT_TRUE(of(resumed, 36, start[36]) == of(whole, 36, start[36]));
  }
}

/// In Jacobi coordinates particles come after the planets.
TEST_F(OrbitSystemsOnAGpu, HavePlanetsOfWhichParticlesChangeNoBit) {
  for (const bool jacobi : {false, true})
    for (const std::size_t planets : {3U, 7U}) {
      const std::vector alone{system(planets, 0.3)};
      std::vector with = alone;
      for (const double r : {0.7, 1.2}) {
        auto& b = with.front();
        b.add(0, b.position(1) + Vec3<double>{r, 0, 0.1},
              b.velocity(1) + Vec3<double>{0, 1 / std::sqrt(r), 0});
        if (jacobi) continue;
        // Between the first planet and the star.
        for (auto* column : {&b.x, &b.y, &b.z, &b.vx, &b.vy, &b.vz, &b.mass})
          std::ranges::rotate(column->begin() + 1, column->end() - 1, column->end());
      }
      auto one = on_gpu(alone, jacobi), other = on_gpu(with, jacobi);
      one.advance(200), other.advance(200);
      const auto expected = of(one, 0, alone.front()), found = of(other, 0, with.front());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::size_t k = jacobi || i == 0 ? i : i + 2;
        EXPECT_EQ(found.position(k), expected.position(i)) << jacobi << " " << planets << " " << i;
        EXPECT_EQ(found.velocity(k), expected.velocity(i)) << jacobi << " " << planets << " " << i;
        EXPECT_EQ(found.low[k], expected.low[i]) << jacobi << " " << planets << " " << i;
      }
    }
}

TEST_F(OrbitSystemsOnAGpu, RefuseMoreThanAWarpOfPlanets) {
  EXPECT_THROW(cuda::orbit_systems({.systems = 1, .planets = cuda::most_planets + 1, .steps = 1}),
               UsageError);
}

}  // namespace pleiad
