/// Several ranks: how evenly their work is divided, what they would send each other and what they hold,
/// counted on simulated ranks, so that it can be said of many from few.
///
/// Each rank has as many bodies in every row. What it fetches is of the surface of its part: it grows until a
/// part has others on all sides, and no more. What all ranks show to all grows with their number, by some
/// 35 cells for each. Bodies are routed from where the model has drawn them, almost all of them; a run that
/// keeps them along the curve routes few.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/columns.hpp"
#include "bench/experiments.hpp"
#include "bench/machine.hpp"
#include "domain/distributed_tree.hpp"
#include "ranks/simulated.hpp"

#include <pleiad/kernel/tree.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

Table columns() {
  return {.columns = {{"model", "model"},
                      {"ranks", "ranks"},
                      {"n", "N"},
                      {"imbalance", "most/mean work", "{:.3f}"},
                      {"held_per_body", "bytes held/body", "{:.0f}"},
                      {"cells_fetched", "cells fetched"},
                      {"bodies_fetched", "bodies fetched"},
                      {"fetched_bytes", "MB fetched", "{:.2f}", 1e-6},
                      {"shared_bytes", "MB shown to all", "{:.3f}", 1e-6},
                      {"routed_bytes", "MB routed", "{:.2f}", 1e-6},
                      {"messages", "messages"},
                      {"rounds", "rounds"},
                      {"kernel", "kernel"},
                      column("precision"),
                      column("commit")},
          .rows = {}};
}

struct Scene {
  std::string_view model;
  double eps;
};
constexpr std::array scenes{Scene{"plummer", 1e-3}, Scene{"uniform-box", 1e-3}};

std::vector<Mass<double>> bodies_of(const Scene& scene, std::size_t n) {
  const std::array settings{fmt::format("n={}", n)};
  const auto bodies = make_model(scene.model, settings, 1).bodies;
  std::vector<Mass<double>> all;
  all.reserve(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto at = bodies.position(i);
    all.push_back({at.x, at.y, at.z, bodies.mass[i]});
  }
  return all;
}

struct Counted {
  domain::RankWork work;
  std::size_t bytes = 0;
};

/// The second of two evaluations: the first measures what bodies cost.
std::vector<Counted> counted(const TreeSettings& settings, const Scene& scene, std::size_t n, int ranks) {
  const auto all = bodies_of(scene, n * std::size_t(ranks));
  std::vector<Counted> counted(static_cast<std::size_t>(ranks));
  ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
    const auto rank = std::size_t(comm.rank());
    std::vector<Vec4<double>> sums(n);
    const auto tree = domain::make_distributed_tree<Mixed>(comm, settings, &counted[rank].work);
    const auto own = std::span(all).subspan(rank * n, n);
    for (int k = 0; k < 2; ++k)
      tree->evaluate({.targets = own, .sources = own, .sums = sums, .softening = {scene.eps}});
    counted[rank].bytes = tree->bytes();
  });
  return counted;
}

/// The most of any rank.
template <class Of>
auto most(const std::vector<Counted>& ranks, const Of& of) {
  auto most = of(ranks.front());
  for (const auto& r : ranks) most = std::max(most, of(r));
  return most;
}

std::vector<Cell> row_of(const TreeSettings& settings, const Scene& scene, std::size_t n, int ranks) {
  const auto all = counted(settings, scene, n, ranks);
  double cost = 0;
  for (const auto& r : all) cost += double(r.work.cost);
  const auto whole = [&](const auto& of) { return Cell(std::int64_t(most(all, of))); };
  using C = const Counted&;
  return {
      std::string(scene.model),
      std::int64_t(ranks),
      std::int64_t(n * std::size_t(ranks)),
      most(all, [](C r) { return double(r.work.cost); }) * ranks / cost,
      most(all, [](C r) { return double(r.bytes); }) / double(n),
      whole([](C r) { return r.work.cells_fetched; }),
      whole([](C r) { return r.work.bodies_fetched; }),
      most(all, [](C r) { return double(r.work.fetched.bytes); }),
      most(all, [](C r) { return double(r.work.shared.bytes); }),
      most(all, [](C r) { return double(r.work.routed.bytes); }),
      whole([](C r) { return r.work.routed.messages + r.work.shared.messages + r.work.fetched.messages; }),
      whole([](C r) { return r.work.rounds; }),
      text_of(settings),
      std::string(name_of(Precision::mixed)),
      this_machine().commit};
}

Report measure(const ExperimentOptions& options, const Progress& progress) {
  Report report;
  report.table = columns();
  const TreeSettings settings = options.kernel ? tree_settings_of(*options.kernel) : TreeSettings{};
  const std::vector<std::size_t> sizes =
      !options.sizes.empty() ? options.sizes : std::vector<std::size_t>{options.quick ? 2000u : 20000u};
  until_stopped(report, [&] {
    for (const auto& scene : scenes)
      for (const auto n : sizes)
        for (int ranks = 1; ranks <= (options.quick ? 8 : 64); ranks *= 2) {
          progress(fmt::format("{}: {} ranks of {} bodies", scene.model, ranks, n));
          report.table.rows.push_back(row_of(settings, scene, n, ranks));
        }
  });
  return report;
}

}  // namespace

extern constinit const Experiment several_ranks;
constinit const Experiment several_ranks{
    .name = "ranks",
    .idea = "what several ranks would send each other, hold and compute, counted on simulated ones",
    .published = "none",
    .run = measure,
    .columns = columns,
    .read_on = "docs/solvers.md"};

}  // namespace pleiad::bench
