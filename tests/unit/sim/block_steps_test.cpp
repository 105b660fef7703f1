/// Block time steps: their order with levels that stay, the momentum, the bits after a resume and for any
/// number of threads, what single steps are, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "capabilities/capabilities.hpp"
#include "core/larger.hpp"
#include "cpu/pair_clocks.hpp"
#include "unit/scratch.hpp"
#include "unit/sim/three_scales.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

struct How {
  double dt = 0, eta = 0.02;
  BlockSteps blocks{};
  const char* integrator = "block-kdk";
  Precision precision = Precision::f64;
  const char* kernel = "auto";
  int threads = 1;
  bool symmetric = false;
};
Simulation simulation(const Snapshot& start, const Gravity& gravity, const How& how) {
  const auto* integrator = &integrator_named(how.integrator);
  Simulation made(start, gravity,
                  Method{.integrator = integrator,
                         .dt = how.dt,
                         .eta = how.eta,
                         .symmetric_steps = how.symmetric,
                         .blocks = how.blocks},
                  EngineOptions{.precision = how.precision,
                                .backend = "cpu",
                                .method = force_method_of(how.kernel),
                                .threads = how.threads,
                                .integrator = integrator,
                                .blocks = how.blocks});
  (void)made.reference_energy();
  return made;
}
Snapshot model(const char* name, int n) {
  return make_model(name, std::vector<std::string>{"n=" + std::to_string(n)}, 5);
}
bool same_bits(const Bodies& a, const Bodies& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.vx == b.vx && a.vy == b.vy && a.vz == b.vz;
}
double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) take_larger(largest, norm(a.position(i) - b.position(i)));
  return largest;
}
/// A pair with a = 0.5 and e = 0.7 at its apocentre, and eight light bodies far from it.
Snapshot eccentric_among_others() {
  Snapshot s;
  const double far = 0.85, speed = std::sqrt(2 / far - 2);
  s.bodies.add(0.5, {far / 2, 0, 0}, {0, speed / 2, 0});
  s.bodies.add(0.5, {-far / 2, 0, 0}, {0, -speed / 2, 0});
  for (int k = 0; k < 8; ++k)
    s.bodies.add(1e-3, {4 * std::cos(0.7 * k), 4 * std::sin(0.7 * k), 0.1 * k}, {0, 0, 0.05 * k});
  return s;
}

}  // namespace

/// With eta proportional to dt^2 all bodies have the same levels at every dt: by their accelerations dt, dt /
/// 2 and dt / 8. The number of evaluations shows it. A wrong form of the kicks keeps the momentum, and does
/// not converge at all.
TEST(BlockSteps, AreOfSecondOrder) {
  const auto start = test::three_scales();
  const Gravity gravity{.softening = {0.02}};
  const double end = 1;
  auto exact = simulation(start, gravity, {.dt = 1.0 / 4096, .integrator = "kahan-li8"});
  exact.run_until(end);
  std::vector<double> errors;
  for (const std::uint64_t steps : {128, 256, 512}) {
    const double dt = end / double(steps);
    auto sim = simulation(start, gravity, {.dt = dt, .eta = 7.5 * dt * dt}),
         symmetric = simulation(start, gravity, {.dt = dt, .eta = 7.5 * dt * dt, .symmetric = true});
    const auto before = sim.evaluations();
    sim.make_steps(steps), symmetric.make_steps(steps);
    EXPECT_EQ((sim.evaluations() - before) / steps, 1U + 2U + 8U);
    errors.push_back(distance(sim.snapshot().bodies, exact.snapshot().bodies));
    // Where no level changes, no step is made again.
    EXPECT_TRUE(same_bits(symmetric.snapshot().bodies, sim.snapshot().bodies));
    EXPECT_EQ(symmetric.evaluations(), sim.evaluations());
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.05) << errors[0];
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.05) << errors[1];
}

/// Symmetric pairs give both bodies the same force, so the momentum changes by rounding alone: that of the
/// velocities, half a unit in the last place of each in each of some kicks, whose signs are random.
TEST(BlockSteps, KeepTheMomentum) {
  const Gravity gravity{.softening = {0.003}};
  for (const bool symmetric : {false, true}) {
    auto sim =
        simulation(model("hernquist", 600), gravity, {.dt = 1.0 / 16, .eta = 0.04, .symmetric = symmetric});
    for (int step = 0; step < (symmetric ? 2 : 8); ++step) {
      const auto before = test::momentum(sim.snapshot().bodies);
      const auto evaluations = sim.evaluations();
      sim.make_steps(1);
      const auto& now = sim.snapshot().bodies;
      EXPECT_GE(sim.evaluations() - evaluations, 20U);
      EXPECT_LE(norm(test::momentum(now) - before), 1e-15 * test::momenta(now));
    }
  }
}

/// A step that is made again leaves nothing of the first attempt, and the way back has the same sets: of an
/// eccentric pair, which joins a set of two tight pairs with steps of their own or has another one's, among
/// light bodies. Levels that follow from the beginning of a step are others on the way back.
TEST(BlockSteps, LeadBackWhereTheyFollowFromBothEnds) {
  auto start = eccentric_among_others();
  test::add_pair(start.bodies, 0.5, 0.1, {3, 0, 0}, {0, 0.2, 0});
  test::add_pair(start.bodies, 0.5, 0.03, {-3, 0, 0}, {0, -0.2, 0});
  struct Case {
    double eps, eta;
  };
  for (const auto& [eps, eta] : {Case{0.02, 0.04}, Case{0.02, 0.2}, Case{0, 0.04}}) {
    const auto there_and_back = [&](bool symmetric) {
      auto sim =
          simulation(start, {.softening = {eps}}, {.dt = 1.0 / 16, .eta = eta, .symmetric = symmetric});
      sim.make_steps(64), sim.reverse_velocities(), sim.make_steps(64);
      return distance(sim.snapshot().bodies, start.bodies);
    };
    EXPECT_LE(there_and_back(true), 1e-10) << eps << ", " << eta;
    EXPECT_GE(there_and_back(false), 1e-5) << eps << ", " << eta;
  }
}

/// One level is the leapfrog, and single steps are those of a leapfrog with the shortest step: bit for bit,
/// since lengths of steps differ by powers of two.
TEST(BlockSteps, AreThoseOfTheLeapfrogWhereAllBodiesHaveOne) {
  const auto start = model("plummer", 300);
  const Gravity gravity{.G = 1.5, .softening = {0.05}};
  const double dt = 1.0 / 64;
  auto leapfrog = simulation(start, gravity, {.dt = dt, .integrator = "kdk"}),
       one_level = simulation(start, gravity, {.dt = dt, .eta = 1e-4, .blocks = {.levels = 1}}),
       shorter = simulation(start, gravity, {.dt = dt / 8, .integrator = "kdk"}),
       single =
           simulation(start, gravity, {.dt = dt, .eta = 1e-4, .blocks = {.levels = 4, .single_step = true}}),
       blocks = simulation(start, gravity, {.dt = dt, .eta = 1e-3});
  leapfrog.make_steps(10), one_level.make_steps(10), single.make_steps(10), blocks.make_steps(10);
  shorter.make_steps(80);
  EXPECT_TRUE(same_bits(one_level.snapshot().bodies, leapfrog.snapshot().bodies));
  EXPECT_TRUE(same_bits(single.snapshot().bodies, shorter.snapshot().bodies));
  EXPECT_FALSE(same_bits(single.snapshot().bodies, leapfrog.snapshot().bodies));
  EXPECT_FALSE(same_bits(blocks.snapshot().bodies, shorter.snapshot().bodies));
  EXPECT_FALSE(same_bits(blocks.snapshot().bodies, leapfrog.snapshot().bodies));
}

/// Direct sums and trees, by accelerations and by pairs: saved after any step, with three threads, and with
/// someone who looks between the steps.
TEST(BlockSteps, HaveTheSameBitsAfterASaveAndWithAnyThreads) {
  struct Case {
    const char *kernel, *name;
    double eps;
    SofteningKernel form = SofteningKernel::plummer;
    bool symmetric = false;
  };
  const test::Folder folder;
  for (const Case& c : {Case{"auto", "direct sums", 0.02}, Case{"auto", "pairs", 0},
                        Case{"auto", "steps made again", 0.02, SofteningKernel::plummer, true},
                        Case{"cpu/fmm order=3 theta=0.6", "a tree", 0.02},
                        Case{"cpu/barnes-hut order=2 theta=0.5", "another tree", 0.02},
                        Case{"cpu/threads", "splines", 0.02, SofteningKernel::spline}}) {
    const auto start = model("hernquist", c.eps == 0 ? 100 : c.symmetric ? 300 : 3000);
    const Gravity gravity{.softening = {.eps = c.eps, .kernel = c.form}};
    const How how{.dt = 1.0 / 32, .eta = 0.02, .kernel = c.kernel, .symmetric = c.symmetric};
    auto whole = simulation(start, gravity, how), part = simulation(start, gravity, how);
    auto three = how;
    three.threads = 3;
    auto threads = simulation(start, gravity, three), looked_at = simulation(start, gravity, how);
    looked_at.every(1.0 / 50, [](const Snapshot&) {});
    whole.make_steps(5), part.make_steps(2), threads.make_steps(5), looked_at.run_until(5.0 / 32);
    save(part, folder.path);
    auto onward = load(folder.path);
    onward.make_steps(3);
    EXPECT_TRUE(same_bits(onward.snapshot().bodies, whole.snapshot().bodies)) << c.name;
    EXPECT_TRUE(same_bits(threads.snapshot().bodies, whole.snapshot().bodies)) << c.name;
    EXPECT_TRUE(same_bits(looked_at.snapshot().bodies, whole.snapshot().bodies)) << c.name;
    EXPECT_GT(whole.evaluations(), 20U) << c.name;
  }
}

/// An eccentric pair takes finer steps about its pericentre alone, and these are again those of the same set.
/// What the set knew before is not taken: a run that is loaded knows nothing of it.
TEST(BlockSteps, OfASetThatRestedBeginWithItsPresentForces) {
  const auto start = eccentric_among_others();
  auto sim = simulation(start, {.softening = {0.02}}, {.dt = 1.0 / 16, .eta = 0.29});
  const test::Folder folder;
  int began = 0, rested = 0;
  for (int step = 0; step < 80; ++step) {
    save(sim, folder.path);
    auto loaded = load(folder.path);
    const auto before = sim.evaluations();
    sim.make_steps(1), loaded.make_steps(1);
    ASSERT_TRUE(same_bits(loaded.snapshot().bodies, sim.snapshot().bodies)) << step;
    const bool coarse = sim.evaluations() == before + 1;
    if (!coarse && rested > 0) ++began;
    rested = coarse ? rested + 1 : 0;
  }
  EXPECT_GE(began, 2);
}

/// Roots have 14 bits at least, and two clocks that differ by less may be taken for each other.
TEST(PairClocks, FindTheFastestPartner) {
  const auto start = model("plummer", 203).bodies;
  std::vector<cpu::PairMember> all;
  for (std::size_t i = 0; i < start.size(); ++i)
    all.push_back({start.position(i), start.velocity(i), i % 3 == 0 ? 0 : start.mass[i]});
  for (const bool periodic : {false, true})
    for (const double eps : {0.0, 0.1})
      for (const bool massive : {false, true}) {
        const Gravity gravity{
            .G = 40, .softening = {eps}, .boundary = {.periodic = periodic, .length = {1.5, 2, 2.5}}};
        const auto clock = [&](std::size_t i, std::size_t j) {
          const auto &a = all[i], &b = all[j];
          auto d = b.x - a.x;
          if (periodic) d = {std::remainder(d.x, 1.5), std::remainder(d.y, 2.0), std::remainder(d.z, 2.5)};
          const auto v = b.v - a.v;
          const double r2 = dot(d, d) + eps * eps;
          if (i == j || a.m + b.m == 0 || (massive && b.m == 0)) return 0.0;
          return std::max(gravity.G * (a.m + b.m) / std::sqrt(r2), dot(v, v)) / r2;
        };
        const std::size_t first = 7;
        std::vector<std::uint32_t> partners(start.size() - first);
        cpu::find_partners(all, first, gravity, massive, partners);
        for (std::size_t k = 0; k < partners.size(); ++k) {
          double fastest = 0;
          for (std::size_t j = 0; j < all.size(); ++j) fastest = std::max(fastest, clock(first + k, j));
          ASSERT_NE(partners[k], cpu::no_partner);
          EXPECT_GE(clock(first + k, partners[k]), fastest * (1 - 0x1p-11)) << k;
        }
      }
  std::vector<std::uint32_t> alone(1);
  cpu::find_partners(std::span(all).first(1), 0, {}, false, alone);
  EXPECT_EQ(alone[0], cpu::no_partner);
}

/// On a parabola through each other the distance is as t^(2/3), and the clock of the passage 3 t / 2.
/// Corrected for its change, the step that is found at the end, going back, is the same to rounding; without
/// it would be longer by 3 eta / 2.
TEST(PairClocks, GiveTheSameStepBothWays) {
  const double mu = 2;
  const auto pair = [&](double t, double way) {
    const double r = std::cbrt(4.5 * mu) * std::cbrt(t * t), v = way * 2 * r / (3 * t);
    return std::pair(cpu::PairMember{.x = {}, .v = {}, .m = 0.5},
                     cpu::PairMember{.x = {r, 0, 0}, .v = {v, 0, 0}, .m = 1.5});
  };
  for (const double eta : {0.08, 0.02}) {
    const auto [i, j] = pair(1, 1);
    const double step = 1 / cpu::rate_of_pair(i, j, {}, eta);
    EXPECT_NEAR(step, 1.5 * eta, 2 * eta * eta);
    const auto [back_i, back_j] = pair(1 + step, -1);
    EXPECT_NEAR(1 / cpu::rate_of_pair(back_i, back_j, {}, eta) / step, 1, 1e-14);
  }
}

TEST(BlockSteps, AreRefusedInWords) {
  const auto start = model("plummer", 50);
  const auto refusal = [&](const Gravity& gravity, const How& how) {
    return test::message_of<UsageError>([&] { (void)simulation(start, gravity, how); });
  };
  const std::string sets = "integrator block-kdk evaluates sets of bodies by themselves, without ";
  const Softening softening{0.1};
  EXPECT_EQ(refusal({.softening = softening}, {.dt = 0.1}), "");
  EXPECT_EQ(refusal({}, {.dt = 0.1}), "");
  EXPECT_EQ(
      refusal({.softening = softening, .forces = added_forces_of_lines("gr-potential c=9")}, {.dt = 0.1}),
      sets + "gravity.forces; use kdk");
  EXPECT_EQ(refusal({.softening = softening, .semi_active = {.below = 1}}, {.dt = 0.1}),
            sets + "gravity.semi_active; use kdk");
  EXPECT_EQ(
      refusal({}, {.dt = 0.1, .kernel = "cpu/fmm order=3 theta=0.6"}),
      "integrator block-kdk without a softening takes its steps from pairs of bodies, at which 'cpu/fmm "
      "order=3 theta=0.6 leaf=48' "
      "does not look; set gravity.softening, or solver.method = \"direct\"");
  EXPECT_EQ(refusal({}, {.dt = 0.1, .blocks = {.criterion = BlockCriterion::acceleration}}),
            "time.block_criterion = \"acceleration\" needs gravity.softening > 0, because the step is sqrt(2 "
            "eta softening / |a|); use \"pairs\"");
  EXPECT_EQ(refusal({.softening = softening}, {.dt = 0.1, .blocks = {.levels = 32}}),
            "block_levels = 32 must be 1 to 31");
  EXPECT_EQ(refusal({.softening = softening}, {.dt = 0.1, .eta = 0}), "eta = 0 must be in (0, 1]");
  EXPECT_EQ(
      refusal({.softening = softening}, {.dt = 0.1, .blocks = {.single_step = true}, .integrator = "kdk"}),
      "time.block_levels, block_criterion and single_step are for integrator block-kdk, not for kdk; leave "
      "them out");
  const Applicant on_gpu{.family = Family::gpu_one_sided, .name = "cuda/tile"};
  EXPECT_EQ(
      why_not(std::span(&on_gpu, 1), "cuda/tile",
              {.n = 50,
               .gravity = {.softening = softening},
               .precision = Precision::f64,
               .integrator = &integrator_named("block-kdk"),
               .symmetric_steps = true})
          .value_or(""),
      "time.symmetric_steps with integrator block-kdk makes steps again on CPUs, not by 'cuda/tile'; use "
      "--backend cpu");
  auto sim = simulation(start, {.softening = softening}, {.dt = 0.1});
  EXPECT_THROW(sim.add_force([](const ForceCall&) {}), UsageError);
}

}  // namespace pleiad
