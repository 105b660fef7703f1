/// What a rank with a GPU sees of the whole tree, as Sight in src/forest/sight.hpp: the cells that several
/// ranks share and, below them, what it has asked others for. All of it lies behind the own cells on the GPU,
/// where the kernels of one GPU's tree find it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/peer.hpp"
#include "engine/device_forest/planter.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace pleiad::device_forest {

/// All calls are collective. A rank without bodies sees nothing, and has nothing to show. Keeps its memory
/// between evaluations.
template <class Real>
class Sight {
 public:
  /// References outlive it.
  Sight(ranks::Transport& transport, RanksExchange<Real>& exchange, cuda::tree::Octree<Real>& tree,
        const Part& part, void* stream)
      : transport_(transport), exchange_(exchange), tree_(tree), part_(part), stream_(stream) {}

  /// Of a tree whose own cells the host knows.
  void begin();
  /// Shows the cells that are wholly of one rank to all, down to those without a cell of more than `coarse`
  /// bodies above, and makes the shared ones above them. Own moments are there; own cells that are shared
  /// have the place and the strength of the whole afterwards.
  void look_up(std::uint32_t coarse);
  /// Tells the accelerations of the cells that all know.
  void tell_accelerations();
  /// Fetches the cells of others that own ones look into.
  void fetch_cells(const cuda::tree::Acceptance& by);
  /// Fetches the bodies of leaves that the last fetch_cells found to be needed.
  void fetch_bodies();
  /// Makes what walks meet from the root on the whole tree, or own targets the own one.
  void show_whole_tree(bool whole);
  std::size_t bytes() const;

  /// Bodies of others before and behind the own ones, for the next time.
  std::uint32_t in_front = 0;
  std::size_t behind = 0;

 private:
  static constexpr int shared = -1;
  /// A cell behind the own ones.
  struct Known {
    cuda::tree::CellHead head{};
    int owner = shared;
    std::uint32_t first_child = 0;  ///< 0: they are not there
    std::uint32_t children = 0;
  };
  /// An own cell with bodies of others, and the whole of it.
  struct Shared {
    cuda::tree::CellHead head;
    std::uint32_t own, whole;
  };

  std::vector<std::uint32_t> find_shown(std::uint32_t coarse);
  std::vector<std::uint32_t> pack(std::span<const std::uint32_t> own);
  void make_top(const ranks::Received<std::uint32_t>& rows);
  void fetch_children(std::span<const std::uint32_t> wanted);
  std::vector<std::uint8_t> flags(std::uint32_t from, const cuda::tree::Acceptance& by);
  void write(std::span<const cuda::tree::CellValue> values);
  cuda::tree::Cell as_own(const cuda::tree::CellHead& head) const;
  std::uint32_t known_count() const { return std::uint32_t(known_.size()); }

  ranks::Transport& transport_;
  RanksExchange<Real>& exchange_;
  cuda::tree::Octree<Real>& tree_;
  const Part& part_;
  void* stream_;
  cuda::tree::RowLayout layout_;
  std::uint32_t base_ = 0;  ///< own cells
  cuda::Buffer<std::uint32_t> level_begins_, rows_;
  cuda::Buffer<cuda::tree::CellHead> heads_;    ///< of known cells
  cuda::Pinned<cuda::tree::CellHead> arrived_;  ///< of those that came last
  std::vector<Known> known_;
  std::uint32_t top_ = 0;             ///< the known cells that all ranks know come first
  std::vector<std::uint32_t> shown_;  ///< own cells that all know, along the curve, each above those below it
  static constexpr auto below_own = std::numeric_limits<std::uint32_t>::max();
  /// Which known cell each is that the ranks show, in their order, or `below_own`: it is seen in the own
  /// tree.
  std::vector<std::uint32_t> place_of_shown_;
  std::vector<Shared> shared_;
  std::vector<std::uint32_t> leaves_;  ///< known ones whose bodies are needed
};

extern template class Sight<float>;
extern template class Sight<double>;

}  // namespace pleiad::device_forest
