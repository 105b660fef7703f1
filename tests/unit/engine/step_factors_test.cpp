/// Kicks and drifts with factors that change with time: steps in an expanding space against the same motion
/// in physical coordinates.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "expanding_space.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

constexpr double begin_time = 1, end_time = 2, eps = 0.1, G = 2;
constexpr std::size_t n = 3;
constexpr std::array<double, n> masses{1, 0.5, 0.25};

struct State {
  std::array<Vec3<double>, n> x, v;
};
/// Comoving positions and momenta at begin_time, where a is 1.
constexpr State start{{{{1, 0, 0}, {-1, 0.2, 0.1}, {0.3, 1.5, -0.2}}},
                      {{{0, 0.6, 0.1}, {0.2, -0.9, 0}, {-0.5, 0.1, 0.3}}}};

/// d2r/dt2 of physical positions r = a x: gravity with the physical softening a eps, and (d2a/dt2) / a r,
/// which is -2/9 r / t^2.
std::array<Vec3<double>, n> accelerations(const std::array<Vec3<double>, n>& r, double t) {
  std::array<Vec3<double>, n> all{};
  const double soft = ExpandingSpace::a(t) * eps;
  for (std::size_t i = 0; i < n; ++i) {
    all[i] = -2.0 / 9 / (t * t) * r[i];
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      const auto d = r[j] - r[i];
      const double d2 = dot(d, d) + soft * soft;
      all[i] = all[i] + G * masses[j] / (d2 * std::sqrt(d2)) * d;
    }
  }
  return all;
}

/// The comoving positions at end_time, by the classical Runge-Kutta scheme in physical coordinates.
std::array<Vec3<double>, n> reference() {
  State s = start;
  const double hubble = 2.0 / 3 / begin_time;  // dr/dt = da/dt x + a dx/dt
  for (std::size_t i = 0; i < n; ++i) s.v[i] = s.v[i] + hubble * s.x[i];
  constexpr int steps = 20000;
  constexpr double h = (end_time - begin_time) / steps;
  const auto moved = [](const State& from, const State& rate, double by) {
    State to = from;
    for (std::size_t i = 0; i < n; ++i) {
      to.x[i] = to.x[i] + by * rate.x[i];
      to.v[i] = to.v[i] + by * rate.v[i];
    }
    return to;
  };
  const auto rate = [](const State& at, double t) { return State{at.v, accelerations(at.x, t)}; };
  for (int k = 0; k < steps; ++k) {
    const double t = begin_time + k * h;
    const State k1 = rate(s, t), k2 = rate(moved(s, k1, h / 2), t + h / 2),
                k3 = rate(moved(s, k2, h / 2), t + h / 2), k4 = rate(moved(s, k3, h), t + h);
    s = moved(moved(moved(moved(s, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
  }
  for (auto& x : s.x) x = 1 / ExpandingSpace::a(end_time) * x;
  return s.x;
}

Bodies bodies_of(const State& s) {
  Bodies b;
  for (std::size_t i = 0; i < n; ++i) b.add(masses[i], s.x[i], s.v[i]);
  return b;
}

double error_of(const char* integrator, std::uint64_t steps, const std::array<Vec3<double>, n>& exact) {
  auto bodies = bodies_of(start);
  const auto engine =
      make_engine(bodies, {.G = G, .softening = {eps}}, {.precision = Precision::f64, .backend = "cpu"});
  const ExpandingSpace factors;
  const double dt = (end_time - begin_time) / double(steps);
  // In two batches: the second begins at its own time.
  const StepPlan plan{
      .integrator = &integrator_named(integrator), .dt = dt, .time = begin_time, .factors = &factors};
  auto later = plan;
  later.time += double(steps / 2) * dt;
  engine->advance(plan, steps / 2);
  engine->advance(later, steps - steps / 2);
  engine->copy_to_host(bodies);
  double most = 0;
  for (std::size_t i = 0; i < n; ++i)
    take_larger(most, norm(Vec3<double>{bodies.x[i], bodies.y[i], bodies.z[i]} - exact[i]));
  return most;
}

// The error falls with the order of the scheme: each kind of step has a time of its own, so the sum of the
// two is a splitting of an autonomous system. The ratio of two errors may miss 2^order by a quarter in the
// exponent.
TEST(StepFactors, KeepTheOrderOfTheSchemeInAnExpandingSpace) {
  const auto exact = reference();
  for (const auto& [name, order, steps] :
       {std::tuple{"kdk", 2, 64}, std::tuple{"dkd", 2, 64}, std::tuple{"forest-ruth", 4, 64},
        std::tuple{"blanes-moan4", 4, 16}, std::tuple{"yoshida6", 6, 8}, std::tuple{"kahan-li8", 8, 4}}) {
    SCOPED_TRACE(name);
    const double coarse = error_of(name, std::uint64_t(steps), exact),
                 fine = error_of(name, std::uint64_t(2 * steps), exact);
    EXPECT_LT(coarse, 1e-3);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.25 * order) << coarse << " and " << fine;
  }
}

// Factors of 1 that do not say that they are constant: the engine steps one by one, to the same bits.
TEST(StepFactors, OfOneHaveTheBitsOfStaticSpace) {
  struct Ones final : StepFactors {
    double kick(double, double) const override { return 1; }
    double drift(double, double) const override { return 1; }
  };
  for (const char* name : {"euler", "kdk", "dkd", "forest-ruth", "blanes-moan4", "yoshida6", "kahan-li8"}) {
    SCOPED_TRACE(name);
    std::vector<std::string> hashes;
    for (const bool stated : {true, false}) {
      auto bodies = make_model("plummer", std::vector<std::string>{"n=300"}, 3).bodies;
      const auto engine = make_engine(bodies, {.G = G, .softening = {eps}},
                                      {.precision = Precision::mixed, .backend = "cpu"});
      const Ones ones;
      StepPlan plan{.integrator = &integrator_named(name), .dt = 0.01, .time = 0.5};
      if (!stated) plan.factors = &ones;
      engine->advance(plan, 5);
      engine->copy_to_host(bodies);
      hashes.push_back(state_hash(bodies));
    }
    EXPECT_EQ(hashes[0], hashes[1]);
  }
}

TEST(StepFactors, ThatChangeAreRefusedByHermite) {
  const auto bodies = bodies_of(start);
  const auto engine =
      make_engine(bodies, {.softening = {eps}}, {.precision = Precision::f64, .backend = "cpu"});
  const ExpandingSpace factors;
  EXPECT_THROW(
      engine->advance(
          {.integrator = &integrator_named("hermite4"), .dt = 0.01, .time = 1, .factors = &factors}, 1),
      UsageError);
}

}  // namespace
}  // namespace pleiad
