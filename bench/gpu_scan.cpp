/// The scan on a GPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu_scan.hpp"

#include "bench/columns.hpp"
#include "bench/problems.hpp"
#include "bench/shapes.hpp"
#include "bench/stop.hpp"

#include <pleiad/error.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr std::size_t gpu_sizes[] = {4096, 16384, 65536, 262144};

std::vector<Masses> masses_for(const DirectKernel& kernel, const std::vector<Masses>& asked) {
  if (!asked.empty()) return asked;
  if (kernel.traits.separate_targets) return {Masses::equal};
  return {Masses::equal, Masses::any};
}

/// Every case of one kernel in one precision.
void scan_kernel(const DirectKernel& kernel, Precision precision, const GpuScanOptions& options,
                 const std::vector<std::size_t>& sizes, Problems& problems, const Progress& progress,
                 std::vector<Row>& rows, Report& report) {
  auto shapes = options.shapes;
  if (options.all_shapes) shapes.assign(kernel.shapes.begin(), kernel.shapes.end());
  if (shapes.empty()) shapes = {LaunchShape{}};
  for (const auto masses : masses_for(kernel, options.masses))
    for (const auto& shape : shapes)
      for (const auto space : spaces_of(kernel, precision))
        for (const auto n : sizes) {
          progress(
              fmt::format("{} {} {} N = {}", kernel.name, pleiad::name_of(precision), name_of(shape), n));
          try {
            const Case what{
                .kernel = &kernel, .precision = precision, .threads = 1, .shape = shape, .space = space};
            auto& problem = space == Space::open
                                ? problems.get(n, precision, masses)
                                : problems.square(n, precision, space == Space::periodic_plane);
            rows.push_back(measure(what, problem, options.rules));
            if (precision == Precision::mixed)
              rows.back().disc = measure_disc(what, problems.disc(n, precision), options.rules);
          } catch (const NumericalError& error) {
            report.refused.emplace_back(error.what());
          }
        }
}

}  // namespace

Report gpu_scan(const GpuScanOptions& options, const Progress& progress) {
  const Place place = place_of(Device::cuda);
  auto sizes = options.sizes;
  if (sizes.empty()) sizes.assign(std::begin(gpu_sizes), std::end(gpu_sizes));
  std::sort(sizes.begin(), sizes.end());
  auto precisions = options.precisions;
  if (precisions.empty()) precisions = {Precision::f32, Precision::mixed, Precision::f64};

  Report report{.heading = {}, .notes = {}, .table = evaluations(), .plot = {}, .refused = {}};
  Problems problems;
  std::vector<Row> rows;
  until_stopped(report, [&] {
    for (const auto* kernel : options.kernels)
      for (const auto precision : precisions)
        if (kernel->has(precision))
          scan_kernel(*kernel, precision, options, sizes, problems, progress, rows, report);
  });
  if (rows.empty() && report.refused.empty() && report.stopped.empty())
    throw UsageError(
        "nothing to measure: no requested kernel has the requested precision (see pleiad bench --list)");
  for (const auto& row : rows) report.table.rows.push_back(cells_of(row, place));
  report.heading = {heading_of(place), problem_in_words()};
  report.notes.push_back(
      "masses: equal, or any: 0.5 to 1.5 times these; limit: multiprocessors x lanes x the clock measured "
      "with each row, divided by the instruction slots of "
      "the "
      "kernel's formulation; evaluations longer than 0.1 ms start with a cold L2 cache");
  report.plot = plot_of_evaluations(report.table);
  return report;
}

}  // namespace pleiad::bench
