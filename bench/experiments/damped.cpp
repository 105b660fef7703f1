/// The damped system: its scans, and its programs at work.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments/damped.hpp"

#include "bench/gpu.hpp"
#include "bench/multi_gpu.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr double eps = 0.05, dt = 1e-3, damping = 0.95;
const Gravity gravity{.G = 1, .softening = {.eps = eps}, .boundary = {}, .dimension = 3};

StepPlan plan() { return {.integrator = &integrator_named("euler"), .dt = dt, .damping = damping}; }

constexpr const char *naive = "one thread per body", *tiles = "shared tiles",
                     *separate = "one thread per body, separate accelerations",
                     *ordered = "one thread per body, separate accelerations, loads together";

/// The publication's own forms: velocities changed in the kernel of the forces, in blocks of 64, and tiles of
/// 256 with an array of accelerations; the former also with such an array, by rung 1 and by rung 3, which has
/// one thread per body too, and starts its loads in the order in which the compiler has those of the
/// publication's form started: what is left between these two is what the array costs.
DampedProgram naive_in_blocks(int block, std::string table) {
  return {.variant = naive,
          .kernel = fmt::format("cuda/fused-velocity block={}", block),
          .table = std::move(table),
          .block = block};
}
DampedProgram tiles_in_blocks(int block, std::string table) {
  return {.variant = tiles,
          .kernel = fmt::format("cuda/tile block={}", block),
          .table = std::move(table),
          .block = block};
}

DampedScan of_size(std::size_t n, const ExperimentOptions& options) {
  DampedScan scan{.part = "bodies", .n = n, .programs = {}};
  auto& programs = scan.programs;
  if (n <= largest_serial)
    programs.push_back(
        {.variant = "state on the stack", .kernel = "cpu/scalar", .threads = 1, .on_the_stack = true});
  if (!options.kernel) {
    programs.push_back({.variant = separate, .kernel = "cuda/naive block=64"});
    programs.push_back({.variant = ordered, .kernel = "cuda/grid-stride block=64", .base = separate});
    programs.push_back(naive_in_blocks(64, "N scan, naive"));
    programs.back().base = ordered;
    programs.push_back(tiles_in_blocks(256, "N scan, tiles"));
  }
  programs.push_back({.variant = options.kernel ? "asked for" : "Pleiad's choice",
                      .kernel = options.kernel.value_or("auto"),
                      .threads = options.threads});
  return scan;
}

DampedScan of_blocks() {
  DampedScan scan{.part = "block", .n = block_scan_n, .programs = {}};
  for (int block = 8; block <= 1024; block *= 2)
    scan.programs.push_back(naive_in_blocks(block, "block scan, naive"));
  for (int block = 8; block <= 1024; block *= 2) scan.programs.push_back(tiles_in_blocks(block, "tile scan"));
  return scan;
}

/// Flags and expressions, each beside the same with -O3 alone; then kinds of loads.
DampedScan of_variants() {
  DampedScan scan{.part = "variant", .n = block_scan_n, .programs = {}};
  const auto words = [](const cuda::KernelBuild& b, std::string_view build) {
    return fmt::format("{}, {}, {}", b.form, b.expression, build);
  };
  const auto builds = kernel_builds();
  for (const auto* b : builds) {
    DampedProgram program{.variant = words(*b, b->build), .kernel = std::string(b->kernel.name), .build = b};
    if (b->build != builds.front()->build) program.base = words(*b, builds.front()->build);
    if (b->build == "fast math" && b->expression.starts_with("1 /"))
      program.published_gain =
          one_published({.source = "S3", .experiment = "fast math", .kernel = b->form})->value;
    scan.programs.push_back(std::move(program));
  }
  scan.programs.push_back({.variant = "const __restrict__", .kernel = "cuda/naive block=64"});
  for (const auto& [variant, kernel] :
       {std::pair{"no promise", "cuda/plain-loads block=64"}, {"read-only loads", "cuda/read-only block=64"}})
    scan.programs.push_back({.variant = variant, .kernel = kernel, .base = "const __restrict__"});
  return scan;
}

std::unique_ptr<Engine> engine_of(const Bodies& start, const DampedProgram& program) {
  if (program.build != nullptr)
    return make_engine_on_gpus(
        start, gravity, {.method = {.kernel = &program.build->kernel}, .why = "a build"}, Precision::f32, {});
  return make_engine(
      start, gravity,
      {.precision = Precision::f32, .method = force_method_of(program.kernel), .threads = program.threads});
}

/// The times of runs of so many steps, per step.
Timing time_per_step(const std::function<double()>& one_run, std::uint64_t steps, double budget_seconds) {
  auto timing = repeat(one_run, {.budget_seconds = budget_seconds,
                                 .quiet = 0.005,
                                 .least_samples = budget_seconds > 0 ? 3U : 1U,
                                 .sample_seconds = 0});
  for (double* t : {&timing.median, &timing.low_quartile, &timing.high_quartile}) *t /= double(steps);
  return timing;
}

/// The serial loop with all its state in arrays on the stack, as the publication's variant has it.
DampedOutcome run_on_the_stack(const Bodies& start, std::uint64_t steps, double budget_seconds) {
  std::array<Mass<float>, largest_serial> x;
  std::array<Vec4<float>, largest_serial> v, sums;
  const auto& kernel = direct_kernel("cpu/scalar");
  const std::size_t n = start.size();
  const auto one_run = [&] {
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = {float(start.x[i]), float(start.y[i]), float(start.z[i]), float(start.mass[i])};
      v[i] = {float(start.vx[i]), float(start.vy[i]), float(start.vz[i]), 0};
    }
    const std::span<const Mass<float>> bodies(x.data(), n);
    return seconds_of([&] {
      for (std::uint64_t s = 0; s < steps; ++s) {
        kernel.f32({.targets = bodies,
                    .sources = bodies,
                    .sums = std::span(sums.data(), n),
                    .softening = gravity.softening},
                   {});
        for (std::size_t i = 0; i < n; ++i) {
          v[i].x = (v[i].x + float(dt) * sums[i].x) * float(damping), x[i].x += float(dt) * v[i].x;
          v[i].y = (v[i].y + float(dt) * sums[i].y) * float(damping), x[i].y += float(dt) * v[i].y;
          v[i].z = (v[i].z + float(dt) * sums[i].z) * float(damping), x[i].z += float(dt) * v[i].z;
        }
      }
    });
  };
  const auto step = time_per_step(one_run, steps, budget_seconds);
  DampedOutcome outcome{start, {.kernel = &kernel, .precision = Precision::f32, .threads = 1}, step};
  for (std::size_t i = 0; i < n; ++i)
    outcome.bodies.x[i] = x[i].x, outcome.bodies.y[i] = x[i].y, outcome.bodies.z[i] = x[i].z;
  return outcome;
}

}  // namespace

DampedProgram serial_program() {
  return {.variant = "serial loop", .kernel = "cpu/scalar", .threads = 1, .table = "CPU scan over N"};
}

std::vector<DampedScan> damped_scans(const ExperimentOptions& options) {
  auto sizes = options.sizes;
  if (sizes.empty()) sizes = {256, 512, 1024, 2048, 4096, 8192, 12800, 16384, 25600, 32768};
  std::vector<DampedScan> scans;
  for (const auto n : sizes) scans.push_back(of_size(n, options));
  if (options.sizes.empty() && !options.kernel) {
    scans.push_back(of_blocks());
    scans.push_back(of_variants());
  }
  return scans;
}

const Published* published_of(const DampedProgram& program, std::size_t n) {
  if (program.table.empty()) return nullptr;
  return one_published({.source = "S3", .experiment = program.table, .n = n, .block = program.block});
}

Bodies damped_bodies(std::size_t n) {
  const std::string settings[] = {fmt::format("n={}", n), "total_mass=1"};
  return make_model("uniform-box", settings, 1).bodies;
}

DampedOutcome run_damped(const Bodies& start, const DampedProgram& program, std::uint64_t steps,
                         double budget_seconds) {
  if (program.on_the_stack) return run_on_the_stack(start, steps, budget_seconds);
  const auto engine = engine_of(start, program);
  engine->advance(plan(), 1);  // threads, caches and clock wake up
  const auto one_run = [&] {
    engine->load(start);
    return seconds_of([&] { engine->advance(plan(), steps); });
  };
  const auto step = time_per_step(one_run, steps, budget_seconds);
  const auto what = program.build != nullptr
                        ? Case{.kernel = &program.build->kernel, .precision = Precision::f32}
                        : case_of(engine->describe(), Precision::f32);
  DampedOutcome outcome{start, what, step};
  engine->copy_to_host(outcome.bodies);
  return outcome;
}

std::uint64_t affordable_steps(const Bodies& start, const DampedProgram& program, std::uint64_t most,
                               double seconds) {
  const auto engine = engine_of(start, program);
  engine->advance(plan(), 1);
  const double once = seconds_of([&] { engine->advance(plan(), 1); });
  return std::clamp<std::uint64_t>(std::uint64_t(seconds / once), 2, std::max<std::uint64_t>(most, 2));
}

double fastest_step(const Bodies& start, const DampedProgram& program, double budget_seconds) {
  const auto engine = engine_of(start, program);
  engine->advance(plan(), 1);
  double fastest = std::numeric_limits<double>::max();
  for (double spent = 0, k = 0; k < 3 || spent < budget_seconds; ++k) {
    const double seconds = seconds_of([&] { engine->advance(plan(), 1); });
    fastest = std::min(fastest, seconds), spent += seconds;
  }
  return fastest;
}

}  // namespace pleiad::bench
