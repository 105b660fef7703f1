/// C1 to C3 and a disc with forces from trees: what holds for direct sums holds for them, and their energy
/// error is of the same size. The numbers of bodies are small, so that direct sums can run beside. Compiled
/// once more for the tree of a GPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "system.hpp"
#ifdef PLEIAD_TREES_OF_GPU
#include "gpu.hpp"
#endif

#include <pleiad/models.hpp>

#include <array>
#include <cstdio>
#include <tuple>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::physics;

namespace {

/// Settings that give everything here errors of at most 1e-3, which is checked at the end of each run; and a
/// fast multipole method that is far less accurate.
#ifdef PLEIAD_TREES_OF_GPU
using Trees = Gpu;
constexpr std::array kernels{"cuda/fmm order=5 criterion=error tolerance=0.0005 leaf=48"};
constexpr std::array rough{std::tuple{Precision::mixed, "cuda/fmm order=4 theta=1 leaf=16", 1e-7},
                           std::tuple{Precision::f32, "cuda/fmm order=4 theta=1 leaf=16", 1e-7}};
#else
using Trees = testing::Test;
constexpr std::array kernels{"cpu/fmm order=5 criterion=error tolerance=0.002 leaf=48",
                             "cpu/barnes-hut order=4 criterion=error tolerance=0.005 leaf=48 group=32"};
constexpr std::array rough{std::tuple{Precision::mixed, "cpu/fmm order=3 theta=1 leaf=16", 1e-7},
                           std::tuple{Precision::mixed, "cpu/fmm order=3 theta=1 leaf=16 wide=1", 1e-13},
                           std::tuple{Precision::f64, "cpu/fmm order=3 theta=1 leaf=16", 1e-13}};
#endif

/// The same run by direct sums and by trees.
struct Runs {
  Simulation direct;
  std::vector<Simulation> trees;
  double energy;
  Runs(const Snapshot& start, const Gravity& gravity, double dt)
      : direct(start, gravity, fixed("kdk", dt), in(Precision::mixed)), energy(direct.energies().total()) {
    for (const auto* kernel : kernels)
      trees.emplace_back(start, gravity, fixed("kdk", dt),
                         EngineOptions{.precision = Precision::mixed, .method = force_method_of(kernel)});
  }
  void run_until(double time) {
    direct.run_until(time);
    for (auto& s : trees) s.run_until(time);
  }
};

/// At most three times as much is lost, or `least`.
void expect_energy_like_that_of_direct_sums(Runs& runs, double least = 0) {
  const auto error_of = [&](Simulation& s) { return std::abs(s.energies().total() / runs.energy - 1); };
  const double direct = error_of(runs.direct);
  for (auto& s : runs.trees) {
    const double error = error_of(s), of_forces = s.force_errors().p99;
    std::printf("t = %.3f: dE/E %.2e by direct sums, %.2e by %s (force error %.1e)\n", s.time(), direct,
                error, s.describe().kernel().c_str(), of_forces);
    EXPECT_LE(error, std::max(3 * direct, least)) << s.describe().kernel();
    EXPECT_LE(of_forces, 1e-3) << s.describe().kernel();
  }
}

double half_mass_radius(Simulation& s) {
  const std::vector<double> half{0.5};
  const auto& b = s.snapshot().bodies;
  return lagrangian_radii(b, density_centre(b), half)[0];
}

}  // namespace

using TreeC1 = Trees;
using TreeC2 = Trees;
using TreeC3 = Trees;
using TreeDisc = Trees;
using TreeMomentum = Trees;

TEST_F(TreeC1, PlummerStaysInEquilibrium) {
  Runs runs(make_model("plummer", std::vector<std::string>{"n=4096"}, 3), {.softening = {0.02}}, 1.0 / 128);
  const double r50 = half_mass_radius(runs.direct);
  for (int t = 1; t <= 3; ++t) {
    runs.run_until(t);
    for (auto& s : runs.trees)
      EXPECT_LE(std::abs(s.diagnostics(runs.energy).virial_ratio - 0.5), 0.02) << "t = " << t;
  }
  for (auto& s : runs.trees) EXPECT_LE(std::abs(half_mass_radius(s) / r50 - 1), 0.05);
  // C1's own bound: in equilibrium leapfrog's error stays at 2e-6, less than what the pulls of a walk, which
  // do not cancel in pairs, add up to.
  expect_energy_like_that_of_direct_sums(runs, 5e-5);
}

TEST_F(TreeC2, ColdSphereCollapsesOnTime) {
  const double t_ff = 1.110721, dt = t_ff / 568;
  Runs runs(make_model("cold-sphere", std::vector<std::string>{"n=4096"}, 3), {.softening = {0.05}}, dt);
  const double r50 = half_mass_radius(runs.direct);
  // As with direct sums, in cluster_test.cpp: 4096 bodies are noisier by sqrt 2.
  for (const auto& [quarters, ratio] : {std::pair{1, 0.96094}, {2, 0.83681}, {3, 0.59715}}) {
    runs.run_until(quarters * 142 * dt);
    for (auto& s : runs.trees) EXPECT_LE(std::abs(half_mass_radius(s) / r50 / ratio - 1), 0.02) << quarters;
  }
  runs.run_until(690 * dt);
  expect_energy_like_that_of_direct_sums(runs);
}

TEST_F(TreeC3, GalaxiesMeetAsWithDirectSums) {
  const auto start = make_model("encounter",
                                std::vector<std::string>{"n=4000", "separation=160", "pericentre=10",
                                                         "eccentricity=1", "i1=0", "i2=60"},
                                3);
  Runs runs(start, {.G = start.G, .softening = {0.5}}, 0.0025);
  runs.run_until(0.2);
  expect_energy_like_that_of_direct_sums(runs);
  const auto centre = [half = start.bodies.size() / 2](const Bodies& b) {
    Bodies first;
    for (std::size_t i = 0; i < half; ++i) first.add(b.mass[i], b.position(i), b.velocity(i));
    return centre_of_mass(first).position;
  };
  const auto by_direct = centre(runs.direct.snapshot().bodies);
  const double moved = norm(by_direct - centre(start.bodies));
  // Errors of 1e-3 of the pulls, which are not the same for all bodies of a galaxy, would move it as a whole
  // by at most that part.
  for (auto& s : runs.trees) EXPECT_LE(norm(centre(s.snapshot().bodies) - by_direct), 1e-3 * moved);
}

// Three rotations at 2.2 scale lengths, as in cluster_test.cpp.
TEST_F(TreeDisc, KeepsItsEnergyForThreeRotations) {
  const auto start = make_model("galaxy", std::vector<std::string>{"n=6000"}, 3);
  Runs runs(start, {.G = start.G, .softening = {0.3}}, 0.001);
  runs.run_until(0.52);
  // Or what the work of force errors of 1e-4 (the median of what 1e-3 at the 99th percentile is), with
  // another sign every radian of 19, adds up to: the error of direct sums at one time may be small by chance.
  expect_energy_like_that_of_direct_sums(runs, 5e-4);
}

// Cells pull each other by one and the same sum, so that their pulls cancel to rounding; with a walk for each
// body they would cancel to its accuracy.
TEST_F(TreeMomentum, IsKeptToRounding) {
  const auto start = make_model("cold-sphere", std::vector<std::string>{"n=3000"}, 3);
  // Single precision: 64 kicks with 2^-24 each, of 3000 bodies that fall to the centre, at random.
  for (const auto& [precision, kernel, bound] : rough) {
    Simulation s(start, {.softening = {0.05}}, fixed("kdk", 1.0 / 64),
                 {.precision = precision, .method = force_method_of(kernel)});
    s.run_until(1);
    const auto& b = s.snapshot().bodies;
    Vec3<double> sum{}, first{};
    double sizes = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      sum += b.velocity(i) * b.mass[i], first += start.bodies.velocity(i) * start.bodies.mass[i];
      sizes += norm(b.velocity(i)) * b.mass[i];
    }
    EXPECT_LE(norm(sum - first), bound * sizes) << name_of(precision) << ", " << kernel;
    // The test can fail: the forces themselves are far less accurate.
    EXPECT_GE(s.force_errors().median, 1e-4);
  }
}
