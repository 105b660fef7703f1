/// A periodic box whose images all pull: the growth of a plane wave in a cold medium, and energy, with forces
/// by Ewald's sums and by trees.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "system.hpp"
#include "wave.hpp"

#include <pleiad/models.hpp>

#include <cstdio>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::physics;

namespace {

constexpr std::array kernels{"cpu/ewald", "cpu/fmm order=5 theta=0.5 leaf=32",
                             "cpu/barnes-hut order=4 theta=0.4 leaf=32 group=32"};
constexpr Boundary unit{.periodic = true, .length = {1, 1, 1}, .images = Images::all};

Simulation run(const Bodies& bodies, double eps, double dt, const char* kernel) {
  auto start = snapshot_of(bodies);
  start.boundary = unit;
  return {start,
          {.softening = {eps}, .boundary = unit},
          fixed("kdk", dt),
          EngineOptions{.precision = Precision::mixed, .backend = "cpu", .method = force_method_of(kernel)}};
}

}  // namespace

// A cold medium of density rho with a plane wave of displacements A sin(k q) has the pull 4 pi G rho A sin(k
// q) (Zel'dovich: in one dimension to all orders, until streams cross), so that A grows as cosh(omega t),
// omega^2 = 4 pi G rho: Jeans's rate without pressure. Softening takes 2 % off, and bodies on a lattice of 12
// to the wave are no smooth medium, 1 %: both are in growth_of_lattice. Ewald's sums should give it to the
// second order of the displacements over the spacing, (k A)^2 / 2 = 2e-3 of that 1 % and the softening's 2 %,
// trees to their error, 1e-3. In time 0.8 A grows 8-fold, to half a crossing. Leapfrog then lags by omega t
// (omega dt)^2 / 24 = 2e-4, and the last growth has lost a few per cent of what discreteness and softening
// are: 5e-3.
TEST(PeriodicBox, APlaneWaveGrowsAsJeansSays) {
  const Wave wave;
  constexpr double eps = 0.02, dt = 1.0 / 80, end = 0.8;
  const double rate2 = growth_of_lattice(Wave::side, eps);
  EXPECT_LE(std::abs(rate2 - 1), 0.02);
  for (const auto* kernel : kernels) {
    auto s = run(wave.bodies, eps, dt, kernel);
    const auto now = s.snapshot_with_fields();
    const double found = wave.part([&](std::size_t i) { return now.ax[i]; }) / Wave::A / (4 * pi);
    EXPECT_LE(std::abs(found / rate2 - 1), 2e-3) << kernel;
    s.run_until(end);
    const double grown = wave.amplitude(s.snapshot().bodies) / Wave::A;
    const double expected = std::cosh(std::sqrt(4 * pi * rate2) * end);
    std::printf("%s: omega^2 / (4 pi) %.5f, expected %.5f; grown %.4f, expected %.4f\n", kernel, found, rate2,
                grown, expected);
    EXPECT_LE(std::abs(grown / expected - 1), 5e-3) << kernel;
  }
}

// Bodies that begin hot, with a softening that a step resolves. Trees' pulls are no gradients of one
// potential: by 1e-3 of the pulls in random directions, of which the energy takes a random walk.
TEST(PeriodicBox, EnergyIsKeptAndRunsGoOnWithTheSameBits) {
  const std::string settings[] = {"n=600", "total_mass=1", "sigma=0.4"};
  const auto start = make_model("uniform-box", settings, 5);
  for (const auto* kernel : kernels) {
    auto s = run(start.bodies, 0.05, 1.0 / 128, kernel);
    const auto before = s.energies();
    s.run_until(0.5);
    const auto half = s.snapshot().bodies;
    s.run_until(1);
    const double error = (s.energies().total() - before.total()) / before.kinetic;
    std::printf("%s: dE / T %.1e, W %.4f\n", kernel, error, before.potential);
    EXPECT_LE(std::abs(error), 2e-4) << kernel;
    auto again = run(half, 0.05, 1.0 / 128, kernel);
    again.run_until(0.5);
    const auto a = again.snapshot().bodies, b = s.snapshot().bodies;
    EXPECT_EQ(a.x, b.x) << kernel;
    EXPECT_EQ(a.vz, b.vz) << kernel;
  }
}
