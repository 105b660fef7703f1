/// External potentials that depend on time: each evaluation takes the field of its own time, in every
/// integrator, in energies and fields, and after a resume.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "unit/scratch.hpp"

#include <pleiad/diagnostics.hpp>
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

Gravity in(const std::vector<std::string>& potentials) {
  return {.softening = {0.05}, .potentials = potentials_of(potentials)};
}
Simulation simulation(const Snapshot& start, const Gravity& gravity, const std::string& integrator, double dt,
                      const std::string& kernel = "cpu/threads", bool adaptive = false) {
  return Simulation(
      start, gravity, Method{.integrator = &integrator_named(integrator), .dt = dt, .adaptive = adaptive},
      EngineOptions{.precision = Precision::f64, .backend = "cpu", .method = force_method_of(kernel)});
}
Snapshot light_bodies(const Vec3<double>& boost = {}, double time = 0) {
  Snapshot s;
  s.time = time;
  for (int k = 0; k < 6; ++k)
    s.bodies.add(1e-30, Vec3<double>{1.5 + 0.4 * k, 0.3 * k - 0.5, 0.2 * k - 0.4} + boost * time,
                 Vec3<double>{0.1 * k - 0.2, 1.1 - 0.05 * k, 0.3 - 0.1 * k} + boost);
  return s;
}
const std::vector<std::string> moving{"plummer mass=3 scale=1 vx=0.3 vy=-0.2 vz=0.1",
                                      "bar mass=2 length=1.2 width=0.3 height=0.2 omega=0.7 angle=0.3",
                                      "nfw mass=20 scale=6 rise_from=-0.3 rise_to=0.9",
                                      "uniform gx=0.1 e_fold=-2"};

/// The integrators that take potentials.
std::vector<const Integrator*> in_fields() {
  std::vector<const Integrator*> some;
  for (const auto* i : integrators())
    if (!i->on_orbits && !i->needs_snaps) some.push_back(i);
  return some;
}

}  // namespace

/// In a field that moves at a constant velocity, bodies move as they would in one at rest, apart from that
/// velocity. So do the positions of every scheme, if it takes each field where the field is at the time of
/// the positions.
TEST(MovingPotentials, MoveBodiesAlongInEveryIntegrator) {
  const Vec3<double> velocity{0.3, -0.2, 0.1};
  const auto resting = in({"plummer mass=3 scale=1", "hernquist mass=1 scale=0.5 x=0.4"});
  auto moved = resting;
  for (auto& p : moved.potentials) p.velocity = velocity;
  for (const auto* integrator : in_fields())
    for (const double start : {0.0, 2.0}) {
      const std::string name(integrator->name);
      auto one = simulation(light_bodies({}, start), resting, name, 1.0 / 32),
           other = simulation(light_bodies(velocity, start), moved, name, 1.0 / 32);
      for (auto* sim : {&one, &other}) {
        sim->make_steps(70);
        sim->run_until(sim->time() + 0.01);  // a shortened step
        sim->make_steps(7);
      }
      ASSERT_EQ(one.time(), other.time());
      const auto &x = one.snapshot().bodies, &y = other.snapshot().bodies;
      // Roundings of positions near 5, which orbits amplify some ten times. Of block steps there are some
      // hundred times as many, whose roundings are random.
      const double most = integrator->in_blocks && integrator->needs_jerks ? 2e-12 : 2e-13;
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_LE(norm(y.position(i) - velocity * one.time() - x.position(i)), most)
            << name << " from " << start;
    }
}

/// Bodies in a uniform field that grows as exp(t / T): v = g T (exp(t / T) - 1). The error falls with the
/// order of the scheme, so that each of its evaluations is at the right time.
TEST(MovingPotentials, AreIntegratedToTheOrderOfEveryIntegrator) {
  const auto growing =
      in({"uniform gx=0.7 e_fold=0.8", "plummer mass=2 scale=0.6 rise_from=0.2 rise_to=1.7"});
  const auto fine = [&] {
    auto sim = simulation(light_bodies(), growing, "yoshida6", 1.0 / 2048);
    sim.make_steps(2 * 2048);
    return sim.snapshot().bodies;
  }();
  for (const auto* integrator : in_fields()) {
    double errors[2];
    // In the time of a step the third derivative of the rise jumps at its ends: schemes of orders above 4 do
    // not see more than that.
    const int per_unit = integrator->order == 8  ? 5
                         : integrator->order > 2 ? 20
                                                 : 60,
              order = std::min(integrator->order, 4);
    for (int k = 0; k < 2; ++k) {
      auto sim = simulation(light_bodies(), growing, std::string(integrator->name), 1.0 / (per_unit << k));
      sim.make_steps(std::uint64_t(2 * per_unit) << k);
      errors[k] = 0;
      for (std::size_t i = 0; i < fine.size(); ++i)
        take_larger(errors[k], norm(sim.snapshot().bodies.position(i) - fine.position(i)));
    }
    // Gauss-Radau is at the rounding errors of the other one: 4096 steps of 1e-16, some of which orbits
    // amplify.
    if (integrator->order > 8) {
      EXPECT_LE(errors[0], 1e-11) << integrator->name;
      continue;
    }
    const double slope = std::log2(errors[0] / errors[1]);
    EXPECT_GE(slope, 0.75 * order) << integrator->name << ": " << errors[0] << ", " << errors[1];
  }
}

/// In a rotating bar, and a disc that is symmetric about its axis, each body keeps E - omega L_z.
TEST(MovingPotentials, KeepTheJacobiEnergyOfEachBody) {
  const auto gravity = in({"bar mass=2 length=1.2 width=0.3 height=0.2 omega=0.7",
                           "miyamoto-nagai mass=3 scale=1 height=0.2", "nfw mass=20 scale=6 omega=3"});
  ASSERT_EQ(pattern_speed_of(gravity.potentials), 0.7);
  for (const auto* name : {"yoshida6", "hermite4"}) {
    auto sim = simulation(light_bodies(), gravity, name, 1.0 / 1024);
    const auto energies = [&](double omega) {
      std::vector<double> all;
      const auto s = sim.snapshot_with_fields();
      for (std::size_t i = 0; i < s.bodies.size(); ++i) {
        const auto v = s.bodies.velocity(i);
        all.push_back(0.5 * dot(v, v) + s.potential[i] - omega * cross(s.bodies.position(i), v).z);
      }
      return all;
    };
    (void)sim.reference_energy();
    const auto before = energies(0.7), plain_before = energies(0);
    sim.make_steps(8 * 1024);
    const auto after = energies(0.7), plain = energies(0);
    double change = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_NEAR(after[i], before[i], 1e-9 * std::abs(before[i])) << name;
      change = std::max(change, std::abs(plain[i] - plain_before[i]));
    }
    EXPECT_GT(change, 1e-3);
    // What diagnostics call the energy error is that of the Jacobi energy.
    EXPECT_LE(std::abs(sim.diagnostics().energy_error), 1e-9);
  }
}

TEST(MovingPotentials, AreThoseOfTheTimeInEnergiesAndFields) {
  auto start = make_model("plummer", std::vector<std::string>{"n=200"}, 3);
  start.time = 0.3;
  const auto gravity = in(moving);
  auto without = gravity;
  without.potentials.clear();
  for (const auto* name : {"kdk", "dkd", "hermite4"}) {
    auto sim = simulation(start, gravity, name, 0.01);
    for (const std::uint64_t steps : {0, 37, 41}) {
      sim.make_steps(steps);
      const auto full = sim.snapshot_with_fields();
      Snapshot later = full;
      auto bare = simulation(later, without, name, 0.01);
      const auto plain = bare.snapshot_with_fields();
      double external = 0;
      for (std::size_t i = 0; i < full.bodies.size(); ++i) {
        const auto field = field_at(gravity.potentials, 1, full.bodies.position(i), full.time);
        external += full.bodies.mass[i] * field.potential;
        EXPECT_EQ(full.ay[i], plain.ay[i] + field.acceleration.y) << name;
        EXPECT_EQ(full.potential[i], plain.potential[i] + field.potential) << name;
      }
      const auto found = sim.totals().energies.potential;
      EXPECT_NEAR(found, bare.totals().energies.potential + external, 1e-13 * std::abs(external)) << name;
      EXPECT_NEAR(found, direct_energies(full.bodies, gravity, full.time).potential, 1e-13 * std::abs(found));
      // A change of time alone changes them: the fields above are not those of t = 0.
      EXPECT_GT(std::abs(direct_energies(full.bodies, gravity).potential - found), 1e-6);
    }
  }
}

/// Batches, outputs between steps, energies that are asked for, a save and load in between, steps whose
/// length is no binary fraction: the same bits.
TEST(MovingPotentials, GiveTheSameBitsHoweverTheRunIsCut) {
  const test::Folder folder;
  auto start = make_model("plummer", std::vector<std::string>{"n=100"}, 3);
  start.time = 0.1;
  for (const auto* kernel : {"cpu/symmetric", "cpu/fmm order=4 theta=0.6"})
    for (const auto* integrator : in_fields())
      for (const bool adaptive : {false, true}) {
        if (integrator->needs_doubles && std::string(kernel).starts_with("cpu/fmm")) continue;
        if (integrator->in_blocks && adaptive) continue;
        const std::string name(integrator->name);
        SCOPED_TRACE(fmt::format("{}, {}, {}", kernel, name, adaptive ? "adaptive" : "fixed"));
        const auto begun = [&] { return simulation(start, in(moving), name, 0.003, kernel, adaptive); };
        auto whole = begun();
        whole.make_steps(30);
        auto cut = begun();
        cut.make_steps(11);
        (void)cut.totals();
        cut.expect_potentials();
        cut.make_steps(1);
        (void)cut.snapshot_with_fields();
        if (!adaptive) cut.at_moment(cut.moment_at(cut.time() + 0.001), [&] { (void)cut.totals(); });
        save(cut, folder.path);
        auto loaded = load(folder.path, {});
        EXPECT_EQ(loaded.gravity().potentials, in(moving).potentials);
        for (int k = 0; k < 18; ++k) loaded.make_steps(1);
        EXPECT_EQ(loaded.time(), whole.time());
        EXPECT_EQ(loaded.snapshot().bodies, whole.snapshot().bodies);
      }
}

/// A force of the user's is asked for at the exact times of the steps as well.
TEST(MovingPotentials, HaveTheTimesThatAForceOfTheUserIsToldOf) {
  auto sim = simulation(light_bodies(), {.softening = {0.05}}, "kdk", 0.1);
  std::vector<double> times;
  sim.add_force([&](const ForceCall& call) { times.push_back(call.time); });
  sim.make_steps(3);
  sim.make_steps(1);
  EXPECT_EQ(times, (std::vector<double>{0, 0.1, 0.2, 0.3, 0.4}));
}

}  // namespace pleiad
