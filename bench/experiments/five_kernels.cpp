/// Five kernels and their launch shapes at N = 16384: block sizes for the plain ones, grids x blocks for
/// those that walk over the targets in strides.
///
/// The account computes forces, G m_i m_j, from arrays of m, x, y and z; its best times are for a K20c.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments/gpu_points.hpp"
#include "bench/shapes.hpp"

#include <optional>
#include <vector>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr int blocks[] = {32, 64, 128, 256, 512, 1024};
constexpr int grids[] = {4, 8, 16, 32, 64, 128, 256, 512};
constexpr int strided_blocks[] = {32, 64, 128, 256, 512};

struct Kernel {
  const char* variant;
  const char* name;
  bool strided;
  double best_ms;
};
constexpr Kernel kernels[] = {{"naive", "cuda/naive", false, 10.07},
                              {"shared memory", "cuda/tile", false, 7.04},
                              {"grid stride", "cuda/grid-stride", true, 11.14},
                              {"grid stride, shared memory", "cuda/grid-stride-tile", true, 7.20},
                              {"grid stride, shuffles", "cuda/shuffle", true, 6.84}};

Column published_column() { return {"published_best_ms", "K20c best ms", "{:.2f}"}; }
Table columns() { return points_table(published_column()); }

Report run(const ExperimentOptions& options, const Progress& progress) {
  auto sizes = options.sizes;
  if (sizes.empty()) sizes = {16384};
  GpuPoints what{.points = {}, .published = published_column()};
  const auto add = [&](const Kernel& k, LaunchShape shape, std::size_t n) {
    what.points.push_back({.variant = k.variant,
                           .kernel = k.name,
                           .shape = shape,
                           .n = n,
                           .published = n == 16384 ? std::optional(k.best_ms) : std::nullopt});
  };
  for (const auto n : sizes)
    for (const auto& k : kernels)
      if (k.strided)
        for (const int grid : grids)
          for (const int block : strided_blocks) add(k, {.threads_per_block = block, .blocks = grid}, n);
      else
        for (const int block : blocks) add(k, {.threads_per_block = block}, n);
  auto report = measure_points(what, options, progress);

  for (const auto& k : kernels) {
    const std::vector<Cell>* best = nullptr;
    for (const auto& row : report.table.rows)
      if (text(report.table, row, "kernel") == k.name &&
          (best == nullptr || number(report.table, row, "ms") < number(report.table, *best, "ms")))
        best = &row;
    if (best != nullptr)
      report.notes.push_back(fmt::format("best {}: {:.4g} ms with {} (published {:.2f} ms)", k.name,
                                         number(report.table, *best, "ms"),
                                         text(report.table, *best, "shape"), k.best_ms));
  }
  return report;
}

/// Time against the block for the plain kernels, and against the grid, a line per block, for each of the
/// others.
std::optional<Plot> draw(const Table& table) {
  Plot plot{.title = "Five kernels and their launch shapes",
            .x_label = "",
            .y_label = "milliseconds",
            .panels = {}};
  plot.panels.push_back({.title = "one thread per body", .x_label = "threads per block"});
  for (const auto& k : kernels) {
    if (k.strided) plot.panels.push_back({.title = k.name, .x_label = "blocks in the grid"});
    for (const auto& row : table.rows) {
      const double ms = number(table, row, "ms");
      if (text(table, row, "kernel") != k.name || !(ms > 0)) continue;
      const auto shape = shape_named(text(table, row, "shape"));
      if (k.strided)
        plot.panels.back().add(fmt::format("{} threads per block", shape.threads_per_block), shape.blocks,
                               ms);
      else plot.panels.front().add(k.name, shape.threads_per_block, ms);
    }
  }
  std::erase_if(plot.panels, [](const Panel& panel) { return panel.series.empty(); });
  return plot.panels.empty() ? std::nullopt : std::optional(plot);
}

}  // namespace

extern constinit const Experiment five_kernels;
constinit const Experiment five_kernels{
    .name = "five-kernels",
    .idea = "five kernels over block sizes and over grids x blocks, N = 16384",
    .published =
        "best times on a Tesla K20c: 10.07, 7.04, 11.14, 7.20 and 6.84 ms (shuffles, grid 128, block 128)",
    .run = run,
    .draw = draw,
    .columns = columns,
    .read_on = "docs/accounts.md, S2"};

}  // namespace pleiad::bench
