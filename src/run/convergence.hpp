/// Convergence of a simulation: the same bodies with one step, half of it and so on, and with other
/// accuracies of the forces.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace pleiad::run {

struct ConvergenceRequest {
  Options options;
  int levels = 3;                    ///< of the step: dt, dt / 2, dt / 4
  std::vector<double> accuracies{};  ///< of the forces, each in a run with dt
  int rows = 64;                     ///< times of comparison, at most
  std::filesystem::path cache{};     ///< of the tuner
  std::function<void(const std::string&)> progress{};
};

/// One of the runs that are compared. The numbers of a comparison that was not made are NaN.
struct ComparedRun {
  std::string name;  ///< "dt = 0.01"
  std::string method;
  double steps = 0;
  double worst_energy_error = 0, last_energy_error = 0;
  double energy_order = 0;  ///< log2 of the worst error over that of half the step
  double distance = 0;      ///< to the next finer run; of an accuracy, to the run with dt of the first method
  double distance_order = 0;  ///< log2 of the distance over that of the next two runs
};

/// What is compared at one time. Distances of states are the root of the mean square over all bodies, in
/// units of the root mean square distance of the bodies from their mean position, and so is the shift.
struct ComparisonRow {
  double time = 0, size = 0;
  std::vector<double> energy_errors;  ///< of each run
  std::vector<double> distances,
      largest;  ///< of each run but the finest step, whose are NaN; of any one body
  /// The largest error of a position in the coarsest run, by the finest step (control::position_error), and
  /// the id of the body whose it is.
  double position_error = 0;
  std::uint64_t farthest = 0;
  double shift = 0;  ///< distance of a run with half the step from its twin, begun `first_shift` away
};

struct Convergence {
  std::vector<ComparedRun> runs;  ///< the steps from coarse to fine, then the accuracies
  std::size_t levels = 0, bodies = 0;
  std::vector<ComparisonRow> rows;
  double compared_at = 0;  ///< the time of the distances in `runs`: the last one before orbits part
  double first_shift = 0;
  int order = 0;            ///< of the integrator
  std::string energy_name;  ///< of the energy error
  std::string units;
  /// Sentences for the user: how a shift grows, until when single orbits are right, and where they cannot be.
  std::vector<std::string> findings;
};

/// Makes the runs side by side, in memory. Errors are those of a run of these options; UsageError for
/// ensembles and for bodies that merge or are removed.
Convergence convergence_of(ConvergenceRequest request);

/// The rows as CSV after comments with the table of runs and the findings.
std::string csv_of(const Convergence& convergence);

}  // namespace pleiad::run
