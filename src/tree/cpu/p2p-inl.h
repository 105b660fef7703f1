/// Bodies on a group of bodies: sources packed side by side, relative to a place among the targets and in a
/// unit of about their size, so that single precision holds every separation however small the group is.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_TREE_P2P_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_TREE_P2P_INL_H_
#undef PLEIAD_TREE_P2P_INL_H_
#else
#define PLEIAD_TREE_P2P_INL_H_
#endif

#include "cpu/direct/pair-inl.h"
#include "tree/cell_list.hpp"
#include "tree/splines.hpp"
#include "tree/tree.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Calls `work` with the index of each bit that is set.
template <class Work>
HWY_INLINE void for_bits(unsigned bits, const Work& work) {
  for (; bits != 0; bits &= bits - 1) work(unsigned(std::countr_zero(bits)));
}

template <class M>
class P2P {
 public:
  using D = hn::ScalableTag<M>;
  using V = hn::Vec<D>;
  /// The root is 2 wide: separations are below 2^33 then, and their cubes below 2^99.
  static constexpr double least_unit = 0x1p-31;

  /// Bodies [begin, end) as targets, in the frame of a place and a unit; eps in the tree's units.
  void aim(const Tree& tree, std::uint32_t begin, std::uint32_t end, const Vec3<double>& place, double unit,
           double eps);
  std::size_t targets() const { return targets_; }
  /// A coordinate in the frame of pairs, which is the targets' unless their unit is below the least.
  HWY_INLINE M in_frame(double coordinate, int axis) const { return in_frame(coordinate, axis, place_); }
  double per_unit() const { return per_; }
  M eps2() const { return eps2_; }

  /// The bodies of these cells, which are leaves, in each image in the order of their bodies; those of the
  /// targets among them.
  std::size_t gather(const Tree& tree, const CellList& leaves, std::span<const Vec3<double>> images);
  /// Adds the pulls, in the frame's unit.
  void sum(bool potential);
  /// The same with splines, for the leaves that were gathered: p2p_splines.cpp.
  void sum_splines(const Tree& tree, const CellList& leaves, const Splines& splines, bool potential);

  std::vector<M> tx, ty, tz;            ///< targets, in their unit
  std::vector<double> ax, ay, az, phi;  ///< their sums

 private:
  HWY_INLINE M in_frame(double coordinate, int axis, const Vec3<double>& place) const {
    return M((coordinate - (axis == 0 ? place.x : axis == 1 ? place.y : place.z)) * per_);
  }
  void pack(const Tree& tree, std::size_t begin, std::size_t end, std::size_t k, const Vec3<double>& place);
  template <bool potential>
  void sum_all();
  template <bool potential, std::size_t rows>
  void sum_rows(std::size_t i);

  static constexpr M least_r2 = M(1e-24);
  Vec3<double> place_{};
  double per_ = 1, shrink_ = 1;
  M eps2_ = 0;
  std::size_t targets_ = 0, padded_ = 0, own_ = 0, begin_ = 0;
  std::vector<M> sx_, sy_, sz_, sm_;
  std::vector<M> sh2_;  ///< squares of the radii of splines
};

// Compiled once for each instruction set, by p2p.cpp, not with the operators of each order.
extern template class P2P<float>;
extern template class P2P<double>;

}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
