/// Steps of single bodies that the host makes, with pulls summed on a GPU: those of the CPU by a derived
/// bound, groups and external potentials, the bits after a save inside the life of groups and on several
/// GPUs, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "cuda/device/peer.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/gpu.hpp"
#include "engine/individual_bodies.hpp"
#include "unit/scratch.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace pleiad {
namespace {

using HostDrivenSteps = Gpu;
constexpr double dt = 1.0 / 32;
const Integrator* const scheme = &integrator_named("hermite4-block");
const BlockSteps grouped{.groups = CloseGroups::regularised};

Snapshot sphere(int n) { return model("plummer", {{"n", double(n)}}, 3); }

/// A Plummer sphere of circular binaries.
Snapshot binaries(int pairs, double a) {
  const auto centres = sphere(pairs).bodies;
  Snapshot s;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    const double mass = centres.mass[i], speed = std::sqrt(mass / a), turn = 1.3 * double(i);
    const Vec3<double> along{std::cos(turn), std::sin(turn), 0}, across{-std::sin(turn), std::cos(turn), 0};
    for (const double side : {0.5, -0.5})
      s.bodies.add(mass / 2, centres.position(i) + side * a * along,
                   centres.velocity(i) + side * speed * across);
  }
  return s;
}
Simulation on(const char* backend, const Snapshot& start, const Gravity& gravity, const BlockSteps& blocks,
              int gpus = 1) {
  return Simulation(start, gravity, Method{.integrator = scheme, .dt = dt, .eta = 0.02, .blocks = blocks},
                    EngineOptions{.backend = backend, .gpus = gpus, .integrator = scheme, .blocks = blocks});
}
Gravity in_a_halo() { return {.potentials = potentials_of_lines("nfw mass=8 scale=2")}; }
double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) take_larger(largest, norm(a.position(i) - b.position(i)));
  return largest;
}
bool same_bits(const Bodies& a, const Bodies& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.vx == b.vx && a.vy == b.vy && a.vz == b.vz &&
         a.low == b.low && a.series == b.series;
}
std::size_t in_groups(const Bodies& b) {
  return std::size_t(std::ranges::count_if(b.series, [](const auto& s) { return s[19] > 0; }));
}
struct Case {
  Snapshot start;
  Gravity gravity;
  BlockSteps blocks;
};
/// Groups; and single bodies in a halo, test particles among them. So many that some sums are made on a GPU
/// and others on the host.
std::vector<Case> cases() {
  auto others = sphere(150);
  for (std::size_t i = 0; i < 150; i += 10) others.bodies.mass[i] = 0;
  return {{binaries(140, 1e-4), {}, grouped}, {others, in_a_halo(), {}}};
}
/// Steps of `how`, without an engine around.
Bodies moved(const Case& c, const IndividualChoice& how, std::uint64_t steps) {
  const cuda::Stream stream;
  auto bodies = make_individual_bodies(c.start.bodies, c.gravity, how, stream.get());
  const StepPlan plan{.integrator = scheme, .dt = dt, .eta = 0.02, .blocks = c.blocks};
  (void)bodies->advance(plan, steps);
  Bodies end = c.start.bodies;
  bodies->copy_to_host(end);
  return end;
}

}  // namespace

/// Both round sums differently, 1e-13 of an acceleration by the units of integers, which a hundred steps of
/// close bodies may multiply by a hundred; the phase of a binary with a period of 1e-5 sqrt(2 pi) by as much
/// again.
TEST_F(HostDrivenSteps, AreThoseOfTheCpu) {
  for (const auto& c : cases()) {
    auto gpu = on("cuda", c.start, c.gravity, c.blocks), cpu = on("cpu", c.start, c.gravity, c.blocks);
    (void)gpu.reference_energy();
    gpu.make_steps(2), cpu.make_steps(2);
    EXPECT_LE(distance(gpu.snapshot().bodies, cpu.snapshot().bodies), 1e-9);
    EXPECT_GT(gpu.evaluations(), 30U);
    EXPECT_LE(std::abs(gpu.diagnostics().energy_error), 1e-6);
    EXPECT_EQ(in_groups(gpu.snapshot().bodies), in_groups(cpu.snapshot().bodies));
    const auto d = gpu.describe();
    EXPECT_EQ(d.gpus, 1);
    EXPECT_NE(d.why.find("made by the host, with sums by cuda/path-sums"), std::string::npos) << d.why;
  }
}

/// Whatever sums a GPU makes: all, those of many pairs, or none.
TEST_F(HostDrivenSteps, AreTheSameWhereverSumsAreMade) {
  for (const auto& c : cases()) {
    const auto some = moved(c, {.by_host = true}, 1), none = moved(c, {.by_host = true, .few_pairs = 1e9}, 1),
               all = moved(c, {.by_host = true, .few_pairs = 0}, 1),
               in_floats = moved(c, {.by_host = true, .in_floats = true, .few_pairs = 0}, 1);
    // As above.
    EXPECT_LE(distance(some, none), 1e-9);
    EXPECT_LE(distance(all, none), 1e-9);
    // 2^-22 of the pulls in a time of 1/32, which close bodies multiply by ten.
    EXPECT_LE(distance(in_floats, none), 1e-8);
    EXPECT_FALSE(same_bits(in_floats, all));
    EXPECT_FALSE(same_bits(some, none));
    auto cpu = on("cpu", c.start, c.gravity, c.blocks);
    cpu.make_steps(1);
    EXPECT_TRUE(same_bits(none, cpu.snapshot().bodies));
    for (int gpus = 2; gpus <= std::min(cuda::device_count(), 3); ++gpus)
      EXPECT_TRUE(same_bits(all, moved(c, {.by_host = true, .gpus = gpus, .few_pairs = 0}, 1))) << gpus;
  }
}

/// A star meets a binary: the group of three forms, shifts the paths of the others, and falls apart. All sums
/// are made on a GPU, whose rounding of 1e-13 such a passage multiplies by some thousands.
TEST_F(HostDrivenSteps, FormAndDivideGroups) {
  Case c{.start = {}, .gravity = {}, .blocks = {.groups = CloseGroups::regularised, .group_radius = 0.04}};
  auto& b = c.start.bodies;
  b.add(1e-2, {5e-4, 0, 0}, {0, 2.2, 0}), b.add(1e-2, {-5e-4, 0, 0}, {0, -2.2, 0});
  b.add(1e-2, {-0.05, 1e-3, 5e-4}, {6, 0, 0});
  b.add(0.5, {3, 0, 0}, {0, 0.3, 0}), b.add(0.47, {-3, 0, 0}, {0, -0.3, 0});
  for (auto& v : {&b.vx, &b.vy, &b.vz})
    for (auto& each : *v) each /= 2;  // steps are a thirty-second
  std::size_t most = 0, last = 0;
  Case gpu = c, host = c;
  for (int step = 0; step < 3; ++step) {
    gpu.start.bodies = moved(gpu, {.by_host = true, .few_pairs = 0}, 1);
    host.start.bodies = moved(host, {.by_host = true, .few_pairs = 1e9}, 1);
    last = in_groups(gpu.start.bodies), most = std::max(most, last);
    EXPECT_EQ(last, in_groups(host.start.bodies));
    EXPECT_LE(distance(gpu.start.bodies, host.start.bodies), 1e-9) << step;
  }
  EXPECT_GE(most, 2U);
}

TEST_F(HostDrivenSteps, GoOnWithTheSameBitsAfterASave) {
  const test::Folder folder;
  for (const auto& c : cases()) {
    auto whole = on("cuda", c.start, c.gravity, c.blocks), part = on("cuda", c.start, c.gravity, c.blocks);
    whole.make_steps(3), part.make_steps(1);
    EXPECT_GE(in_groups(part.snapshot().bodies), c.blocks.groups == CloseGroups::off ? 0U : 280U);
    // Someone who looks in between changes nothing.
    (void)part.diagnostics();
    save(part, folder.path);
    auto onward = load(folder.path);
    EXPECT_EQ(onward.describe().gpus, 1);
    onward.make_steps(2);
    EXPECT_TRUE(same_bits(onward.snapshot().bodies, whole.snapshot().bodies));
    Snapshot meanwhile;
    const auto finish = part.snapshot_meanwhile(true);
    part.make_steps(1);
    finish(meanwhile);
    auto copied = on("cuda", meanwhile, c.gravity, c.blocks);
    copied.make_steps(2);
    EXPECT_TRUE(same_bits(copied.snapshot().bodies, whole.snapshot().bodies));
  }
}

TEST_F(HostDrivenSteps, HaveTheSameBitsWithOutputsBetweenThemAndOnTwoGpus) {
  for (const auto& c : cases()) {
    auto alone = on("cuda", c.start, c.gravity, c.blocks), seen = on("cuda", c.start, c.gravity, c.blocks);
    seen.every(0.75 * dt, [&](const Snapshot&) { (void)seen.diagnostics(); });
    seen.run_until(2 * dt), alone.run_until(2 * dt);
    EXPECT_TRUE(same_bits(seen.snapshot().bodies, alone.snapshot().bodies));
    if (cuda::device_count() < 2) continue;
    auto two = on("cuda", c.start, c.gravity, c.blocks, 2);
    two.run_until(2 * dt);
    EXPECT_EQ(two.describe().gpus, 2);
    EXPECT_TRUE(same_bits(two.snapshot().bodies, alone.snapshot().bodies));
  }
}

TEST_F(HostDrivenSteps, BeginAnewWhereOthersHaveWritten) {
  const auto c = cases()[1];
  auto seen = on("cuda", c.start, c.gravity, c.blocks), alone = on("cuda", c.start, c.gravity, c.blocks);
  seen.make_steps(1), alone.make_steps(1);
  ASSERT_TRUE(seen.device_state());
  seen.state_changed();
  seen.make_steps(1), alone.make_steps(1);
  EXPECT_TRUE(same_bits(seen.snapshot().bodies, alone.snapshot().bodies));
  seen.reverse_velocities();
  EXPECT_TRUE(seen.snapshot().bodies.series.empty());
  seen.make_steps(2);
  // Backwards to where they came from, by steps of another course: the error of eta = 0.02.
  EXPECT_LE(distance(seen.snapshot().bodies, c.start.bodies), 1e-4);
}

TEST_F(HostDrivenSteps, AreMadeOnGpusForManyBodies) {
  const auto few = on("auto", sphere(520), in_a_halo(), {}).describe();
  EXPECT_EQ(few.gpus, 0);
  EXPECT_NE(few.why.find("steps of their own of so few bodies are faster there"), std::string::npos)
      << few.why;
  EXPECT_EQ(on("auto", sphere(4096), in_a_halo(), {}).describe().gpus, 1);
  const auto refusal = [](const Gravity& gravity, const BlockSteps& blocks, int gpus) -> std::string {
    return test::message_of<UsageError>([&] { (void)on("cuda", sphere(20), gravity, blocks, gpus); });
  };
  EXPECT_NE(refusal({.softening = {0.1}}, grouped, 1).find("is for pulls without gravity.softening"),
            std::string::npos);
  if (cuda::device_count() < 2) return;
  EXPECT_NE(refusal({}, {}, 2).find("moves single bodies in open space on one GPU"), std::string::npos);
}

}  // namespace pleiad
