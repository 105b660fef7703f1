/// Bodies of ranks with a GPU each on their way to the GPU that has their part of the curve, and the sums
/// back. As Planter in src/forest/part.hpp, where positions never leave the memory of GPUs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/tree/divided.hpp"
#include "cuda/tree/octree.hpp"
#include "engine/ranks_exchange.hpp"
#include "forest/cuts.hpp"
#include "ranks/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::device_forest {

/// A rank's part of the curve.
struct Part {
  int rank = 0;
  forest::Cuts cuts;
  std::vector<std::uint64_t> firsts;  ///< bodies before each rank's along the curve; after the last, all

  std::uint64_t all() const { return firsts.back(); }
  std::uint64_t first() const { return firsts[std::size_t(rank)]; }
  cuda::tree::KeyRange own() const {
    const auto range = cuts.of(rank);
    return {range.first, range.end};
  }
};

/// All calls are collective. Real: float or double, of positions.
template <class Real>
class Planter {
 public:
  Planter(ranks::Transport& transport, RanksExchange<Real>& exchange, void* stream)
      : transport_(transport), exchange_(exchange), stream_(stream) {}

  /// Brings the bodies to the ranks of their keys, and begins the tree of those that come: sorted bodies and
  /// cells. `sums` has the sums on those that come until they are brought home. False, and nothing is there,
  /// when a position is not finite.
  bool plant(std::span<const Mass<Real>> own, std::span<Vec4<Real>> sums, const Softening& softening,
             bool potential, std::uint32_t leaf_size, std::uint32_t front, std::size_t behind,
             cuda::tree::Octree<Real>& tree, Part& part);
  /// The sums that the tree's request has found, to the owners of the bodies: into `sums`. All but the tree
  /// is as it was given to plant(). The tree's bodies are gone.
  void bring_home(std::span<const Mass<Real>> own, std::span<Vec4<Real>> sums, const Part& part,
                  cuda::tree::Octree<Real>& tree);
  std::size_t bytes() const {
    return sent_.size() * sizeof(std::uint32_t) + (came_.size() + more_sums_.size()) * sizeof(Mass<Real>);
  }

 private:
  /// How many of these keys, in any order, are below each of the bounds, in any order.
  std::vector<std::uint64_t> count_below(std::span<const std::uint64_t> keys,
                                         std::span<const std::uint64_t> bounds) const;
  /// The tree has the keys of the bodies.
  void find_order(std::size_t bodies, const Part& part, cuda::tree::Octree<Real>& tree);
  void mark_crowds(cuda::tree::Octree<Real>& tree, const Part& part, std::uint32_t leaf_size) const;

  ranks::Transport& transport_;
  RanksExchange<Real>& exchange_;
  void* stream_;
  cuda::Buffer<std::uint32_t> sent_;  ///< the order in which own bodies were sent
  cuda::Buffer<Mass<Real>> came_;     ///< bodies
  std::size_t came_bodies_ = 0;
  cuda::Buffer<Vec4<Real>> more_sums_;  ///< for which there is no room among those of own bodies
  std::vector<std::size_t> sent_begins_, came_begins_;  ///< in bytes
};

extern template class Planter<float>;
extern template class Planter<double>;

}  // namespace pleiad::device_forest
