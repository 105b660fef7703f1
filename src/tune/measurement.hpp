/// A candidate that the tuner or the planner has tried, with its time and error.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/accuracy.hpp>
#include <pleiad/kernel/force_method.hpp>

#include <optional>
#include <string>

namespace pleiad::tune {

struct Measurement {
  std::optional<ForceMethod> method{};  ///< none: direct sums by the table
  int gpus = 1;
  double seconds = 0;      ///< of one evaluation, by the tuner of one kdk step; 0: there is no figure
  std::string left_out{};  ///< why there is none, or ""
  // The members that follow are set by the planner.
  ForceErrors errors{};
  bool meets = false;  ///< the accuracy
  TreeWork work{};     ///< of the last evaluation
  /// The part of all pulls that do not cancel: of a walk that was chosen (Trial::net_pull), else 0.
  double net = 0;

  /// Null when it is no tree.
  const TreeSettings* tree() const { return method && method->tree ? &*method->tree : nullptr; }
};

}  // namespace pleiad::tune
