/// Interactions of the fast multipole method: interaction lists, M2L, L2L, P2P. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/octree.hpp"
#include "cuda/tree/order.hpp"

namespace pleiad::cuda::tree {

/// UsageError for settings that the fast multipole method on a GPU does not have.
const OrderKernels& fmm_kernels_for(const TreeSettings& settings);
/// The acceptance test of the settings.
Acceptance acceptance_of(const TreeSettings& settings);

/// Keeps its memory between evaluations. P: F32 or Mixed.
template <class P>
class Interactions {
 public:
  using Real = typename P::Position;
  Interactions(const TreeSettings& settings, const OrderKernels& order, FirstRoom room, void* stream);
  const MomentKernels& kernels() const { return order_.up; }

  /// Queues the lists of the first slice of the tree's cells, whose moments are there, as far as there is
  /// room.
  void begin(Octree<Real>& tree);
  /// Reads the sizes of the lists on the host. False: there was too little memory, and they are made again
  /// with more.
  bool know_lists(Octree<Real>& tree);
  /// Queues the sums of the slice, and the lists of the next one. False: it was the last of the tree's
  /// request.
  bool add(Octree<Real>& tree);
  /// Counts the work of the last evaluation; makes its lists again if they were made in slices.
  void count(Octree<Real>& tree, TreeWork& work);
  std::size_t bytes() const;

 private:
  /// The bodies whose sums are requested.
  struct Targets {
    bool divided = false;
    std::uint32_t from = 0, to = 0;
  };
  template <class T>
  T* for_cells(Buffer<T>& buffer, std::size_t cells, int each) const;
  void list(Octree<Real>& tree);
  /// False: it was the last one.
  bool list_next(Octree<Real>& tree);
  void take(Octree<Real>& tree, const Targets& targets) const;

  TreeSettings settings_;
  const OrderKernels& order_;
  FirstRoom first_room_;
  void* stream_;
  Targets all_;
  std::uint32_t slices_ = 1, slice_ = 0;
  bool scarce_ = false;           ///< memory, so that lists and sorting take turns, which costs time
  Status divided_{};              ///< before lists were made
  std::uint32_t chunk_room_ = 0;  ///< that was enough so far
  Lists lists_{};
  Buffer<float> folded_, softened_, locals_;
  Buffer<List> m2l_, softened_m2l_, p2p_;
  Buffer<Tile> tiles_;
  Buffer<std::uint32_t> entries_, next_;
};

extern template class Interactions<F32>;
extern template class Interactions<Mixed>;

}  // namespace pleiad::cuda::tree
