/// The list of experiments.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/experiments.hpp"

#include "bench/columns.hpp"

#include <pleiad/error.hpp>

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

namespace {
constexpr std::array<const Experiment*, 7> all{&path,        &five_kernels, &damping_fps, &block_stride,
                                               &periodic_2d, &trees,        &crossover};
}

std::span<const Experiment* const> experiments() { return all; }

const Experiment& experiment_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto* experiment : all) {
    if (experiment->name == name) return *experiment;
    names.push_back(experiment->name);
  }
  throw UsageError(fmt::format("no experiment '{}': it is one of {}{}", name, fmt::join(names, ", "),
                               did_you_mean(name, names)));
}

namespace {
Report explained(const Experiment& experiment, Report report) {
  report.heading.insert(report.heading.begin(), fmt::format("{}: {}", experiment.name, experiment.idea));
  report.notes.push_back(fmt::format("published: {}", experiment.published));
  if (experiment.draw != nullptr) report.plot = experiment.draw(report.table);
  return report;
}
}  // namespace

Report run_experiment(const Experiment& experiment, const ExperimentOptions& options,
                      const Progress& progress) {
  return explained(experiment, experiment.run(options, progress));
}

Report earlier_experiment(const Experiment& experiment, Table table) {
  Report report;
  report.heading = {heading_of(table)};
  report.table = std::move(table);
  return explained(experiment, std::move(report));
}

}  // namespace pleiad::bench
