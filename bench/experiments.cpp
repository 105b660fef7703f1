/// The list of experiments.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments.hpp"

#include "bench/columns.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::bench {

extern constinit const Experiment path;
extern constinit const Experiment five_kernels;
extern constinit const Experiment damping_fps;
extern constinit const Experiment block_stride;
extern constinit const Experiment periodic_2d;
extern constinit const Experiment trees;
extern constinit const Experiment crossover;
extern constinit const Experiment promises;
extern constinit const Experiment several_ranks;
extern constinit const Experiment block_steps;
extern constinit const Experiment block_forms;
extern constinit const Experiment individual_steps;
extern constinit const Experiment scattering;

namespace {
constexpr std::array<const Experiment*, 13> all_experiments{
    &path,     &five_kernels,  &damping_fps, &block_stride, &periodic_2d,      &trees,     &crossover,
    &promises, &several_ranks, &block_steps, &block_forms,  &individual_steps, &scattering};
}

std::span<const Experiment* const> experiments() { return all_experiments; }

const Experiment& experiment_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto* experiment : all_experiments) {
    if (experiment->name == name) return *experiment;
    names.push_back(experiment->name);
  }
  throw UsageError(fmt::format("no experiment '{}': it is one of {}{}", name, fmt::join(names, ", "),
                               did_you_mean(name, names)));
}

namespace {
/// Of rows without figures, the reason, once for all that share it.
std::vector<std::string> reasons_in(const Table& table) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const auto& row : table.rows) {
    const auto why = text(table, row, "refused");
    if (why.empty()) continue;
    const auto kernel = text(table, row, "kernel"), shape = text(table, row, "shape");
    auto at = std::ranges::find(reasons, why, &std::pair<std::string, std::vector<std::string>>::first);
    if (at == reasons.end()) at = reasons.insert(at, {why, {}});
    at->second.push_back(kernel.empty() || kernel == "auto" ? text(table, row, "variant")
                         : shape.empty()                    ? kernel
                                                            : kernel + " " + shape);
  }
  std::vector<std::string> lines;
  for (const auto& [why, rows] : reasons)
    lines.push_back(rows.size() == 1 ? fmt::format("{}: {}", rows[0], why)
                                     : fmt::format("{} rows have no figure: {}", rows.size(), why));
  return lines;
}

Report explained(const Experiment& experiment, Report report) {
  report.heading.insert(report.heading.begin(), fmt::format("{}: {}", experiment.name, experiment.idea));
  const auto reasons = reasons_in(report.table);
  report.notes.insert(report.notes.end(), reasons.begin(), reasons.end());
  if (experiment.conclude != nullptr) {
    const auto lines = experiment.conclude(report.table);
    report.notes.insert(report.notes.end(), lines.begin(), lines.end());
  }
  report.notes.push_back(fmt::format("published: {}", experiment.published));
  if (!experiment.read_on.empty()) report.notes.push_back(fmt::format("read on: {}", experiment.read_on));
  if (experiment.draw != nullptr) report.plot = experiment.draw(report.table);
  return report;
}
}  // namespace

Report run_experiment(const Experiment& experiment, const ExperimentOptions& options,
                      const Progress& progress) {
  auto report = experiment.run(options, progress);
  name_simd_target(report.table, this_machine());
  return explained(experiment, std::move(report));
}

Report earlier_experiment(const Experiment& experiment, Table table) {
  Report report;
  report.heading = {heading_of(table)};
  if (experiment.columns != nullptr) show_as(table, experiment.columns());
  report.table = std::move(table);
  return explained(experiment, std::move(report));
}

}  // namespace pleiad::bench
