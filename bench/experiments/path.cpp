/// The optimisation path: a serial loop, then one idea after another on the GPU, for a small and a large
/// number of bodies.
///
/// The account gives rates without a unit for halves of a Tesla K80; billions of interactions per second fit
/// that hardware. Its unrolling is by 32, by hand by two with the reads reordered; its PTX is fma.rn.f32 with
/// the softening as first addend. Rows with several GPUs are whole steps: each GPU sums the pulls on its part
/// of the bodies by the PTX rung and moves them, and every step all get the new positions, through the host,
/// by copies between the GPUs, or as each GPU writes them into the memory of the others. Pleiad's own rows
/// are whole steps too, on at most so many GPUs as it says.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments/gpu_points.hpp"

#include <algorithm>

namespace pleiad::bench {
namespace {

using cuda::Exchange;

struct Variant {
  const char* name;
  const char* kernel;
  double small, large;  ///< published for N = 4096 and 131072; 0: not given
  int gpus = 0;         ///< whole steps on so many; 0: forces on one
  std::optional<Exchange> exchange{};
};
constexpr Variant variants[] = {{"serial loop on the CPU", "cpu/scalar", 0, 0},
                                {"naive", "cuda/naive", 12, 46},
                                {"tiles in shared memory", "cuda/tile", 25, 69},
                                {"unrolled 32 times", "cuda/unroll", 31, 85},
                                {"unrolled by hand", "cuda/unroll-by-hand", 34.1, 96.5},
                                {"PTX", "cuda/ptx", 34.4, 96.4},
                                {"several threads per body", "cuda/threads-per-body", 0, 0},
                                {"two GPUs", "cuda/ptx", 46, 180, 2, Exchange::host},
                                {"two GPUs, peer copies", "cuda/ptx", 53, 181, 2, Exchange::copies},
                                {"two GPUs, peer access", "cuda/ptx", 57, 180, 2, Exchange::direct},
                                {"four GPUs", "cuda/ptx", 34, 339, 4, Exchange::direct},
                                {"Pleiad: targets in registers", "cuda/targets-in-registers", 0, 0},
                                {"Pleiad: split and reduced", "cuda/split-reduced", 0, 0},
                                {"Pleiad: symmetric pairs", "cuda/symmetric-fixed-point", 0, 0},
                                {"Pleiad: scaled sources", "cuda/scaled-source", 0, 0},
                                {"Pleiad, one GPU", "auto", 0, 0, 1},
                                {"Pleiad, two GPUs", "auto", 0, 0, 2},
                                {"Pleiad, four GPUs", "auto", 0, 0, 4}};

Column published_column() { return {"published_g_per_second", "K80 G/s", "{:.4g}"}; }
Table columns() { return points_table(published_column()); }

std::optional<Plot> draw(const Table& table) {
  Plot plot{.title = "The optimisation path",
            .x_label = "bodies",
            .y_label = "10^9 interactions per second",
            .panels = {{.title = ""}}};
  for (const auto& row : table.rows)
    if (const double rate = number(table, row, "interactions_per_second"); rate > 0)
      plot.panels[0].add(text(table, row, "variant"), number(table, row, "n"), 1e-9 * rate);
  if (plot.panels[0].series.empty()) return {};
  return plot;
}

Report run(const ExperimentOptions& options, const Progress& progress) {
  constexpr std::size_t small = 4096, large = 131072;
  auto sizes = options.sizes;
  if (sizes.empty()) sizes = {small, large};
  GpuPoints what{.points = {}, .published = published_column()};
  for (const auto& v : variants)
    for (const auto n : sizes) {
      if (std::string(v.kernel).starts_with("cpu/") && n > 16384) continue;  // minutes, and nothing new
      const double published = n == small ? v.small : n == large ? v.large : 0;
      what.points.push_back({.variant = v.name,
                             .kernel = v.kernel,
                             .shape = {},
                             .n = n,
                             .published = published > 0 ? std::optional(published) : std::nullopt,
                             .gpus = v.gpus,
                             .exchange = v.exchange});
    }
  return measure_points(what, options, progress);
}

}  // namespace

extern constinit const Experiment path;
constinit const Experiment path{
    .name = "path",
    .idea = "the optimisation path from a serial loop to PTX, N = 4096 and 131072",
    .published =
        "one half of a Tesla K80 per GPU, without a unit, taken as billions of interactions per second",
    .run = run,
    .draw = draw,
    .columns = columns,
    .read_on = "docs/accounts.md, S1; docs/ladder.md"};

}  // namespace pleiad::bench
