/// Experiments: those of the published benchmarks, each a named, repeatable measurement beside the published
/// figures.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/scan.hpp"
#include "bench/stop.hpp"

#include <pleiad/precision.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::bench {

/// What a user may change; each experiment has its publication's values as defaults.
struct ExperimentOptions {
  std::optional<std::string> kernel{};
  std::optional<Precision> precision{};
  std::optional<std::uint64_t> steps{};
  std::vector<std::size_t> sizes{};
  int threads = 0;     ///< 0: all
  bool quick = false;  ///< fewer and shorter measurements
  // Of experiments with solvers alone.
  std::string backend = "cpu", model{};
  std::optional<double> accuracy{};
  std::size_t most = 0;  ///< the most bodies, 0: what takes minutes
};

/// Plain data: adding one is a file in experiments/ and a line in experiments.cpp.
struct Experiment {
  std::string_view name;
  std::string_view idea;       ///< one sentence
  std::string_view published;  ///< the publication's own figures
  bool solvers = false;        ///< takes a backend, a model, an accuracy and the most bodies
  Report (*run)(const ExperimentOptions&, const Progress&) = nullptr;
  /// The plot of the rows that it measured, now or earlier; null: it draws its own, or none.
  std::optional<Plot> (*draw)(const Table&) = nullptr;
  /// Its table without rows: what is shown of rows that were kept; null: as all tables show them.
  Table (*columns)() = nullptr;
  /// What its rows, measured now or earlier, say in words; null: nothing.
  std::vector<std::string> (*conclude)(const Table&) = nullptr;
  std::string_view read_on{};  ///< where it is explained
};

std::span<const Experiment* const> experiments();
/// By name; UsageError with the nearest name.
const Experiment& experiment_named(std::string_view name);

/// Runs it; its idea stands above and the published figures below what was measured, with the reasons why
/// rows have no figure, and where to read on. When `progress` throws Stopped, it is a report of the rows so
/// far.
Report run_experiment(const Experiment& experiment, const ExperimentOptions& options,
                      const Progress& progress);

/// The same report of rows that were measured earlier and kept as JSON.
Report earlier_experiment(const Experiment& experiment, Table table);

}  // namespace pleiad::bench
