/// Comoving coordinates: a plane wave that grows as the universe expands, until streams would cross, and a
/// lattice that stays where it is.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cosmology/cosmology.hpp"

#include "core/larger.hpp"
#include "sim/comoving_space.hpp"
#include "system.hpp"
#include "wave.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <memory>

#include <gtest/gtest.h>

namespace pleiad::physics {
namespace {

constexpr Boundary unit_box{.periodic = true, .length = {1, 1, 1}, .images = Images::all};
constexpr cosmology::Cosmology einstein_de_sitter{.omega_m = 1, .omega_lambda = 0};
/// Of bodies of mass 1 in the unit box.
const double H0 = cosmology::hubble_constant(einstein_de_sitter, 1, 1);

Simulation comoving(const Bodies& bodies, double a, double eps, double dt, const char* kernel) {
  auto start = snapshot_of(bodies);
  start.boundary = unit_box, start.time = std::log(a);
  auto method = fixed("kdk", dt);
  method.space = std::make_shared<ComovingSpace>(einstein_de_sitter, H0);
  return {start,
          {.softening = {eps}, .boundary = unit_box},
          method,
          EngineOptions{.precision = Precision::mixed, .backend = "cpu", .method = force_method_of(kernel)}};
}

// Zel'dovich's pancake: before streams cross, displacements along x keep their form and grow as a^n, exactly
// in a smooth medium, where n = 1. On a lattice that grows by kappa = growth_of_lattice of it, n = (sqrt(1 +
// 24 kappa) - 1) / 4 in the universe of Einstein and de Sitter. From a = 1/8 to 1 the crest's k A grows from
// 0.0625 to half of the 1 at which streams cross. The error of a step, 0.105 dt^2 ln 8, is 3.5e-4; kappa is
// that of small displacements, and the last growth has lost a few per cent of what discreteness and softening
// are, 3 %: 5e-3 in the amplitude, as in static space (periodic_test.cpp). Of each body's displacement, whose
// form higher modes of the lattice change, 2e-2 of the largest.
TEST(Comoving, APancakeGrowsAsZeldovichSaysUntilStreamsCross) {
  constexpr double eps = 0.02, begin = 0.125;
  const double kappa = growth_of_lattice(Wave::side, eps), n = (std::sqrt(1 + 24 * kappa) - 1) / 4,
               length = std::log(1 / begin), dt = length / 52, H = H0 * std::pow(begin, -1.5);
  EXPECT_LE(std::abs(n - 1), 0.02);
  for (const auto* kernel : {"cpu/fmm order=5 theta=0.5 leaf=32"}) {
    Wave wave;
    // p = a^2 dx/dt, and dx/dt of the displacement is n H times it.
    for (std::size_t i = 0; i < wave.q.size(); ++i)
      wave.bodies.vx[i] = begin * begin * n * H * Wave::A * std::sin(2 * pi * wave.q[i]);
    auto s = comoving(wave.bodies, begin, eps, dt, kernel);
    s.run_until(0);
    const auto& now = s.snapshot().bodies;
    const double expected = std::pow(1 / begin, n), grown = wave.amplitude(now) / Wave::A;
    double worst = 0;
    for (std::size_t i = 0; i < wave.q.size(); ++i) {
      const double to = wave.q[i] + expected * Wave::A * std::sin(2 * pi * wave.q[i]), d = now.x[i] - to;
      take_larger(worst, std::abs(d - std::rint(d)) / (expected * Wave::A));
    }
    std::printf("%s: n %.5f; grown %.4f, expected %.4f; a body at worst %.4f\n", kernel, n, grown, expected,
                worst);
    EXPECT_LE(std::abs(grown / expected - 1), 5e-3);
    EXPECT_LE(worst, 2e-2);
    // The momentum of the growing mode, a^2 dx/dt = n H A, likewise.
    const double p = wave.part([&](std::size_t i) { return now.vx[i]; });
    EXPECT_LE(std::abs(p / (n * H0 * Wave::A * expected) - 1), 1e-2);
  }
}

// Every pull is 0 by symmetry. What rounding makes of it, 1e-15 of the pulls of single bodies, grows 50-fold.
TEST(Comoving, ALatticeAtRestStaysAtRest) {
  constexpr int side = 6;
  Bodies lattice;
  for (int i = 0; i < side * side * side; ++i)
    lattice.add(1.0 / (side * side * side),
                {(i % side + 0.5) / side, (i / side % side + 0.5) / side, (i / side / side + 0.5) / side},
                {0, 0, 0});
  auto start = snapshot_of(lattice);
  start.boundary = unit_box, start.time = std::log(0.02);
  auto method = fixed("kdk", std::log(50.0) / 50);
  method.space = std::make_shared<ComovingSpace>(einstein_de_sitter, H0);
  Simulation s(
      start, {.softening = {0.01}, .boundary = unit_box}, method,
      EngineOptions{.precision = Precision::f64, .backend = "cpu", .method = force_method_of("cpu/ewald")});
  s.run_until(0);
  EXPECT_EQ(s.step(), 50U);
  EXPECT_LE(distance(s.snapshot().bodies, lattice), 1e-11);
}

}  // namespace
}  // namespace pleiad::physics
