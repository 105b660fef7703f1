/// Block stride: several blocks share one block of targets and each takes every so-many-th page of sources; a
/// scan of block sizes without it, then block x stride, N = 4096.
///
/// The publication's program never looked at the launch's error: at 1025 threads per block it printed 784
/// billion interactions per second for a kernel that had not run. Here that row has the reason and no figure.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments/gpu_points.hpp"
#include "bench/published.hpp"
#include "bench/shapes.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr std::size_t published_n = 4096;
constexpr int basic_blocks[] = {1,   2,   3,   4,   8,   16,  30,  31,  32,  33,  64,   65,   96,  127,
                                128, 129, 192, 256, 384, 512, 640, 768, 896, 992, 1023, 1024, 1025};
constexpr int blocks[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
constexpr int strides[] = {1, 2, 4, 8, 16, 32, 64, 128};
constexpr std::string_view basic = "block scan, basic", strided = "block x stride";

Column published_column() { return {"published_g_per_second", "A100 G/s", "{:.4g}"}; }
Table columns() { return points_table(published_column()); }

/// What the publication has for this block, and with a stride for this pair of them; null when it has
/// nothing.
const Published* published_for(std::size_t n, int block, int stride) {
  if (n != published_n) return nullptr;
  const auto other = stride > 0 ? fmt::format("stride {}", stride) : std::string();
  return one_published(
      {.source = "S4", .experiment = stride > 0 ? strided : basic, .n = n, .block = block, .other = other});
}

Report run(const ExperimentOptions& options, const Progress& progress) {
  auto sizes = options.sizes;
  if (sizes.empty()) sizes = {published_n};
  GpuPoints what{.points = {}, .published = published_column()};
  const auto add = [&](const char* variant, const char* kernel, LaunchShape shape, std::size_t n,
                       const Published* source) {
    what.points.push_back({.variant = variant,
                           .kernel = kernel,
                           .shape = shape,
                           .n = n,
                           .published = source != nullptr ? std::optional(source->value) : std::nullopt,
                           .published_on = source != nullptr ? source->hardware : ""});
  };
  for (const auto n : sizes) {
    if (n <= 16384)
      add("serial", "cpu/scalar", {}, n,
          n == published_n ? one_published({.source = "S4", .experiment = "serial"}) : nullptr);
    add("unified memory", "cuda/managed", {.threads_per_block = 128}, n, nullptr);
    for (const int block : basic_blocks)
      add("basic", "cuda/naive", {.threads_per_block = block}, n, published_for(n, block, 0));
    for (const int block : blocks)
      for (const int stride : strides)
        add("shared, stride", "cuda/split-atomics", {.threads_per_block = block, .source_splits = stride}, n,
            published_for(n, block, stride));
  }
  return measure_points(what, options, progress);
}

/// The number in "stride 32".
int stride_in(std::string_view other) {
  int stride = 0;
  other.remove_prefix(std::min(other.size(), std::string_view("stride ").size()));
  std::from_chars(other.data(), other.data() + other.size(), stride);
  return stride;
}

/// The publication's points beside ours: those of launches that ran.
void add_published(Plot& plot) {
  for (const auto* p : published({.source = "S4", .experiment = basic}))
    if (p->block != 1025) plot.panels[0].add("A100 (published)", p->block, p->value);
  for (const auto* p : published({.source = "S4", .experiment = strided})) {
    const int stride = stride_in(p->other);
    if (p->block == 128) plot.panels[1].add("A100, 128 (published)", stride, p->value);
    if (stride == 4) plot.panels[2].add("A100, stride 4 (published)", p->block, p->value);
  }
  for (auto& panel : plot.panels) panel.series.back().dashed = true;
}

/// Rate against the block for the basic kernel; for the split one against the stride, a line per block, and
/// against the block, a line for some strides.
std::optional<Plot> draw(const Table& table) {
  Plot plot{.title = "Block and stride, N = 4096",
            .x_label = "",
            .y_label = "10^9 interactions per second",
            .panels = {{.title = "one thread per body", .x_label = "threads per block"},
                       {.title = "several blocks per block of bodies",
                        .x_label = "blocks that share the sources (stride)"},
                       {.title = "the same against the block", .x_label = "threads per block"}}};
  bool measured = false;
  for (const auto& row : table.rows) {
    const double rate = 1e-9 * number(table, row, "interactions_per_second");
    const auto shape = shape_named(text(table, row, "shape").empty() ? "default" : text(table, row, "shape"));
    const int block = shape.threads_per_block, stride = shape.source_splits;
    if (!(rate > 0) || block == 0) continue;
    measured = true;
    if (stride == 0) plot.panels[0].add(text(table, row, "kernel"), block, rate);
    else plot.panels[1].add(fmt::format("{} threads per block", block), stride, rate);
    if (stride == 4 || stride == 32 || stride == 128)
      plot.panels[2].add(fmt::format("stride {}", stride), block, rate);
  }
  if (!measured) return {};
  add_published(plot);
  return plot;
}

}  // namespace

extern constinit const Experiment block_stride;
constinit const Experiment block_stride{
    .name = "block-stride",
    .idea = "block sizes of the basic kernel, then blocks x strides of the kernel with split sums, N = 4096",
    .published =
        "an A100: serial 0.081, basic at most 33.852 (block 31; 32.320 at block 32, 32.981 at 128), stride 4 "
        "197.147 at block 128, best 256.532 (block 128, stride 32) billion interactions per second; at block "
        "1025 its program printed 783.982 for a failed launch; the 1434 times over serial that it "
        "states are 197.147 / 0.081 = 2434",
    .run = run,
    .draw = draw,
    .columns = columns,
    .read_on = "docs/block-stride.md; docs/published-benchmarks.md, S4"};

}  // namespace pleiad::bench
