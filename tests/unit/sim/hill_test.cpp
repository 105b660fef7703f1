/// Hill's frame: free bodies are on epicycles to rounding, with every splitting; a cluster in the tide keeps
/// its energy, and the frame gives the same field as the whole orbit about a distant mass.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

Gravity in_hill(const std::string& potential = "hill rate=0.7 kappa=1.1 nu=0.9", double eps = 0.05) {
  const std::vector<std::string> potentials{potential};
  return {.softening = {eps}, .potentials = potentials_of(potentials)};
}
Simulation simulation(const Snapshot& start, const Gravity& gravity, const std::string& integrator, double dt,
                      Precision precision = Precision::f64, const std::string& kernel = "cpu/threads") {
  return Simulation(
      start, gravity, Method{.integrator = &integrator_named(integrator), .dt = dt},
      EngineOptions{.precision = precision, .backend = "cpu", .method = force_method_of(kernel)});
}
std::vector<std::string> splittings() {
  std::vector<std::string> names;
  for (const auto* i : integrators())
    if (!i->needs_doubles && !i->in_blocks) names.emplace_back(i->name);
  return names;
}

}  // namespace

/// The epicycle about the guiding centre (x_g, y_g) with amplitudes A, B and phases 0:
/// x = x_g + A cos k t, y = y_g - (4 w^2 - k^2) x_g t / (2 w) - 2 w A / k sin k t, z = B cos n t. A thousand
/// steps round by 1e-16 each, and the drift along y multiplies roundings of x by t.
TEST(HillFrame, KeepsFreeBodiesOnTheirEpicycles) {
  constexpr double w = 0.7, k = 1.1, n = 0.9;
  for (const auto& name : splittings()) {
    struct Orbit {
      double guide, ahead, a, b;
    };
    const std::vector<Orbit> orbits{{0.3, -0.2, 0.5, 0.4}, {-1, 2, 0.1, 0}, {0, 0.5, 0, 1}, {0, 0, 2, 0}};
    const auto at = [&](const Orbit& o, double t) {
      return Vec3<double>{
          o.guide + o.a * std::cos(k * t),
          o.ahead - (4 * w * w - k * k) * o.guide * t / (2 * w) - 2 * w * o.a / k * std::sin(k * t),
          o.b * std::cos(n * t)};
    };
    Snapshot start;
    for (const auto& o : orbits)
      start.bodies.add(1e-40, at(o, 0), {0, -(4 * w * w - k * k) * o.guide / (2 * w) - 2 * w * o.a, 0});
    auto sim = simulation(start, in_hill(), name, 0.05);
    sim.make_steps(1000);
    for (std::size_t i = 0; i < orbits.size(); ++i)
      EXPECT_LE(norm(sim.snapshot().bodies.position(i) - at(orbits[i], sim.time())), 1e-12 * 50)
          << name << ", " << i;
  }
}

/// In steps of any length: bodies move by the frame alone, so that 1 step and 64 are the same.
TEST(HillFrame, NeedsNoShortSteps) {
  Snapshot start;
  start.bodies.add(1e-40, {0.4, -0.3, 0.2}, {0.1, 0.5, -0.3});
  for (const auto* potential :
       {"hill rate=0.7 kappa=1.1 nu=0.9", "hill rate=-1 kappa=1 nu=0", "hill rate=0 kappa=1 nu=2"}) {
    auto one = simulation(start, in_hill(potential), "kdk", 6.4),
         many = simulation(start, in_hill(potential), "kdk", 0.1);
    one.make_steps(1), many.make_steps(64);
    EXPECT_LE(norm(one.snapshot().bodies.position(0) - many.snapshot().bodies.position(0)), 1e-13)
        << potential;
    EXPECT_LE(norm(one.snapshot().bodies.velocity(0) - many.snapshot().bodies.velocity(0)), 1e-13)
        << potential;
  }
}

/// A body beside a distant mass, in the inertial frame and in Hill's: they differ by the third order of the
/// distance over that of the orbit.
TEST(HillFrame, IsTheTideOfADistantMass) {
  constexpr double R = 1e4, M = 1e12;  // angular speed 1
  Snapshot local, whole;
  const Vec3<double> x{0.5, -0.4, 0.3}, v{0.2, 0.1, -0.2};
  local.bodies.add(1e-40, x, v);
  // Of the frame that turns with the speed 1: x' - e_z x r.
  whole.bodies.add(1e-40, Vec3<double>{R, 0, 0} + x, v + Vec3<double>{-x.y, R + x.x, 0});
  auto near = simulation(local, in_hill("hill rate=1 kappa=1 nu=1"), "kdk", 1.0 / 64);
  const std::vector<std::string> mass{fmt::format("point mass={}", M)};
  auto far =
      simulation(whole, {.softening = {0.05}, .potentials = potentials_of(mass)}, "yoshida6", 1.0 / 512);
  near.make_steps(3 * 64), far.make_steps(3 * 512);
  const double c = std::cos(3.0), s = std::sin(3.0);
  const auto d = far.snapshot().bodies.position(0);
  const Vec3<double> turned{c * d.x + s * d.y - R, c * d.y - s * d.x, d.z};
  EXPECT_LE(norm(turned - near.snapshot().bodies.position(0)), 50 / R);
  EXPECT_GT(norm(turned - x), 0.5);
}

/// A cluster within its tidal radius: the energy with the tide's is conserved to the square of the step.
TEST(HillFrame, KeepsTheEnergyOfACluster) {
  const auto start = make_model("plummer", std::vector<std::string>{"n=150"}, 4);
  const auto tide = in_hill("hill rate=0.12 kappa=0.17 nu=0.2", 0.1);
  for (const auto& [name, order] : {std::pair("kdk", 2), std::pair("forest-ruth", 4)}) {
    double errors[2];
    for (int k = 0; k < 2; ++k) {
      auto sim = simulation(start, tide, name, 0.02 / (1 << k));
      const double before = sim.energies().total();
      sim.make_steps(std::uint64_t(50) << k);
      errors[k] = std::abs(sim.energies().total() / before - 1);
      EXPECT_LE(errors[k], 1e-3) << name;
    }
    EXPECT_LE(errors[1], 0.6 * errors[0] + 1e-12) << name;
    // Energies and fields have the tide's.
    auto sim = simulation(start, tide, name, 0.02);
    auto without = tide;
    without.potentials.clear();
    auto bare = simulation(start, without, name, 0.02);
    EXPECT_GT(std::abs(sim.energies().total() - bare.energies().total()), 1e-3);
    const auto s = sim.snapshot_with_fields(), b = bare.snapshot_with_fields();
    EXPECT_NEAR(s.ax[3] - b.ax[3], (4 * 0.12 * 0.12 - 0.17 * 0.17) * s.bodies.x[3], 1e-13);
  }
}

TEST(HillFrame, GivesTheSameBitsHoweverTheRunIsCut) {
  const test::Folder folder;
  const auto start = make_model("plummer", std::vector<std::string>{"n=100"}, 3);
  for (const auto* kernel : {"cpu/symmetric", "cpu/fmm order=4 theta=0.6"})
    for (const auto precision : {Precision::f32, Precision::mixed, Precision::f64})
      for (const auto& name : splittings()) {
        SCOPED_TRACE(std::string(kernel) + ", " + name);
        auto whole = simulation(start, in_hill(), name, 0.01, precision, kernel);
        whole.make_steps(20);
        auto cut = simulation(start, in_hill(), name, 0.01, precision, kernel);
        cut.make_steps(7);
        (void)cut.totals();
        save(cut, folder.path);
        auto loaded = load(folder.path, {});
        loaded.make_steps(6), loaded.make_steps(7);
        EXPECT_EQ(loaded.snapshot().bodies, whole.snapshot().bodies);
      }
}

TEST(HillFrame, IsRefusedWithHermiteAndTwice) {
  const auto start = make_model("plummer", std::vector<std::string>{"n=10"}, 3);
  const auto refusal = [&](const std::string& integrator, const Gravity& gravity) {
    try {
      (void)Simulation(start, gravity, Method{.integrator = &integrator_named(integrator), .dt = 0.01},
                       EngineOptions{.precision = Precision::f64, .backend = "cpu"});
    } catch (const UsageError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal("hermite4", in_hill()).find("hermite4 takes no potential 'hill'"), std::string::npos);
  auto two = in_hill();
  two.potentials.push_back(two.potentials.front());
  EXPECT_NE(refusal("kdk", two).find("more than one potential 'hill'"), std::string::npos);
  EXPECT_EQ(refusal("kdk", in_hill()), "");
}

}  // namespace pleiad
