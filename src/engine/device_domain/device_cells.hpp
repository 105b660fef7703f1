/// The cells of a rank and those of its LET in the memory of its GPU. Known cells are stored after the own
/// ones, where the kernels of a tree on one GPU read them (ADR 11).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/device/peer.hpp"
#include "cuda/tree/divided.hpp"
#include "cuda/tree/interactions.hpp"
#include "cuda/tree/octree.hpp"
#include "domain/let.hpp"
#include "engine/ranks_exchange.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::device_domain {

/// Keeps its memory between evaluations.
template <class Real>
class DeviceCells : public domain::Cells {
 public:
  void find_moments() override;
  void find_accelerations() override;
  std::size_t row_bytes() const override { return layout_.words() * sizeof(std::uint32_t); }
  Branches find_branches(const domain::Part& part, std::uint32_t coarse) override;
  void take_top_tree(std::span<const std::byte> rows, std::span<const std::uint32_t> places) override;
  std::vector<double> accelerations(std::span<const std::uint32_t> own) override;
  void take_accelerations(std::span<const double> of_top) override;
  std::vector<std::uint32_t> opened(std::uint32_t from) override;
  std::vector<tree::CellHead> exchange_cells(std::span<const std::uint32_t> own,
                                             const domain::SendLists& lists,
                                             std::span<const std::uint32_t> parents) override;
  void exchange_bodies(const domain::Part& part, std::span<const domain::Interval> own,
                       const domain::SendLists& lists, std::span<const std::uint32_t> leaves) override;

 protected:
  DeviceCells(const TreeSettings& settings, const cuda::tree::MomentKernels& kernels,
              cuda::tree::FirstRoom room, ranks::Communicator& comm, RanksExchange<Real>& exchange,
              void* stream)
      : comm_(comm),
        exchange_(exchange),
        by_(cuda::tree::acceptance_of(settings)),
        tree_(settings, kernels, room, stream),
        stream_(stream) {}

  /// Makes walks start at the root of the whole tree, or at that of the own tree.
  void show_whole_tree(bool whole);
  std::size_t cell_bytes() const {
    return tree_.bytes() + (level_begins_.size() + rows_.size()) * sizeof(std::uint32_t) +
           heads_.size() * sizeof(tree::CellHead);
  }

  ranks::Communicator& comm_;
  RanksExchange<Real>& exchange_;
  cuda::tree::Acceptance by_;
  cuda::tree::Octree<Real> tree_;
  void* stream_;
  /// Bodies of others before and behind the own ones, for the next time.
  std::uint32_t in_front_ = 0;
  std::size_t behind_ = 0;

 private:
  void pack(std::span<const std::uint32_t> own);
  std::vector<std::byte> packed_on_host(const cuda::Buffer<std::uint32_t>& own, std::uint32_t count);
  void write(std::span<const cuda::tree::CellValue> values);
  /// Value of a known cell that is not shared: an own cell has its bodies and children, others have no
  /// bodies.
  cuda::tree::CellValue value_of(std::uint32_t known) const;
  bool is_own(std::uint32_t c) const { return known.cells[c].owner == comm_.rank(); }
  bool is_shared(std::uint32_t c) const { return known.cells[c].owner == domain::KnownCell::shared; }
  /// Number of a known cell's first child on the GPU; 0: it is not there.
  std::uint32_t first_child(std::uint32_t c) const {
    const auto first = known.cells[c].first_child;
    return first == 0 ? 0 : base_ + first;
  }

  cuda::tree::RowLayout layout_;
  std::uint32_t base_ = 0;  ///< own cells
  cuda::Buffer<std::uint32_t> level_begins_, rows_;
  cuda::Buffer<tree::CellHead> heads_;    ///< heads of known cells
  cuda::Pinned<tree::CellHead> arrived_;  ///< of those that came last
};

extern template class DeviceCells<float>;
extern template class DeviceCells<double>;

}  // namespace pleiad::device_domain
