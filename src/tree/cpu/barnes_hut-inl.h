/// Barnes and Hut, for groups of bodies that lie together: each group walks the tree once, from the root. A
/// cell that is distant enough from the group's box pulls its bodies as a whole; another is opened; a leaf
/// that is not distant enough shows its bodies.
///
/// Every body of a group is then as far from each cell as the MAC demands. Every target has one owner and one
/// order of sums.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_TREE_BARNES_HUT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_TREE_BARNES_HUT_INL_H_
#undef PLEIAD_TREE_BARNES_HUT_INL_H_
#else
#define PLEIAD_TREE_BARNES_HUT_INL_H_
#endif

#include "tree/cpu/m2p-inl.h"
#include "tree/cpu/moments-inl.h"
#include "tree/cpu/pass.hpp"
#include "tree/cpu/scales-inl.h"
#include "tree/cpu/splines-inl.h"
#include "tree/groups.hpp"
#include "tree/places.hpp"
#include "tree/softening.hpp"

#include <bit>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {

/// Writes the multipole record of a cell for bodies.
template <int p, class M>
void make_m2p_record(const Tree& tree, std::uint32_t c, const Moments<M>& up, const Pass& pass,
                     M2PRecords<M>& to) {
  const M* record = up.record(c);
  M newtonian[m2p_numbers(p)], softened[softened_m2p_numbers(p)], all[moments(p)];
  all[0] = record[Record<p>::m];
  std::copy_n(record + Record<p>::full, Record<p>::full_count, all + 1);
  m2p_record(Order<p>{}, all, record[Record<p>::unit], newtonian, softened);
  std::copy_n(newtonian, m2p_numbers(p), &to.newtonian[c * to.newtonian_stride]);
  if (to.softened_stride > 0)
    std::copy_n(softened, softened_m2p_numbers(p), &to.softened[c * to.softened_stride]);
  const double reach = reach_of(tree, c, up, pass.mac, pass.theta);
  to.reach2[c] = reach * reach;
  if (tree.bodies_of(c) <= few_bodies(p) && pass.mac != Mac::classic)
    to.reach2[c] = std::numeric_limits<double>::infinity();
}

template <int p, class M>
void make_m2p_records(const Tree& tree, Memory<M>& memory, const Pass& pass) {
  auto& up = memory.moments;
  auto& to = memory.m2p_records;
  const std::size_t cells = tree.cells.size();
  to.resize(cells, p, p > 2 && pass.eps > 0);
  constexpr std::size_t piece = 256;
  parallel_for((cells + piece - 1) / piece, [&](std::size_t b) {
    for (std::size_t c = b * piece; c < std::min(cells, (b + 1) * piece); ++c)
      make_m2p_record<p>(tree, std::uint32_t(c), up, pass, to);
  });
  // The cell that fills vectors: outside of the tree, with a unit but no mass.
  up.x[cells] = up.y[cells] = up.z[cells] = 4;
  std::fill_n(to.newtonian.end() - std::ptrdiff_t(to.newtonian_stride), to.newtonian_stride, M(0));
  std::fill_n(to.softened.end() - std::ptrdiff_t(to.softened_stride), to.softened_stride, M(0));
}

template <int p, class M>
class Walk {
 public:
  Walk(const Tree& tree, const Memory<M>& memory, const Pass& pass)
      : tree_(tree),
        up_(memory.moments),
        m2p_records_(memory.m2p_records),
        scales_(memory.scales),
        pass_(pass),
        m2p_(memory.moments, memory.m2p_records, pass.images, std::uint32_t(tree.cells.size())) {
    // Softened as if it were a point, a cell has its quadrupole's part of the pull wrong by about 3 r^2 eps^2
    // / R^4; a point has none.
    const double widest = pass.tolerance > 0 ? 1 : pass.theta, lost = 3 * widest * widest;
    if (p > 2)
      newtonian2_ = squared(pass.eps * newtonian_from(lost, promised_error(pass.theta, p, pass.tolerance)));
  }

  void run(const Group& group) {
    aim(group);
    find(group);
    if (pass_.potential) sum<true>();
    else sum<false>();
    const double per = bodies_.per_unit();
    const std::size_t first = group.begin - tree_.share.first_target;
    if (!pass_.costs.empty()) {
      // In multiply-adds a cell costs about as many as it has numbers; a pair twenty.
      const std::size_t cells = m2p_list_.cells.size() + softened_m2p_list_.cells.size();
      std::fill_n(&pass_.costs[first], bodies_.targets(),
                  std::uint32_t(sources_ + cells * std::size_t(m2p_numbers(p) + 8) / 20));
    }
    for (std::size_t i = first, k = 0; k < bodies_.targets(); ++i, ++k)
      pass_.sums[i] = {per * per * double(bodies_.ax[k]), per * per * double(bodies_.ay[k]),
                       per * per * double(bodies_.az[k]), per * double(bodies_.phi[k])};
  }

  TreeWork work;

 private:
  using Tests = hn::CappedTag<double, 8>;

  /// The group's box, and a frame in its middle.
  void aim(const Group& group) {
    Vec3<double> low{tree_.x[group.begin], tree_.y[group.begin], tree_.z[group.begin]}, high = low;
    for (auto i = group.begin + 1; i < group.end; ++i) {
      low = {std::min(low.x, tree_.x[i]), std::min(low.y, tree_.y[i]), std::min(low.z, tree_.z[i])};
      high = {std::max(high.x, tree_.x[i]), std::max(high.y, tree_.y[i]), std::max(high.z, tree_.z[i])};
    }
    middle_ = 0.5 * (low + high);
    // Half sides, with a margin for rounding.
    const Vec3<double> half = high - low;
    half_ = (0.5 + 1e-12) * half;
    // Of a size between the group and the tree: cubes of both are within the range of single precision.
    constexpr double least = 0x1p-24;
    const double size = std::max({half.x, half.y, half.z, least});
    bodies_.aim(tree_, group.begin, group.end, middle_, std::ldexp(1.0, std::ilogb(size)), pass_.eps);
    largest_spline_ = 0;
    for (auto i = group.begin; pass_.splines != nullptr && i < group.end; ++i)
      largest_spline_ = std::max(largest_spline_, pass_.splines->radii[i]);
    if (pass_.tolerance > 0) allowed_ = pass_.tolerance * scales_.least_acceleration[group.cell];
  }

  /// Fills the lists, image by image. Leaves come out in the order of their bodies, because the first cell is
  /// opened first.
  HWY_NOINLINE void find(const Group& group) {
    m2p_list_.clear(), softened_m2p_list_.clear(), p2p_list_.clear();
    const auto middle = middle_;
    for (std::uint32_t image = 0; image < pass_.images.size(); ++image) {
      middle_ = middle - pass_.images[image];
      open_.clear();
      if (image == 0) open_.push_back(0);
      else test_image(group);
      while (!open_.empty()) {
        const auto c = open_.back();
        open_.pop_back();
        const Cell& cell = tree_.cells[c];
        if (cell.leaf()) p2p_list_.cells.push_back(c);
        else divide(cell, group, image == 0);
      }
      for (auto* list : {&m2p_list_, &softened_m2p_list_, &p2p_list_}) list->close(image);
    }
    middle_ = middle;
  }
  /// The root itself may be distant if it is in an image.
  HWY_NOINLINE void test_image(const Group& group) {
    divide({.begin = 0, .end = 0, .first_child = 0, .children = 1, .parent = 0, .level = 0}, group, false);
  }
  /// Takes the children that are distant, and opens the others.
  HWY_INLINE void divide(const Cell& cell, const Group& group, bool own) {
    unsigned newtonian = 0, all = (1u << cell.children) - 1, far = test(cell, newtonian) & all;
    if (own && cell.begin <= group.begin && group.end <= cell.end) far &= ~holders(cell, group);
    for_bits(far & newtonian, [&](unsigned i) { m2p_list_.cells.push_back(cell.first_child + i); });
    for_bits(far & ~newtonian, [&](unsigned i) { softened_m2p_list_.cells.push_back(cell.first_child + i); });
    for (unsigned rest = ~far & all; rest != 0;) {
      const unsigned last = unsigned(std::bit_width(rest)) - 1;
      open_.push_back(cell.first_child + last);
      rest ^= 1u << last;
    }
  }

  /// Bits of the children of a cell that are distant, and of those beyond softening.
  HWY_INLINE unsigned test(const Cell& cell, unsigned& newtonian) {
    constexpr Tests d;
    const auto set = [&](double v) { return hn::Set(d, v); };
    const auto zero = hn::Zero(d);
    unsigned far = 0;
    work.tests += cell.children;
    for (std::uint32_t k = 0; k < cell.children; k += std::uint32_t(hn::Lanes(d))) {
      const std::size_t at = cell.first_child + k;
      const auto beside = [&](const double* x, double middle, double half) {
        return hn::Max(zero, hn::Sub(hn::Abs(hn::Sub(hn::LoadU(d, x), set(middle))), set(half)));
      };
      const auto x = beside(&up_.x[at], middle_.x, half_.x), y = beside(&up_.y[at], middle_.y, half_.y);
      const auto z = beside(&up_.z[at], middle_.z, half_.z);
      const auto R2 = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::Mul(z, z)));
      auto distant = hn::Gt(R2, hn::LoadU(d, &m2p_records_.reach2[at]));
      if (pass_.splines != nullptr)
        distant = hn::And(
            distant, outside_splines(*pass_.splines, at, largest_spline_, hn::LoadU(d, &up_.radius[at]), R2));
      if (pass_.tolerance > 0 && !hn::AllFalse(d, distant)) distant = hn::And(distant, exact_enough(at, R2));
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(d, distant, bits);
      far |= unsigned(bits[0]) << k;
      hn::StoreMaskBits(d, hn::Ge(R2, set(newtonian2_)), bits);
      newtonian |= unsigned(bits[0]) << k;
    }
    return far;
  }
  /// Whether the error that cells from `at` on make at distance R is below what is allowed: at most
  ///   P_p / R^(p+2) (p + 1 - p rho) / (1 - rho)^2,
  /// with rho = r / R: the series that is cut off, with what its first term really weighs in place of M r^p.
  HWY_INLINE hn::Mask<Tests> exact_enough(std::size_t at, hn::Vec<Tests> R2) const {
    const Tests d;
    const auto R = hn::Sqrt(R2), r = hn::LoadU(d, &up_.radius[at]), gap = hn::Sub(R, r);
    auto power = hn::Mul(gap, gap);
    for (int n = 0; n <= p; ++n) power = hn::Mul(power, R);
    const auto series = hn::MulSub(hn::Set(d, p + 1.0), R, hn::Mul(hn::Set(d, double(p)), r));
    const auto weight = hn::LoadU(d, &scales_.weights[std::size_t(p)][at]);
    return hn::Lt(hn::Mul(weight, series), hn::Mul(hn::Set(d, allowed_), power));
  }
  /// The children that hold the group: their own bodies are never pulled by them as a whole. Only the classic
  /// criterion would have it otherwise.
  unsigned holders(const Cell& cell, const Group& group) const {
    unsigned bits = 0;
    for (std::uint32_t k = 0; k < cell.children; ++k) {
      const Cell& child = tree_.cells[cell.first_child + k];
      if (child.begin < group.end && group.begin < child.end) bits |= 1u << k;
    }
    return bits;
  }

  template <bool potential>
  void sum() {
    const double targets = double(bodies_.targets());
    work.cell_pairs += targets * double(m2p_list_.cells.size() + softened_m2p_list_.cells.size());
    work.softened_cell_pairs += targets * double(softened_m2p_list_.cells.size());
    sources_ = bodies_.gather(tree_, p2p_list_, pass_.images);
    work.pairs += targets * double(sources_);
    if (pass_.splines != nullptr) bodies_.sum_splines(tree_, p2p_list_, *pass_.splines, potential);
    else bodies_.sum(potential);
    if (!m2p_list_.empty()) m2p_.template sum<false, potential>(m2p_list_, bodies_);
    if (!softened_m2p_list_.empty()) m2p_.template sum<true, potential>(softened_m2p_list_, bodies_);
  }

  const Tree& tree_;
  const Moments<M>& up_;
  const M2PRecords<M>& m2p_records_;
  const Scales& scales_;
  const Pass& pass_;
  double newtonian2_ = 0, allowed_ = 0, largest_spline_ = 0;
  Vec3<double> middle_{}, half_{};
  std::size_t sources_ = 0;  ///< of the P2P list
  std::vector<std::uint32_t> open_;
  CellList m2p_list_, softened_m2p_list_, p2p_list_;
  P2P<M> bodies_;
  M2P<p, M> m2p_;
};

/// All of it, in numbers M and with moments of orders below p.
template <int p, class M>
void barnes_hut(const Tree& tree, Memory<M>& memory, const Pass& pass, TreeWork& work) {
  const auto start = seconds();
  prepare<p>(tree, memory, pass);
  if (!pass.does(Stage::forces)) return;
  make_m2p_records<p>(tree, memory, pass);
  work.moments = seconds() - start;
  const auto groups = groups_of(tree, std::uint32_t(pass.group));
  constexpr std::size_t parts = 512;
  const std::size_t piece = groups.size() / parts + 1, pieces = (groups.size() + piece - 1) / piece;
  std::vector<TreeWork> each(pieces);
  parallel_for(pieces, [&](std::size_t k) {
    Walk<p, M> walk(tree, memory, pass);
    for (std::size_t g = k * piece; g < std::min(groups.size(), (k + 1) * piece); ++g) walk.run(groups[g]);
    each[k] = walk.work;
  });
  for (const auto& w : each) add(work, w);
  work.forces = seconds() - start - work.moments;
}

}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
