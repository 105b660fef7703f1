/// Block stride: several blocks share one block of targets and each takes every so-many-th page of sources; a
/// scan of block sizes without it, then block x stride, N = 4096.
///
/// The account's program never looked at the launch's error: at 1025 threads per block it printed 784 billion
/// interactions per second for a kernel that had not run. Here that row has the reason and no figure.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments/gpu_points.hpp"
#include "bench/shapes.hpp"

#include <optional>
#include <vector>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

constexpr int basic_blocks[] = {1,   2,   3,   4,   8,   16,  30,  31,  32,  33,  64,   65,   96,  127,
                                128, 129, 192, 256, 384, 512, 640, 768, 896, 992, 1023, 1024, 1025};
constexpr int blocks[] = {32, 64, 128, 256, 512, 1024};
constexpr int strides[] = {1, 2, 4, 8, 16, 32, 64};

Report run(const ExperimentOptions& options, const Progress& progress) {
  auto sizes = options.sizes;
  if (sizes.empty()) sizes = {4096};
  GpuPoints what{.points = {}, .published = {"published_g_per_second", "A100 G/s", "{:.4g}"}};
  const auto add = [&](const char* variant, const char* kernel, LaunchShape shape, std::size_t n,
                       double published) {
    what.points.push_back(
        {.variant = variant,
         .kernel = kernel,
         .shape = shape,
         .n = n,
         .published = published > 0 && n == 4096 ? std::optional(published) : std::nullopt});
  };
  for (const auto n : sizes) {
    if (n <= 16384) add("serial", "cpu/scalar", {}, n, 0.081);
    add("unified memory", "cuda/managed", {.threads_per_block = 128}, n, 0);
    for (const int block : basic_blocks)
      add("basic", "cuda/naive", {.threads_per_block = block}, n, block == 128 ? 32.3 : 0);
    for (const int block : blocks)
      for (const int stride : strides)
        add("shared, stride", "cuda/split-atomics", {.threads_per_block = block, .source_splits = stride}, n,
            stride == 4 && block == 128    ? 197
            : stride == 32 && block == 128 ? 256.5
                                           : 0);
  }
  return measure_points(what, options, progress);
}

/// Rate against the block for the basic kernel, and for the split one against the stride, a line per block.
std::optional<Plot> draw(const Table& table) {
  Plot plot{.title = "Block and stride, N = 4096",
            .x_label = "",
            .y_label = "10^9 interactions per second",
            .panels = {{.title = "one thread per body", .x_label = "threads per block"},
                       {.title = "several blocks per block of bodies",
                        .x_label = "blocks that share the sources (stride)"}}};
  for (const auto& row : table.rows) {
    const double rate = 1e-9 * number(table, row, "interactions_per_second");
    const auto shape = shape_named(text(table, row, "shape").empty() ? "default" : text(table, row, "shape"));
    if (!(rate > 0) || shape.threads_per_block == 0) continue;
    if (shape.source_splits == 0)
      plot.panels[0].add(text(table, row, "kernel"), shape.threads_per_block, rate);
    else
      plot.panels[1].add(fmt::format("{} threads per block", shape.threads_per_block), shape.source_splits,
                         rate);
  }
  std::erase_if(plot.panels, [](const Panel& panel) { return panel.series.empty(); });
  return plot.panels.empty() ? std::nullopt : std::optional(plot);
}

}  // namespace

extern constinit const Experiment block_stride;
constinit const Experiment block_stride{
    .name = "block-stride",
    .idea = "block sizes of the basic kernel, then blocks x strides of the split one, N = 4096",
    .published =
        "an A100: serial 0.081, basic 32.3, stride 4 197, best 256.5 billion interactions per second "
        "(block 128, stride 32); at block 1025 its program printed 784 for a launch that had failed",
    .run = run,
    .draw = draw};

}  // namespace pleiad::bench
