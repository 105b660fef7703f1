/// Five kernels and their launch shapes at N = 16384, as their publication writes them: forces G m_i m_j in
/// SI units of bodies in arrays of m, x, y and z; beside each the same kernel with accelerations and four
/// floats per body, so that the difference of the two formulations is a figure.
///
/// The shapes are those of the publication's own scan. It prints three of them under other names: blocks of
/// 512 as "1024", and grids of 512 blocks of 32 as "256, 32" and "128, 32" too.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments/gpu_points.hpp"
#include "bench/published.hpp"
#include "bench/shapes.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr std::size_t published_n = 16384;
constexpr int blocks[] = {1024, 512, 256, 128, 64, 32};
/// (blocks in the grid, threads per block)
constexpr int grids[][2] = {{16, 512},  {8, 512},  {4, 512},  {32, 512}, {64, 256}, {32, 256}, {16, 256},
                            {128, 128}, {64, 128}, {32, 128}, {256, 64}, {128, 64}, {64, 64},  {512, 32}};

struct Kernel {
  const char* variant;  ///< in published.csv
  const char* forces;   ///< as the publication writes it
  const char* float4;   ///< with accelerations and 16-byte loads
  bool strided;
};
constexpr Kernel kernels[] = {
    {"naive", "cuda/naive-forces", "cuda/naive", false},
    {"shared", "cuda/tile-forces", "cuda/tile", false},
    {"tiling (grid-stride)", "cuda/grid-stride-forces", "cuda/grid-stride", true},
    {"tiling + shared", "cuda/grid-stride-tile-forces", "cuda/grid-stride-tile", true},
    {"tiling + shuffle", "cuda/shuffle-forces", "cuda/shuffle", true}};

const Published& best_of(const Kernel& k) { return *one_published({.source = "S2", .kernel = k.variant}); }

/// The publication's best time beside the shape that it was measured in. It does not tell the grid of one:
/// that stands beside the largest grid of its block.
std::optional<double> published_ms(const Kernel& k, LaunchShape shape, std::size_t n) {
  const auto& best = best_of(k);
  const std::string grid = best.other.empty() ? "grid 128" : best.other;
  const bool same = n == best.n && shape.threads_per_block == best.block &&
                    (!k.strided || grid == fmt::format("grid {}", shape.blocks));
  return same ? std::optional(best.value) : std::nullopt;
}

/// What else the publication prints for this shape.
std::string also_printed(bool strided, LaunchShape shape) {
  if (!strided) return shape.threads_per_block == 512 ? "block 1024" : "";
  if (shape.threads_per_block == 512 && shape.blocks <= 16) return "block 1024";
  return shape.threads_per_block == 32 ? "grids 256 and 128" : "";
}

std::vector<LaunchShape> shapes_of(const Kernel& k) {
  std::vector<LaunchShape> shapes;
  if (k.strided)
    for (const auto& [grid, block] : grids) shapes.push_back({.threads_per_block = block, .blocks = grid});
  else
    for (const int block : blocks) shapes.push_back({.threads_per_block = block});
  return shapes;
}

Column published_column() { return {"published_ms", "K20c ms", "{:.2f}"}; }

GpuPoints points_of(std::vector<std::size_t> sizes) {
  GpuPoints what{.points = {}, .published = published_column()};
  for (const auto n : sizes) {
    for (const auto& k : kernels)
      for (const auto& shape : shapes_of(k)) {
        what.points.push_back({.variant = k.variant,
                               .kernel = k.forces,
                               .shape = shape,
                               .n = n,
                               .published = published_ms(k, shape, n),
                               .published_on = best_of(k).hardware});
        what.points.push_back({.variant = k.variant, .kernel = k.float4, .shape = shape, .n = n});
      }
    what.points.push_back({.variant = "serial loop", .kernel = "cpu/scalar", .n = n});
  }
  return what;
}

using Cells = std::vector<Cell>;

const Kernel* kernel_as_written(const Table& table, const Cells& row) {
  const auto name = text(table, row, "kernel");
  const auto* at = std::ranges::find(kernels, name, &Kernel::forces);
  return at == std::end(kernels) ? nullptr : at;
}

/// The time of a force kernel over that of its twin in the same shape.
Cell float4_gain(const Table& table, const Cells& row, const Kernel& k) {
  for (const auto& other : table.rows)
    if (text(table, other, "kernel") == k.float4 &&
        text(table, other, "shape") == text(table, row, "shape") &&
        number(table, other, "n") == number(table, row, "n"))
      if (const double gain = number(table, row, "ms") / number(table, other, "ms"); gain > 0) return gain;
  return {};
}

void add_columns(Table& table) {
  table.columns.push_back({"float4_gain", "float4 gain", "{:.2f}"});
  table.columns.push_back({"also_printed_as", "also printed as"});
}
Table columns() {
  auto table = points_table(published_column());
  add_columns(table);
  return table;
}

/// Two more columns: the gain, and the publication's own words.
void compare_formulations(Table& table) {
  std::vector<Cells> more;
  for (const auto& row : table.rows) {
    const auto* k = kernel_as_written(table, row);
    more.push_back({Cell(), Cell()});
    if (k == nullptr) continue;
    more.back()[0] = float4_gain(table, row, *k);
    if (auto words = also_printed(k->strided, shape_named(text(table, row, "shape"))); !words.empty())
      more.back()[1] = std::move(words);
  }
  add_columns(table);
  for (std::size_t r = 0; r < more.size(); ++r)
    table.rows[r].insert(table.rows[r].end(), more[r].begin(), more[r].end());
}

/// The row of a kernel with the least time, at the publication's number of bodies if it was measured there;
/// null when it has none.
const Cells* fastest(const Table& table, std::string_view kernel) {
  const Cells* best = nullptr;
  const auto before = [&](const Cells& a, const Cells& b) {
    const bool first = number(table, a, "n") == published_n, second = number(table, b, "n") == published_n;
    return first != second ? first : number(table, a, "ms") < number(table, b, "ms");
  };
  for (const auto& row : table.rows)
    if (text(table, row, "kernel") == kernel && number(table, row, "ms") > 0 &&
        (best == nullptr || before(row, *best)))
      best = &row;
  return best;
}

void add_bests(Report& report) {
  for (const auto& k : kernels) {
    const auto *forces = fastest(report.table, k.forces), *float4 = fastest(report.table, k.float4);
    if (forces == nullptr || float4 == nullptr) continue;
    const auto& best = best_of(k);
    const auto in_words = [&](const Cells& row) {
      return fmt::format("{:.4g} ms ({})", number(report.table, row, "ms"), text(report.table, row, "shape"));
    };
    report.notes.push_back(fmt::format(
        "best {} at N = {}: {} as the publication writes it, {} as accelerations of float4; {}: {:.2f} ms "
        "(block {}{}{})",
        k.variant, number(report.table, *forces, "n"), in_words(*forces), in_words(*float4), best.hardware,
        best.value, best.block, best.other.empty() ? "" : ", ", best.other));
  }
  double largest = 0;
  for (const auto& row : report.table.rows)
    if (const double error = number(report.table, row, "error_max"); error > largest) largest = error;
  if (largest > 0)
    report.notes.push_back(fmt::format(
        "the largest relative error of a force in all rows is {:.1e}; the publication accepts 0.001",
        largest));
}

Report run(const ExperimentOptions& options, const Progress& progress) {
  auto report = measure_points(points_of(options.sizes.empty() ? std::vector{published_n} : options.sizes),
                               options, progress);
  compare_formulations(report.table);
  add_bests(report);
  return report;
}

/// The best times of the five in the publication's order: published, as written, and as float4.
Panel bests(const Table& table) {
  Panel panel{.title = "best of each",
              .x_label = "1 naive, 2 shared, 3 stride, 4 stride + shared, 5 stride + shuffle"};
  for (std::size_t k = 0; k < std::size(kernels); ++k) {
    const double place = double(k + 1);
    const auto is_asked = [&](const Cells& row) {
      return text(table, row, "kernel") == kernels[k].forces && number(table, row, "n") == published_n;
    };
    if (std::ranges::none_of(table.rows, is_asked)) continue;
    panel.add("Tesla K20c, published", place, best_of(kernels[k]).value);
    const auto *forces = fastest(table, kernels[k].forces), *float4 = fastest(table, kernels[k].float4);
    if (forces != nullptr) panel.add("as the publication writes it", place, number(table, *forces, "ms"));
    if (float4 != nullptr) panel.add("accelerations of float4", place, number(table, *float4, "ms"));
  }
  return panel;
}

/// Time against the block for the plain kernels, in both formulations; against the grid, a line per block,
/// for each of the others as the publication writes it; and the best of each.
std::optional<Plot> draw(const Table& table) {
  Plot plot{.title = "Five kernels and their launch shapes",
            .x_label = "",
            .y_label = "milliseconds",
            .panels = {{.title = "one thread per body", .x_label = "threads per block"}}};
  for (const auto& k : kernels) {
    if (k.strided) plot.panels.push_back({.title = k.forces, .x_label = "blocks in the grid"});
    for (const auto& row : table.rows) {
      const double ms = number(table, row, "ms");
      const auto name = text(table, row, "kernel");
      if (!(ms > 0) || (name != k.forces && name != k.float4)) continue;
      const auto shape = shape_named(text(table, row, "shape"));
      if (!k.strided) plot.panels.front().add(name, shape.threads_per_block, ms);
      else if (name == k.forces)
        plot.panels.back().add(fmt::format("{} threads per block", shape.threads_per_block), shape.blocks,
                               ms);
    }
  }
  plot.panels.push_back(bests(table));
  std::erase_if(plot.panels, [](const Panel& panel) { return panel.series.empty(); });
  for (auto& panel : plot.panels)
    for (auto& series : panel.series) std::ranges::sort(series.points);
  return plot.panels.empty() ? std::nullopt : std::optional(plot);
}

}  // namespace

extern constinit const Experiment five_kernels;
constinit const Experiment five_kernels{
    .name = "five-kernels",
    .idea =
        "five kernels in the launch shapes of their publication at N = 16384, as published (forces G m_i m_j "
        "of "
        "bodies in arrays) and as accelerations of float4",
    .published =
        "best times on a Tesla K20c: 10.07, 7.04, 11.14, 7.20 and 6.84 ms (shuffles, grid 128, block 128)",
    .run = run,
    .draw = draw,
    .columns = columns,
    .read_on = "docs/published-benchmarks.md, S2"};

}  // namespace pleiad::bench
