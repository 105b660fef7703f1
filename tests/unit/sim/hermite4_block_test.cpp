/// Hermite's fourth order with block time steps: its derivatives, its order, energies by eta, the bits after
/// a resume, with any threads and between the steps, few bodies, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "cpu/body_paths.hpp"
#include "cpu/jerk.hpp"
#include "unit/scratch.hpp"
#include "unit/sim/without_particles.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

struct How {
  double dt = 1.0 / 16, eta = 0.02;
  const char* integrator = "hermite4-block";
  int threads = 1;
  const char* kernel = "auto";
};
Simulation simulation(const Snapshot& start, const Gravity& gravity, const How& how) {
  const auto* integrator = &integrator_named(how.integrator);
  Simulation made(start, gravity, Method{.integrator = integrator, .dt = how.dt, .eta = how.eta},
                  EngineOptions{.precision = Precision::f64,
                                .backend = "cpu",
                                .method = force_method_of(how.kernel),
                                .threads = how.threads,
                                .integrator = integrator});
  (void)made.reference_energy();
  return made;
}
Snapshot sphere(int n, std::uint64_t seed = 3) {
  return make_model("plummer", std::vector<std::string>{"n=" + std::to_string(n)}, seed);
}
bool same_bits(const Bodies& a, const Bodies& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.vx == b.vx && a.vy == b.vy && a.vz == b.vz &&
         a.low == b.low && a.series == b.series;
}
double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) take_larger(largest, norm(a.position(i) - b.position(i)));
  return largest;
}
/// Two bodies of mass 1/2 on an ellipse with a semi-major axis of 1 and a period of 2 pi, at apocentre.
Snapshot ellipse(double e) {
  Snapshot s;
  const double r = 1 + e, v = std::sqrt((1 - e) / r);
  s.bodies.add(0.5, {r / 2, 0, 0}, {0, v / 2, 0});
  s.bodies.add(0.5, {-r / 2, 0, 0}, {0, -v / 2, 0});
  return s;
}
std::vector<std::uint32_t> all_of(std::size_t n) {
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

}  // namespace

/// Pulls and jerks are those of hermite4 to rounding: of some hundred terms of both signs, whose sum is at
/// worst a hundredth of the largest.
TEST(BodyPaths, PullAsDirectSums) {
  for (const std::size_t n : {1U, 2U, 7U, 150U, 5000U})
    for (const double eps : {0.0, 0.05}) {
      const auto b = sphere(int(n)).bodies;
      BodyPaths paths;
      paths.resize(n);
      paths.pulling = n, paths.unit = 2;
      std::vector<Mass<double>> x(n);
      std::vector<Vec4<double>> v(n), a(n), j(n);
      const double h = 0.125;
      for (std::size_t i = 0; i < n; ++i) {
        const Vec3<double> a0{0.3, 0.1 * double(i % 3), -0.2}, j0{0.5, -0.25, 0.125 * double(i % 4)};
        BodyPaths::set(paths.x, i, b.position(i)), BodyPaths::set(paths.v, i, b.velocity(i));
        BodyPaths::set(paths.a, i, a0), BodyPaths::set(paths.j, i, j0);
        paths.mass[i] = b.mass[i], paths.from[i] = 0.5;
        const auto at = b.position(i) + h * b.velocity(i) + h * h / 2 * a0 + h * h * h / 6 * j0;
        const auto going = b.velocity(i) + h * a0 + h * h / 2 * j0;
        x[i] = {at.x, at.y, at.z, b.mass[i]}, v[i] = {going.x, going.y, going.z, 0};
      }
      cpu::add_acceleration_and_jerk({.x = x, .v = v}, {.x = x, .v = v}, a, j, {eps}, {});
      // Of 5000 they are worth threads, which take parts of the sources.
      const std::vector<std::uint32_t> few{0, 1, 2, 3, 4, 5, 6, 50, 99, std::uint32_t(n - 1)};
      const auto chosen = n < 100 ? all_of(n) : few;
      std::vector<Vec4<double>> found_a(chosen.size()), found_j(chosen.size());
      cpu::predict(paths, 0.5 + h / 2, chosen);
      cpu::pulls_on(paths, chosen, eps * eps, found_a, found_j);
      for (std::size_t t = 0; t < chosen.size(); ++t) {
        const auto k = chosen[t];
        EXPECT_LE(norm(found_a[t].xyz() - a[k].xyz()), 1e-13 * norm(a[k].xyz())) << n << " " << k;
        EXPECT_LE(norm(found_j[t].xyz() - j[k].xyz()), 1e-12 * norm(j[k].xyz())) << n << " " << k;
        // The same whatever else is chosen, in one part or many.
        Vec4<double> single_a, single_j;
        cpu::pulls_on(paths, std::span(chosen).subspan(t, 1), eps * eps, {&single_a, 1}, {&single_j, 1});
        EXPECT_TRUE(single_a.xyz() == found_a[t].xyz() && single_j.xyz() == found_j[t].xyz());
      }
      const auto everyone = all_of(n);
      std::vector<Vec4<double>> all_a(n), all_j(n);
      cpu::pulls_on(paths, everyone, eps * eps, all_a, all_j);
      for (std::size_t t = 0; t < chosen.size(); ++t)
        EXPECT_TRUE(all_a[chosen[t]].xyz() == found_a[t].xyz() && all_j[chosen[t]].xyz() == found_j[t].xyz());
    }
}

/// Central differences of jerks along the paths leave h^2 / 6 of the next derivative but one, up to some 10^4
/// of the crackle here, and the rounding of jerks, 1e-16 / h^2.
TEST(BodyPaths, HaveHigherDerivatives) {
  const std::size_t n = 40;
  const auto b = sphere(int(n)).bodies;
  BodyPaths paths;
  paths.resize(n);
  paths.pulling = n, paths.unit = 1;
  const auto chosen = all_of(n);
  std::vector<Vec4<double>> a(n), j(n), before(n), after(n), s(n), c(n);
  const double eps2 = 0.04;
  for (std::size_t i = 0; i < n; ++i) {
    BodyPaths::set(paths.x, i, b.position(i)), BodyPaths::set(paths.v, i, b.velocity(i));
    BodyPaths::set(paths.a, i, {0.2, 0.01 * double(i), -0.1}),
        BodyPaths::set(paths.j, i, {0.1, -0.3, 0.02 * double(i)});
    paths.mass[i] = b.mass[i];
  }
  cpu::snaps_and_crackles(paths, eps2, s, c);
  const auto jerks_at = [&](double t, std::vector<Vec4<double>>& jerks) {
    cpu::predict(paths, t, chosen);
    cpu::pulls_on(paths, chosen, eps2, a, jerks);
  };
  constexpr double h = 1e-4;
  jerks_at(0, j), jerks_at(-h, before), jerks_at(h, after);
  for (std::size_t i = 0; i < n; ++i) {
    const auto snap = 0.5 / h * (after[i].xyz() - before[i].xyz());
    const auto crackle = 1 / (h * h) * (after[i].xyz() - 2.0 * j[i].xyz() + before[i].xyz());
    EXPECT_LE(norm(snap - s[i].xyz()), 1e-5 * (norm(s[i].xyz()) + 1)) << i;
    EXPECT_LE(norm(crackle - c[i].xyz()), 1e-4 * (norm(c[i].xyz()) + 1)) << i;
  }
}

/// With eta proportional to dt^2 all bodies have the same levels at every dt, which the number of blocks
/// shows: 4 of the tight pair, by its step of sqrt(eta) / omega. Errors fall by the fourth power.
TEST(Hermite4Block, IsOfTheFourthOrder) {
  Snapshot start;
  const auto add_pair = [&](double a, Vec3<double> centre, Vec3<double> velocity) {
    const double v = std::sqrt(1 / (8 * a));
    start.bodies.add(0.5, centre + Vec3<double>{a, 0, 0}, velocity + Vec3<double>{0, v, 0});
    start.bodies.add(0.5, centre - Vec3<double>{a, 0, 0}, velocity - Vec3<double>{0, v, 0});
  };
  add_pair(0.1, {-1, 0, 0}, {0, -0.5, 0}), add_pair(0.4, {1, 0, 0}, {0, 0.5, 0});
  for (int k = 0; k < 8; ++k) {
    const double angle = 0.7 * k, r = 4 + 0.3 * k, v = std::sqrt(2 / r);
    start.bodies.add(1e-3, {r * std::cos(angle), r * std::sin(angle), 0.1 * k},
                     {-v * std::sin(angle), v * std::cos(angle), 0});
  }
  auto exact = simulation(start, {}, {.dt = 1.0 / 4096, .integrator = "kahan-li8"});
  exact.run_until(1);
  std::vector<double> errors;
  for (const int steps : {32, 64, 128}) {
    const double dt = 1.0 / steps;
    auto sim = simulation(start, {}, {.dt = dt, .eta = 0.81 * dt * dt});
    sim.make_steps(1);
    const auto before = sim.evaluations();
    sim.run_until(1);
    EXPECT_EQ(sim.evaluations() - before, 16U * (steps - 1U));
    errors.push_back(distance(sim.snapshot().bodies, exact.snapshot().bodies));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 4, 0.1) << errors[0];
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 4, 0.05) << errors[1];
}

/// The errors that this scheme has with a start from all derivatives and its full criterion (by an
/// independent program, 2.4e-8 and 1.7e-9 at most), times two for other spheres; a quarter of eta is half
/// of the steps, and 16 times less of the error, of which the close pairs of one sphere may take half.
TEST(Hermite4Block, KeepsTheEnergyOfClustersByEta) {
  for (const int n : {256, 1024}) {
    double errors[2];
    for (const int k : {0, 1}) {
      auto sim = simulation(sphere(n), {}, {.eta = k == 0 ? 0.02 : 0.005});
      sim.run_until(0.5);
      errors[k] = std::abs(sim.diagnostics().energy_error);
    }
    EXPECT_LE(errors[0], 5e-8) << n;
    EXPECT_LE(errors[1], 5e-9) << n;
    EXPECT_LE(errors[1], errors[0] / 8) << n;
  }
}

/// 1e-10 on request: at eta 0.001 a thousand stars keep their energy to 6e-11 in one unit of time, by twice
/// the pulls of the usual eta; rounding is far below.
TEST(Hermite4Block, KeepsTheEnergyTo1em10WhereEtaAsksForIt) {
  for (const auto& [n, eta] : {std::pair(1000, 0.001), std::pair(200, 0.0005)}) {
    auto sim = simulation(sphere(n), {}, {.eta = eta});
    for (int k = 1; k <= 8; ++k) {
      sim.run_until(k / 8.0);
      EXPECT_LE(std::abs(sim.diagnostics().energy_error), 1e-10) << n << " at " << k / 8.0;
    }
  }
}

/// Ten orbits. Both bodies of a pair have one step, which the shared scheme's criterion gives, rounded down
/// to a power of two: up to twice as many, with half of its evaluations. The error goes with the fourth power
/// at least; in a step of P(EC) it is not more than some times that of P(EC)E.
TEST(Hermite4Block, FollowsAnEccentricOrbit) {
  const double end = 20 * std::acos(-1.0);
  double errors[2];
  for (const int k : {0, 1}) {
    const double eta = k == 0 ? 0.01 : 0.0025;
    auto sim = simulation(ellipse(0.9), {}, {.dt = 1, .eta = eta});
    sim.run_until(std::floor(end));
    errors[k] = std::abs(sim.diagnostics().energy_error);
  }
  EXPECT_LE(errors[1], errors[0] / 8);
  EXPECT_LE(errors[1], 1e-5);
}

/// All bodies of a softened cluster need the longest step alone: the orbits are those of the shared scheme as
/// steps become shorter, to the difference of both schemes, which is of the same order.
TEST(Hermite4Block, IsTheSharedSchemeWhereAllBodiesHaveOneStep) {
  const auto start = sphere(60);
  const Gravity gravity{.G = 1.5, .softening = {0.5}};
  double differences[2];
  for (const int k : {0, 1}) {
    const double dt = 1.0 / (32 << k);
    auto blocks = simulation(start, gravity, {.dt = dt, .eta = 1}),
         shared = simulation(start, gravity, {.dt = dt, .integrator = "hermite4"});
    const auto before = blocks.evaluations();
    blocks.run_until(0.5), shared.run_until(0.5);
    EXPECT_EQ(blocks.evaluations() - before, 1U + (16U << k));
    differences[k] = distance(blocks.snapshot().bodies, shared.snapshot().bodies);
  }
  EXPECT_LE(differences[1], differences[0] / 12) << differences[0];
  EXPECT_GT(differences[1], 0);
}

/// Saved after any step, with three threads, and with someone who looks between the steps, for whom a copy
/// goes there.
TEST(Hermite4Block, HasTheSameBitsAfterASaveAndWithAnyThreads) {
  const test::Folder folder;
  for (const bool in_field : {false, true}) {
    Gravity gravity{};
    if (in_field) gravity.potentials = potentials_of_lines("nfw mass=8 scale=2");
    const auto start = sphere(300);
    const How how{.dt = 1.0 / 32, .eta = 0.02};
    auto with_threads = how;
    with_threads.threads = 3;
    auto whole = simulation(start, gravity, how), part = simulation(start, gravity, how),
         threads = simulation(start, gravity, with_threads), looked_at = simulation(start, gravity, how);
    std::vector<double> times, errors;
    looked_at.every(1.0 / 50, [&](const Snapshot& now) {
      times.push_back(now.time), errors.push_back(std::abs(looked_at.diagnostics().energy_error));
    });
    whole.make_steps(5), part.make_steps(2), threads.make_steps(5), looked_at.run_until(5.0 / 32);
    save(part, folder.path);
    auto onward = load(folder.path);
    onward.make_steps(3);
    EXPECT_TRUE(same_bits(onward.snapshot().bodies, whole.snapshot().bodies)) << in_field;
    EXPECT_TRUE(same_bits(threads.snapshot().bodies, whole.snapshot().bodies)) << in_field;
    EXPECT_TRUE(same_bits(looked_at.snapshot().bodies, whole.snapshot().bodies)) << in_field;
    EXPECT_GT(whole.evaluations(), 50U);
    ASSERT_GE(times.size(), 7U);
    EXPECT_DOUBLE_EQ(times[1], 0.02);
    // Copies are made by steps, so their energies are as good as at the ends of steps.
    for (const double error : errors) EXPECT_LE(error, 1e-6);
  }
}

TEST(Hermite4Block, OfBodiesWithMassHasTheBitsThatItHasWithoutParticles) {
  test::expect_same_bits_without_particles(sphere(120),
                                           [](const Snapshot& start) { return simulation(start, {}, {}); });
}

/// One body goes straight on, or falls in a field; three, of which two are close, keep their energy.
TEST(Hermite4Block, TakesFewBodies) {
  Snapshot one;
  one.bodies.add(1, {0.5, 0.25, 0}, {1, -2, 0.5});
  auto sim = simulation(one, {}, {.dt = 0.125});
  sim.make_steps(8);
  EXPECT_TRUE((sim.snapshot().bodies.position(0) == Vec3<double>{1.5, -1.75, 0.5}));
  auto falls =
      simulation(one, {.potentials = potentials_of_lines("nfw mass=8 scale=2")}, {.dt = 0.125, .eta = 0.005});
  falls.make_steps(40);
  EXPECT_LE(std::abs(falls.diagnostics().energy_error), 1e-6);
  EXPECT_GT(falls.evaluations(), 100U);
  Snapshot three = ellipse(0.5);
  three.bodies.add(0.1, {20, 0, 1}, {0, 0.2, 0});
  auto of_three = simulation(three, {}, {.dt = 0.5, .eta = 0.005});
  const auto before = of_three.evaluations();
  of_three.run_until(20);
  EXPECT_LE(std::abs(of_three.diagnostics().energy_error), 1e-6);
  EXPECT_GT(of_three.evaluations(), before + 100U);
}

TEST(Hermite4Block, SaysThatAStepHasShrunk) {
  Snapshot s;
  s.bodies.add(0.5, {0.5, 0, 0}, {});
  s.bodies.add(0.5, {-0.5, 0, 0}, {});
  auto sim = simulation(s, {}, {.dt = 1, .eta = 0.001});
  EXPECT_EQ(test::message_of<NumericalError>([&] { sim.run_until(2); }).substr(0, 47),
            "the step of a body has shrunk to less than 9.09");
}

TEST(Hermite4Block, IsRefusedInWords) {
  const auto refusal = [](const Gravity& gravity, const How& how = {}) {
    return test::message_of<UsageError>([&] { (void)simulation(sphere(10), gravity, how); });
  };
  const std::string needs =
      "integrator hermite4-block predicts bodies in open space with one Plummer softening, without ";
  const std::string remedy = "; use hermite4";
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({.softening = {0.1}, .potentials = potentials_of_lines("nfw mass=8 scale=2")}), "");
  EXPECT_EQ(refusal({.boundary = {.periodic = true, .length = {9, 9, 9}}}),
            needs + "a periodic box" + remedy);
  EXPECT_EQ(refusal({.softening = {.eps = 0.1, .kernel = SofteningKernel::spline}}),
            needs + "a spline or softenings of types and bodies" + remedy);
  EXPECT_EQ(refusal({.forces = added_forces_of_lines("gr-potential c=9")}),
            needs + "gravity.forces" + remedy);
  EXPECT_EQ(refusal({.semi_active = {.below = 1}}), needs + "gravity.semi_active" + remedy);
  EXPECT_EQ(refusal({}, {.kernel = "cpu/fmm order=3 theta=0.6"}),
            "integrator hermite4-block needs jerks, which trees do not provide; use another integrator, or "
            "direct sums");
  EXPECT_EQ(refusal({}, {.eta = 0}), "eta = 0 must be in (0, 1]");
  const Method levels{.integrator = &integrator_named("hermite4-block"), .dt = 0.1, .blocks = {.levels = 4}};
  EXPECT_EQ(test::message_of<UsageError>([&] { check(levels, {}); }),
            "time.block_levels, block_criterion and single_step are for integrator block-kdk, not for "
            "hermite4-block; leave them out");
  auto sim = simulation(sphere(10), {}, {});
  EXPECT_THROW(sim.add_force([](const ForceCall&) {}), UsageError);
}

}  // namespace pleiad
