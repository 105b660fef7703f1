/// The accuracy setting of a tree, theta or tolerance, and the search for its loosest accurate value.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/tree.hpp>

#include <limits>

namespace pleiad::tune {

/// A part of the asked error is left for the bodies' motion, and for the luck of the accuracy parameter that
/// was the loosest on one sample: what is aimed at, and what is taken, by the upper end of the interval.
inline constexpr double aim = 0.78, enough = 0.87;

/// To three digits: what is chosen can be read, written and repeated.
double rounded(double value);
double accuracy_parameter(const TreeSettings& settings);
/// The loosest that there is.
double widest(const TreeSettings& settings);

/// Finds the loosest accuracy parameter whose error is at most `enough` of an accuracy: between the loosest
/// that was accurate and the tightest that was not, once there are both, and by the power of the accuracy
/// parameter with which the last two errors went. Errors need not go as a power, nor always grow with the
/// accuracy parameter.
class ParameterSearch {
 public:
  ParameterSearch(const TreeSettings& first, double accuracy);
  /// To be tried next; only the accuracy parameter changes.
  const TreeSettings& settings() const { return settings_; }
  /// The error of settings(), which then turn.
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

/// Settings with a accuracy parameter that makes about a tenth more of the error, or the loosest.
TreeSettings loosened(TreeSettings settings);
/// Settings that should bring a measured error, which is above what is asked for, below it again. By the
/// error alone, never by time: the same run makes the same corrections.
TreeSettings tightened(TreeSettings settings, double measured, double accuracy);

}  // namespace pleiad::tune
