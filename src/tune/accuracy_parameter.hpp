/// The accuracy setting of a tree, theta or tolerance, and the search for its loosest accurate value.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/tree.hpp>

#include <limits>

namespace pleiad::tune {

/// Fractions of the requested error for the target of the search, and for settings that are accepted, by the
/// upper end of the interval. The rest is a margin for the motion of the bodies, and for a chance result of
/// the loosest accuracy parameter on one sample.
inline constexpr double aim = 0.78, enough = 0.87;

/// Rounds to three digits, so that chosen values can be read, written and repeated.
double rounded(double value);
double accuracy_parameter(const TreeSettings& settings);
/// The loosest accuracy parameter of these settings.
double widest(const TreeSettings& settings);

/// Finds the loosest accuracy parameter whose error is at most `enough` of an accuracy: between the loosest
/// that was accurate and the tightest that was not, once there are both, and by the power of the accuracy
/// parameter with which the last two errors went. Errors need not go as a power, nor always grow with the
/// accuracy parameter.
class ParameterSearch {
 public:
  ParameterSearch(const TreeSettings& first, double accuracy);
  /// The next settings to be measured; only the accuracy parameter changes.
  const TreeSettings& settings() const { return settings_; }
  /// Takes the error of settings(), which then change.
  void found(double error);
  /// Whether nothing is left to be gained.
  bool ended() const { return ended_; }

 private:
  TreeSettings settings_;
  double accuracy_, power_;
  double accurate_ = 0, rough_ = std::numeric_limits<double>::infinity();  ///< accuracy parameters
  double last_parameter_ = 0, last_error_ = 0;
  bool ended_ = false;
};

/// Settings with an accuracy parameter whose error is about a tenth larger, or with the loosest one.
TreeSettings loosened(TreeSettings settings);
/// Settings that should reduce a measured error, which is above the requested one, below it. They depend on
/// the error, never on times: the same run makes the same corrections.
TreeSettings tightened(TreeSettings settings, double measured, double accuracy);

}  // namespace pleiad::tune
