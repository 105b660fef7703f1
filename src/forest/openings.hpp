/// Which cells of other ranks the targets of this one will look into: found with the acceptance criteria of
/// the evaluation, a little wider than these, so that rounding leaves out nothing.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forest/cells.hpp"
#include "forest/part.hpp"
#include "tree/cpu/pass.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::forest {

/// What is known of one evaluation, and of the cells so far. The lists that the calls return are of known
/// cells.
template <class M>
struct View {
  const Part& part;
  const tree::Memory<M>& own;
  const Known<M>& known;
  const tree::Pass& pass;
};

/// Of cells that meet cells, as in the fast multipole method. `coarse` above 0: cells with so few bodies are
/// taken for leaves, and bodies are not needed, as in the walk for accelerations.
template <class M>
class CellOpenings {
 public:
  CellOpenings(const View<M>& view, std::uint32_t coarse);
  /// Cells whose children are needed; to be called until there are none on any rank.
  std::vector<std::uint32_t> look();
  /// Leaves whose bodies are needed.
  std::vector<std::uint32_t> leaves() const;

 private:
  /// The source, as it is in an image, is not distant from the target.
  struct Pair {
    std::uint32_t target, source, image;
  };
  bool leaf(const tree::Tree& tree, std::uint32_t c) const {
    return tree.cells[c].leaf() || tree.bodies_of(c) <= coarse_;
  }
  bool distant(std::uint32_t target, std::uint32_t source, std::uint32_t image) const;
  bool allowed(std::uint32_t target, std::uint32_t source, double R2) const;
  void open(const Pair& pair);
  void test(std::uint32_t target, std::uint32_t source, std::uint32_t image);

  View<M> view_;
  std::uint32_t coarse_;
  std::vector<Pair> open_, waiting_;
  std::vector<std::uint8_t> wanted_;  ///< leaves, and cells that have been asked for
};

/// Of bodies in groups that meet cells, as with Barnes and Hut.
template <class M>
class GroupOpenings {
 public:
  /// Cells with at most `few` bodies are always opened, but by the classic criterion.
  GroupOpenings(const View<M>& view, std::uint32_t few) : view_(view), few_(few) {}
  std::vector<std::uint32_t> look();
  std::vector<std::uint32_t> leaves() const { return leaves_; }

 private:
  bool opens(std::uint32_t target, std::uint32_t source, const Vec3<double>& shift, double reach2) const;
  bool exact_enough(std::uint32_t target, std::uint32_t source, double R2) const;
  double reach2(std::uint32_t source) const;

  View<M> view_;
  std::uint32_t few_;
  std::uint32_t seen_ = 0;  ///< cells that have been looked at
  std::vector<std::uint32_t> leaves_;
};

}  // namespace pleiad::forest
