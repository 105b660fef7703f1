/// Relativity of pairs in regularised groups: the same orbit by ar-chain and by close groups, the energy less
/// the work, pairs that are too wide for it, the bits after a resume and on threads, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/scratch.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

struct PairCase {
  const char* integrator = "hermite4-block";
  double dt = 1.0 / 32;
  double radius = 0;
  int threads = 1;
  CloseGroups groups = CloseGroups::regularised;
};
Gravity relativity(const std::string& rest, double G = 1) {
  return {.G = G, .forces = {added_force_of("post-newtonian-pairs " + rest)}};
}
Simulation simulation(const Snapshot& start, const Gravity& gravity, const PairCase& c) {
  const auto* integrator = &integrator_named(c.integrator);
  BlockSteps blocks;
  if (integrator->name == "hermite4-block") blocks = {.groups = c.groups, .group_radius = c.radius};
  const double eta = integrator->in_blocks ? 0.005 : 0;
  Simulation made(start, gravity, Method{.integrator = integrator, .dt = c.dt, .eta = eta, .blocks = blocks},
                  EngineOptions{.precision = Precision::f64,
                                .backend = "cpu",
                                .threads = c.threads,
                                .integrator = integrator,
                                .blocks = blocks});
  (void)made.reference_energy();
  return made;
}

/// Adds a binary at apocentre, of the mass `mass` times G, of which the first body has this share.
void add_binary(Snapshot& s, double mass, double a, double e, const Vec3<double>& x = {},
                const Vec3<double>& v = {}, double share = 0.4, double G = 1) {
  const double r = a * (1 + e), speed = std::sqrt(mass / a * (1 - e) / (1 + e));
  s.bodies.add(share * mass / G, x - Vec3<double>{(1 - share) * r, 0, 0},
               v - Vec3<double>{0, (1 - share) * speed, 0});
  s.bodies.add((1 - share) * mass / G, x + Vec3<double>{share * r, 0, 0},
               v + Vec3<double>{0, share * speed, 0});
}

/// Binaries and single bodies far from each other.
Snapshot few_binaries() {
  Snapshot s;
  add_binary(s, 0.2, 0.004, 0.5, {1, 0, 0}, {0, 0.4, 0});
  add_binary(s, 0.2, 0.01, 0.8, {-1, 0.1, 0}, {0, -0.4, 0.1});
  add_binary(s, 0.1, 0.02, 0.1, {0, -1, 0.3}, {0.5, 0, 0}, 0.5);
  s.bodies.add(0.2, {0, 1, 0.4}, {-0.5, 0, 0}), s.bodies.add(0.3, {0.1, 0, -0.8}, {0, 0.1, 0});
  return s;
}

/// The direction of the pericentre of a pair, by its Kepler orbit.
double pericentre(const Bodies& b, std::size_t i, std::size_t j) {
  const auto x = b.position(j) - b.position(i), v = b.velocity(j) - b.velocity(i);
  const double mass = b.mass[i] + b.mass[j];
  const auto towards = (dot(v, v) / mass - 1 / norm(x)) * x - (dot(x, v) / mass) * v;
  return std::atan2(towards.y, towards.x);
}

bool same_bits(const Bodies& a, const Bodies& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.vx == b.vx && a.vy == b.vy && a.vz == b.vz &&
         a.low == b.low && a.series == b.series;
}

}  // namespace

// Some 500 steps with errors of 5e-15 and, of groups, 1e-13, which change the period: by the end, a hundred
// times as much of the place.
TEST(PairTerms, HaveTheSameOrbitInBothIntegrators) {
  for (const double G : {1.0, 4.5}) {
    Snapshot s;
    add_binary(s, 1, 1, 0.6, {3, 2, 1}, {0.1, 0, -0.3}, 0.3, G);
    const auto gravity = relativity("c=30", G);
    auto chain = simulation(s, gravity, {.integrator = "ar-chain", .dt = 0.5}),
         group = simulation(s, gravity, {.dt = 0.5});
    auto newton = simulation(s, {.G = G}, {.integrator = "ar-chain", .dt = 0.5});
    for (auto* sim : {&chain, &group, &newton}) sim->run_until(100);
    const auto &a = chain.snapshot().bodies, &b = group.snapshot().bodies, &n = newton.snapshot().bodies;
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_LE(norm(a.position(i) - b.position(i)), 5e-9);
      EXPECT_GE(norm(a.position(i) - n.position(i)), 1e-2);
    }
    for (auto* sim : {&chain, &group}) {
      EXPECT_TRUE(sim->counts_work());
      EXPECT_LE(std::abs(sim->diagnostics().energy_error), 1e-12) << G;
      EXPECT_GE(std::abs(sim->work()[0] / sim->reference_energy()), 1e-6) << G;
    }
    EXPECT_NEAR(chain.work()[0], group.work()[0], 5e-9);
    EXPECT_EQ(newton.work()[0], 0);
  }
}

// A sixteenth of a unit is five to ninety orbits of the binaries. The pericentre turns by 6 pi m / (c^2 a (1
// - e^2)) in each, to the shares of the second order, and of the tide of the others: 3 pi 0.5 a^3 / m an
// orbit.
TEST(PairTerms, TurnPericentresInACluster) {
  const auto start = few_binaries();
  const double c = 300;
  auto sim = simulation(start, relativity("c=300"), {.radius = 0.05}),
       still = simulation(start, {}, {.radius = 0.05});
  const double time = 1.0 / 16;
  sim.run_until(time), still.run_until(time);
  for (const auto& [pair, mass, a, e] : {std::array{0.0, 0.2, 0.004, 0.5}, std::array{2.0, 0.2, 0.01, 0.8}}) {
    const auto i = std::size_t(pair);
    const double orbits = time / (2 * std::numbers::pi * std::sqrt(a * a * a / mass));
    const double share = mass / (c * c * a * (1 - e * e));
    const double turned = std::remainder(
        pericentre(sim.snapshot().bodies, i, i + 1) - pericentre(still.snapshot().bodies, i, i + 1),
        2 * std::numbers::pi);
    const double expected = 6 * std::numbers::pi * share * orbits;
    // Within an orbit it swings by as much as it turns in one.
    EXPECT_LE(std::abs(turned - expected), (1 / orbits + 20 * share) * expected) << i;
  }
  EXPECT_LE(std::abs(sim.diagnostics().energy_error), 2 * std::abs(still.diagnostics().energy_error) + 1e-9);
}

// A share of a turn of 3 / (1e6 0.64), 5e-6, in each of 200 orbits: on a Kepler orbit that turns, and in the
// chain, where the pericentre swings within an orbit by as much as it turns in one, at most.
TEST(PairTerms, AreAveragedWherePairsAreWide) {
  Snapshot s;
  add_binary(s, 1, 1, 0.6);
  constexpr double orbits = 200, share = 3 / (1e6 * 0.64);
  const PairCase how{.dt = 4 * std::numbers::pi};
  const auto turned = [&](const std::string& force) {
    auto sim = simulation(s, relativity(force), how);
    sim.make_steps(std::uint64_t(orbits / 2));
    EXPECT_LE(std::abs(sim.diagnostics().energy_error), 1e-12) << force;
    EXPECT_EQ(sim.work()[0] == 0, force.ends_with("average=4.7e-6")) << force;
    const double angle = pericentre(sim.snapshot().bodies, 0, 1) - pericentre(s.bodies, 0, 1);
    return std::remainder(angle, 2 * std::numbers::pi);
  };
  const double expected = 2 * std::numbers::pi * share * orbits;
  EXPECT_LE(std::abs(turned("c=1000 average=4.7e-6") - expected), 1e-10);
  EXPECT_LE(std::abs(turned("c=1000 average=4.6e-6") - expected), 2 / orbits * expected);
}

// A binary and a third body in one group, and a cluster of binaries that meet: what the steps lose is not
// more than without the terms, whose work is larger by orders.
TEST(PairTerms, KeepTheEnergyLessTheWorkInGroups) {
  Snapshot three;
  add_binary(three, 1, 0.1, 0.3, {0.7, 0, 0}, {0, 0.3, 0});
  three.bodies.add(0.5, {-1.4, 0, 0}, {0, -0.6, 0});
  auto triple = simulation(three, relativity("c=40"), {.dt = 0.5});
  triple.run_until(2.5);
  EXPECT_LE(std::abs(triple.diagnostics().energy_error), 1e-10);
  EXPECT_GE(std::abs(triple.work()[0] / triple.reference_energy()), 1e-4);
  auto cluster = simulation(few_binaries(), relativity("c=150"), {.radius = 0.3}),
       newton = simulation(few_binaries(), {}, {.radius = 0.3});
  cluster.run_until(0.5), newton.run_until(0.5);
  EXPECT_LE(std::abs(cluster.diagnostics().energy_error),
            2 * std::abs(newton.diagnostics().energy_error) + 1e-9);
  EXPECT_GE(std::abs(cluster.work()[0] / cluster.reference_energy()), 1e-6);
}

TEST(PairTerms, HaveTheSameBitsAfterASaveAndWithAnyThreads) {
  const test::Folder folder;
  for (const char* name : {"ar-chain", "hermite4-block"}) {
    const PairCase how{.integrator = name, .dt = 1.0 / 64, .radius = name[0] == 'h' ? 0.1 : 0.0};
    auto with_threads = how;
    with_threads.threads = 3;
    const auto gravity = relativity("c=150");
    auto whole = simulation(few_binaries(), gravity, how), part = simulation(few_binaries(), gravity, how),
         threads = simulation(few_binaries(), gravity, with_threads);
    whole.make_steps(6), part.make_steps(2), threads.make_steps(6);
    save(part, folder.path);
    auto onward = load(folder.path);
    onward.make_steps(1), onward.make_steps(3);
    EXPECT_NE(whole.work()[0], 0);
    for (auto* other : {&onward, &threads}) {
      EXPECT_TRUE(same_bits(other->snapshot().bodies, whole.snapshot().bodies)) << name;
      EXPECT_EQ(other->work(), whole.work()) << name;
    }
  }
}

TEST(PairTerms, AreRefusedInWords) {
  const auto refusal = [](const char* name, const std::vector<std::string>& forces,
                          CloseGroups groups = CloseGroups::regularised) {
    Gravity gravity{.forces = added_forces_of(forces)};
    return test::message_of<UsageError>(
        [&] { (void)simulation(few_binaries(), gravity, {.integrator = name, .groups = groups}); });
  };
  const std::string one = "post-newtonian-pairs c=40", it = "force 'post-newtonian-pairs' ",
                    remedy = "; use ar-chain, or hermite4-block with time.groups = \"regularised\"";
  EXPECT_EQ(refusal("ar-chain", {one}), "");
  EXPECT_EQ(refusal("hermite4-block", {one}), "");
  for (const char* name : {"kdk", "hermite4", "hermite6", "gauss-radau", "wisdom-holman", "block-kdk"})
    EXPECT_NE(refusal(name, {one}), "") << name;
  for (const char* name : {"kdk", "hermite4", "gauss-radau", "wisdom-holman", "block-kdk"})
    EXPECT_EQ(refusal(name, {one}),
              it + "acts in regularised groups, which " + name + " does not make" + remedy);
  EXPECT_EQ(refusal("hermite4-block", {one}, CloseGroups::off),
            it + "acts in regularised groups, which hermite4-block with time.groups = \"off\" does not make" +
                remedy);
  for (const char* other : {"post-newtonian-pairs c=3", "gas-drag linear=1"})
    EXPECT_EQ(refusal("ar-chain", {one, other}),
              it + "is taken by groups that take no other force, and once; leave the others out");
  EXPECT_EQ(refusal("ar-chain", {"gas-drag linear=1"}),
            "integrator ar-chain takes no gravity.forces but 'post-newtonian-pairs'; use gauss-radau");
}

}  // namespace pleiad
