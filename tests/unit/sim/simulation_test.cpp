/// Time: counted steps, exact output times, and bits that do not depend on outputs or how steps are
/// grouped.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;

namespace {

Snapshot cluster(const std::string& n = "300") {
  const std::vector<std::string> settings{"n=" + n};
  return make_model("plummer", settings, 3);
}

Method method(std::string_view name, double dt = 1.0 / 64) {
  return {.integrator = &integrator_named(name), .dt = dt};
}

const Gravity soft{.softening = {0.05}};

std::string hash_after(Simulation& s) { return state_hash(s.snapshot().bodies); }

}  // namespace

TEST(Integrators, AreConsistentTables) {
  for (const auto* const each : integrators()) {
    const auto& i = *each;
    if (i.needs_doubles || i.in_blocks) continue;
    double kicks = 0, drifts = 0;
    for (const double k : i.splitting.kick) kicks += k;
    for (const double d : i.splitting.drift) drifts += d;
    EXPECT_LE(std::abs(kicks - 1), 1e-15) << i.name;
    EXPECT_LE(std::abs(drifts - 1), 1e-15) << i.name;
    EXPECT_GE(i.splitting.kick.size(), i.splitting.drift.size()) << i.name;
  }
  EXPECT_THROW(integrator_named("kdkk"), UsageError);
}

TEST(Simulation, GroupingOfStepsDoesNotChangeTheBits) {
  for (const auto* const i : integrators())
    for (const auto precision : {Precision::f32, Precision::f64, Precision::mixed}) {
      if (i->on_orbits || (i->needs_doubles && precision != Precision::f64)) continue;
      Simulation whole(cluster(), soft, method(i->name), {.precision = precision});
      whole.run_until(0.5);
      Simulation parts(cluster(), soft, method(i->name), {.precision = precision});
      for (int step = 1; step <= 32; ++step) {
        parts.run_until(step / 64.0);
        if (step % 3 == 0) parts.diagnostics(1);
        if (step % 5 == 0) parts.snapshot_with_fields();
      }
      EXPECT_EQ(hash_after(whole), hash_after(parts)) << i->name << " " << name_of(precision);
    }
}

TEST(Simulation, RunsInBatchesOfAnyLengthUntilOneOfNone) {
  for (const bool adaptive : {false, true}) {
    auto m = method("kdk");
    m.adaptive = adaptive;
    Simulation whole(cluster(), soft, m), parts(cluster(), soft, m);
    std::vector<double> told;
    parts.every(0.125, [&](const Snapshot& s) { told.push_back(s.time); });
    whole.every(0.125, [](const Snapshot&) {});
    whole.run_until(0.5);
    std::uint64_t asked = 0, last = 0;
    const auto next = [&](const RunProgress& p) -> std::uint64_t {
      EXPECT_LE(p.step - last, asked % 7);
      last = p.step;
      return ++asked % 7;
    };
    while (!parts.run_in_batches(0.5, next)) EXPECT_EQ(asked % 7, 0U);
    EXPECT_EQ(hash_after(whole), hash_after(parts));
    EXPECT_EQ(told, (std::vector{0.0, 0.125, 0.25, 0.375, 0.5}));
  }
}

TEST(Simulation, ContinuesBitForBitFromASavedState) {
  for (const bool adaptive : {false, true})
    for (const char* name : {"kdk", "forest-ruth", "hermite4", "gauss-radau"}) {
      auto m = method(name);
      m.adaptive = adaptive;
      const EngineOptions engine{.precision = m.integrator->order == 15 ? Precision::f64 : Precision::mixed};
      Simulation whole(cluster(), soft, m, engine);
      whole.run_until(0.5);
      Simulation first(cluster(), soft, m, engine);
      first.run_towards(0.5, 11);
      Simulation second(first.snapshot(), first.clock(), soft, m, engine);
      second.run_until(0.5);
      EXPECT_EQ(hash_after(whole), hash_after(second)) << name << (adaptive ? " adaptive" : "");
      EXPECT_EQ(whole.step(), second.step());
    }
}

TEST(Simulation, ContinuesTheStepsAndObserversOfAnEarlierOne) {
  for (const bool adaptive : {false, true}) {
    auto before = method("kdk"), after = method("kdk", 1.0 / 128);
    before.adaptive = after.adaptive = adaptive;
    std::vector<double> told;
    Simulation first(cluster(), soft, before);
    first.every(0.125, [&](const Snapshot& s) { told.push_back(s.time); });
    first.run_until(0.1875);
    const auto steps = first.step();
    Simulation second(first.snapshot(), soft, after), alone(first.snapshot(), soft, after);
    second.continue_from(first);
    EXPECT_EQ(second.step(), steps);
    EXPECT_EQ(second.time(), 0.1875);
    second.run_until(0.5);
    alone.run_until(0.5);
    EXPECT_EQ(told, (std::vector{0.0, 0.125, 0.25, 0.375, 0.5}));
    EXPECT_EQ(second.time(), 0.5);
    if (adaptive) continue;  // where requested times are met by other steps
    EXPECT_EQ(second.step(), steps + 40);
    EXPECT_EQ(hash_after(second), hash_after(alone));
    auto whole_steps_only = method("kdk", 0.125);
    whole_steps_only.exact_steps = true;
    Simulation third(first.snapshot(), soft, whole_steps_only);
    EXPECT_THROW(third.continue_from(first), UsageError) << "it does not meet 0.25 from 0.1875";
    EXPECT_EQ(third.step(), 0U);
  }
}

TEST(Simulation, RefusesAnEarlierTimeWhateverTheSteps) {
  Simulation s(cluster("20"), soft, method("kdk", 1.0 / 128));
  s.run_until(0.5);
  try {
    s.run_until(0.1);  // 12.8 steps
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("lies before the simulation's 0.5"), std::string::npos) << e.what();
  }
}

TEST(Simulation, HasTheSameBitsForAnyNumberOfThreads) {
  for (const auto precision : {Precision::f32, Precision::f64, Precision::mixed}) {
    std::string first;
    for (const int t : {1, 2, 3, 7}) {
      Simulation s(cluster("3001"), soft, method("kdk"), {.precision = precision, .threads = t});
      s.run_towards(1e9, 4);
      const auto e = s.energies();
      const auto now = hash_after(s) + std::to_string(e.kinetic) + std::to_string(e.potential);
      if (first.empty()) first = now;
      EXPECT_EQ(now, first) << t << " threads, " << name_of(precision);
    }
  }
  set_threads(0);
}

TEST(Simulation, MeetsOutputTimesExactly) {
  Simulation counted(cluster(), soft, method("kdk", 0.1));
  counted.run_until(0.7);  // 7 * 0.1 is not the double 0.7
  EXPECT_EQ(counted.step(), 7u);
  EXPECT_EQ(counted.clock().start_step, 0u);  // none of them was shortened
  EXPECT_THROW(counted.run_until(0.3), UsageError);
  auto m = method("kdk", 0.1);
  m.adaptive = true;
  Simulation adaptive(cluster(), soft, m);
  for (const double t : {0.1, 0.333, 0.7}) {
    adaptive.run_until(t);
    EXPECT_EQ(adaptive.time(), t);
  }
}

/// Property: for decimal steps dt, numbers of steps and starts, as a user writes them, the end is reached
/// after exactly that many steps, at exactly the time that was written, in one go, in pieces and from a saved
/// state.
TEST(Simulation, EndsDecimalRunsAfterTheirNumberOfSteps) {
  Snapshot two;
  two.bodies.add(1, {-0.5, 0, 0}, {0, -0.7, 0});
  two.bodies.add(1, {0.5, 0, 0}, {0, 0.7, 0});
  std::size_t inexact = 0;
  for (const auto& [mantissa, exponent] :
       {std::pair{1, -1}, {3, -1}, {7, -1}, {3, -2}, {6, -2}, {1, -6}, {9, -3}, {11, -4}})
    for (const int steps : {1, 2, 3, 7, 10, 11, 30, 47})
      for (const char* begin : {"0", "0.1", "1", "2.2", "-0.9", "1000"}) {
        const double dt = std::strtod(fmt::format("{}e{}", mantissa, exponent).c_str(), nullptr);
        // The end in decimal digits: start and steps times dt in units of 10^exponent.
        const double unit = std::pow(10.0, -exponent), start = std::strtod(begin, nullptr);
        const auto digits =
            static_cast<long long>(std::llround(start * unit)) + static_cast<long long>(mantissa) * steps;
        const double end = std::strtod(fmt::format("{}e{}", digits, exponent).c_str(), nullptr);
        inexact += start + steps * dt != end;
        if (std::abs(start * unit - std::round(start * unit)) > 1e-6) continue;
        two.time = start;
        const auto what = fmt::format("dt = {}, {} steps from {}", dt, steps, start);
        for (const char* integrator : {"kdk", "hermite4", "gauss-radau"}) {
          Simulation whole(two, Gravity{}, method(integrator, dt), {.precision = Precision::f64});
          whole.run_until(end);
          EXPECT_EQ(whole.step(), static_cast<std::uint64_t>(steps)) << what;
          EXPECT_EQ(whole.clock().start_step, 0U) << what;
          EXPECT_EQ(whole.time(), end) << what;
          Simulation parts(two, Gravity{}, method(integrator, dt), {.precision = Precision::f64});
          const Moment at = parts.moment_at(end);
          parts.run_towards(at, static_cast<std::uint64_t>(steps) / 2);
          Simulation rest(parts.snapshot(), parts.clock(), Gravity{}, method(integrator, dt),
                          {.precision = Precision::f64});
          int calls = 0;
          while (!rest.run_towards(at, 1)) ASSERT_LE(++calls, steps) << what;
          EXPECT_TRUE(rest.has_reached(at)) << what;
          EXPECT_EQ(hash_after(rest), hash_after(whole)) << what;
        }
      }
  EXPECT_GT(inexact, 50u);  // else these would be no test
}

TEST(TimeOfStep, IsTheDecimalThatWasMeantAndElseTheSum) {
  EXPECT_EQ(time_of_step(0, 0.3, 3), 0.9);
  EXPECT_EQ(time_of_step(0, 0.1, 3), 0.3);
  EXPECT_EQ(time_of_step(0, 1.0 / 3, 3), 1.0);
  EXPECT_EQ(time_of_step(0, 1.0 / 3, 1), 1.0 / 3);
  EXPECT_EQ(time_of_step(0, 0x1p-20, 1234567), 1234567 * 0x1p-20);
  EXPECT_EQ(time_of_step(1, 0x1p-40, 1), 1 + 0x1p-40);
  for (std::uint64_t k = 0; k < 100000; ++k)
    EXPECT_LT(time_of_step(0.7, 1e-5, k), time_of_step(0.7, 1e-5, k + 1));
}

TEST(WholeSteps, RefusesWhatCannotBeCounted) {
  const auto message = [](double start, double dt, double time) -> std::string {
    try {
      whole_steps(start, dt, time);
    } catch (const UsageError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message(0, 0.25, 1), "");
  EXPECT_NE(message(0, 0.3, 1).find("0.9 and 1.2 are"), std::string::npos);
  EXPECT_NE(message(0, 1e-300, 1).find("can be counted"), std::string::npos);
  EXPECT_NE(message(1, 0.1, 0.9).find("lies before the start"), std::string::npos);
  EXPECT_NE(message(1e9, 1e-8, 1e9 + 1).find("lost in the rounding"), std::string::npos);
  EXPECT_NE(message(0, 0.1, NAN), "");
}

TEST(Simulation, RefusesMethodsThatCannotWork) {
  auto m = method("kdk");
  m.adaptive = true;
  EXPECT_THROW(Simulation(cluster(), Gravity{}, m), UsageError);  // eta sqrt(eps/|a|) with eps = 0
  m = method("kdk");
  m.damping = 0.9;
  EXPECT_THROW(Simulation(cluster(), soft, m), UsageError);
  EXPECT_THROW(Simulation(cluster(), soft, method("kdk", 0)), UsageError);
  EXPECT_THROW(Simulation(cluster(), soft, method("kdk", NAN)), UsageError);
}

// S3: kick, velocity times the factor, drift; one body moves v0 (f + f^2 + ...) dt when nothing pulls.
TEST(Simulation, DampsAfterTheKickAndBeforeTheDrift) {
  Snapshot s;
  s.bodies.add(1, {0, 0, 0}, {1, 0, 0});
  auto m = method("euler", 1);
  m.damping = 0.5;
  Simulation sim(s, soft, m, {.precision = Precision::f64});
  sim.run_until(3);
  EXPECT_EQ(sim.snapshot().bodies.x[0], 0.5 + 0.25 + 0.125);
  EXPECT_EQ(sim.snapshot().bodies.vx[0], 0.125);
}

TEST(Simulation, OneBodyMovesOnAStraightLine) {
  for (const auto* const each : integrators()) {
    const auto& i = *each;
    Snapshot s;
    s.bodies.add(2, {1, 2, 3}, {0.5, -0.25, 0.125});
    Simulation sim(s, Gravity{}, method(i.name), {.precision = Precision::f64});
    sim.run_until(4);
    EXPECT_LE(std::abs(sim.snapshot().bodies.x[0] - 3), 1e-15 * 256) << i.name;  // 256 additions
    EXPECT_EQ(sim.energies().potential, 0);
  }
}

TEST(Simulation, KeepsBodiesInThePeriodicBox) {
  const std::vector<std::string> settings{"n=64"};
  auto s = make_model("uniform-box", settings, 1);
  s.boundary = {true, {1, 1, 1}};
  for (std::size_t i = 0; i < s.bodies.size(); ++i) s.bodies.vx[i] = (i % 2 ? 3 : -3);
  Simulation sim(s, {.softening = {0.05}, .boundary = s.boundary}, method("kdk"));
  sim.run_until(2);
  for (const double x : sim.snapshot().bodies.x) {
    EXPECT_GE(x, 0);
    EXPECT_LT(x, 1);
  }
}

TEST(Simulation, GoesOnFromBodiesThatWereMoved) {
  auto turned = cluster();
  for (double& vx : turned.bodies.vx) vx = -vx;
  Simulation moved(cluster(), soft, method("kdk")), other(turned, soft, method("kdk"));
  moved.make_steps(3);
  const double energy = moved.reference_energy();
  moved.move_bodies(other.snapshot().bodies);
  EXPECT_EQ(moved.snapshot().bodies, other.snapshot().bodies);
  moved.make_steps(5), other.make_steps(5);
  EXPECT_EQ(moved.snapshot().bodies, other.snapshot().bodies);
  EXPECT_EQ(moved.step(), 8u);
  EXPECT_EQ(moved.reference_energy(), energy);

  auto wrong = moved.snapshot().bodies;
  wrong.x[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(moved.move_bodies(wrong), InputError);
  EXPECT_THROW(moved.move_bodies({}), UsageError);
  EXPECT_EQ(moved.snapshot().bodies, other.snapshot().bodies);
}

TEST(Simulation, RefusesGpusThatAreNotThere) {
  const auto refusal = [](const EngineOptions& options) -> std::string {
    try {
      (void)Simulation(cluster(), soft, method("kdk"), options);
      return "accepted";
    } catch (const Error& e) {
      return std::to_string(int(e.kind())) + " " + e.what();
    }
  };
  EXPECT_EQ(refusal({.gpus = -1}), "2 gpus = -1 must be >= 0 (0: as many as make it faster)");
  // More than any host has, whatever it is: on a CPU because it has none, on a GPU because it has fewer.
  EXPECT_TRUE(refusal({.gpus = 1000}).starts_with("4 gpus = 1000")) << refusal({.gpus = 1000});
  EXPECT_TRUE(refusal({.backend = "cpu", .gpus = 1000}).starts_with("4 gpus = 1000 cannot be used"));
  EXPECT_EQ(refusal({.backend = "cpu", .gpus = 0}), "accepted");
}
