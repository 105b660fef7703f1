/// Times between two fixed steps: exact, without a change of the bits of the run, and as accurate as the
/// integrator.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;

namespace {

constexpr double dt = 1.0 / 64;

Snapshot sphere() { return model("plummer", {{"n", 120.0}}, 3); }
std::string hash(Simulation& s) { return state_hash(s.snapshot().bodies); }
Method method(const Integrator& integrator, double step = dt) {
  return {.integrator = &integrator, .dt = step};
}

/// A law and an engine that integrators are combined with.
struct Way {
  std::string name;
  Gravity gravity{.softening = {0.05}};
  EngineOptions engine{.precision = Precision::f64};
};
std::vector<Way> ways() {
  std::vector<Way> all;
  for (const auto precision : {Precision::f32, Precision::f64, Precision::mixed})
    all.push_back({.name = std::string(name_of(precision)), .engine = {.precision = precision}});
  for (const char* text : {"cpu/symmetric", "cpu/barnes-hut", "cpu/fmm order=3"})
    all.push_back({.name = text, .engine = {.method = force_method_of(text)}});
  all.push_back({.name = "periodic",
                 .gravity = {.softening = {0.05}, .boundary = {.periodic = true, .length = {4, 4, 4}}}});
  all.push_back({.name = "in a potential",
                 .gravity = {.softening = {0.05}, .potentials = potentials_of_lines("nfw mass=8 scale=2")}});
  return all;
}
bool possible(const Integrator& integrator, const Way& way) {
  if (!integrator.needs_doubles) return true;
  if (integrator.in_blocks && way.gravity.boundary.periodic) return false;
  if (integrator.on_orbits || (integrator.needs_snaps && !way.gravity.potentials.empty())) return false;
  const bool precise = integrator.needs_jerks ? way.engine.precision != Precision::f32
                                              : way.engine.precision == Precision::f64;
  return precise && !(way.engine.method && way.engine.method->tree);
}

/// Two bodies on an ellipse of eccentricity 0.5, of period 2 pi, at apocentre.
Snapshot ellipse() {
  Snapshot s;
  const double v = std::sqrt(1 / 3.0);
  s.bodies.add(0.5, {-0.75, 0, 0}, {0, -v / 2, 0});
  s.bodies.add(0.5, {0.75, 0, 0}, {0, v / 2, 0});
  return s;
}

/// m1 m2 / (2 a) below 0: a = 1.
constexpr double ellipse_energy = -0.125;

}  // namespace

/// Outputs of a hundredth of a step to more than a step apart, with an interval that counts whole steps
/// beside them.
TEST(BetweenSteps, OutputsChangeNoBits) {
  for (const auto* const integrator : integrators())
    for (const auto& way : ways()) {
      if (!possible(*integrator, way)) continue;
      Simulation alone(sphere(), way.gravity, method(*integrator), way.engine);
      alone.run_until(8 * dt);
      for (const double interval : {0.61 * dt, dt / 3, 2.5 * dt}) {
        Simulation seen(sphere(), way.gravity, method(*integrator), way.engine);
        std::vector<double> times, whole;
        seen.every(interval, [&](const Snapshot& s) { times.push_back(s.time); });
        seen.every(2 * dt, [&](const Snapshot& s) { whole.push_back(s.time); });
        seen.run_until(8 * dt);
        const auto what = fmt::format("{} by {}, every {}", integrator->name, way.name, interval);
        EXPECT_EQ(hash(seen), hash(alone)) << what;
        EXPECT_EQ(seen.step(), 8U) << what;
        ASSERT_EQ(times.size(), static_cast<std::size_t>(8 * dt / interval * (1 + 1e-12)) + 1) << what;
        for (std::size_t k = 0; k < times.size(); ++k)
          EXPECT_EQ(times[k], time_of_step(0, interval, k)) << what;
        EXPECT_EQ(whole, (std::vector{0.0, 2 * dt, 4 * dt, 6 * dt, 8 * dt})) << what;
      }
    }
}

/// An end is met by one shortened step, and the next full step begins there, also in a saved state.
TEST(BetweenSteps, AnEndIsMetExactlyAndLeftByFullSteps) {
  for (const auto* const integrator : integrators())
    for (const auto& way : ways()) {
      if (!possible(*integrator, way)) continue;
      Simulation whole(sphere(), way.gravity, method(*integrator), way.engine);
      EXPECT_TRUE(whole.run_until(0.1));
      EXPECT_EQ(whole.time(), 0.1);
      EXPECT_EQ(whole.step(), 7U);  // 6.4 steps
      EXPECT_EQ(whole.snapshot().step, 7U);
      whole.make_steps(1);
      EXPECT_EQ(whole.time(), time_of_step(0.1, dt, 1));
      EXPECT_TRUE(whole.run_until(0.3));
      EXPECT_EQ(whole.time(), 0.3);

      Simulation parts(sphere(), way.gravity, method(*integrator), way.engine);
      while (!parts.run_towards(0.1, 1)) EXPECT_LT(parts.step(), 7U);
      Simulation rest(parts.snapshot(), parts.clock(), way.gravity, method(*integrator), way.engine);
      while (!rest.run_until(0.3, [n = 0](const RunProgress&) mutable { return ++n < 2; })) {
      }
      EXPECT_EQ(hash(rest), hash(whole)) << integrator->name << " by " << way.name;
      EXPECT_EQ(rest.step(), whole.step());

      Simulation straight(sphere(), way.gravity, method(*integrator), way.engine);
      straight.run_until(0.3);
      EXPECT_NE(hash(straight), hash(whole)) << "the bits depend on the ends, as documented";
    }
}

TEST(BetweenSteps, ObserversKeepTheirTimesAfterAnEnd) {
  Simulation s(sphere(), {.softening = {0.05}}, method(integrator_named("kdk")));
  std::vector<double> times;
  s.every(2 * dt, [&](const Snapshot& now) { times.push_back(now.time / dt); });
  for (const double end : {1.5, 4.0, 4.25, 7.0}) s.run_until(end * dt);
  EXPECT_EQ(times, (std::vector{0.0, 2.0, 4.0, 6.0}));
}

TEST(BetweenSteps, AFailedObserverIsCalledAgainAtItsTime) {
  Simulation s(sphere(), {.softening = {0.05}}, method(integrator_named("kdk"))),
      alone(sphere(), {.softening = {0.05}}, method(integrator_named("kdk")));
  std::vector<double> times;
  s.every(1.25 * dt, [&](const Snapshot& now) {
    times.push_back(now.time / dt);
    if (times.size() == 3) throw std::runtime_error("the disk is full");
  });
  EXPECT_THROW(s.run_until(5 * dt), std::runtime_error);
  EXPECT_EQ(s.time(), 2 * dt);
  s.run_until(5 * dt), alone.run_until(5 * dt);
  EXPECT_EQ(times, (std::vector{0.0, 1.25, 2.5, 2.5, 3.75, 5.0}));
  EXPECT_EQ(hash(s), hash(alone));
}

/// A force of the user is asked at the times of the evaluations, and again at those of the copy.
TEST(BetweenSteps, AForceOfTheUserKeepsItsTimes) {
  const auto force = [](const ForceCall& call) {
    auto* const a = static_cast<Vec4<double>*>(call.accelerations);
    for (std::size_t i = 0; i < call.n; ++i) a[i] = {std::sin(40 * call.time), 0, 0, 0};
  };
  const auto made = [&] {
    Simulation s(sphere(), {.softening = {0.05}}, method(integrator_named("forest-ruth")),
                 {.precision = Precision::f64, .backend = "cpu"});
    s.add_force(force);  // written for the memory of the host
    return s;
  };
  auto seen = made(), alone = made();
  int calls = 0;
  seen.every(0.3 * dt, [&](const Snapshot&) { ++calls; });
  seen.run_until(4 * dt), alone.run_until(4 * dt);
  EXPECT_EQ(calls, 14);
  EXPECT_EQ(hash(seen), hash(alone));
}

/// The error at a time between two steps, against steps 512 times as short, falls as the order of the
/// integrator says: by 2^order for half the step. The slope is a limit, so a fifth of it is left out; a
/// copy that ignored the time beyond its last step would fall by 2.
TEST(BetweenSteps, ACopyIsAsAccurateAsTheIntegrator) {
  constexpr double time = 4.313;
  const auto at_time = [&](const Integrator& integrator, double step) {
    Simulation s(ellipse(), Gravity{}, method(integrator, step), {.precision = Precision::f64});
    std::pair<Snapshot, double> seen;
    s.every(time, [&](const Snapshot& now) { seen = {now, s.energies().total()}; });
    s.run_until(std::ceil(time / step) * step);
    EXPECT_EQ(seen.first.time, time);
    return seen;
  };
  const auto reference = at_time(integrator_named("yoshida6"), 0.04 / 16).first.bodies;
  for (const auto* const integrator : integrators()) {
    if (integrator->in_blocks) continue;  // steps on this ellipse are those of eta, at any dt
    double errors[2]{}, energies[2]{};
    const double longest = integrator->order == 8 ? 0.16 : 0.04;  // where its error is no rounding
    for (const int half : {0, 1}) {
      const auto [now, energy] = at_time(*integrator, longest / (1 + half));
      errors[half] = std::hypot(now.bodies.x[0] - reference.x[0], now.bodies.y[0] - reference.y[0]);
      energies[half] = std::abs(energy - ellipse_energy);
    }
    // Of order 15, or exact for two bodies: nothing is left but rounding errors, the reference's included.
    if (integrator->name == "gauss-radau" || integrator->name == "wisdom-holman-jacobi" ||
        integrator->name == "ar-chain") {
      EXPECT_LE(errors[0], 1e-13) << integrator->name;
      EXPECT_LE(energies[0], 1e-15) << integrator->name;
      continue;
    }
    const double slope = 0.8 * std::exp2(integrator->order);
    EXPECT_GE(errors[0] / errors[1], slope) << integrator->name << ": " << errors[0] << " " << errors[1];
    EXPECT_GE(energies[0] / energies[1], slope)
        << integrator->name << ": " << energies[0] << " " << energies[1];
  }
}

/// Damping is a factor for a whole step: of a part of a step it is that power of it.
TEST(BetweenSteps, DampingIsThatOfThePart) {
  Snapshot s;
  s.bodies.add(1, {0, 0, 0}, {1, 0, 0});
  auto damped = method(integrator_named("euler"), 1);
  damped.damping = 0.25;
  Simulation one(s, {.softening = {0.05}}, damped, {.precision = Precision::f64});
  one.run_until(0.5);
  EXPECT_EQ(one.snapshot().bodies.vx[0], 0.5);
}

TEST(BetweenSteps, AreRefusedWithExactSteps) {
  auto exact = method(integrator_named("kdk"), 0.1);
  exact.exact_steps = true;
  Simulation s(sphere(), {.softening = {0.05}}, exact);
  const auto refusal = [&](const auto& work) -> std::string {
    try {
      work();
    } catch (const UsageError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal([&] { s.run_until(0.25); }),
            "time 0.25 is 2.5 steps of dt = 0.1 after 0: it must be a whole number; 0.2 and 0.3 are");
  EXPECT_NE(refusal([&] { s.every(0.05, [](const Snapshot&) {}); }).find("must be a whole number"),
            std::string::npos);
  EXPECT_EQ(refusal([&] { s.run_until(0.5); }), "accepted");
  // The past is no matter of steps.
  EXPECT_EQ(refusal([&] { s.run_until(0.12); }), "time 0.12 lies before the simulation's 0.5");
  EXPECT_EQ(s.step(), 5U);
}

TEST(BetweenSteps, ThePastIsToldAsSuch) {
  Simulation s(sphere(), {.softening = {0.05}}, method(integrator_named("kdk")));
  s.run_until(0.505);
  for (const double time : {-1.0, 0.1, 0.5, 0.504}) {
    try {
      s.run_until(time);
      ADD_FAILURE() << time;
    } catch (const UsageError& e) {
      EXPECT_EQ(std::string(e.what()), fmt::format("time {} lies before the simulation's 0.505", time));
    }
  }
  EXPECT_THROW(s.every(1e-30, [](const Snapshot&) {}), UsageError);
}
