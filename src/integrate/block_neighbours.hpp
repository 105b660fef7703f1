/// The neighbour scheme (Ahmad & Cohen 1973, J. Comput. Phys. 12, 389; with Hermite's scheme Makino & Aarseth
/// 1992, PASJ 44, 141) for bodies with block time steps.
///
/// The pull on a body has two parts. The irregular one, by its neighbours, is summed at its steps. The
/// regular one, by all others and external fields, is summed at longer steps of its own, which are blocks,
/// too, and predicted in between. Where a regular step ends, the body is moved by the difference between the
/// regular pull as it was and as it was predicted, by Hermite's corrector, and its neighbours are found anew:
/// pulls and jerks of those that come or go pass from one part to the other, and the sum is as before.
///
/// Each body has a radius within which neighbours are. It grows or shrinks until there are as many as are
/// wanted, so it follows the density. At multiples of dt neighbours are found where all bodies are then, and
/// irregular parts are summed there: so a resumed run has the same lists and the same bits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/neighbours.hpp"
#include "integrate/block_bodies.hpp"
#include "integrate/hermite_step.hpp"
#include "integrate/state.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad {

class BlockNeighbours {
 public:
  /// `all`: bodies at one time. `eta`: that of the steps.
  BlockNeighbours(DoubleState& state, BlockBodies& all, double eta);

  /// What of a body is kept beside its place.
  struct Kept {
    PullAt regular;
    double step = 0, radius = 0;  ///< the length of the next regular step; that of neighbours
  };
  /// Goes on from what was kept of each body.
  void restore(std::span<const Kept> kept);
  Kept kept(std::size_t k) const;
  /// Finds neighbours and both parts of the pulls at the start, where BlockBodies::steps are known.
  void find_start(double time);

  /// Takes the levels of regular steps from their lengths, which another dt may have left.
  void set_levels();
  /// Pulls and jerks on the active bodies at `now`, in units of dt, which is `time`: irregular ones by their
  /// neighbours, and predicted regular ones. `least`: the level of the longest steps that end there.
  void evaluate(std::span<const std::uint32_t> active, int least, double now, double time,
                std::span<Vec4<double>> accelerations, std::span<Vec4<double>> jerks);
  /// The level of a body's regular step: its other steps are not longer.
  int level(std::size_t k) const { return levels_[k]; }
  /// After the active bodies were corrected: those whose regular step ends there, too, are moved by what its
  /// prediction has missed, and begin another one.
  void end_regular_steps(std::uint64_t now);
  /// The end of a step dt.
  void end_step();

 private:
  using Sums = std::vector<Vec4<double>>;
  PullAt predicted(std::size_t k, double now) const;
  void correct(std::size_t r, std::uint64_t now);
  void find_lists();
  void sum_irregular();
  void choose_radius(std::size_t k);
  void adapt_radius(std::size_t k);
  std::span<NeighbourList* const> lists_of(std::span<const std::uint32_t> chosen);

  DoubleState& state_;
  BlockBodies& all_;
  double eta_ = 0;
  std::size_t wanted_ = 0;  ///< number of neighbours
  NeighbourReach reach_;    ///< ahead: the regular step
  std::vector<NeighbourList> lists_;
  std::vector<PullAt> irregular_;    ///< of the active bodies, at the end of their steps
  std::vector<PullAt> regular_;      ///< of each body, at the beginning of its regular step
  std::vector<double> from_;         ///< the beginning of the regular step, in units of dt
  std::vector<double> steps_;        ///< the lengths of regular steps
  std::vector<std::int8_t> levels_;  ///< of these
  std::vector<std::uint32_t> everyone_;
  std::vector<std::uint32_t> ending_;        ///< active bodies that end a regular step
  std::vector<std::uint32_t> among_active_;  ///< where these are
  std::vector<NeighbourList*> chosen_lists_;
  Sums regular_a_, regular_j_, moved_a_, moved_j_;  ///< of chosen bodies
};

}  // namespace pleiad
