/// A force of the user's own beside gravity.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

constexpr double dt = 1.0 / 64;

/// a = -4 x + (cos 3t, 0, 0).
template <class T>
void drive(const ForceCall& call) {
  const std::span x(static_cast<const Mass<T>*>(call.bodies), call.n);
  const std::span a(static_cast<Vec4<T>*>(call.accelerations), call.n);
  for (std::size_t i = 0; i < call.n; ++i)
    a[i] = {T(-4 * x[i].x + T(std::cos(3 * call.time))), -4 * x[i].y, -4 * x[i].z, T(7)};
}
void driven(const ForceCall& call) { call.single ? drive<float>(call) : drive<double>(call); }

/// Bodies whose gravity is nothing beside that.
Snapshot light_bodies() {
  Snapshot s;
  for (int k = 0; k < 5; ++k)
    s.bodies.add(1, {0.3 * k - 0.5, 0.1 * k, 0.7 - 0.2 * k}, {0.2, -0.1 * k, 0.05 * k});
  return s;
}
Simulation simulation(const char* integrator, const std::string& kernel, Precision precision = Precision::f64,
                      double G = 1e-30) {
  return Simulation(
      light_bodies(), Gravity{.G = G, .softening = {0.1}},
      Method{.integrator = &integrator_named(integrator), .dt = dt},
      EngineOptions{.precision = precision, .backend = "cpu", .method = force_method_of(kernel)});
}

/// The same steps of one coordinate, by hand.
struct Oscillator {
  double x, v, drive;
  void step(const Splitting& splitting, double time) {
    for (std::size_t s = 0; s < splitting.kick.size(); ++s) {
      if (splitting.kick[s] != 0) v += splitting.kick[s] * dt * (-4 * x + drive * std::cos(3 * time));
      if (s >= splitting.drift.size()) break;
      x += splitting.drift[s] * dt * v;
      time += splitting.drift[s] * dt;
    }
  }
};

}  // namespace

TEST(UserForce, MovesBodiesAtTheTimesOfTheEvaluations) {
  constexpr int steps = 100;
  for (const auto* integrator : {"euler", "kdk", "dkd", "forest-ruth", "yoshida6"})
    for (const auto* kernel : {"cpu/scalar", "cpu/symmetric", "cpu/fmm theta=0.5"}) {
      SCOPED_TRACE(std::string(integrator) + ", " + kernel);
      auto sim = simulation(integrator, kernel);
      sim.add_force(driven);
      sim.make_steps(steps);
      const auto start = light_bodies();
      for (std::size_t i = 0; i < start.bodies.size(); ++i) {
        Oscillator x{start.bodies.x[i], start.bodies.vx[i], 1}, y{start.bodies.y[i], start.bodies.vy[i], 0};
        for (int k = 0; k < steps; ++k)
          for (auto* each : {&x, &y}) each->step(integrator_named(integrator).splitting, k * dt);
        // Roundings of some hundred kicks and drifts of numbers of about 1.
        EXPECT_NEAR(sim.snapshot().bodies.x[i], x.x, 1e-12);
        EXPECT_NEAR(sim.snapshot().bodies.vx[i], x.v, 1e-12);
        EXPECT_NEAR(sim.snapshot().bodies.y[i], y.x, 1e-12);
      }
    }
}

TEST(UserForce, IsInTheUnitsOfTheBodiesWhateverGIs) {
  // G m^2 is 1e-6 in both: gravity is weak, but there.
  auto one = simulation("kdk", "cpu/scalar", Precision::f64, 1e-6);
  auto start = light_bodies();
  for (auto& m : start.bodies.mass) m = 1e-3;
  Simulation other(start, Gravity{.G = 1e-3, .softening = {0.1}},
                   Method{.integrator = &integrator_named("kdk"), .dt = dt},
                   EngineOptions{.precision = Precision::f64, .backend = "cpu"});
  one.add_force(driven), other.add_force(driven);
  one.make_steps(64), other.make_steps(64);
  for (std::size_t i = 0; i < start.bodies.size(); ++i)
    EXPECT_NEAR(one.snapshot().bodies.x[i], other.snapshot().bodies.x[i], 1e-12);
}

TEST(UserForce, KeepsItsBitsInAnyBatchesAndUnderDiagnostics) {
  for (const auto* kernel : {"cpu/symmetric", "cpu/fmm order=4 theta=0.6"}) {
    auto whole = simulation("kdk", kernel, Precision::f32, 1),
         pieces = simulation("kdk", kernel, Precision::f32, 1);
    whole.add_force(driven), pieces.add_force(driven);
    whole.run_until(1);
    while (!pieces.run_towards(pieces.moment_at(1), 3, true))
      (void)pieces.totals(), (void)pieces.force_errors();
    EXPECT_EQ(state_hash(whole.snapshot().bodies), state_hash(pieces.snapshot().bodies)) << kernel;
  }
}

TEST(UserForce, LeavesEnergiesAndForceErrorsThoseOfGravity) {
  for (const auto* kernel : {"cpu/symmetric", "cpu/fmm order=4 theta=0.6"}) {
    auto with = simulation("kdk", kernel, Precision::f64, 1),
         without = simulation("kdk", kernel, Precision::f64, 1);
    with.add_force(driven);
    EXPECT_EQ(with.energies().potential, without.energies().potential);
    EXPECT_EQ(with.force_errors().largest, without.force_errors().largest) << kernel;
  }
}

TEST(UserForce, EndsStepsWithWhatItThrowsAndGoesAway) {
  auto sim = simulation("kdk", "cpu/scalar"), plain = simulation("kdk", "cpu/scalar");
  sim.add_force([](const ForceCall&) { throw std::runtime_error("no more"); });
  EXPECT_THROW(sim.make_steps(1), std::runtime_error);
  auto again = simulation("kdk", "cpu/scalar");
  again.add_force(driven);
  again.add_force({});
  again.make_steps(3), plain.make_steps(3);
  EXPECT_EQ(state_hash(again.snapshot().bodies), state_hash(plain.snapshot().bodies));
}

TEST(UserForce, SurvivesAnotherEngine) {
  auto moved = simulation("kdk", "cpu/scalar"), stayed = simulation("kdk", "cpu/scalar");
  moved.add_force(driven), stayed.add_force(driven);
  moved.make_steps(5), stayed.make_steps(5);
  moved.go_on_with({.precision = Precision::f64, .backend = "cpu", .method = force_method_of("cpu/scalar")});
  moved.make_steps(5), stayed.make_steps(5);
  EXPECT_EQ(state_hash(moved.snapshot().bodies), state_hash(stayed.snapshot().bodies));
}

TEST(UserForce, IsNamedWhereItIsNotFinite) {
  for (const auto precision : {Precision::f32, Precision::mixed, Precision::f64})
    for (const double wrong : {std::nan(""), HUGE_VAL, -HUGE_VAL})
      for (const int coordinate : {0, 1, 2}) {
        auto sim = simulation("kdk", "cpu/scalar", precision);
        sim.add_force([=](const ForceCall& call) {
          driven(call);
          const auto set = [&](auto& a) {
            (coordinate == 0 ? a.x : coordinate == 1 ? a.y : a.z) = decltype(+a.x)(wrong);
          };
          if (call.time < 3 * dt) return;
          call.single ? set(static_cast<Vec4<float>*>(call.accelerations)[2])
                      : set(static_cast<Vec4<double>*>(call.accelerations)[2]);
        });
        sim.make_steps(2);
        try {
          sim.make_steps(5);
          ADD_FAILURE() << "steps with " << wrong;
        } catch (const NumericalError& e) {
          const std::string words = e.what();
          EXPECT_NE(words.find("the force of your own gives"), std::string::npos) << words;
          EXPECT_NE(words.find("body 2"), std::string::npos) << words;
        }
      }
}

TEST(UserForce, IsRefusedByHermite) {
  auto sim = simulation("hermite4", "cpu/scalar");
  EXPECT_THROW(sim.add_force(driven), UsageError);
}

}  // namespace pleiad
