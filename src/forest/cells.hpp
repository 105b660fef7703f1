/// Cells as ranks show them to each other: where they are, what they weigh, and their moments.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/cpu/pass.hpp"
#include "tree/tree.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::forest {

/// Copies what moments and scales hold of a cell. There are scales of both or of neither.
template <class M>
void copy_cell(const tree::Memory<M>& from, std::size_t a, tree::Memory<M>& to, std::size_t b);

/// Room for so many cells with records and scales like those of another memory.
template <class M>
void resize_like(const tree::Memory<M>& model, std::size_t cells, tree::Memory<M>& to);

/// Some cells of the whole tree, from the root down: those that several ranks share, and below them those
/// that have been asked for. All have moments. The place of a cell's first body stands for the cell's bodies.
template <class M>
struct Known {
  static constexpr int shared = -1;  ///< no owner
  tree::Tree tree;                   ///< children that are not known yet begin at 0
  tree::Memory<M> memory;
  std::vector<int> owners;
  std::vector<std::uint32_t> ids;        ///< of a cell, among its owner's
  std::vector<std::uint32_t> bodies_at;  ///< of a leaf: where its bodies begin, or `none`
  std::vector<Mass<double>> bodies;      ///< that have been asked for
  static constexpr std::uint32_t none = ~0U;

  std::uint32_t cells() const { return static_cast<std::uint32_t>(tree.cells.size()); }
  bool leaf(std::uint32_t c) const { return tree.cells[c].children == 0; }
  bool closed(std::uint32_t c) const { return tree.cells[c].children > 0 && tree.cells[c].first_child == 0; }
  std::size_t bytes() const {
    return tree.bytes() + memory.bytes() + owners.capacity() * 12 + bodies.capacity() * sizeof(bodies[0]);
  }
  /// A cell with the place of its first body; its moments are missing.
  std::uint32_t add(const tree::Cell& cell, std::uint32_t bodies, const Vec3<double>& first, int owner,
                    std::uint32_t id);
};

/// What is sent of cells, one after the other, all of one size.
template <class M>
class Parcel {
 public:
  /// `model`: whose records and scales the cells have.
  explicit Parcel(const tree::Memory<M>& model) : model_(model) {}
  /// The cell `c` of a tree with these moments.
  void add(const tree::Tree& tree, const tree::Memory<M>& memory, std::uint32_t c,
           std::vector<std::byte>& to) const;
  /// Adds the cell that begins at `from` to those that are known.
  std::uint32_t take(const std::byte* from, int owner, Known<M>& known) const;
  std::size_t size() const;

 private:
  const tree::Memory<M>& model_;
};

}  // namespace pleiad::forest
