/// A rank's part of the tree: the bodies of its part of the curve, and the cells that hold them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forest/cuts.hpp"
#include "ranks/transport.hpp"
#include "tree/tree.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::forest {

struct Part {
  int rank = 0;
  /// Cells that others have bodies of are divided down to those that no other has any of.
  tree::Tree tree;
  Cuts cuts;
  std::vector<std::uint64_t> firsts;  ///< bodies before each rank's along the curve; after the last, all

  std::uint64_t all() const { return firsts.back(); }
  /// Whether others may have bodies of a cell.
  bool is_shared(const tree::Cell& cell) const;
  /// In which part of its parent a cell is that holds this place.
  static unsigned octant_of(const Vec3<double>& place, std::uint32_t level);
};

/// Real: of the bodies' positions.
template <class Real>
class Planter {
 public:
  explicit Planter(ranks::Transport& transport) : transport_(transport) {}

  /// Sends the bodies to the ranks of their keys and builds the cells of those that come. `costs`: of the
  /// bodies, to be divided evenly; empty: each is 1. Octants of up to `most` bodies stay in one part. False
  /// when a place, the extent or the mass of all bodies is not finite. Collective.
  bool plant(std::span<const Mass<Real>> own, std::span<const std::uint32_t> costs, std::uint32_t leaf_size,
             std::uint64_t most, Part& part);
  /// Values of the part's bodies, in the order in which these came (Tree::order), back to the ranks and into
  /// the order of the bodies that were planted. Collective.
  template <class T>
  void bring_home(std::vector<T> values, std::span<T> home);
  std::uint64_t migrants() const { return migrants_; }
  std::size_t bytes() const { return sent_.capacity() * sizeof(sent_[0]); }

 private:
  ranks::Transport& transport_;
  std::uint64_t migrants_ = 0;            ///< bodies sent to other ranks
  std::vector<std::uint32_t> sent_;       ///< the bodies in the order in which they were sent
  std::vector<std::size_t> sent_begins_;  ///< to each rank
  std::vector<std::size_t> came_begins_;  ///< from each rank
};

}  // namespace pleiad::forest
