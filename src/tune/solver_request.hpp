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
  /// upper limit of the 99th percentile of the relative force error, by the upper end of its interval; 0:
  /// only the settings count
  double accuracy = 0;
  std::optional<Solver> solver{};
  std::optional<int> order{}, leaf_size{}, group{};
  std::optional<Mac> mac{};
  std::optional<double> theta{}, tolerance{};
  std::optional<Structure> structure{};
  bool operator==(const SolverRequest&) const = default;
};
/// Returns the request as text: "accuracy=0.001 solver=fmm order=5".
std::string text_of(const SolverRequest& request);

/// The accuracy of settings if none was requested.
inline constexpr double usual_accuracy = 1e-3;
/// Accuracy for which a tree's accuracy parameter is set: the requested one, or the usual one; any finite
/// error if the accuracy parameter itself is set.
inline double promised_accuracy(const SolverRequest& request) {
  if (request.accuracy > 0) return request.accuracy;
  return request.theta || request.tolerance ? std::numeric_limits<double>::max() : usual_accuracy;
}

}  // namespace pleiad::tune
