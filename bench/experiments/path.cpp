/// The optimisation path: a serial loop, then one idea after another on the GPU, then several GPUs, for a
/// small and a large number of bodies. Each row has the rate of forces alone and that of whole leapfrog
/// steps.
///
/// The publication gives rates without a unit for halves of a Tesla K80; billions of interactions per second
/// fit that hardware. Its unrolling is by 32, by hand by two with the reads reordered; its PTX is fma.rn.f32
/// with the softening as first addend. On several GPUs each sums the pulls on its part of the bodies by the
/// PTX rung and moves them, and every step all get the new positions, through the host, by copies between the
/// GPUs, or as each GPU writes them into the memory of the others. In the publication's last way each sums
/// the pulls of its part of the bodies on all, and adds velocity increments into the memory of the others.
/// Pleiad's own rows on several GPUs are on at most so many as they say.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments/gpu_points.hpp"
#include "bench/published.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

using cuda::Exchange;

struct Variant {
  const char* name;
  const char* kernel;
  std::string_view published{};  ///< the publication's own words; empty: it has no such variant
  int gpus = 1;
  std::optional<Exchange> exchange{};
  bool increments = false;
};
constexpr Variant variants[] = {
    {"serial loop on the CPU", "cpu/scalar"},
    {"naive", "cuda/naive", "naive parallel"},
    {"tiles in shared memory", "cuda/tile", "tiles of one block"},
    {"unrolled 32 times", "cuda/unroll", "unrolled (pragma 32)"},
    {"unrolled by hand, with tests", "cuda/unroll-by-hand"},
    {"unrolled by hand", "cuda/unroll-by-hand-whole", "unrolled by hand by 2"},
    {"PTX, with tests", "cuda/ptx"},
    {"PTX", "cuda/ptx-whole", "PTX fma"},
    {"several threads per body", "cuda/threads-per-body"},
    {"two GPUs", "cuda/ptx-whole", "two GPUs, copies through the host", 2, Exchange::host},
    {"two GPUs, peer copies", "cuda/ptx-whole", "two GPUs, peer copies", 2, Exchange::copies},
    {"two GPUs, peer access", "cuda/ptx-whole", "two GPUs, direct peer access", 2, Exchange::direct},
    {"two GPUs, increments", "cuda/unroll-by-hand-whole", "two GPUs, direct peer access", 2, {}, true},
    {"four GPUs", "cuda/ptx-whole", "four GPUs", 4, Exchange::direct},
    {"four GPUs, increments", "cuda/unroll-by-hand-whole", "four GPUs", 4, {}, true},
    {"Pleiad: targets in registers", "cuda/targets-in-registers"},
    {"Pleiad: split and reduced", "cuda/split-reduced"},
    {"Pleiad: symmetric pairs", "cuda/symmetric-fixed-point"},
    {"Pleiad: scaled sources", "cuda/scaled-source"},
    {"Pleiad, one GPU", "auto"},
    {"Pleiad, two GPUs", "auto", {}, 2},
    {"Pleiad, four GPUs", "auto", {}, 4}};

Column published_column() { return {"published_g_per_second", "K80 G/s", "{:.4g}"}; }
Table columns() { return points_table(published_column()); }

/// Of full steps; of forces where a row was measured without them.
double rate_of(const Table& table, const std::vector<Cell>& row) {
  const double steps = number(table, row, "step_interactions_per_second");
  return 1e-9 * (steps > 0 ? steps : number(table, row, "interactions_per_second"));
}

/// The stages along x; a line for each number of bodies, measured, and dashed as published.
/// A line over two stages or more that have no figure would suggest some.
void break_lines(Series& series) {
  for (std::size_t k = 1; k < series.points.size(); ++k)
    if (series.points[k][0] - series.points[k - 1][0] > 2)
      series.points.insert(series.points.begin() + static_cast<std::ptrdiff_t>(k++), {NAN, NAN});
}

std::optional<Plot> draw(const Table& table) {
  Plot plot{.title = "The optimisation path, stage by stage",
            .x_label = "",
            .y_label = "10^9 interactions per second",
            .panels = {{.title = ""}}};
  auto& panel = plot.panels[0];
  std::string device = "measured";
  for (const auto& row : table.rows) {
    if (number(table, row, "gpus") > 0) device = text(table, row, "device");
    if (rate_of(table, row) > 0 || number(table, row, "published_g_per_second") > 0)
      plot.category(text(table, row, "variant"));
  }
  for (const bool published : {false, true})
    for (const auto& row : table.rows) {
      const double rate = published ? number(table, row, "published_g_per_second") : rate_of(table, row);
      if (!(rate > 0)) continue;
      const auto n = number(table, row, "n");
      panel.add(fmt::format("N = {:.0f}, {}", n, published ? "Tesla K80" : device),
                plot.category(text(table, row, "variant")), rate);
    }
  if (panel.series.empty()) return {};
  std::vector<std::string> sizes;
  for (auto& series : panel.series) {
    const auto n = series.name.substr(0, series.name.find(','));
    auto at = std::find(sizes.begin(), sizes.end(), n);
    if (at == sizes.end()) at = sizes.insert(at, n);
    series.colour = int(at - sizes.begin()) + 4;
    series.dashed = series.name.ends_with("K80");
    std::sort(series.points.begin(), series.points.end());
    break_lines(series);
  }
  return plot;
}

Report run(const ExperimentOptions& options, const Progress& progress) {
  constexpr std::size_t small = 4096, large = 131072;
  auto sizes = options.sizes;
  if (sizes.empty()) sizes = {small, large};
  GpuPoints what{.points = {}, .published = published_column()};
  for (const auto& v : variants)
    for (const auto n : sizes) {
      if (!of_gpu(v.kernel) && n > 16384) continue;  // minutes, and nothing new
      const auto* published =
          v.published.empty() ? nullptr : one_published({.source = "S1", .kernel = v.published, .n = n});
      what.points.push_back({.variant = v.name,
                             .kernel = v.kernel,
                             .shape = {},
                             .n = n,
                             .published = published ? std::optional(published->value) : std::nullopt,
                             .published_on = published ? published->hardware : "",
                             .gpus = v.gpus,
                             .exchange = v.exchange,
                             .increments = v.increments});
    }
  return measure_points(what, options, progress);
}

}  // namespace

extern constinit const Experiment path;
constinit const Experiment path{
    .name = "path",
    .idea = "the optimisation path from a serial loop to PTX and several GPUs, N = 4096 and 131072",
    .published =
        "one half of a Tesla K80 per GPU, without a unit, taken as billions of interactions per second",
    .run = run,
    .draw = draw,
    .columns = columns,
    .read_on = "docs/published-benchmarks.md, S1; docs/ladder/14-several-gpus.md"};

}  // namespace pleiad::bench
