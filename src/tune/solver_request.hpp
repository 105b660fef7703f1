/// A request for a solver: an accuracy and fixed settings.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/tree.hpp>

#include <limits>
#include <optional>
#include <string>

namespace pleiad::tune {

/// Whatever is not set is the planner's to choose.
struct SolverRequest {
  double accuracy = 0;  ///< the 99th percentile of the relative force error, at most, by the upper end of its
                        ///< interval; 0: only what is set
  std::optional<Solver> solver{};
  std::optional<int> order{}, leaf_size{}, group{};
  std::optional<Mac> mac{};
  std::optional<double> theta{}, tolerance{};
  std::optional<Structure> structure{};
  bool operator==(const SolverRequest&) const = default;
};
/// "accuracy=0.001 solver=fmm order=5": what is set.
std::string text_of(const SolverRequest& request);

/// The accuracy of settings when none was asked for.
inline constexpr double usual_accuracy = 1e-3;
/// What a tree's accuracy parameter is turned to: the accuracy, or the usual one; any finite error where the
/// accuracy parameter itself is set.
inline double promised_accuracy(const SolverRequest& request) {
  if (request.accuracy > 0) return request.accuracy;
  return request.theta || request.tolerance ? std::numeric_limits<double>::max() : usual_accuracy;
}

}  // namespace pleiad::tune
