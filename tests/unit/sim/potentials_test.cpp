/// Simulations in external potentials: orbits, energies, fields, errors of forces, checkpoints; with every
/// integrator and solver of the CPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "unit/scratch.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

const std::vector<std::string> galaxy{"miyamoto-nagai mass=3 scale=1 height=0.2", "nfw mass=20 scale=6",
                                      "hernquist mass=0.5 scale=0.3 x=0.1"};

/// Bodies whose pulls on each other are nothing beside that.
Snapshot light_bodies() {
  Snapshot s;
  for (int k = 0; k < 6; ++k)
    s.bodies.add(1e-30, {1.5 + 0.4 * k, 0.3 * k - 0.5, 0.2 * k - 0.4},
                 {0.1 * k - 0.2, 1.1 - 0.05 * k, 0.3 - 0.1 * k});
  return s;
}
Gravity in_the_galaxy(double eps = 0.05, double G = 1) {
  return {.G = G, .softening = {eps}, .potentials = potentials_of(galaxy)};
}
Simulation simulation(const Snapshot& start, const std::string& kernel, const std::string& integrator,
                      double dt, const Gravity& gravity = in_the_galaxy(),
                      Precision precision = Precision::f64) {
  return Simulation(
      start, gravity, Method{.integrator = &integrator_named(integrator), .dt = dt},
      EngineOptions{.precision = precision, .backend = "cpu", .method = force_method_of(kernel)});
}
std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const auto* i : integrators())
    if (!i->on_orbits && !i->needs_snaps) names.emplace_back(i->name);  // which take no potentials
  return names;
}

/// The largest distance of the bodies of two states.
double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = norm(a.position(i) - b.position(i));
    take_larger(largest, d);
  }
  return largest;
}

}  // namespace

/// The error of a fixed time falls with the order of the scheme: its forces are taken at the right places.
TEST(ExternalPotentials, AreIntegratedToTheOrderOfEveryIntegrator) {
  const auto exact = [] {
    auto sim = simulation(light_bodies(), "cpu/threads", "yoshida6", 1.0 / 2048);
    sim.make_steps(2 * 2048);
    return sim.snapshot().bodies;
  }();
  for (const auto& name : integrator_names()) {
    const int order = integrator_named(name).order;
    const int per_unit = order == 8 ? 8 : order > 2 ? 32 : 64;
    double errors[2];
    for (int k = 0; k < 2; ++k) {
      auto sim = simulation(light_bodies(), "cpu/threads", name, 1.0 / (per_unit << k));
      sim.make_steps(std::uint64_t(2 * per_unit) << k);
      errors[k] = distance(sim.snapshot().bodies, exact);
    }
    if (order > 8) {
      // At the rounding errors of the other one, 4096 steps of 1e-16 that orbits amplify some hundred times.
      EXPECT_LE(errors[0], 1e-10) << name;
      continue;
    }
    const double slope = std::log2(errors[0] / errors[1]);
    EXPECT_NEAR(slope, order, 0.25 * order) << name << ": " << errors[0] << ", " << errors[1];
  }
}

TEST(ExternalPotentials, KeepTheEnergyOfEachBody) {
  for (const auto* name : {"yoshida6", "hermite4"}) {
    auto sim = simulation(light_bodies(), "cpu/symmetric", name, 1.0 / 512);
    const auto energies = [&] {
      std::vector<double> all;
      const auto s = sim.snapshot_with_fields();
      for (std::size_t i = 0; i < s.bodies.size(); ++i)
        all.push_back(0.5 * dot(s.bodies.velocity(i), s.bodies.velocity(i)) + s.potential[i]);
      return all;
    };
    const auto before = energies();
    sim.make_steps(8 * 512);
    const auto after = energies();
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_NEAR(after[i], before[i], 1e-9 * std::abs(before[i])) << name;
  }
}

/// Totals, and the accelerations and potentials of a snapshot: those of mutual gravity and the field's. By
/// every solver, in every precision.
TEST(ExternalPotentials, AreInEnergiesAndFields) {
  auto start = make_model("plummer", std::vector<std::string>{"n=300"}, 3);
  for (const double G : {1.0, 2.5})
    for (const auto* kernel : {"cpu/scalar", "cpu/simd", "cpu/threads", "cpu/symmetric",
                               "cpu/fmm order=5 theta=0.4", "cpu/barnes-hut order=2 theta=0.3"})
      for (const auto precision : {Precision::f32, Precision::mixed, Precision::f64}) {
        SCOPED_TRACE(fmt::format("{}, {}, G = {}", kernel, name_of(precision), G));
        start.G = G;
        const auto with = in_the_galaxy(0.05, G);
        auto without = with;
        without.potentials.clear();
        auto sim = simulation(start, kernel, "kdk", 1e-3, with, precision),
             plain = simulation(start, kernel, "kdk", 1e-3, without, precision);
        const auto full = sim.snapshot_with_fields(), bare = plain.snapshot_with_fields();
        double external = 0;
        for (std::size_t i = 0; i < full.bodies.size(); ++i) {
          const auto field = field_at(with.potentials, G, full.bodies.position(i));
          external += full.bodies.mass[i] * field.potential;
          EXPECT_EQ(full.ax[i], bare.ax[i] + field.acceleration.x);
          EXPECT_EQ(full.az[i], bare.az[i] + field.acceleration.z);
          EXPECT_EQ(full.potential[i], bare.potential[i] + field.potential);
        }
        const auto t = sim.totals().energies, p = plain.totals().energies;
        EXPECT_EQ(t.kinetic, p.kinetic);
        // In single precision the engine has rounded masses too.
        EXPECT_NEAR(t.potential, p.potential + external,
                    (precision == Precision::f32 ? 1e-6 : 1e-13) * std::abs(external));
        if (precision == Precision::f64 && std::string(kernel) == "cpu/threads") {
          EXPECT_NEAR(direct_energies(full.bodies, with).potential, t.potential,
                      1e-13 * std::abs(t.potential));
        }
      }
}

/// They are evaluated without an error that is worth measuring: errors remain those of mutual gravity.
TEST(ExternalPotentials, LeaveTheErrorsOfForcesAlone) {
  const auto start = make_model("plummer", std::vector<std::string>{"n=2000"}, 3);
  for (const auto* kernel : {"cpu/threads", "cpu/fmm order=3 theta=0.7"})
    for (const auto* name : {"kdk", "hermite4"}) {
      if (std::string(name) == "hermite4" && std::string(kernel) != "cpu/threads") continue;
      auto with = in_the_galaxy(), without = in_the_galaxy();
      without.potentials.clear();
      const auto found = simulation(start, kernel, name, 1e-3, with).force_errors(),
                 expected = simulation(start, kernel, name, 1e-3, without).force_errors();
      EXPECT_EQ(found.p99, expected.p99) << kernel << ", " << name;
    }
}

/// Batches, outputs between steps, energies that are asked for, a save and load in between: the same bits.
TEST(ExternalPotentials, GiveTheSameBitsHoweverTheRunIsCut) {
  const test::Folder folder;
  const auto start = make_model("plummer", std::vector<std::string>{"n=300"}, 3);
  for (const auto* kernel : {"cpu/symmetric", "cpu/threads", "cpu/fmm order=4 theta=0.6"})
    for (const auto& name : integrator_names()) {
      if (integrator_named(name).needs_doubles && std::string(kernel).starts_with("cpu/fmm")) continue;
      SCOPED_TRACE(std::string(kernel) + ", " + name);
      auto whole = simulation(start, kernel, name, 1.0 / 256);
      whole.make_steps(12);
      auto cut = simulation(start, kernel, name, 1.0 / 256);
      cut.make_steps(5);
      (void)cut.totals();
      cut.expect_potentials();
      cut.make_steps(1);
      (void)cut.snapshot_with_fields();
      save(cut, folder.path);
      auto loaded = load(folder.path, {});
      EXPECT_EQ(loaded.gravity().potentials, in_the_galaxy().potentials);
      loaded.make_steps(6);
      EXPECT_EQ(loaded.snapshot().bodies, whole.snapshot().bodies);
    }
}

TEST(ExternalPotentials, ShortenTheAdaptiveStep) {
  for (const auto* name : {"kdk", "hermite4"}) {
    const Method method{.integrator = &integrator_named(name), .dt = 1, .adaptive = true, .eta = 0.01};
    Simulation sim(light_bodies(), in_the_galaxy(), method,
                   EngineOptions{.precision = Precision::f64, .backend = "cpu"});
    sim.make_steps(1);
    EXPECT_LT(sim.time(), 0.1) << name;  // the pulls of the bodies alone would allow steps of 1
    EXPECT_GT(sim.time(), 1e-5) << name;
  }
}

/// A force of the user's own is added to them: one that undoes them leaves bodies that move in straight
/// lines.
TEST(ExternalPotentials, AddToAForceOfTheUser) {
  auto sim = simulation(light_bodies(), "cpu/threads", "kdk", 1.0 / 64);
  const auto gravity = in_the_galaxy();
  sim.add_force([&](const ForceCall& call) {
    const auto* x = static_cast<const Mass<double>*>(call.bodies);
    auto* a = static_cast<Vec4<double>*>(call.accelerations);
    for (std::size_t i = 0; i < call.n; ++i) {
      const auto f = field_at(gravity.potentials, gravity.G, x[i].position()).acceleration;
      a[i] = {-f.x, -f.y, -f.z, 0};
    }
  });
  sim.make_steps(64);
  const auto start = light_bodies().bodies;
  for (std::size_t i = 0; i < start.size(); ++i)
    EXPECT_LE(norm(sim.snapshot().bodies.position(i) - start.position(i) - start.velocity(i)), 1e-13);
}

TEST(ExternalPotentials, AreRefusedInABoxAndInTwoDimensions) {
  auto start = light_bodies();
  for (const bool box : {false, true}) {
    auto gravity = in_the_galaxy();
    if (box) gravity.boundary = {.periodic = true, .length = {10, 10, 10}};
    else gravity.dimension = 2;
    try {
      (void)simulation(start, "cpu/threads", "kdk", 0.01, gravity);
      FAIL() << "not refused";
    } catch (const UsageError& e) {
      EXPECT_NE(std::string(e.what()).find("gravity.potentials need open space"), std::string::npos);
    }
  }
}

}  // namespace pleiad
