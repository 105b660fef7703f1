/// The planner: which solver meets an accuracy fastest on these very bodies, found by trying.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tune/trial.hpp"
#include "tune/tuner.hpp"

#include <pleiad/engine.hpp>

#include <functional>
#include <memory>
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
  bool operator==(const Wish&) const = default;
};
/// "accuracy=0.001 solver=fmm order=5": what is set.
std::string text_of(const Wish& wish);

struct Plan {
  std::string kernel = "auto";  ///< text of a choice; "auto": direct sums
  std::string why{};
  std::vector<Tried> tried{};
  double seconds = 0;  ///< of one evaluation; 0: nothing was measured
};

/// How far the search goes: through orders, dials and leaves, or only to a first guess beside direct sums.
enum class Search { whole, guess };
using MakeAnyEngine =
    std::function<std::unique_ptr<Engine>(const Bodies&, const Gravity&, const EngineOptions&)>;

/// What needs no measuring: direct sums where they were asked for, or nothing else will do.
std::optional<Plan> plain(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
                          const Wish& wish);

/// UsageError when the wish cannot be met by what it leaves open. `progress` is told what goes on; `options`
/// say the backend, precision and threads for direct sums, which `make` makes.
Plan plan(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options, const Wish& wish,
          const MakeAnyEngine& make, const Progress& progress, Search search = Search::whole);

/// One evaluation by direct sums of all bodies, from a part of them when they are many.
double direct_seconds(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
                      const MakeAnyEngine& make);

/// Settings that should bring a measured error, which is above what is asked for, below it again. By the
/// error alone, never by time: the same run makes the same corrections.
TreeSettings tightened(TreeSettings settings, double measured, double accuracy);

}  // namespace pleiad::tune
