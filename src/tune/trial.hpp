/// Trials of trees on bodies: time and error of one evaluation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/ranks_sample.hpp"
#include "engine/tree_trial.hpp"
#include "tune/agreed.hpp"
#include "tune/measurement.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace pleiad::tune {

class Trial {
 public:
  /// The bodies go to that place once, and a sample of them is summed directly there, from their positions
  /// before these are rounded to the precision of the trees. They outlive it.
  /// `ranks`: whose bodies these are. Calls are collective, and what they return is the same on all.
  Trial(Device where, const Bodies& bodies, const Gravity& gravity, Precision precision,
        ranks::Communicator& ranks = ranks::self(), DivideTree divide_tree = DivideTree::automatic,
        TimeSource clock = seconds);

  /// Bodies of all ranks.
  std::size_t size() const { return n_; }
  const ranks::Communicator& comm() const { return ranks_; }
  /// See TreeTrial.
  bool can(const TreeSettings& settings) const { return trees_->can(settings); }
  /// Time of the clock of rank 0.
  double now() const { return agreed_seconds(ranks_, clock_); }
  const MeasuredSample& sample() const { return sample_; }
  /// In a box with all images the typical acceleration of the sample over that of the pulls which cancel in
  /// it, at most 1: a hundredth for bodies anywhere, less in a young universe. In open space 1.
  double net() const;

  /// The shortest of some evaluations: other programs take time now and then. One is enough when it misses
  /// the accuracy, takes long, or is clearly slower than `rival` seconds; on a GPU the first of two or more
  /// only allocates memory. At least `least`.
  Measurement run(const TreeSettings& settings, double accuracy, double rival = 1e300, int least = 1);
  /// |sum m a| / sum m |a| over all bodies, by one evaluation.
  double net_pull(const TreeSettings& settings);

 private:
  double evaluate();

  Device where_;
  ranks::Communicator& ranks_;
  TimeSource clock_;
  std::size_t n_;
  std::unique_ptr<TreeTrial> trees_;
  MeasuredSample sample_;
  double G_;
  bool all_images_;
  const std::vector<double>& masses_;
};

}  // namespace pleiad::tune
