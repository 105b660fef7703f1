/// The search for the fastest tree that is accurate enough, in as few evaluations as possible: each family
/// once, then the accuracy parameters of those that promise to be fastest, then leaves and groups of the
/// best, and at last the fastest few against each other; no longer than sixty evaluations by the best or a
/// second take, nor, for a run of known length, than six hundredths of it or 0.3 seconds.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tune/accuracy_parameter.hpp"
#include "tune/solver_request.hpp"
#include "tune/trial.hpp"
#include "tune/tuner.hpp"

#include <optional>
#include <span>
#include <vector>

namespace pleiad::tune {

/// Extent of a search: complete, or only a first guess to compare with direct sums.
enum class Search { whole, guess };

/// Time limits of a search.
struct Budget {
  double began = 0;        ///< by Trial::now(), since when its time counts
  double evaluations = 0;  ///< of the run that the search is for; 0: unknown
  TimeSource clock = seconds;
};

class TreeSearch {
 public:
  /// `direct`: seconds of direct sums; trees that cannot be faster are left alone unless the request names a
  /// solver. All that is tried is added to `tried`. References outlive it.
  TreeSearch(Trial& trial, const SolverRequest& request, double direct, Progress progress,
             std::vector<Measurement>& tried, const Budget& budget);
  /// The fastest that meets the accuracy, of these families.
  std::optional<Measurement> run(std::span<const TreeSettings> families, Search search);
  /// Whether a longer run would have been searched for longer.
  bool cut_short() const { return cut_short_; }

 private:
  struct Candidate {
    ParameterSearch parameter;
    Measurement last{};
    int evaluations = 0;
    bool close = false;  ///< accurate enough and not much more than that
  };
  const Measurement& measure(const TreeSettings& settings, int least = 1);
  int turns() const;
  bool has_time();
  void step(Candidate& candidate);
  /// Seconds at the accuracy, by how the time goes with the error.
  double expected(const Measurement& tried) const;
  bool may_win(const Candidate& candidate) const;
  std::vector<Candidate> scan(std::span<const TreeSettings> families);
  void refine(Candidate& candidate);
  bool may_turn(const TreeSettings& settings) const;
  void loosen();
  void climb(std::span<const int> values, int TreeSettings::*number);
  void decide();

  Trial& trial_;
  const SolverRequest& request_;
  double accuracy_, direct_;
  Progress progress_;
  std::vector<Measurement>& tried_;
  std::optional<Measurement> best_;
  Budget budget_;
  bool cut_short_ = false;
  double took_ = 0;         ///< by the last trial
  double fastest_ = 1e300;  ///< evaluation of all trials
};

}  // namespace pleiad::tune
