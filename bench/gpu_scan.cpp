/// The scan on a GPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu_scan.hpp"

#include "bench/columns.hpp"
#include "bench/problems.hpp"
#include "bench/shapes.hpp"

#include <pleiad/error.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr std::size_t default_sizes[] = {4096, 16384, 65536, 262144};

}  // namespace

Report gpu_scan(const GpuScanOptions& options, const Progress& progress) {
  const Place place = place_of(Device::cuda);
  auto sizes = options.sizes;
  if (sizes.empty()) sizes.assign(std::begin(default_sizes), std::end(default_sizes));
  std::sort(sizes.begin(), sizes.end());
  auto precisions = options.precisions;
  if (precisions.empty()) precisions = {Precision::f32, Precision::mixed, Precision::f64};

  Report report{.heading = {}, .notes = {}, .table = evaluations(), .plot = {}, .refused = {}};
  Problems problems;
  std::vector<Row> rows;
  // By size, so that the bodies and the reference of one size serve all kernels and can then go.
  for (const auto* kernel : options.kernels)
    for (const auto precision : precisions) {
      if (!kernel->has(precision)) continue;
      auto shapes = options.shapes;
      if (options.all_shapes) shapes.assign(kernel->shapes.begin(), kernel->shapes.end());
      if (shapes.empty()) shapes = {LaunchShape{}};
      for (const auto& shape : shapes)
        for (const auto n : sizes) {
          progress(
              fmt::format("{} {} {} N = {}", kernel->name, pleiad::name_of(precision), name_of(shape), n));
          try {
            rows.push_back(measure({.kernel = kernel, .precision = precision, .threads = 1, .shape = shape},
                                   problems.get(n, precision), options.rules));
          } catch (const NumericalError& error) {
            report.refused.emplace_back(error.what());
          }
        }
    }
  if (rows.empty() && report.refused.empty())
    throw UsageError(
        "nothing to measure: no kernel asked for has the precision asked for (see pleiad bench --list)");
  for (const auto& row : rows) report.table.rows.push_back(cells_of(row, place));
  report.heading = {heading_of(place), problem_in_words()};
  report.notes.push_back(
      "limit: multiprocessors x lanes x the clock measured beside each row, over the instruction slots of "
      "the "
      "kernel's formulation; evaluations longer than 0.1 ms start with a cold L2 cache");
  report.plot = plot_of_evaluations(report.table);
  return report;
}

}  // namespace pleiad::bench
