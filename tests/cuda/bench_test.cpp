/// The driver on the emulated GPU: rows with their occupancy, refusals in words, guards that see what a
/// kernel on the GPU leaves undone.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu_scan.hpp"
#include "bench/multi_gpu.hpp"
#include "bench/problems.hpp"
#include "bench/published/catalogue.hpp"
#include "bench/shapes.hpp"
#include "bench/verify.hpp"
#include "broken.hpp"

#include <pleiad/error.hpp>

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::bench;

namespace {

constexpr TimingRules brief{.budget_seconds = 0, .quiet = 1, .least_samples = 2, .sample_seconds = 1e-9};

Report scan_of(const DirectKernel* kernel, std::vector<LaunchShape> shapes = {}) {
  const DirectKernel* const kernels[] = {kernel};
  return gpu_scan({.kernels = kernels,
                   .sizes = {96},
                   .precisions = {Precision::f32},
                   .masses = {},
                   .shapes = std::move(shapes),
                   .rules = brief},
                  [](const std::string&) {});
}

}  // namespace

TEST(GpuBench, HasARowWithErrorsAndOccupancy) {
  const auto report = scan_of(all_cuda_kernels()[1], {{.threads_per_block = 64}});
  const auto rows = nlohmann::json::parse(to_json(report.table));
  ASSERT_EQ(rows.size(), 1U);
  const auto& row = rows[0];
  EXPECT_EQ(row["kernel"], "cuda/tile");
  EXPECT_EQ(row["device"], "emulated GPU");
  EXPECT_EQ(row["gpus"], 1);
  EXPECT_EQ(row["shape"], "block=64");
  EXPECT_EQ(row["blocks"], 2);
  EXPECT_EQ(row["threads_per_block"], 64);
  EXPECT_EQ(row["shared_bytes"], 64 * 16);
  EXPECT_EQ(row["resident_blocks"], 32);
  EXPECT_EQ(row["waves"], 2.0 / 32);
  EXPECT_GT(row["interactions_per_second"], 0);
  EXPECT_LE(row["error_rms"], 1e-6);
  EXPECT_TRUE(report.plot.has_value());
}
// Two launches bear its name: the one that packs the bodies, which has no shared memory, and its own.
TEST(GpuBench, ShowsHowTheKernelItselfFillsTheGpu) {
  for (const auto* kernel : all_cuda_kernels())
    if (kernel->name == "cuda/arrays") {
      const auto rows = nlohmann::json::parse(to_json(scan_of(kernel, {{.threads_per_block = 64}}).table));
      EXPECT_EQ(rows.at(0)["shared_bytes"], 64 * 16);
      return;
    }
  FAIL() << "no such kernel";
}
// Their forms for equal masses are other loops than those for any: each has its rate and its errors.
TEST(GpuBench, MeasuresKernelsThatComputeAPairOnceWithMassesOfBothKinds) {
  for (const auto* kernel : all_cuda_kernels()) {
    if (kernel->name != "cuda/equal-mass" && kernel->name != "cuda/tile") continue;
    const auto report = scan_of(kernel);
    const auto rows = nlohmann::json::parse(to_json(report.table));
    ASSERT_EQ(rows.size(), kernel->traits.separate_targets ? 1U : 2U);
    EXPECT_EQ(rows[0]["masses"], "equal");
    if (rows.size() == 1) continue;
    EXPECT_EQ(rows[1]["masses"], "any");
    EXPECT_GT(rows[1]["error_rms"], 0);
    EXPECT_LE(rows[1]["error_rms"], 1e-6);
    EXPECT_NE(rows[1]["error_rms"], rows[0]["error_rms"]);
    const auto& series = report.plot->panels.at(0).series;
    ASSERT_EQ(series.size(), 2U);
    EXPECT_EQ(series[1].name, "cuda/equal-mass, any masses");
    EXPECT_TRUE(series[1].dashed);
    EXPECT_EQ(series[1].colour, series[0].colour);
  }
}
// Rung 20 is for bodies in a plane: it is measured there, in the periodic one by a limit of its own.
TEST(GpuBench, MeasuresTheKernelForThePlaneInThePlane) {
  for (const auto* kernel : all_cuda_kernels())
    if (kernel->name == "cuda/periodic-2d") {
      const auto report = scan_of(kernel);
      const auto rows = nlohmann::json::parse(to_json(report.table));
      ASSERT_EQ(rows.size(), 2U);
      EXPECT_EQ(rows[0]["space"], "plane");
      EXPECT_EQ(rows[1]["space"], "periodic plane");
      const auto limit = [&](int row) { return rows[row]["limit_interactions_per_second"].get<double>(); };
      // The clock is measured beside each row: the emulated one has 10 % of noise at most.
      EXPECT_NEAR(limit(0) / limit(1), 22.0 / 10, 0.4);
      for (const auto& row : rows) EXPECT_LE(row["error_rms"], 1e-5);
      EXPECT_TRUE(report.plot->panels.at(0).series.at(1).dashed);
      return;
    }
  FAIL() << "no such kernel";
}
TEST(GpuBench, RefusesABlockOf1025InWords) {
  try {
    scan_of(all_cuda_kernels()[0], {{.threads_per_block = 1025}});
    FAIL() << "accepted";
  } catch (const UsageError& e) {
    EXPECT_EQ(std::string(e.what()),
              "cannot launch 'cuda/naive': 1025 threads per block; the device allows at most 1024");
  }
}
TEST(GpuBench, GivesNoFigureForAKernelThatSkipsATile) {
  for (const auto* kernel : broken_kernels())
    if (kernel->name == "broken/last-tile-skipped") {
      auto priced = *kernel;
      priced.fma_port_operations = {.f32 = 13};
      const auto report = scan_of(&priced);
      EXPECT_TRUE(report.table.rows.empty());
      ASSERT_EQ(report.refused.size(), 1U);
      EXPECT_NE(report.refused[0].find("what rounding explains"), std::string::npos) << report.refused[0];
      return;
    }
  FAIL() << "no such kernel";
}

// What a row of full steps says of its errors comes from here: the pulls of the kernel of the steps itself.
TEST(GpuBench, JudgesThePullsOfEveryKernelOfWholeSteps) {
  Problems problems;
  ASSERT_FALSE(all_cuda_step_kernels().empty());
  for (const auto* kernel : all_cuda_step_kernels())
    for (const auto precision : {Precision::f32, Precision::mixed, Precision::f64})
      if (kernel->has(precision)) {
        auto& problem = problems.get(70, precision);
        problem.poison();
        problem.evaluate(*kernel, kernel->shapes.empty() ? LaunchShape{} : kernel->shapes.front());
        EXPECT_NO_THROW(sound_forces({.precision = precision, .steps = kernel}, problem)) << kernel->name;
      }
}

TEST(Verify, FindsSoundWhatIsAndWrongWhatIsNot) {
  for (const auto* kernel : broken_kernels()) {
    // In one order of the threads a missing second barrier does no harm: that is for other tests.
    if (kernel->name == "broken/no-second-barrier") continue;
    const DirectKernel* const kernels[] = {all_cuda_kernels()[1], kernel};
    const auto report = verify({.kernels = kernels, .precisions = {Precision::f32}, .sizes = {64, 161}},
                               [](const std::string&) {});
    const auto rows = nlohmann::json::parse(to_json(report.table));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["verdict"], "sound") << rows[0].dump();
    EXPECT_EQ(rows[1]["verdict"], "WRONG") << rows[1].dump();
    ASSERT_EQ(report.refused.size(), 1U);
    EXPECT_NE(report.refused[0].find(kernel->name), std::string::npos) << report.refused[0];
  }
}

TEST(Shapes, AreReadAsTheyAreWritten) {
  for (const auto* text : {"default", "block=256", "block=256,stride=32", "bodies=4,threads=2,grid=128"})
    EXPECT_EQ(name_of(shape_named(text)), text);
  EXPECT_EQ(shape_named("stride=32,block=128"), (LaunchShape{.threads_per_block = 128, .source_splits = 32}));
}
TEST(Shapes, AreRefusedInWords) {
  for (const auto* text : {"", "block", "block=", "block=0", "block=-1", "block=1e3", "block=12x", "tiles=3",
                           "block=1,,stride=2", "block=99999999999"})
    EXPECT_THROW(shape_named(text), UsageError) << text;
}

namespace {
const DirectKernel& rung(std::string_view name) {
  for (const auto* kernel : all_cuda_kernels())
    if (kernel->name == name) return *kernel;
  throw UsageError("no such kernel");
}
/// 1e15 slots a second, so that no rate is impossible.
double fast(const FmaKind&, int) { return 1e15; }

MultiGpuRow multi_gpu_row(const DirectKernel& kernel, int gpus, Precision precision, std::size_t n,
                          std::optional<cuda::Exchange> exchange = {}) {
  const Choice choice{.method = {.kernel = &kernel}, .gpus = gpus, .why = "a test"};
  static Problems problems;
  const auto engine = make_engine_on_gpus(problems.bodies(n), problem_gravity, choice, precision, exchange);
  EXPECT_EQ(engine->describe().gpus, choice.gpus);
  return measure_multi_gpu(
      stepper_of(*engine),
      {.kernel = choice.method.kernel, .precision = precision, .shape = choice.method.shape}, choice.gpus,
      problems.bodies(n), problems.get(n, precision), 0, fast);
}
}  // namespace

TEST(MultiGpuBench, HasErrorsAndTheSameBitsForAnyNumberOfGpus) {
  for (const auto* name : {"cuda/mixed-symmetric", "cuda/split-reduced"}) {
    const auto& kernel = rung(name);
    const auto one = multi_gpu_row(kernel, 1, Precision::mixed, 64);
    EXPECT_GT(one.error.rms, 0);
    EXPECT_LE(one.error.rms, 1e-6);
    for (const auto exchange : {cuda::Exchange::direct, cuda::Exchange::copies, cuda::Exchange::host}) {
      const auto three = multi_gpu_row(kernel, 3, Precision::mixed, 64, exchange);
      EXPECT_EQ(three.hash, one.hash) << name;
      EXPECT_EQ(three.error.rms, one.error.rms) << name;
      EXPECT_GT(three.rate, 0);
    }
  }
}
TEST(MultiGpuBench, HasErrorsAndForcesOfVelocityIncrements) {
  Problems problems;
  const auto one = multi_gpu_row(rung("cuda/unroll-by-hand-whole"), 1, Precision::f32, 70);
  for (const int gpus : {1, 3}) {
    const auto stepper = make_increment_stepper(problem_gravity, gpus);
    const auto row = measure_multi_gpu(
        stepper, {.kernel = &rung("cuda/unroll-by-hand-whole"), .precision = Precision::f32}, gpus,
        problems.bodies(70), problems.get(70, Precision::f32), 0, fast);
    EXPECT_GT(row.error.rms, 0) << gpus;
    EXPECT_LE(row.error.rms, 1e-6) << gpus;
    EXPECT_GT(time_forces(stepper, 0).median, 0) << gpus;
    // One GPU adds as the rung does, whose velocities are kicked by halves.
    if (gpus == 1) {
      EXPECT_EQ(row.error.rms, one.error.rms);
    }
  }
}
TEST(MultiGpuBench, EvaluatesForcesWithoutChangingTheSteps) {
  Problems problems;
  const auto& bodies = problems.bodies(64);
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = 1e-3};
  for (const auto* text : {"cuda/tile", "cuda/mixed-symmetric", "cuda/symmetric-steps"})
    for (const int gpus : {1, 2}) {
      Choice choice{.method = {.kernel = &rung("cuda/tile")}, .gpus = gpus, .why = "a test"};
      for (const auto* kernel : all_cuda_kernels())
        if (kernel->name == text) choice.method.kernel = kernel;
      for (const auto* kernel : all_cuda_step_kernels())
        if (kernel->name == text) choice.method.steps = kernel;
      const auto engine = make_engine_on_gpus(bodies, problem_gravity, choice, Precision::mixed);
      const auto state_after = [&](int evaluations) {
        engine->load(bodies);
        engine->advance(plan, 2);
        if (evaluations > 0) stepper_of(*engine).evaluate(std::uint64_t(evaluations));
        engine->advance(plan, 2);
        Bodies b = bodies;
        engine->copy_to_host(b);
        return b;
      };
      EXPECT_TRUE(state_after(3) == state_after(0)) << text << " on " << gpus;
    }
}
/// One that leaves sums unwritten, or forgets a tile, on any of the GPUs.
TEST(MultiGpuBench, GivesNoFigureForWrongForces) {
  for (const auto* kernel : broken_kernels()) {
    if (kernel->name != "broken/last-tile-skipped") continue;
    auto priced = *kernel;
    priced.fma_port_operations = {.f32 = 13};
    EXPECT_THROW(multi_gpu_row(priced, 2, Precision::f32, 161), NumericalError);
    return;
  }
  FAIL() << "no such kernel";
}
TEST(MultiGpuBench, GivesNoFigureForSumsThatNobodyWrites) {
  auto lazy = rung("cuda/tile");
  lazy.f32 = [](const PairProblem<F32>& p, const LaunchShape& shape) {
    auto part = p;
    part.targets = p.targets.first(p.targets.size() - 1), part.sums = p.sums.first(part.targets.size());
    rung("cuda/tile").f32(part, shape);
  };
  EXPECT_THROW(multi_gpu_row(lazy, 2, Precision::f32, 64), NumericalError);
}
