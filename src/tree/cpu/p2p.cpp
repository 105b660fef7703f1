/// The sums of P2P, the same for all orders.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/cpu/p2p.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include "tree/cpu/p2p-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {
namespace {

/// For all sources but the target itself, which is source `self`, and none at the same place without
/// softening; 0 for these.
template <class M, class V = hn::Vec<hn::ScalableTag<M>>>
HWY_INLINE V of_others(V value, V r2, std::size_t j, std::size_t self, M least_r2) {
  const hn::ScalableTag<M> d;
  if (self - j < hn::Lanes(d))
    value = hn::IfThenZeroElse(hn::Eq(hn::Iota(d, M(0)), hn::Set(d, M(self - j))), value);
  return hn::IfThenZeroElse(hn::Le(r2, hn::Set(d, least_r2)), value);
}

}  // namespace

/// Packs bodies [begin, end) to the entries from k on, relative to `place`; entries after them are written
/// too, up to a full vector.
template <class M>
HWY_INLINE void P2P<M>::pack(const Tree& tree, std::size_t begin, std::size_t end, std::size_t k,
                             const Vec3<double>& place) {
  constexpr hn::CappedTag<double, 8> wide;
  const hn::Rebind<M, decltype(wide)> narrow;
  const std::size_t lanes = hn::Lanes(wide);
  const auto x = hn::Set(wide, place.x), y = hn::Set(wide, place.y), z = hn::Set(wide, place.z);
  const auto per = hn::Set(wide, per_);
  const auto store = [&](auto value, std::vector<M>& to) {
    if constexpr (sizeof(M) == sizeof(double)) hn::StoreU(value, narrow, &to[k]);
    else hn::StoreU(hn::DemoteTo(narrow, value), narrow, &to[k]);
  };
  const std::size_t whole = std::min(end, tree.order.size() - std::min(tree.order.size(), lanes - 1));
  for (; begin < whole; begin += lanes, k += lanes) {
    store(hn::Mul(hn::Sub(hn::LoadU(wide, &tree.x[begin]), x), per), sx_);
    store(hn::Mul(hn::Sub(hn::LoadU(wide, &tree.y[begin]), y), per), sy_);
    store(hn::Mul(hn::Sub(hn::LoadU(wide, &tree.z[begin]), z), per), sz_);
    store(hn::LoadU(wide, &tree.m[begin]), sm_);
  }
  for (; begin < end; ++begin, ++k)  // at the tree's end
    sx_[k] = in_frame(tree.x[begin], 0, place), sy_[k] = in_frame(tree.y[begin], 1, place),
    sz_[k] = in_frame(tree.z[begin], 2, place), sm_[k] = M(tree.m[begin]);
}

/// Sums `rows` targets from i on, in registers, stage by stage: a processor looks ahead too few instructions
/// to find those of other rows by itself.
template <class M>
template <bool potential, std::size_t rows>
HWY_INLINE void P2P<M>::sum_rows(std::size_t i) {
  const D d;
  // Bodies at one position exert no force on each other: the least softening makes their pull 0 times a
  // number, and is below the smallest separation in the frame.
  const auto eps2 = hn::Set(d, std::max(eps2_, least_r2));
  const M shrink = M(shrink_);
  V x[rows], y[rows], z[rows], sums[4][rows];
  for (std::size_t k = 0; k < rows; ++k) {
    x[k] = hn::Set(d, shrink * tx[i + k]), y[k] = hn::Set(d, shrink * ty[i + k]);
    z[k] = hn::Set(d, shrink * tz[i + k]);
    for (auto& s : sums) s[k] = hn::Zero(d);
  }
  const auto meet = [&]<bool others>(std::bool_constant<others>, std::size_t j) HWY_ATTR {
    const auto sx = hn::LoadU(d, &sx_[j]), sy = hn::LoadU(d, &sy_[j]), sz = hn::LoadU(d, &sz_[j]);
    const auto sm = hn::LoadU(d, &sm_[j]);
    V dx[rows], dy[rows], dz[rows], r2[rows], f[rows];
    for (std::size_t k = 0; k < rows; ++k) {
      dx[k] = hn::Sub(sx, x[k]), dy[k] = hn::Sub(sy, y[k]), dz[k] = hn::Sub(sz, z[k]);
      r2[k] = hn::MulAdd(dz[k], dz[k], hn::MulAdd(dy[k], dy[k], hn::MulAdd(dx[k], dx[k], eps2)));
    }
    for (std::size_t k = 0; k < rows; ++k) {
      if constexpr (potential) {
        const auto pair = cpu::HWY_NAMESPACE::pull_and_potential<M>(sm, r2[k]);
        const auto left = others ? pair.left : of_others<M>(pair.left, r2[k], j, own_ + i + k, least_r2);
        f[k] = pair.cube, sums[3][k] = hn::MulAdd(left, pair.right, sums[3][k]);
      } else {
        f[k] = cpu::HWY_NAMESPACE::times_inverse_cube<cpu::HWY_NAMESPACE::Mode::plain, M>(sm, r2[k]);
      }
    }
    for (std::size_t k = 0; k < rows; ++k) {
      sums[0][k] = hn::MulAdd(dx[k], f[k], sums[0][k]), sums[1][k] = hn::MulAdd(dy[k], f[k], sums[1][k]);
      sums[2][k] = hn::MulAdd(dz[k], f[k], sums[2][k]);
    }
  };
  // Where a target is among the sources, or may have the place of one, its potential takes more care.
  const std::size_t lanes = hn::Lanes(d), first = own_ + i, last = first + rows - 1;
  const bool careful = potential && !(eps2_ > least_r2);
  const std::size_t begin = !potential ? padded_ : careful ? 0 : std::min(padded_, first / lanes * lanes);
  const std::size_t end = careful ? padded_ : std::min(padded_, (last / lanes + 1) * lanes);
  std::size_t j = 0;
  for (; j < begin; j += lanes) meet(std::true_type{}, j);
  if constexpr (potential) {
    for (; j < end; j += lanes) meet(std::false_type{}, j);
    for (; j < padded_; j += lanes) meet(std::true_type{}, j);
  }
  const double cube = cpu::HWY_NAMESPACE::cube_factor<M> * shrink_ * shrink_;
  [[maybe_unused]] const double inverse = cpu::HWY_NAMESPACE::potential_factor<M> * shrink_;
  for (std::size_t k = 0; k < rows; ++k) {
    ax[i + k] += cube * double(hn::GetLane(hn::SumOfLanes(d, sums[0][k])));
    ay[i + k] += cube * double(hn::GetLane(hn::SumOfLanes(d, sums[1][k])));
    az[i + k] += cube * double(hn::GetLane(hn::SumOfLanes(d, sums[2][k])));
    if constexpr (potential) phi[i + k] += inverse * double(hn::GetLane(hn::SumOfLanes(d, sums[3][k])));
  }
}

template <class M>
void P2P<M>::aim(const Tree& tree, std::uint32_t begin, std::uint32_t end, const Vec3<double>& place,
                 double unit, double eps) {
  // Sources may be as far as the tree is wide, in units that are as small as one place: the cube of that
  // overflows. Pairs are computed in a unit in which it does not.
  const double own = std::max(unit, least_unit);
  place_ = place, per_ = 1 / own;
  shrink_ = unit * per_;
  eps2_ = M(eps * per_ * eps * per_);
  targets_ = end - begin, own_ = 0, begin_ = begin;
  const std::size_t room = targets_ + hn::Lanes(D());
  for (auto* v : {&tx, &ty, &tz}) v->resize(room);
  for (auto* v : {&ax, &ay, &az, &phi}) v->assign(room, 0);
  for (std::size_t i = 0; i < room; ++i) {
    const std::size_t j = begin + std::min(i, targets_ - 1);
    tx[i] = M((tree.x[j] - place.x) / unit), ty[i] = M((tree.y[j] - place.y) / unit);
    tz[i] = M((tree.z[j] - place.z) / unit);
  }
}

template <class M>
std::size_t P2P<M>::gather(const Tree& tree, const CellList& leaves, std::span<const Vec3<double>> images) {
  const std::size_t lanes = hn::Lanes(D());
  std::size_t n = 0;
  for (const auto s : leaves.cells) n += tree.cells[s].bodies();
  padded_ = (n + lanes - 1) / lanes * lanes;
  if (sx_.size() < n + 2 * lanes)
    for (auto* v : {&sx_, &sy_, &sz_, &sm_}) v->resize(2 * (n + lanes));
  std::size_t k = 0;
  own_ = padded_;
  const auto& cells = leaves.cells;
  for (const auto& part : leaves.parts) {
    const Vec3<double> place = place_ - images[part.image];
    for (std::size_t i = part.begin; i < part.end;) {
      const auto begin = tree.cells[cells[i]].begin;
      auto end = tree.cells[cells[i]].end;
      for (++i; i < part.end && tree.cells[cells[i]].begin == end; ++i) end = tree.cells[cells[i]].end;
      if (part.image == 0 && begin <= begin_ && begin_ < end) own_ = k + (begin_ - begin);
      pack(tree, begin, end, k, place);
      k += end - begin;
    }
  }
  // Bodies without mass, outside of the tree.
  for (; k < padded_; ++k)
    sx_[k] = in_frame(4, 0), sy_[k] = in_frame(4, 1), sz_[k] = in_frame(4, 2), sm_[k] = 0;
  return n;
}

template <class M>
template <bool potential>
void P2P<M>::sum_all() {
  std::size_t i = 0;
  for (; i + 4 <= targets_; i += 4) sum_rows<potential, 4>(i);
  if (targets_ - i == 3) sum_rows<potential, 3>(i);
  if (targets_ - i == 2) sum_rows<potential, 2>(i);
  if (targets_ - i == 1) sum_rows<potential, 1>(i);
}

template <class M>
void P2P<M>::sum(bool potential) {
  if (potential) sum_all<true>();
  else sum_all<false>();
}

template class P2P<float>;
template class P2P<double>;

}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
