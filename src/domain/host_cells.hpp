/// The cells of a rank and those of its LET in the memory of the host.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/let.hpp"
#include "tree/cpu/pass.hpp"
#include "tree/tree.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pleiad::domain {

/// Copies the moments and scales of a cell. Either both memories have scales, or neither.
template <class M>
void copy_cell(const tree::Memory<M>& from, std::size_t a, tree::Memory<M>& to, std::size_t b);
/// Allocates exactly `cells` cells, with records and scales like those of another memory.
template <class M>
void resize_like(const tree::Memory<M>& model, std::size_t cells, tree::Memory<M>& to);

/// Whether a cell has keys outside of the range.
bool is_shared(const tree::Tree& tree, const tree::Cell& cell, const tree::KeyRange& keys);

/// Known cells in host memory. The position of a cell's first body stands for the cell's bodies; only cells
/// of the top tree have children.
template <class M>
struct HostKnown {
  tree::Tree tree;
  tree::Memory<M> memory;
  static constexpr std::uint32_t none = ~0U;
  std::vector<std::uint32_t> bodies_at;  ///< index of a leaf's first body, or `none`
  std::vector<Mass<double>> bodies;      ///< bodies that have been requested
  std::size_t bytes() const {
    return tree.bytes() + memory.bytes() + bodies_at.capacity() * sizeof(bodies_at[0]) +
           bodies.capacity() * sizeof(bodies[0]);
  }
};

template <class M>
class CellWalk;

/// M: of expansions and pairs.
template <class M>
class HostCells : public Cells {
 public:
  HostCells(ranks::Communicator& comm, const TreeSettings& settings);
  ~HostCells() override;

  void find_moments() override { evaluate(tree_, own_, tree::Stage::moments); }
  void find_accelerations() override;
  std::size_t row_bytes() const override;
  Branches find_branches(const Part& part, std::uint32_t coarse) override;
  void take_top_tree(std::span<const std::byte> rows, std::span<const std::uint32_t> places) override;
  std::vector<double> accelerations(std::span<const std::uint32_t> own) override;
  void take_accelerations(std::span<const double> of_top) override;
  std::vector<std::uint32_t> opened(std::uint32_t from) override;
  std::vector<tree::CellHead> exchange_cells(std::span<const std::uint32_t> own, const SendLists& lists,
                                             std::span<const std::uint32_t> parents) override;
  void exchange_bodies(const Part& part, std::span<const Interval> own, const SendLists& lists,
                       std::span<const std::uint32_t> leaves) override;

 protected:
  /// A stage of `pass_`.
  void evaluate(const tree::Tree& tree, tree::Memory<M>& memory, tree::Stage stage);
  /// Releases own moments and all cells and bodies of others.
  void forget();

  ranks::Communicator& comm_;
  TreeSettings settings_;
  tree::Tree tree_;  ///< of the part
  tree::Memory<M> own_;
  HostKnown<M> there_;
  tree::Pass pass_;
  TreeWork work_;

 private:
  void pack(std::uint32_t own, std::vector<std::byte>& rows);
  /// Unpacks the row of a known cell, whose memory is allocated.
  void unpack(const std::byte* row, std::uint32_t known);
  void make_room(std::size_t cells);
  void add(const tree::CellHead& head, std::uint32_t first_child, bool given);

  const tree::Compiled& compiled_;
  tree::KeyRange keys_;
  std::unique_ptr<CellWalk<M>> cell_walk_;
};

}  // namespace pleiad::domain
