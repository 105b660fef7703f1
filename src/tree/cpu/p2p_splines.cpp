/// The sums of P2P with splines.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/cpu/p2p_splines.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include "cpu/direct/spline-inl.h"
#include "tree/cpu/p2p-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {

/// Two targets at a time, whose chains of operations are independent.
template <class M>
void P2P<M>::sum_splines(const Tree& tree, const CellList& leaves, const Splines& splines, bool potential) {
  constexpr std::size_t rows = 2;
  const D d;
  const auto square = [&](double radius) {
    const M h = M(radius * per_);
    return h * h;
  };
  sh2_.assign(padded_, 0);
  std::size_t packed = 0;  // in the order of gather()
  for (const auto s : leaves.cells)
    for (auto j = tree.cells[s].begin; j < tree.cells[s].end; ++j) sh2_[packed++] = square(splines.radii[j]);
  const bool larger = splines.rule == SofteningRule::max;
  const M shrink = M(shrink_);
  const auto least = hn::Set(d, least_r2);
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < targets_; i += rows) {
    V x[rows], y[rows], z[rows], h2[rows], sums[4][rows];
    for (std::size_t k = 0; k < rows; ++k) {  // there is room for one more target
      x[k] = hn::Set(d, shrink * tx[i + k]), y[k] = hn::Set(d, shrink * ty[i + k]);
      z[k] = hn::Set(d, shrink * tz[i + k]);
      h2[k] = hn::Set(d, square(splines.radii[begin_ + std::min(i + k, targets_ - 1)]));
      for (auto& s : sums) s[k] = hn::Zero(d);
    }
    for (std::size_t j = 0; j < padded_; j += lanes) {
      const auto sx = hn::LoadU(d, &sx_[j]), sy = hn::LoadU(d, &sy_[j]), sz = hn::LoadU(d, &sz_[j]);
      const auto sm = hn::LoadU(d, &sm_[j]), sh2 = hn::LoadU(d, &sh2_[j]);
      for (std::size_t k = 0; k < rows; ++k) {
        const auto dx = hn::Sub(sx, x[k]), dy = hn::Sub(sy, y[k]), dz = hn::Sub(sz, z[k]);
        // Bodies at one position have the pull 0 times a number.
        const auto r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, least)));
        const auto f =
            cpu::HWY_NAMESPACE::spline_factors<M>(r2, cpu::HWY_NAMESPACE::inverse_distance<M>(r2),
                                                  larger ? hn::Max(h2[k], sh2) : hn::Add(h2[k], sh2));
        const auto pull = hn::Mul(sm, f.pull);
        sums[0][k] = hn::MulAdd(dx, pull, sums[0][k]), sums[1][k] = hn::MulAdd(dy, pull, sums[1][k]);
        sums[2][k] = hn::MulAdd(dz, pull, sums[2][k]);
        if (!potential) continue;
        auto mass = sm;
        if (const std::size_t self = own_ + i + k; self - j < lanes)  // a target is not in its own potential
          mass = hn::IfThenZeroElse(hn::Eq(hn::Iota(d, M(0)), hn::Set(d, M(self - j))), mass);
        // Without softening there is none of bodies at one position.
        const auto apart = hn::Or(hn::Gt(r2, least), hn::Gt(hn::Max(h2[k], sh2), hn::Zero(d)));
        sums[3][k] = hn::MulAdd(mass, hn::IfThenElseZero(apart, f.potential), sums[3][k]);
      }
    }
    for (std::size_t k = 0; k < rows && i + k < targets_; ++k) {
      const double cube = shrink_ * shrink_;
      ax[i + k] += cube * double(hn::GetLane(hn::SumOfLanes(d, sums[0][k])));
      ay[i + k] += cube * double(hn::GetLane(hn::SumOfLanes(d, sums[1][k])));
      az[i + k] += cube * double(hn::GetLane(hn::SumOfLanes(d, sums[2][k])));
      phi[i + k] += shrink_ * double(hn::GetLane(hn::SumOfLanes(d, sums[3][k])));
    }
  }
}

template void P2P<float>::sum_splines(const Tree&, const CellList&, const Splines&, bool);
template void P2P<double>::sum_splines(const Tree&, const CellList&, const Splines&, bool);

}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
