/// Runs on the GPU: a thousand steps of a Plummer sphere as the CPU makes them (C7 of the physics catalogue
/// where they end), replays of a recorded step, copies on their way while steps go on.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/graph.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "gpu.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/kernel/direct.hpp>
#include <pleiad/kernel/steps.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace pleiad;

namespace {

struct Distances {
  double median, largest;
};

/// |da| / |a|, sorted.
Distances between(const Snapshot& a, const Snapshot& b) {
  std::vector<double> relative;
  for (std::size_t i = 0; i < a.ax.size(); ++i) {
    const Vec3<double> one{a.ax[i], a.ay[i], a.az[i]}, two{b.ax[i], b.ay[i], b.az[i]};
    relative.push_back(norm(one - two) / norm(two));
  }
  std::sort(relative.begin(), relative.end(), [](double p, double q) { return p < q || std::isnan(q); });
  return {relative[relative.size() / 2], relative.back()};
}

constexpr double short_step = 1.0 / 128;

Bodies plummer(std::size_t n) {
  return make_model("plummer", std::vector<std::string>{"n=" + std::to_string(n)}, 1).bodies;
}
Gravity softened() { return {.G = 1, .softening = {0.05}, .boundary = {}, .dimension = 3}; }
StepPlan kdk() { return {.integrator = &integrator_named("kdk"), .dt = short_step}; }

/// `steps` steps in one batch, most of them replays; or each by an engine that has just been loaded, which
/// has nothing to replay.
Bodies after(const Bodies& start, const EngineOptions& options, int steps, bool loaded_each_time) {
  const auto engine = make_engine(start, softened(), options);
  Bodies now = start;
  if (!loaded_each_time) engine->advance(kdk(), static_cast<std::uint64_t>(steps));
  for (int k = 0; loaded_each_time && k < steps; ++k) {
    engine->load(now);
    engine->advance(kdk(), 1);
    engine->copy_to_host(now);
  }
  engine->copy_to_host(now);
  return now;
}

}  // namespace

using GpuRun = Gpu;

TEST_F(GpuRun, AgreesWithTheCpuAfterAThousandSteps) {
  const auto start = make_model("plummer", std::vector<std::string>{"n=1024"}, 1).bodies;
  const Gravity gravity{.G = 1, .softening = {0.05}, .boundary = {}, .dimension = 3};
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = 1.0 / 512};
  for (const auto precision : {Precision::f64, Precision::mixed, Precision::f32}) {
    const auto gpu =
        make_engine(start, gravity, {.precision = precision, .method = force_method_of("cuda/tile")});
    const auto cpu = make_engine(start, gravity, {.precision = precision, .backend = "cpu"});
    const double energy = cpu->energies().total();
    gpu->advance(plan, 1000);
    cpu->advance(plan, 1000);
    // Close encounters make rounding differences grow, but not in the energy, which both conserve to some
    // 1e-6 with this step: it differs by less than that error.
    EXPECT_LE(std::abs(gpu->energies().total() - cpu->energies().total()), 2e-6 * std::abs(energy))
        << name_of(precision);
    Bodies end = start;
    gpu->copy_to_host(end);
    cpu->load(end);
    Snapshot of_gpu, of_cpu;
    gpu->fields(of_gpu);
    cpu->fields(of_cpu);
    const auto d = between(of_gpu, of_cpu);
    // Median and largest for forces; |a| is a sum of 1024 pulls that partly cancel.
    EXPECT_LE(d.median, precision == Precision::f64 ? 1e-13 : 5e-7) << name_of(precision);
    EXPECT_LE(d.largest, precision == Precision::f64 ? 1e-11 : 1e-5) << name_of(precision);
  }
}
TEST_F(GpuRun, EveryRungThatCanSimulates) {
  const auto start = make_model("plummer", std::vector<std::string>{"n=500"}, 1).bodies;
  const Gravity gravity{.G = 1, .softening = {0.05}, .boundary = {}, .dimension = 3};
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = 1.0 / 128};
  for (const auto* kernel : direct_kernels()) {
    if (kernel->device != Device::cuda) continue;
    for (const auto precision : {Precision::f64, Precision::mixed, Precision::f32}) {
      if (!kernel->has(precision)) continue;
      const auto engine =
          make_engine(start, gravity, {.precision = precision, .method = force_method_of(kernel->name)});
      const double before = engine->energies().total();
      engine->advance(plan, 64);
      EXPECT_TRUE(engine->finite()) << kernel->name;
      EXPECT_LE(std::abs(engine->energies().total() - before), 1e-4 * std::abs(before))
          << kernel->name << " " << name_of(precision);
    }
  }
}
TEST_F(GpuRun, ReplaysGiveTheBitsOfPlainLaunches) {
  const auto start = plummer(1500);
  for (const auto* kernel : direct_kernels()) {
    if (kernel->device != Device::cuda || !kernel->traits.reproducible) continue;
    for (const auto precision : {Precision::f64, Precision::mixed, Precision::f32}) {
      if (!kernel->has(precision)) continue;
      const EngineOptions options{.precision = precision, .method = force_method_of(kernel->name)};
      EXPECT_TRUE(after(start, options, 8, false) == after(start, options, 8, true))
          << kernel->name << " " << name_of(precision);
    }
  }
}
TEST_F(GpuRun, StepsInOneLaunchHaveTheBitsOfStepsInMany) {
  for (const auto* kernel : step_kernels())
    for (const auto precision : {Precision::f64, Precision::mixed, Precision::f32})
      for (const std::size_t n : {std::size_t{2}, std::size_t{61}, kernel->most_bodies}) {
        if (!kernel->has(precision) || n > kernel->most_bodies) continue;
        const auto start = plummer(n);
        const EngineOptions options{.precision = precision, .method = force_method_of(kernel->name)};
        EXPECT_TRUE(after(start, options, 8, false) == after(start, options, 8, true))
            << kernel->name << " " << name_of(precision) << ", " << n << " bodies";
      }
}
/// Large enough that the copy is still on its way when the next steps begin.
TEST_F(GpuRun, IsCopiedWhileItStepsOn) {
  const auto start = plummer(100'000);
  for (const auto precision : {Precision::mixed, Precision::f32}) {
    const auto engine = make_engine(start, softened(), {.precision = precision, .backend = "cuda"});
    for (const bool fields : {false, true}) {
      engine->advance(kdk(), 1);
      Snapshot now, copied;
      now.bodies = copied.bodies = start;
      engine->copy_to_host(now.bodies);
      if (fields) engine->fields(now);
      const auto finish = engine->begin_copy(fields);
      engine->advance(kdk(), 3);
      finish(copied);
      EXPECT_TRUE(copied.bodies == now.bodies) << name_of(precision);
      EXPECT_EQ(copied.ax, now.ax) << name_of(precision);
      EXPECT_EQ(copied.potential, now.potential) << name_of(precision);
    }
  }
}
TEST_F(GpuRun, DoesNotRecordManagedMemoryOrWaiting) {
  const cuda::Stream stream;
  cuda::Graph graph;
  EXPECT_FALSE(graph.record(stream.get(), [] { cuda::Managed<double> memory(16); }));
  EXPECT_TRUE(graph.empty());
  EXPECT_FALSE(graph.record(stream.get(), [&] { cuda::wait(stream.get()); }));
  EXPECT_TRUE(graph.empty());
  // Neither leaves anything behind.
  cuda::Buffer<double> some(16, stream.get());
  some.set_bytes(0);
  cuda::wait(stream.get());
  EXPECT_TRUE(graph.record(stream.get(), [&] { some.set_bytes(1); }));
}
