/// Adaptive steps that read the same backwards: the rule by which they follow each other, the way back, the
/// order, outputs and saves that change no bit, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

constexpr double soft = 0.01, two_pi = 6.283185307179586;

/// The eta of a Kepler orbit of semi-major axis 1 and G M = 1, as below, for a number of steps in an orbit.
/// Equal steps of the eccentric anomaly, since each body has |a| = 1 / (2 r^2).
double eta_for(double steps) { return two_pi / (steps * std::sqrt(2 * soft)); }

struct Way {
  const char* integrator = "kdk";
  double eta = eta_for(200), longest = 1e3;
  int threads = 1;
};
Method method_of(const Way& how) {
  return {.integrator = &integrator_named(how.integrator),
          .dt = how.longest,
          .adaptive = true,
          .eta = how.eta,
          .symmetric_steps = true};
}
/// Two equal bodies on an orbit of period 2 pi, at apocentre.
Simulation pair(double e, const Method& method) {
  Snapshot s;
  const double r = (1 + e) / 2, v = std::sqrt((1 - e) / (1 + e)) / 2;
  s.bodies.add(0.5, {-r, 0, 0}, {0, -v, 0});
  s.bodies.add(0.5, {r, 0, 0}, {0, v, 0});
  return {s, {.softening = {soft}}, method, {.precision = Precision::f64, .backend = "cpu"}};
}
Simulation pair(double e, const Way& how) { return pair(e, method_of(how)); }

double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = norm(a.position(i) - b.position(i));
    largest = std::isfinite(d) ? std::max(largest, d) : std::numeric_limits<double>::infinity();
  }
  return largest;
}
std::string bits(Simulation& s) { return state_hash(s.snapshot().bodies); }

/// A small cluster, in which the shortest step is that of one body after another.
Simulation cluster(const Way& how, const char* kernel = "auto") {
  return {make_model("plummer", std::vector<std::string>{"n=200"}, 3),
          {.softening = {0.02}},
          method_of(how),
          {.precision = Precision::f64,
           .backend = "cpu",
           .method = force_method_of(kernel),
           .threads = how.threads}};
}

}  // namespace

/// From each step the rule leads back to the one before; a step of infinite length is the longest one.
TEST(SymmetricStep, ReadsTheSameBackwards) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const double longest : {0.1, 1.0, 1e6})
    for (const double wanted : {1e-3, 0.5, infinite})
      for (const double ratio : {0.84, 0.95, 1.0, 1.1, 1.24}) {
        const double s = symmetric_step(wanted, 0, longest), last = ratio * s;
        EXPECT_LE(s, longest);
        EXPECT_LE(s, wanted);
        EXPECT_GE(s, std::min(wanted, longest) * std::pow(0.5, 0.25) * (1 - 1e-15));
        const double next = symmetric_step(wanted, last, longest);
        EXPECT_NEAR(1 / next + 1 / last, 2 / s, 4e-16 * 2 / s);
        EXPECT_NEAR(symmetric_step(wanted, next, longest) / last, 1, 1e-14);
      }
  // Where one of the two would be longer by more than a quarter, or none would do.
  EXPECT_EQ(symmetric_step(0.2, 0.1, infinite), 0.2);
  EXPECT_EQ(symmetric_step(0.2, 0.16, infinite), 0.2);
  EXPECT_EQ(symmetric_step(0.2, 0.26, infinite), 0.2);
  EXPECT_EQ(symmetric_step(0.2, 1e3, infinite), 0.2);
  EXPECT_FALSE(symmetric_step(std::numeric_limits<double>::quiet_NaN(), 0.1, 1) > 0);
}

/// Rounding of some 1e-16 in each of 5000 steps shifts the phase, and that of the orbit grows with the
/// square of their number: 5000^1.5 * 1e-16 = 4e-11 at the mean speed, and sqrt(19) times that at the
/// pericentre. Steps that follow from their beginning alone do not come back at all.
TEST(SymmetricStep, LeadsBackToTheStart) {
  for (const char* integrator : {"kdk", "dkd", "forest-ruth", "blanes-moan4", "yoshida6", "kahan-li8"})
    for (const double longest : {1e3, 0.02}) {
      auto s = pair(0.9, Way{.integrator = integrator, .eta = eta_for(250), .longest = longest});
      const auto start = s.snapshot().bodies;
      s.make_steps(5000);
      const double far = s.time();
      s.reverse_velocities();
      s.make_steps(5000);
      EXPECT_LE(distance(s.snapshot().bodies, start), 2e-10) << integrator << ", " << longest;
      EXPECT_NEAR(s.time(), 2 * far, 2e-10) << integrator;
    }
  auto usual = method_of({.eta = eta_for(250)});
  usual.symmetric_steps = false;
  auto s = pair(0.9, usual);
  const auto start = s.snapshot().bodies;
  s.make_steps(5000), s.reverse_velocities(), s.make_steps(5000);
  EXPECT_GT(distance(s.snapshot().bodies, start), 1e-2);
}

/// The worst error of an orbit, with steps that are half as long at each point.
TEST(SymmetricStep, HasTheOrderOfItsIntegrator) {
  const auto worst = [](const char* integrator, double steps) {
    auto s = pair(0.6, Way{.integrator = integrator, .eta = eta_for(steps)});
    const double before = s.energies().total();
    double largest = 0;
    while (s.time() < two_pi) {
      s.make_steps(1);
      const double error = std::abs(s.energies().total() / before - 1);
      largest = std::isfinite(error) ? std::max(largest, error) : std::numeric_limits<double>::infinity();
    }
    return largest;
  };
  struct Case {
    const char* integrator;
    double steps;
    int order;
  };
  for (const auto& [integrator, steps, order] :
       {Case{"kdk", 200, 2}, Case{"dkd", 200, 2}, Case{"forest-ruth", 400, 4}, Case{"blanes-moan4", 100, 4},
        Case{"yoshida6", 200, 6}, Case{"kahan-li8", 60, 8}})
    EXPECT_NEAR(std::log2(worst(integrator, steps) / worst(integrator, 2 * steps)), order, 0.1 * order)
        << integrator;
}

/// Steps of a cluster follow the criterion, though the body that sets it changes: each stays within a
/// quarter of it, and the mean of 1 / step is that of the criterion.
TEST(SymmetricStep, FollowsTheCriterionOfMany) {
  const Way how{.eta = 0.05, .longest = 1};
  auto s = cluster(how);
  auto usual = method_of(how);
  usual.symmetric_steps = false;
  double sum = 0, steps = 0;
  while (s.time() < 2) {
    // From here a simulation without a past has the step of the criterion.
    Simulation beside(s.snapshot(), s.gravity(), usual, {.precision = Precision::f64, .backend = "cpu"});
    beside.make_steps(1);
    const double wanted = beside.time() - s.time(), before = s.time();
    s.make_steps(1);
    const double step = s.time() - before;
    ASSERT_GT(step, 0.83 * wanted) << s.time();
    ASSERT_LT(step, 1.26 * wanted) << s.time();
    sum += wanted / step, ++steps;
  }
  EXPECT_NEAR(sum / steps, 1, 0.02);
  EXPECT_GT(steps, 500);
}

/// Times between two steps are those of copies; threads, saves and looks change no bit.
TEST(SymmetricStep, HasTheSameBitsWithOutputsAndSaves) {
  const test::Folder folder;
  for (const char* kernel : {"auto", "cpu/fmm order=3 theta=0.6"}) {
    const Way how{.eta = 0.1, .longest = 1};
    auto three = how;
    three.threads = 3;
    auto whole = cluster(how, kernel), part = cluster(how, kernel), looked_at = cluster(how, kernel),
         threads = cluster(three, kernel);
    whole.make_steps(60), part.make_steps(23), threads.make_steps(60);
    EXPECT_EQ(bits(threads), bits(whole)) << kernel;
    save(part, folder.path);
    auto onward = load(folder.path);
    onward.make_steps(37);
    EXPECT_EQ(bits(onward), bits(whole)) << kernel;
    EXPECT_EQ(onward.time(), whole.time()) << kernel;
    std::vector<double> times;
    looked_at.every(whole.time() / 97, [&](const Snapshot& now) { times.push_back(now.time); });
    while (looked_at.step() < 60 && !looked_at.run_in_batches(2 * whole.time(), [&](const RunProgress& p) {
      return std::uint64_t(p.step < 60 ? 1 : 0);
    })) {
    }
    EXPECT_EQ(looked_at.step(), 60U);
    EXPECT_EQ(looked_at.time(), whole.time()) << kernel;
    EXPECT_EQ(bits(looked_at), bits(whole)) << kernel;
    ASSERT_GE(times.size(), 95U);
    for (std::size_t k = 0; k < times.size(); ++k)
      EXPECT_EQ(times[k], time_of_step(0, whole.time() / 97, k)) << k;
  }
}

/// What someone sees between two steps is as accurate as the step. The end of a call is met by a shortened
/// step, from where the next ones begin anew.
TEST(SymmetricStep, MeetsTimesBetweenSteps) {
  auto s = pair(0.9, Way{.integrator = "blanes-moan4", .eta = eta_for(200)}),
       alone = pair(0.9, Way{.integrator = "blanes-moan4", .eta = eta_for(200)});
  const double energy = s.energies().total();
  const test::Folder folder;
  int seen = 0;
  s.every(two_pi / 100, [&](const Snapshot& now) {
    Simulation copy(now, s.gravity(), {.integrator = &integrator_named("kdk"), .dt = 1});
    EXPECT_NEAR(copy.energies().total() / energy, 1, 1e-4) << now.time;
    if (++seen != 50) return;
    // A copy that is saved goes on from there, with steps of its own.
    save(s, folder.path);
    EXPECT_EQ(load(folder.path).clock().next_dt, 0);
  });
  s.run_until(two_pi), alone.run_until(two_pi);
  EXPECT_EQ(s.time(), two_pi);
  EXPECT_GE(seen, 100);
  EXPECT_EQ(bits(s), bits(alone));
  EXPECT_EQ(s.step(), alone.step());
  EXPECT_NEAR(double(s.step()), 200, 2);
  s.run_until(1.5 * two_pi);
  EXPECT_EQ(s.time(), 1.5 * two_pi);
}

TEST(SymmetricStep, ThatShrinksToNothingIsToldAndEnds) {
  Snapshot s;
  s.time = 1;
  s.bodies.add(1, {0, 0, 0}, {});
  s.bodies.add(1, {1e-12, 0, 0}, {});
  Simulation run(s, {.softening = {1e-12}}, method_of({.eta = 0.02, .longest = 1}),
                 {.precision = Precision::f64});
  EXPECT_THROW(run.run_towards(2, 5), NumericalError);
}

TEST(SymmetricStep, IsRefusedInWords) {
  const auto refusal = [&](std::string_view integrator, bool adaptive) {
    Method m = method_of({});
    m.integrator = &integrator_named(integrator), m.adaptive = adaptive;
    return test::message_of<UsageError>([&] { (void)pair(0.5, m); });
  };
  EXPECT_EQ(refusal("kdk", true), "");
  EXPECT_EQ(refusal("kdk", false),
            "time.symmetric_steps is for steps that change; set time.adaptive = true, or leave it out");
  for (const char* integrator : {"euler", "hermite4", "hermite6", "gauss-radau", "hermite4-block"})
    EXPECT_EQ(refusal(integrator, integrator != std::string_view("hermite4-block")),
              std::string("time.symmetric_steps with integrator ") + integrator +
                  ": its steps do not read the same backwards; use kdk, dkd, forest-ruth, blanes-moan4, "
                  "yoshida6, kahan-li8 or block-kdk");
  auto on_lattice = method_of({});
  on_lattice.lattice = LatticeUnits{};
  EXPECT_EQ(test::message_of<UsageError>([&] { (void)pair(0.5, on_lattice); }),
            "time.lattice needs steps of one length; leave out time.adaptive");
}

}  // namespace pleiad
