/// The MAC walk on the host: which cells of other ranks the targets of this one open. It has the acceptance
/// criteria of the evaluation, a little wider than these, so that rounding leaves out nothing.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/host_cells.hpp"
#include "tree/cpu/pass.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::domain {

/// Data of one evaluation, and the cells that are known so far.
template <class M>
struct View {
  const tree::Tree& tree;  ///< the own one
  const tree::Memory<M>& own;
  tree::KeyRange keys;
  int rank;
  const Known& known;
  const HostKnown<M>& there;
  const tree::Pass& pass;
};

/// Walk of cells against cells, as in the fast multipole method.
template <class M>
class CellWalk {
 public:
  explicit CellWalk(const View<M>& view);
  /// Cells whose children, and leaves whose bodies are needed; to be called until there are none on any rank.
  std::vector<std::uint32_t> opened();

 private:
  /// The source, as it is in an image, is not distant from the target.
  struct Pair {
    std::uint32_t target, source, image;
  };
  bool distant(std::uint32_t target, std::uint32_t source, std::uint32_t image) const;
  bool allowed(std::uint32_t target, std::uint32_t source, double R2) const;
  /// Pairs that one thread processes, and those that wait for cells that are not yet known.
  struct Pairs {
    std::vector<Pair> open, waiting;
  };
  void open(const Pair& pair, Pairs& pairs);
  void test(std::uint32_t target, std::uint32_t source, std::uint32_t image, std::vector<Pair>& open) const;

  View<M> view_;
  std::vector<Pair> waiting_;
  enum : std::uint8_t { closed, found, told };
  std::vector<std::uint8_t> opened_;  ///< state of each known cell
};

/// Walk of groups of bodies against cells, as in Barnes-Hut.
template <class M>
class GroupWalk {
 public:
  /// Cells with at most `few` bodies are always opened, but by the classic criterion.
  GroupWalk(const View<M>& view, std::uint32_t few) : view_(view), few_(few) {}
  /// Returns opened cells among the known ones from `from` on.
  std::vector<std::uint32_t> opened(std::uint32_t from) const;

 private:
  bool opens(std::uint32_t target, std::uint32_t source, const Vec3<double>& shift, double reach2) const;
  bool exact_enough(std::uint32_t target, std::uint32_t source, double R2) const;
  double reach2(std::uint32_t source) const;

  View<M> view_;
  std::uint32_t few_;
};

}  // namespace pleiad::domain
