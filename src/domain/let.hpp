/// The locally essential tree (LET) of a rank: the cells of the whole tree that its bodies need. The upper
/// ones, the top tree, are known to every rank; those below are requested from the ranks that have them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/exchange.hpp"
#include "ranks/communicator.hpp"
#include "tree/cell_head.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace pleiad::domain {

/// A cell of the LET.
struct KnownCell {
  static constexpr int shared = -1;  ///< by several ranks
  tree::CellHead head{};
  int owner = shared;
  std::uint32_t first_child = 0;  ///< among the known cells; 0: its children are not among them

  bool leaf() const { return head.children == 0; }
  bool closed() const { return head.children > 0 && first_child == 0; }
};
/// An own cell that has bodies of other ranks too, and the full cell among the known cells.
struct SharedCell {
  tree::CellHead own;
  std::uint32_t whole;
};
struct Known {
  std::vector<KnownCell> cells;       ///< first those of the top tree, level by level
  std::vector<std::uint32_t> levels;  ///< offsets of the levels of the top tree, and its end
  std::vector<SharedCell> shared;
  std::uint32_t size() const { return static_cast<std::uint32_t>(cells.size()); }
  std::uint32_t top() const { return levels.empty() ? 0 : levels.back(); }
};
/// Cells or bodies one behind the other, in the numbers of the rank that has them.
struct Interval {
  std::uint32_t first, count;
};

/// The cells of a rank and those of its LET where they are computed, on the host or a GPU. A cell is sent as
/// a row of bytes, which begins with its head; all rows have one size.
class Cells {
 public:
  virtual ~Cells() = default;

  /// Computes the moments of own cells from own bodies.
  virtual void find_moments() = 0;
  /// Computes accelerations of own cells from those of the LET.
  virtual void find_accelerations() = 0;
  /// Computes forces on own bodies from the LET.
  virtual void find_forces() = 0;
  /// Returns forces to the ranks that own the bodies. Collective.
  virtual void return_forces(const SendLists& lists) = 0;

  virtual std::size_t row_bytes() const = 0;
  struct Branches {
    std::vector<std::byte> rows;         ///< of cells that are wholly of this rank
    std::vector<tree::CellHead> shared;  ///< of the cells above them
  };
  /// Own cells of the top tree: down to those below a shared one or one of more than `coarse` bodies.
  virtual Branches find_branches(const Part& part, std::uint32_t coarse) = 0;
  static constexpr auto below_own = std::numeric_limits<std::uint32_t>::max();
  /// Takes the cells of the top tree from the rows of all ranks, and finds the moments of shared ones. Own
  /// shared cells then have the position and the moments of the full cell. `places`: index of each row among
  /// the known cells, or `below_own` for a cell that only the own tree has.
  virtual void take_top_tree(std::span<const std::byte> rows, std::span<const std::uint32_t> places) = 0;

  /// The least acceleration on each of these own cells.
  virtual std::vector<double> accelerations(std::span<const std::uint32_t> own) = 0;
  /// Takes the accelerations of the top tree's cells; own shared cells get those of the full cell.
  virtual void take_accelerations(std::span<const double> of_top) = 0;

  /// The MAC walk: returns cells and leaves of other ranks that own cells open. Called again after known
  /// cells from `from` on were added; returns each cell once.
  virtual std::vector<std::uint32_t> opened(std::uint32_t from) = 0;
  /// Sends own cells to each rank, appends those received to the known cells, and returns their heads. They
  /// are the children of `parents`, and carry the parents' numbers. Collective.
  virtual std::vector<tree::CellHead> exchange_cells(std::span<const std::uint32_t> own,
                                                     const SendLists& lists,
                                                     std::span<const std::uint32_t> parents) = 0;
  /// Sends own bodies to each rank, and receives those of the given known leaves. Collective.
  virtual void exchange_bodies(const Part& part, std::span<const Interval> own, const SendLists& lists,
                               std::span<const std::uint32_t> leaves) = 0;

  Known known;
};

/// The LET of one rank. All calls are collective. A rank without bodies has no known cells.
class LocalEssentialTree {
 public:
  LocalEssentialTree(ranks::Communicator& comm, const Part& part, Cells& cells)
      : comm_(comm), part_(part), cells_(cells), known_(cells.known) {}

  /// Own moments are there.
  void gather_top_tree(std::uint32_t coarse);
  /// Exchanges the accelerations of the top tree's cells.
  void share_accelerations();
  /// Requests the cells of others that own ones open, level by level.
  void fetch_cells();
  /// Requests the bodies of leaves that are opened.
  void fetch_bodies();

  std::uint64_t cells_fetched = 0, bodies_fetched = 0, rounds = 0;

 private:
  void make_top_tree(const ranks::Received<std::byte>& rows);
  void fetch_children(std::span<const std::uint32_t> opened);

  ranks::Communicator& comm_;
  const Part& part_;
  Cells& cells_;
  Known& known_;
  std::vector<std::uint32_t> branches_;  ///< own cells of the top tree, along the curve, parents first
  /// index of each rank's branches among the known cells, or `below_own`
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> leaves_;  ///< known leaves whose bodies are needed
};

}  // namespace pleiad::domain
