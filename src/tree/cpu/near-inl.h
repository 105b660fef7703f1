/// Bodies on the bodies of one cell: sources packed side by side, relative to the targets' cell and in its
/// unit, so that single precision holds every separation however small the cell is.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_TREE_NEAR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_TREE_NEAR_INL_H_
#undef PLEIAD_TREE_NEAR_INL_H_
#else
#define PLEIAD_TREE_NEAR_INL_H_
#endif

#include "tree/cpu/operators-inl.h"
#include "tree/octree.hpp"

#include <algorithm>
#include <span>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {

template <class M>
class Near {
 public:
  using D = hn::ScalableTag<M>;
  using V = hn::Vec<D>;
  static constexpr std::size_t rows = 4;  ///< targets at a time, in registers
  /// The root is 2 wide: separations are below 2^33 then, and their cubes below 2^99.
  static constexpr double least_unit = 0x1p-31;

  /// A cell's bodies as targets, with its centre and unit; eps in the tree's units.
  void aim(const Octree& tree, const Cell& cell, double x, double y, double z, double unit, double eps) {
    // Sources may be as far as the tree is wide, in units that are as small as one place: the cube of that
    // overflows. Pairs are computed in a unit in which it does not.
    const double own = std::max(unit, least_unit);
    x_ = x, y_ = y, z_ = z, per_ = 1 / own;
    shrink_ = unit * per_;
    // Bodies at one place do not pull on each other: the least softening makes their pull 0 times a number,
    // and is below what a separation in this cell can be.
    eps2_ = std::max(M(eps * per_ * eps * per_), M(1e-24));
    targets_ = cell.bodies(), own_ = 0, begin_ = cell.begin;
    const std::size_t room = (targets_ + rows - 1) / rows * rows + hn::Lanes(D());
    for (auto* v : {&tx, &ty, &tz}) v->resize(room);
    for (auto* v : {&ax, &ay, &az, &phi}) v->assign(room, 0);
    for (std::size_t i = 0; i < room; ++i) {
      const std::size_t j = begin_ + std::min(i, targets_ - 1);
      tx[i] = M((tree.x[j] - x) / unit), ty[i] = M((tree.y[j] - y) / unit), tz[i] = M((tree.z[j] - z) / unit);
    }
  }

  /// The bodies of these cells, which are leaves in the order of their bodies.
  std::size_t gather(const Octree& tree, std::span<const std::uint32_t> leaves) {
    const D d;
    std::size_t n = 0;
    for (const auto s : leaves) n += tree.cells[s].bodies();
    padded_ = (n + hn::Lanes(d) - 1) / hn::Lanes(d) * hn::Lanes(d);
    if (sx_.size() < padded_)
      for (auto* v : {&sx_, &sy_, &sz_, &sm_}) v->resize(2 * padded_);
    std::size_t k = 0;
    own_ = padded_;
    for (std::size_t i = 0; i < leaves.size();) {
      const auto begin = tree.cells[leaves[i]].begin;
      auto end = tree.cells[leaves[i]].end;
      for (++i; i < leaves.size() && tree.cells[leaves[i]].begin == end; ++i) end = tree.cells[leaves[i]].end;
      if (begin <= begin_ && begin_ < end) own_ = k + (begin_ - begin);
      for (auto j = begin; j < end; ++j, ++k) {
        sx_[k] = M((tree.x[j] - x_) * per_), sy_[k] = M((tree.y[j] - y_) * per_);
        sz_[k] = M((tree.z[j] - z_) * per_), sm_[k] = M(tree.m[j]);
      }
    }
    for (; k < padded_; ++k) sx_[k] = sy_[k] = sz_[k] = M(4), sm_[k] = 0;
    return n;
  }

  /// Adds the pulls, in the cell's unit.
  template <bool potential>
  HWY_NOINLINE void sum() {
    const D d;
    const auto eps2 = hn::Set(d, eps2_);
    const M shrink = M(shrink_);
    for (std::size_t i = 0; i < targets_; i += rows) {
      V x[rows], y[rows], z[rows], sums[4][rows];
      for (std::size_t k = 0; k < rows; ++k) {
        x[k] = hn::Set(d, shrink * tx[i + k]), y[k] = hn::Set(d, shrink * ty[i + k]);
        z[k] = hn::Set(d, shrink * tz[i + k]);
        for (auto& s : sums) s[k] = hn::Zero(d);
      }
      for (std::size_t j = 0; j < padded_; j += hn::Lanes(d)) {
        const auto sx = hn::LoadU(d, &sx_[j]), sy = hn::LoadU(d, &sy_[j]), sz = hn::LoadU(d, &sz_[j]);
        const auto sm = hn::LoadU(d, &sm_[j]);
        for (std::size_t k = 0; k < rows; ++k) {
          const auto dx = hn::Sub(sx, x[k]), dy = hn::Sub(sy, y[k]), dz = hn::Sub(sz, z[k]);
          const auto r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, eps2)));
          const auto f = cpu::HWY_NAMESPACE::times_inverse_cube<cpu::HWY_NAMESPACE::Mode::plain, M>(sm, r2);
          sums[0][k] = hn::MulAdd(dx, f, sums[0][k]), sums[1][k] = hn::MulAdd(dy, f, sums[1][k]);
          sums[2][k] = hn::MulAdd(dz, f, sums[2][k]);
          if constexpr (potential) add_potential(sm, r2, j, own_ + i + k, sums[3][k]);
        }
      }
      const double cube = cpu::HWY_NAMESPACE::cube_factor<M> * shrink_ * shrink_;
      for (std::size_t k = 0; k < rows; ++k) {
        ax[i + k] += cube * double(hn::GetLane(hn::SumOfLanes(d, sums[0][k])));
        ay[i + k] += cube * double(hn::GetLane(hn::SumOfLanes(d, sums[1][k])));
        az[i + k] += cube * double(hn::GetLane(hn::SumOfLanes(d, sums[2][k])));
        if constexpr (potential) phi[i + k] += shrink_ * double(hn::GetLane(hn::SumOfLanes(d, sums[3][k])));
      }
    }
  }

  std::vector<M> tx, ty, tz;            ///< targets, in the cell's unit
  std::vector<double> ax, ay, az, phi;  ///< their sums

 private:
  /// Of all but the target itself, which is source `self`, and of none at the same place without softening.
  HWY_INLINE static void add_potential(V m, V r2, std::size_t j, std::size_t self, V& sum) {
    const D d;
    const auto y = cpu::HWY_NAMESPACE::refined<M>(r2, cpu::HWY_NAMESPACE::approximate_rsqrt(r2));
    auto term = hn::Mul(m, y);
    if (self - j < hn::Lanes(d)) {
      const auto lane = hn::Iota(d, M(0));
      term = hn::IfThenZeroElse(hn::Eq(lane, hn::Set(d, M(self - j))), term);
    }
    term = hn::IfThenZeroElse(hn::Le(r2, hn::Set(d, M(1e-24))), term);
    sum = hn::Add(sum, term);
  }

  double x_ = 0, y_ = 0, z_ = 0, per_ = 1, shrink_ = 1;
  M eps2_ = 0;
  std::size_t targets_ = 0, padded_ = 0, own_ = 0, begin_ = 0;
  std::vector<M> sx_, sy_, sz_, sm_;
};

}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
