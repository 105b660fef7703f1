/// Steps of single bodies in a run on a GPU: those of the CPU by a derived bound, the same bits after a save,
/// with outputs between the steps and with those that only look, energies, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/peer.hpp"
#include "cuda/gpu.hpp"
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

using IndividualStepsOnAGpu = Gpu;
constexpr double dt = 1.0 / 32;
const Integrator* const scheme = &integrator_named("hermite4-block");

Snapshot sphere(int n) { return model("plummer", {{"n", double(n)}}, 3); }
Simulation on(const char* backend, const Snapshot& start, const Gravity& gravity = {},
              const EngineOptions& options = {}) {
  auto engine = options;
  engine.backend = backend;
  return Simulation(start, gravity, Method{.integrator = scheme, .dt = dt}, engine);
}
double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) take_larger(largest, norm(a.position(i) - b.position(i)));
  return largest;
}
bool same_bits(const Bodies& a, const Bodies& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.vx == b.vx && a.vy == b.vy && a.vz == b.vz &&
         a.low == b.low && a.series == b.series;
}
/// The largest sum of the lengths of the pulls on a body.
double largest_pulls(const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < b.size(); ++k)
      if (const auto d = b.position(k) - b.position(i); k != i) sum += b.mass[k] / dot(d, d);
    largest = std::max(largest, sum);
  }
  return largest;
}
/// What a simulation refuses, or "".
std::string refusal(const Gravity& gravity, const EngineOptions& options) {
  try {
    (void)on("cuda", sphere(20), gravity, options);
    return "";
  } catch (const UsageError& e) {
    return e.what();
  }
}

}  // namespace

/// Both round each pull and the places that it follows from, some 2^-52 of it, and a sum of n of them at most
/// n 2^-53; on the GPU a sum of 16 also to a unit, 2^-47 of the acceleration with four of these sums. Within
/// a time t velocities differ by t times that of the largest pulls at most, places by less, t being below 1.
/// What such a difference grows to by the end is what differences of all numbers do on the CPU, as large as
/// it may be (with the pulls at both ends, times two for those between them).
TEST_F(IndividualStepsOnAGpu, AreThoseOfTheCpuToRounding) {
  constexpr int n = 64;
  constexpr std::uint64_t steps = 3;
  constexpr double aside = 0x1p-32;
  for (const double eps : {0.0, 0.02}) {
    const auto start = sphere(n);
    auto moved = start;
    for (std::size_t i = 0; i < n; ++i) {
      const double d = i % 2 == 0 ? aside : -aside;
      moved.bodies.x[i] += d, moved.bodies.y[i] -= d, moved.bodies.vx[i] -= d, moved.bodies.vz[i] += d;
    }
    const Gravity gravity{.softening = {eps}};
    auto gpu = on("cuda", start, gravity), cpu = on("cpu", start, gravity), apart = on("cpu", moved, gravity);
    gpu.make_steps(steps), cpu.make_steps(steps), apart.make_steps(steps);
    const double growth = distance(cpu.snapshot().bodies, apart.snapshot().bodies) / aside,
                 pulls = 2 * std::max(largest_pulls(start.bodies), largest_pulls(cpu.snapshot().bodies)),
                 rounding = (n + 4) * 0x1p-52 + 4 * 0x1p-47, time = double(steps) * dt;
    EXPECT_GE(growth, 1);
    EXPECT_LE(growth, 1e4);  // before chaos
    EXPECT_LE(distance(gpu.snapshot().bodies, cpu.snapshot().bodies), growth * rounding * pulls * time)
        << eps;
    // One evaluation for each time at which steps end, on both.
    EXPECT_EQ(gpu.evaluations(), cpu.evaluations() - 1);
    EXPECT_GT(gpu.evaluations(), 30U);
    const auto d = gpu.describe();
    EXPECT_EQ(d.gpus, 1);
    EXPECT_EQ(d.precision, "f64");
    EXPECT_NE(d.why.find("cuda/individual-steps"), std::string::npos) << d.why;
    EXPECT_LE(d.interactions_per_evaluation, double(n) * n);
  }
}

/// A copy goes to outputs between the steps, where its energy is as good as at their ends; ends between them
/// are what an output sees there.
TEST_F(IndividualStepsOnAGpu, HaveTheSameBitsWithOutputsBetweenThem) {
  const auto start = sphere(40);
  auto seen = on("cuda", start), alone = on("cuda", start), ending = on("cuda", start),
       of_cpu = on("cpu", start);
  (void)seen.reference_energy();
  Bodies copy;
  std::vector<double> times;
  seen.every(0.75 * dt, [&](const Snapshot& s) {
    times.push_back(s.time / dt);
    EXPECT_LE(std::abs(seen.diagnostics().energy_error), 1e-7);
    if (s.time == 0.75 * dt) copy = s.bodies;
  });
  seen.run_until(2 * dt), alone.run_until(2 * dt);
  EXPECT_EQ(times, (std::vector{0.0, 0.75, 1.5}));
  EXPECT_TRUE(same_bits(seen.snapshot().bodies, alone.snapshot().bodies));
  ending.run_until(0.75 * dt), of_cpu.run_until(0.75 * dt);
  EXPECT_TRUE(same_bits(ending.snapshot().bodies, copy));
  // As in the test above: 40 bodies, steps of 0.02, at most a hundred times.
  EXPECT_LE(distance(copy, of_cpu.snapshot().bodies), 1e-11);
}

/// Into a folder, and by way of a copy that is made meanwhile.
TEST_F(IndividualStepsOnAGpu, GoOnWithTheSameBitsAfterASave) {
  const test::Folder folder;
  auto start = sphere(40);
  for (std::size_t i = 0; i < start.bodies.size(); i += 7) start.bodies.mass[i] = 0;
  auto whole = on("cuda", start), part = on("cuda", start);
  whole.make_steps(3), part.make_steps(1);
  save(part, folder.path);
  auto onward = load(folder.path);
  EXPECT_EQ(onward.describe().gpus, 1);
  onward.make_steps(2);
  EXPECT_TRUE(same_bits(onward.snapshot().bodies, whole.snapshot().bodies));
  Snapshot meanwhile;
  const auto finish = part.snapshot_meanwhile(true);
  part.make_steps(1);
  finish(meanwhile);
  EXPECT_EQ(meanwhile.bodies.series.size(), start.bodies.size());
  auto copied = on("cuda", meanwhile);
  copied.make_steps(2);
  EXPECT_TRUE(same_bits(copied.snapshot().bodies, whole.snapshot().bodies));
  // The same on the CPU: what was kept is of one kind.
  auto changed = on("cpu", meanwhile);
  changed.make_steps(2);
  EXPECT_LE(distance(changed.snapshot().bodies, whole.snapshot().bodies), 1e-11);
}

TEST_F(IndividualStepsOnAGpu, GoOnWhereOthersHaveWritten) {
  const auto start = sphere(40);
  auto seen = on("cuda", start), alone = on("cuda", start);
  for (int k = 0; k < 2; ++k) {
    ASSERT_TRUE(seen.device_state());
    seen.state_changed();
    seen.make_steps(1), alone.make_steps(1);
  }
  EXPECT_TRUE(same_bits(seen.snapshot().bodies, alone.snapshot().bodies));
  auto changed = seen.snapshot();
  const auto state = seen.device_state();
  std::vector<Mass<double>> x(state->n);
  cuda::copy_to_host(x.data(), state->bodies, x.size() * sizeof(x[0]), nullptr);
  x[0].x += 0.5, x[1].m = 0;
  cuda::copy_to_device(state->bodies, x.data(), x.size() * sizeof(x[0]), nullptr);
  seen.state_changed();
  changed.bodies.x[0] += 0.5, changed.bodies.mass[1] = 0;
  changed.bodies.low.clear(), changed.bodies.series.clear();
  auto anew = on("cuda", changed);
  seen.make_steps(1), anew.make_steps(1);
  EXPECT_TRUE(same_bits(seen.snapshot().bodies, anew.snapshot().bodies));
  // Backwards it has to find its steps again.
  seen.reverse_velocities();
  EXPECT_TRUE(seen.snapshot().bodies.series.empty());
  seen.make_steps(1);
  EXPECT_EQ(seen.snapshot().bodies.series.size(), 40U);
}

TEST_F(IndividualStepsOnAGpu, AreMadeForManyBodies) {
  const auto few = on("auto", sphere(500)).describe(), many = on("auto", sphere(520)).describe();
  EXPECT_EQ(few.gpus, 0);
  EXPECT_NE(few.why.find("steps of their own of so few bodies are faster there"), std::string::npos)
      << few.why;
  EXPECT_EQ(many.gpus, 1);
  EXPECT_EQ(
      on("auto", sphere(520), {.potentials = potentials_of_lines("nfw mass=8 scale=2")}).describe().gpus, 0);
  // In mixed precision floats where they are faster.
  const auto in_floats = [](int n, Precision precision) {
    return on("cuda", sphere(n), {}, {.precision = precision}).describe().why.find("weak pulls in floats") !=
           std::string::npos;
  };
  EXPECT_FALSE(in_floats(8191, Precision::mixed));
  EXPECT_FALSE(in_floats(8192, Precision::f64));
  EXPECT_TRUE(in_floats(8192, Precision::mixed));
}

TEST_F(IndividualStepsOnAGpu, RefuseWhatTheyCannotHave) {
  const auto says = [](const std::string& why, const char* text) {
    EXPECT_NE(why.find(text), std::string::npos) << why;
  };
  EXPECT_EQ(refusal({}, {.precision = Precision::mixed}), "");
  says(refusal({}, {.precision = Precision::f32}), "needs precision f64 or mixed");
  EXPECT_EQ(refusal({.potentials = potentials_of_lines("nfw mass=8 scale=2")}, {}), "");
  says(refusal({.softening = {0.1}, .boundary = {.periodic = true}}, {}), "without a periodic box");
  says(refusal({}, {.method = force_method_of("cuda/fmm order=5")}), "which trees do not provide");
  says(refusal({}, {.method = force_method_of("cuda/block-steps")}),
       "needs sums that kernel 'cuda/block-steps' does not have");
  if (cuda::device_count() > 1)
    says(refusal({}, {.gpus = 2}),
         "gpus = 2 cannot be used: integrator hermite4-block moves single bodies in open space on one GPU; "
         "choose one");
}

}  // namespace pleiad
