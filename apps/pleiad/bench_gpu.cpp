/// `pleiad bench gpu` and `pleiad bench --cuda-samples`: the rungs on the GPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/cuda_samples.hpp"
#include "bench/gpu_scan.hpp"
#include "bench/shapes.hpp"
#include "bench_arguments.hpp"
#include "core/print.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace pleiad::app {

namespace {

Masses masses_named(std::string_view name) {
  constexpr std::array all{Masses::equal, Masses::any};
  constexpr std::array names{name_of(all[0]), name_of(all[1])};
  for (const auto masses : all)
    if (name == name_of(masses)) return masses;
  throw UsageError(
      fmt::format("--masses: no '{}'; there are equal and any{}", name, did_you_mean(name, names)));
}

}  // namespace

void add_gpu_options(Command gpu, BenchArguments& a) {
  gpu.add_option("--shape", a.shapes,
                 "launch shapes such as block=256,stride=32 (fields: block, bodies, threads, stride, grid), "
                 "or all: those that each kernel lists");
  gpu.add_option("--masses", a.masses,
                 "equal or any (0.5 to 1.5 times these); default: equal, and also any for kernels that "
                 "compute each pair once");
  gpu.footer(
      "Example: pleiad bench gpu --kernel cuda/tile cuda/split-reduced -n 65536 --precision f32 --shape "
      "block=128 --json tile.json");
}

void run_gpu(const BenchArguments& a) {
  (void)bench::this_gpu();  // without one, that is the reason, before any other
  const auto kernels = kernels_of(a, Device::cuda);
  bench::GpuScanOptions options{.kernels = kernels,
                                .sizes = a.sizes,
                                .precisions = precisions_of(a),
                                .masses = {},
                                .shapes = {},
                                .all_shapes = false,
                                .rules = {.budget_seconds = 0.25}};
  for (const auto& masses : a.masses) options.masses.push_back(masses_named(masses));
  for (const auto& shape : a.shapes)
    if (shape == "all") options.all_shapes = true;
    else options.shapes.push_back(bench::shape_named(shape));
  if (options.all_shapes && !options.shapes.empty())
    throw UsageError("--shape all: no other shape goes with it");
  if (a.quick) options.rules = {.budget_seconds = 0.03, .quiet = 0.01, .least_samples = 3};
  publish_measured(a, [&](const bench::Progress& told) { return bench::gpu_scan(options, told); });
}

void run_cuda_samples(const BenchArguments& a) {
  bench::SampleOptions options;
  options.n = only<std::size_t>(a.sizes, "-n", options.n);
  options.engine.precision = only(precisions_of(a), "--precision", Precision::f32);
  options.engine.method = force_method_of(only<std::string>(a.kernels, "--kernel", "auto"));
  if (a.steps > 0) options.iterations = a.steps;
  write_out(bench::cuda_samples_lines(options));
}

}  // namespace pleiad::app
