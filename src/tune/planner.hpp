/// The planner: which solver meets an accuracy fastest on these very bodies, found by trying.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tune/tuner.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/engine.hpp>
#include <pleiad/tree.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pleiad::tune {

/// What is asked for. Whatever is not set is the planner's to choose.
struct Wish {
  double accuracy = 0;  ///< the 99th percentile of the relative force error, at most; 0: only what is set
  std::optional<Solver> solver{};
  std::optional<int> order{}, leaf{}, group{};
  std::optional<Criterion> criterion{};
  std::optional<double> theta{}, tolerance{};
  bool settings_set() const { return order || leaf || group || criterion || theta || tolerance; }
};

/// One that was tried.
struct Tried {
  std::string kernel;  ///< text of the choice; of direct sums "auto"
  double seconds = 0;  ///< of one evaluation
  ForceErrors errors;  ///< 0 of direct sums, whose rounding is not the planner's matter
  bool meets = false;
};

struct Plan {
  std::string kernel;
  std::string why;
  std::vector<Tried> tried;
};

/// UsageError when the wish cannot be met by what it leaves open. `progress` is told what goes on; `options`
/// say the backend, precision and threads for direct sums, which `make` makes.
Plan plan(
    const Bodies& bodies, const Gravity& gravity, const EngineOptions& options, const Wish& wish,
    const std::function<std::unique_ptr<Engine>(const Bodies&, const Gravity&, const EngineOptions&)>& make,
    const Progress& progress);

/// Settings that should bring a measured error, which is above what is asked for, below it again. By the
/// error alone, never by time: the same run makes the same corrections.
TreeSettings tightened(TreeSettings settings, double measured, double accuracy);

}  // namespace pleiad::tune
