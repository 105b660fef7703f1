/// Hermite's sixth order: its snaps, its order in positions of several bodies, adaptive steps, saved
/// simulations, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "cpu/jerk.hpp"
#include "unit/scratch.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

Simulation simulation(const Snapshot& start, const std::string& integrator, double dt, const Gravity& gravity,
                      double eta = 0, int threads = 1) {
  Simulation made(start, gravity,
                  Method{.integrator = &integrator_named(integrator),
                         .dt = dt,
                         .adaptive = eta > 0,
                         .eta = eta > 0 ? eta : 0.02},
                  EngineOptions{.precision = Precision::f64,
                                .backend = "cpu",
                                .threads = threads,
                                .integrator = &integrator_named(integrator)});
  (void)made.reference_energy();
  return made;
}
Snapshot sphere(int n) {
  return make_model("plummer", std::vector<std::string>{"n=" + std::to_string(n)}, 3);
}
double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) take_larger(largest, norm(a.position(i) - b.position(i)));
  return largest;
}
bool same_bits(const Bodies& a, const Bodies& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.vx == b.vx && a.vy == b.vy && a.vz == b.vz &&
         a.low == b.low && a.series == b.series;
}

}  // namespace

/// Snaps are the derivatives of jerks along x + v t + a t^2 / 2: central differences leave h^2 / 6 of the
/// fourth derivative, up to some 10^4 of the snap here, and the rounding of jerks, 1e-16 / h.
TEST(Hermite6, HasTheSecondDerivativesOfAccelerations) {
  const auto b = sphere(40).bodies;
  const std::size_t n = b.size();
  for (const bool periodic : {false, true})
    for (const double eps : {0.0, 0.3}) {
      const Boundary space{.periodic = periodic, .length = {2, 2.5, 3}};
      std::vector<Vec4<double>> known(n), a(n), j(n), s(n), v0(n);
      for (std::size_t i = 0; i < n; ++i) {
        known[i] = {0.1 * double(i % 7) - 0.3, 0.2 - 0.05 * double(i % 5), 0.02 * double(i % 11), 0};
        v0[i] = {b.vx[i], b.vy[i], b.vz[i], 0};
      }
      const auto at = [&](double t, std::vector<Vec4<double>>& to_a, std::vector<Vec4<double>>& to_j,
                          std::vector<Vec4<double>>* to_s) {
        std::vector<Mass<double>> x(n);
        std::vector<Vec4<double>> v(n);
        for (std::size_t i = 0; i < n; ++i) {
          const auto p = b.position(i) + t * v0[i].xyz() + t * t / 2 * known[i].xyz();
          const auto u = v0[i].xyz() + t * known[i].xyz();
          x[i] = {p.x, p.y, p.z, b.mass[i]}, v[i] = {u.x, u.y, u.z, 0};
        }
        const cpu::MovingBodies bodies{.x = x, .v = v, .a = known};
        std::ranges::fill(to_a, Vec4<double>{}), std::ranges::fill(to_j, Vec4<double>{});
        if (to_s != nullptr)
          cpu::add_acceleration_jerk_and_snap(bodies, bodies, to_a, to_j, *to_s, {eps}, space);
        else cpu::add_acceleration_and_jerk(bodies, bodies, to_a, to_j, {eps}, space);
      };
      at(0, a, j, &s);
      std::vector<Vec4<double>> a0(n), j0(n), after(n), before(n), unused(n);
      at(0, a0, j0, nullptr);
      constexpr double h = 1e-5;
      at(h, unused, after, nullptr), at(-h, unused, before, nullptr);
      double largest = 0;
      for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, norm(s[i].xyz()));
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_TRUE(a[i].xyz() == a0[i].xyz() && j[i].xyz() == j0[i].xyz()) << i;
        const auto difference = (0.5 / h) * (after[i].xyz() - before[i].xyz());
        EXPECT_LE(norm(s[i].xyz() - difference), 1e-5 * largest) << i << " " << eps << " " << periodic;
      }
    }
}

/// Against Gauss-Radau, of a softened cluster, in a box and in the open: the slope of 6 to a tenth.
TEST(Hermite6, IsOfTheSixthOrder) {
  const auto start = sphere(60);
  for (const bool periodic : {false, true}) {
    Gravity gravity{.G = 1.5, .softening = {0.3}};
    if (periodic) gravity.boundary = {.periodic = true, .length = {20, 20, 20}};
    auto reference = simulation(start, "gauss-radau", 1.0 / 64, gravity);
    reference.run_until(1);
    double errors[3], energies[3];
    for (int k = 0; k < 3; ++k) {
      auto sim = simulation(start, "hermite6", 1.0 / (8 << k), gravity);
      sim.run_until(1);
      errors[k] = distance(sim.snapshot().bodies, reference.snapshot().bodies);
      energies[k] = std::abs(sim.diagnostics().energy_error);
    }
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 6, 0.6)
        << errors[0] << " " << errors[1] << " " << errors[2];
    EXPECT_LE(energies[2], energies[1] / 32) << energies[0] << " " << energies[1] << " " << energies[2];
  }
}

/// A cluster without softening, by Aarseth's criterion. With a quarter of eta steps are halves: errors fall
/// by 16 and 64, at least by half of these powers, also in a run of few steps, whose start they would show.
/// With the same eta both schemes make as many steps.
TEST(Hermite6, TakesAdaptiveStepsOfAarsethsCriterion) {
  const auto start = sphere(64);
  struct Run {
    double worst = 0;
    std::uint64_t steps = 0;
  };
  const auto run = [&](const char* integrator, double eta) {
    auto sim = simulation(start, integrator, 0.125, {}, eta);
    Run made;
    for (int k = 1; k <= 16; ++k) {
      sim.run_until(k / 32.0);
      take_larger(made.worst, std::abs(sim.diagnostics().energy_error));
    }
    made.steps = sim.step();
    return made;
  };
  const auto fourth = run("hermite4", 0.02), fourth_finer = run("hermite4", 0.005);
  const auto sixth = run("hermite6", 0.08), sixth_finer = run("hermite6", 0.02);
  EXPECT_LE(fourth_finer.worst, fourth.worst / 4) << fourth.worst;
  EXPECT_LE(sixth_finer.worst, sixth.worst / 8) << sixth.worst;
  EXPECT_NEAR(double(sixth_finer.steps) / double(fourth.steps), 1, 0.1);
  EXPECT_LE(sixth_finer.worst, 0.1 * fourth.worst);
}

TEST(Hermite6, GoesOnWithTheSameBitsAfterItWasSaved) {
  const test::Folder folder;
  for (const double eta : {0.0, 0.01}) {
    const Gravity gravity{.softening = {0.01}};
    auto whole = simulation(sphere(150), "hermite6", 1.0 / 256, gravity, eta),
         part = simulation(sphere(150), "hermite6", 1.0 / 256, gravity, eta),
         threads = simulation(sphere(150), "hermite6", 1.0 / 256, gravity, eta, 3);
    whole.make_steps(20), part.make_steps(7), threads.make_steps(20);
    save(part, folder.path);
    auto onward = load(folder.path);
    onward.make_steps(13);
    EXPECT_TRUE(same_bits(onward.snapshot().bodies, whole.snapshot().bodies)) << eta;
    EXPECT_TRUE(same_bits(threads.snapshot().bodies, whole.snapshot().bodies)) << eta;
  }
}

TEST(Hermite6, IsRefusedWhereSnapsAreNotKnown) {
  const auto refusal = [](const Gravity& gravity) {
    return test::message_of<UsageError>([&] { (void)simulation(sphere(10), "hermite6", 0.01, gravity); });
  };
  const std::string needs = "integrator hermite6 needs second derivatives of accelerations, which ",
                    remedy = " not have; use hermite4 or gauss-radau";
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({.potentials = potentials_of_lines("nfw mass=8 scale=2")}),
            needs + "gravity.potentials do" + remedy);
  EXPECT_EQ(refusal({.forces = added_forces_of_lines("gr-potential c=9")}),
            needs + "gravity.forces do" + remedy);
  EXPECT_EQ(refusal({.softening = {.eps = 0.1, .kernel = SofteningKernel::spline}}),
            needs + "splines and softenings of bodies do" + remedy);
  EXPECT_EQ(refusal({.semi_active = {.below = 1}}), needs + "sums with gravity.semi_active do" + remedy);
  auto sim = simulation(sphere(10), "hermite6", 0.01, {});
  EXPECT_THROW(sim.add_force([](const ForceCall&) {}), UsageError);
}

}  // namespace pleiad
