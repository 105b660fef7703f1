/// Encounters inside the steps of hermite4-block, with and without groups, and of ar-chain: contacts and
/// approaches at exact times, mergers, what they keep and lose, and the bits after a resume.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/scratch.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/encounters.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

struct Scheme {
  const char* name = "hermite4-block";
  CloseGroups groups = CloseGroups::off;
  double dt = 1.0 / 16, eta = 0.005;
  double radius = 0;
  int threads = 1;
  bool adaptive = false;
  Neighbours neighbours = Neighbours::off;
};
const Scheme alone{}, grouped{.groups = CloseGroups::regularised}, chain{.name = "ar-chain", .eta = 0};

/// Its orbits of two bodies have no errors but those of rounding.
bool is_exact(const Scheme& s) { return s.groups != CloseGroups::off || s.name == std::string("ar-chain"); }

Simulation watched(const Snapshot& start, const Scheme& scheme, const EncounterSettings& settings,
                   const Gravity& gravity = {}) {
  const auto* integrator = &integrator_named(scheme.name);
  BlockSteps blocks;
  if (integrator->in_blocks)
    blocks = {.groups = scheme.groups, .group_radius = scheme.radius, .neighbours = scheme.neighbours};
  Simulation made(start, gravity,
                  Method{.integrator = integrator,
                         .dt = scheme.dt,
                         .adaptive = scheme.adaptive,
                         .eta = scheme.eta,
                         .blocks = blocks},
                  EngineOptions{.precision = Precision::f64,
                                .backend = "cpu",
                                .threads = scheme.threads,
                                .integrator = integrator,
                                .blocks = blocks});
  (void)made.reference_energy();
  made.watch_encounters(settings);
  return made;
}

std::vector<Encounter> of_kind(Simulation& sim, EncounterKind kind) {
  std::vector<Encounter> found;
  for (const auto& e : sim.encounters())
    if (e.kind == kind) found.push_back(e);
  return found;
}

/// Two bodies on an orbit with this pericentre distance and eccentricity, at a time `before` the pericentre
/// passage if it is an ellipse of less than half a period; G (m + M) = 1.
Snapshot pair(double q, double e, double distance, double mass = 0.5) {
  // From the distance: the speed by the energy, and the angular momentum.
  const double a = e == 1 ? 0 : q / (1 - e), spin = std::sqrt(q * (1 + e)),
               speed2 = 2 / distance - (e == 1 ? 0 : 1 / a), across = spin / distance,
               inwards = std::sqrt(std::max(0.0, speed2 - across * across));
  Snapshot s;
  const Vec3<double> x{distance, 0, 0}, v{-inwards, across, 0}, centre{0.1, -0.2, 0.3},
      drift{0.05, 0.02, -0.03};
  s.bodies.add(mass, centre - (1 - mass) * x, drift - (1 - mass) * v);
  s.bodies.add(1 - mass, centre + mass * x, drift + mass * v);
  return s;
}
/// The time from a distance to the pericentre of a parabola (Barker).
double parabolic_time(double q, double distance) {
  const double d = std::sqrt(distance / q - 1);
  return std::sqrt(2 * q * q * q) * (d + d * d * d / 3);
}

struct Sums {
  double mass = 0;
  Vec3<double> momentum{}, centre{}, spin{};
};
Sums sums_of(const Bodies& b) {
  Sums s;
  for (std::size_t i = 0; i < b.size(); ++i) {
    s.mass += b.mass[i], s.momentum += b.mass[i] * b.velocity(i), s.centre += b.mass[i] * b.position(i);
    s.spin += b.mass[i] * cross(b.position(i), b.velocity(i));
  }
  return s;
}
bool same_bits(const Bodies& a, const Bodies& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.vx == b.vx && a.vy == b.vy && a.vz == b.vz &&
         a.mass == b.mass && a.id == b.id && a.low == b.low && a.series == b.series;
}

}  // namespace

/// Parabolas, whose contact and pericentre have closed forms (Barker). Groups and the chain have errors of
/// rounding, some 1e-16 of 0.3. Steps of their own have those of Hermite's scheme, 1e-10 at this eta, and
/// merge the two at the end of the step in which they touch.
TEST(InsideSteps, FindPairsThatTouchOrMissByAMillionth) {
  const double q = 0.01, passage = parabolic_time(q, 0.3);
  for (const auto& scheme : {alone, grouped, chain}) {
    const bool exact = is_exact(scheme);
    auto how = scheme;
    if (!exact) how.eta = 1e-4;
    const double least = exact ? 1e-13 : 1e-9;
    for (const double mass : {0.5, 0.01}) {
      const auto start = pair(q, 1, 0.3, mass);
      auto touches = watched(start, how, {.radius = q / 2 * (1 + 1e-6), .on_collision = Reaction::merge}),
           misses =
               watched(start, how,
                       {.distance = 2 * q, .radius = q / 2 * (1 - 1e-6), .on_collision = Reaction::merge});
      touches.run_until(0.25), misses.run_until(0.25);
      const auto merged = of_kind(touches, EncounterKind::merger),
                 met = of_kind(touches, EncounterKind::collision);
      ASSERT_EQ(merged.size(), 1U) << scheme.name;
      ASSERT_EQ(met.size(), 1U) << scheme.name;
      const double contact = passage - parabolic_time(q, q * (1 + 1e-6));
      EXPECT_LE(std::abs(met[0].time - contact), least) << scheme.name;
      EXPECT_LE(std::abs(met[0].distance / q - (1 + 1e-6)), 1e-9) << scheme.name;
      EXPECT_LE(std::abs(merged[0].time - contact), exact ? least : 1e-4) << scheme.name;
      ASSERT_EQ(touches.size(), 1U);
      const auto& b = touches.snapshot().bodies;
      EXPECT_EQ(b.mass[0], 1);
      EXPECT_LE(norm(b.velocity(0) - Vec3<double>{0.05, 0.02, -0.03}), exact ? 1e-13 : 1e-9);
      EXPECT_LE(norm(b.position(0) - (Vec3<double>{0.1, -0.2, 0.3} + 0.25 * Vec3<double>{0.05, 0.02, -0.03})),
                exact ? 1e-13 : 1e-9);
      EXPECT_LE(std::abs(touches.diagnostics().energy_error), exact ? 1e-10 : 1e-6) << scheme.name;
      EXPECT_EQ(misses.size(), 2U) << scheme.name;
      EXPECT_TRUE(of_kind(misses, EncounterKind::collision).empty());
      const auto passed = of_kind(misses, EncounterKind::approach);
      ASSERT_EQ(passed.size(), 1U) << scheme.name;
      EXPECT_LE(std::abs(passed[0].time - passage), least) << scheme.name;
      EXPECT_LE(std::abs(passed[0].distance / q - 1), exact ? 1e-12 : 1e-8) << scheme.name;
    }
  }
}

TEST(InsideSteps, MergePairsThatFallOnEachOther) {
  for (const auto& scheme : {alone, grouped, chain}) {
    auto sim = watched(pair(0, 0.5, 0.3), scheme, {.radius = 1e-3, .on_collision = Reaction::merge});
    sim.run_until(0.5);
    EXPECT_EQ(sim.size(), 1U) << scheme.name;
    // Of a binding of 3.3, the two have a kinetic energy of 500 of it when they touch.
    EXPECT_LE(std::abs(sim.diagnostics().energy_error), 1e-4) << scheme.name;
  }
}

/// The pericentre is a millionth within the sum of the radii, or outside: a merger at the first one, or none
/// in a thousand orbits, with one approach in each step.
TEST(InsideSteps, LetEccentricBinariesGoOnForManyOrbits) {
  const double q = 1e-3, e = 0.9, a = q / (1 - e), period = 2 * std::numbers::pi * std::pow(a, 1.5);
  const auto start = pair(q, e, a * (1 + e) * (1 - 1e-9));
  for (const auto& scheme : {grouped, chain}) {
    auto inside = watched(start, scheme, {.radius = q / 2 * (1 + 1e-6), .on_collision = Reaction::merge}),
         outside =
             watched(start, scheme,
                     {.distance = 2 * q, .radius = q / 2 * (1 - 1e-6), .on_collision = Reaction::merge});
    const double end = std::ceil(1000 * period / scheme.dt) * scheme.dt;
    inside.run_until(scheme.dt), outside.run_until(end);
    ASSERT_EQ(inside.size(), 1U) << scheme.name;
    EXPECT_LE(of_kind(inside, EncounterKind::merger)[0].time, period);
    EXPECT_EQ(outside.size(), 2U);
    const auto passed = of_kind(outside, EncounterKind::approach);
    EXPECT_EQ(double(passed.size()), end / scheme.dt);
    for (const auto& each : passed) EXPECT_LE(std::abs(each.distance / q - 1), 1e-12) << scheme.name;
  }
}

/// The tide of a far mass is some 1e-9 of the binding: without contacts ten orbits are made at once.
TEST(InsideSteps, LookAtEachOrbitOfHardPairsInFields) {
  const double q = 1e-3, e = 0.9, a = q / (1 - e), period = 2 * std::numbers::pi * std::pow(a, 1.5);
  const auto start = pair(q, e, a * (1 + e) * (1 - 1e-9));
  const Gravity far_mass{.potentials = potentials_of(std::vector<std::string>{"point mass=1 x=24"})};
  for (const auto& scheme : {grouped, chain}) {
    auto inside =
        watched(start, scheme, {.radius = q / 2 * (1 + 1e-6), .on_collision = Reaction::merge}, far_mass);
    auto outside = watched(
        start, scheme, {.distance = 1.5 * q, .radius = q / 2 * (1 - 1e-5), .on_collision = Reaction::merge},
        far_mass);
    inside.run_until(scheme.dt), outside.run_until(8 * scheme.dt);
    ASSERT_EQ(inside.size(), 1U) << scheme.name;
    EXPECT_LE(of_kind(inside, EncounterKind::merger)[0].time, period) << scheme.name;
    EXPECT_LE(std::abs(inside.diagnostics().energy_error), 1e-8) << scheme.name;
    EXPECT_EQ(outside.size(), 2U) << scheme.name;
    const auto passed = of_kind(outside, EncounterKind::approach);
    EXPECT_EQ(passed.size(), 8U) << scheme.name;
    for (const auto& each : passed) EXPECT_LE(std::abs(each.distance / q - 1), 1e-5) << scheme.name;
  }
}

/// A pair that may be on a Kepler orbit that turns, whose distances lack a ten thousandth, is a chain where
/// someone looks.
TEST(InsideSteps, LookAtPairsThatRelativityTurns) {
  const double q = 1e-3, e = 0.9, a = q / (1 - e);
  const auto start = pair(q, e, a * (1 + e) * (1 - 1e-9));
  const Gravity gravity{
      .forces = added_forces_of(std::vector<std::string>{"post-newtonian-pairs c=3000 average=0.001"})};
  const EncounterSettings settings{.distance = 1.5 * q};
  auto blocks = watched(start, grouped, settings, gravity), whole = watched(start, chain, settings, gravity);
  blocks.run_until(4 * grouped.dt), whole.run_until(4 * chain.dt);
  const auto found = of_kind(blocks, EncounterKind::approach),
             expected = of_kind(whole, EncounterKind::approach);
  ASSERT_EQ(expected.size(), 4U);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_LE(std::abs(found[k].distance / expected[k].distance - 1), 1e-9) << k;
    EXPECT_GE(std::abs(found[k].distance / q - 1), 1e-6) << k;
  }
}

/// A giant of the radius of eight binaries falls on one: beyond five of their sizes it touches a member.
TEST(InsideSteps, JoinGroupsBeforeTheyTouchMembers) {
  Snapshot start;
  start.bodies.add(0.5, {0.005, 0, 0}, {0, 5, 0}), start.bodies.add(0.5, {-0.005, 0, 0}, {0, -5, 0});
  start.bodies.add(0.1, {0, 0, 0.5}, {0, 0, -0.5}), start.bodies.add(0.1, {10, 0, 0}, {});
  EncounterSettings settings{.radius = 1e-4, .on_collision = Reaction::merge};
  settings.radii = {{2, 0.08}};
  auto blocks = grouped;
  blocks.radius = 0.02;
  auto sim = watched(start, blocks, settings), whole = watched(start, chain, settings);
  sim.run_until(0.5), whole.run_until(0.5);
  const auto found = of_kind(sim, EncounterKind::collision),
             expected = of_kind(whole, EncounterKind::collision);
  ASSERT_EQ(expected.size(), 2U);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].id, expected[k].id);
    EXPECT_EQ(found[k].other, expected[k].other);
    EXPECT_LE(std::abs(found[k].time - expected[k].time), 1e-5) << k;
  }
  EXPECT_EQ(sim.size(), 2U);
}

/// Pulls of neighbours are not summed by themselves where someone looks: all bits are as without them.
TEST(InsideSteps, SumAllPullsWithoutNeighbours) {
  const auto start = make_model("plummer", std::vector<std::string>{"n=2000"}, 5);
  const EncounterSettings settings{.distance = 0.001};
  auto automatic = watched(start, {.dt = 1.0 / 256, .neighbours = Neighbours::automatic}, settings),
       without = watched(start, {.dt = 1.0 / 256}, settings);
  automatic.make_steps(1), without.make_steps(1);
  EXPECT_TRUE(same_bits(automatic.snapshot().bodies, without.snapshot().bodies));
  EXPECT_THROW(watched(start, {.neighbours = Neighbours::on}, settings), UsageError);
  EXPECT_NO_THROW(watched(start, {.neighbours = Neighbours::on}, {.escape_radius = 10}));
}

/// Three bodies fall from rest at the corners of a triangle: all touch at the same time.
TEST(InsideSteps, MergeThreeThatTouchAtOnce) {
  for (const auto& scheme : {alone, grouped, chain}) {
    Snapshot s;
    for (int k = 0; k < 3; ++k) {
      const double angle = 2 * std::numbers::pi * k / 3;
      s.bodies.add(1.0 / 3, {std::cos(angle), std::sin(angle), 0}, {});
    }
    auto sim = watched(s, scheme, {.radius = 0.05, .on_collision = Reaction::merge});
    sim.run_until(3);
    ASSERT_EQ(sim.size(), 1U) << scheme.name;
    const auto merged = of_kind(sim, EncounterKind::merger);
    ASSERT_EQ(merged.size(), 2U);
    EXPECT_EQ(merged[0].time, merged[1].time);
    EXPECT_EQ(merged[0].id, 0U);
    EXPECT_LE(std::abs(merged[0].time - 2.51672213622962), is_exact(scheme) ? 1e-12 : 1e-3);
    EXPECT_LE(std::abs(sim.diagnostics().energy_error), 1e-5) << scheme.name;
  }
}

/// 200 stars with large radii: the contacts of Gauss-Radau, whose steps all bodies share. Errors of 1e-8 grow
/// a thousand times in close encounters; the cubics of both have 1e-6 of the radii.
TEST(InsideSteps, MergeStarsOfAClusterAsOtherSchemesDo) {
  const auto start = make_model("plummer", std::vector<std::string>{"n=200"}, 5);
  const EncounterSettings settings{.distance = 0.02, .radius = 0.008, .on_collision = Reaction::merge};
  auto reference =
      watched(start, {.name = "gauss-radau", .dt = 1.0 / 64, .eta = 0.02, .adaptive = true}, settings);
  reference.run_until(0.5);
  const auto expected = of_kind(reference, EncounterKind::collision);
  ASSERT_GE(expected.size(), 5U);
  for (const auto groups : {CloseGroups::off, CloseGroups::regularised}) {
    auto sim = watched(start, {.groups = groups, .eta = 0.001}, settings);
    const auto before = sums_of(sim.snapshot().bodies);
    sim.run_until(0.5);
    const auto after = sums_of(sim.snapshot().bodies);
    const auto found = of_kind(sim, EncounterKind::collision);
    ASSERT_EQ(found.size(), expected.size()) << name_of(groups);
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_EQ(found[k].id, expected[k].id);
      EXPECT_EQ(found[k].other, expected[k].other);
      EXPECT_LE(std::abs(found[k].time - expected[k].time), 1e-5) << name_of(groups) << " " << k;
    }
    EXPECT_EQ(of_kind(sim, EncounterKind::merger).size(), expected.size());
    EXPECT_LE(std::abs(after.mass - before.mass), 1e-15);
    EXPECT_LE(norm(after.momentum - before.momentum), 1e-7) << name_of(groups);
    Vec3<double> lost{};
    for (const auto& m : of_kind(sim, EncounterKind::merger)) lost += m.angular_momentum_lost;
    EXPECT_LE(norm(after.spin + lost - before.spin), 1e-7) << name_of(groups);
    EXPECT_LE(std::abs(sim.diagnostics().energy_error), 1e-6) << name_of(groups);
  }
}

/// Saved after every step, with three threads, and with someone who looks between the steps, at copies in
/// which stars merge.
TEST(InsideSteps, HaveTheSameBitsAfterASaveAndWithAnyThreads) {
  const test::Folder folder;
  const auto start = make_model("plummer", std::vector<std::string>{"n=60"}, 5);
  const EncounterSettings settings{.distance = 0.05, .radius = 0.02, .on_collision = Reaction::merge};
  for (auto scheme : {alone, grouped, chain}) {
    scheme.eta = scheme.name == std::string("ar-chain") ? 0 : 0.02;
    auto with_threads = scheme;
    with_threads.threads = 3;
    constexpr int steps = 6;
    auto whole = watched(start, scheme, settings), threads = watched(start, with_threads, settings),
         looked_at = watched(start, scheme, settings);
    double worst = 0;
    looked_at.every(0.7 * scheme.dt, [&](const Snapshot&) {
      const double error = std::abs(looked_at.diagnostics().energy_error);
      if (!(error <= worst)) worst = error;
    });
    whole.make_steps(steps), threads.make_steps(steps), looked_at.run_until(steps * scheme.dt);
    EXPECT_GE(of_kind(whole, EncounterKind::merger).size(), 3U);
    EXPECT_TRUE(same_bits(threads.snapshot().bodies, whole.snapshot().bodies));
    EXPECT_TRUE(same_bits(looked_at.snapshot().bodies, whole.snapshot().bodies));
    EXPECT_EQ(looked_at.encounters().size(), whole.encounters().size());
    EXPECT_LE(worst, 1e-5) << scheme.name;  // rows between the steps count mergers
    for (int k = 1; k < steps; ++k) {
      auto part = watched(start, scheme, settings);
      part.make_steps(std::uint64_t(k));
      save(part, folder.path);
      auto onward = load(folder.path);
      onward.make_steps(std::uint64_t(steps - k));
      EXPECT_TRUE(same_bits(onward.snapshot().bodies, whole.snapshot().bodies)) << scheme.name << " " << k;
    }
  }
}

/// A star among test particles that fall on it: they vanish, and change no bit of it or of each other.
TEST(InsideSteps, LetParticlesFallOnAStar) {
  Snapshot s;
  s.bodies.add(1, {0, 0, 0}, {0, 0, 0.1}), s.bodies.add(0.2, {5, 0, 0}, {0, 0.3, 0.1});
  for (int k = 0; k < 12; ++k) {
    const double angle = 0.5 * k;
    s.bodies.add(0, {std::cos(angle), std::sin(angle), 0},
                 {-0.08 * k * std::sin(angle), 0.08 * k * std::cos(angle), 0.1});
  }
  auto sim = watched(s, alone, {.radius = 0.05, .on_collision = Reaction::merge});
  const double mass = sums_of(s.bodies).mass;
  sim.run_until(2);
  const auto merged = of_kind(sim, EncounterKind::merger);
  EXPECT_GE(merged.size(), 5U);
  EXPECT_EQ(sim.size() + merged.size(), s.bodies.size());
  for (const auto& m : merged) EXPECT_EQ(m.id, 0U);
  EXPECT_EQ(sums_of(sim.snapshot().bodies).mass, mass);
}

}  // namespace pleiad
