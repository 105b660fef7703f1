/// The fast multipole method, top down: a cell takes over its parent's field, adds that of the cells which
/// are distant enough from it but were not from its parent, and hands down those that are still too close; a
/// leaf adds their bodies one by one.
///
/// Every pair of cells meets from both sides under the same condition, so that forces cancel in pairs to
/// rounding. Every target has one owner and one order of sums.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_TREE_FMM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_TREE_FMM_INL_H_
#undef PLEIAD_TREE_FMM_INL_H_
#else
#define PLEIAD_TREE_FMM_INL_H_
#endif

#include "tree/cpu/moments-inl.h"
#include "tree/cpu/p2p-inl.h"
#include "tree/cpu/pair_errors-inl.h"
#include "tree/cpu/pass.hpp"
#include "tree/cpu/scales-inl.h"
#include "tree/softening.hpp"

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {

template <int p, class M>
class Downward {
 public:
  using R = Record<p>;
  using V = Lanes<M>;
  using D = hn::ScalableTag<M>;
  using Indices = std::vector<std::uint32_t>;

  Downward(const Tree& tree, const Moments<M>& up, const Scales& scales, const Pass& pass)
      : tree_(tree),
        up_(up),
        pass_(pass),
        errors_(up, scales, pass.tolerance),
        per_theta2_(1 / (pass.theta * pass.theta)),
        eps2_(M(pass.eps * pass.eps)),
        newtonian2_(squared(pass.eps * newtonian_between_cells(pass.theta, p, pass.tolerance))),
        candidates_(tree.levels.size()) {}

  /// A part of the tree that can be done by itself: a cell, what its parent hands down.
  struct Task {
    std::uint32_t cell;
    CellList candidates;
    std::vector<M> local;
  };
  /// The whole tree as tasks of at most `size` bodies; what is above them is done here.
  std::vector<Task> divide(std::uint32_t size) {
    std::vector<Task> tasks;
    const std::vector<M> none(locals(p), M(0));
    divide(0, {}, none.data(), size, tasks);
    return tasks;
  }
  void run(const Task& task) { descend(task.cell, task.candidates, task.local.data()); }

  TreeWork work;

 private:
  void divide(std::uint32_t c, const CellList& candidates, const M* parent_field, std::uint32_t size,
              std::vector<Task>& tasks) {
    const Cell& cell = tree_.cells[c];
    if (cell.bodies() <= size || cell.leaf()) {
      tasks.push_back({c, candidates, std::vector<M>(parent_field, parent_field + locals(p))});
      return;
    }
    M local[locals(p)];
    take(c, candidates, parent_field, local);
    for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k)
      if (!tree_.foreign(k)) divide(k, candidates_[cell.level], local, size, tasks);
  }

  void descend(std::uint32_t c, const CellList& candidates, const M* parent_field) {
    const Cell& cell = tree_.cells[c];
    M local[locals(p)];
    take(c, candidates, parent_field, local);
    if (cell.leaf()) {
      end(c, local);
      return;
    }
    for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k)
      if (!tree_.foreign(k)) descend(k, candidates_[cell.level], local);
  }

  /// The field of a cell, its candidates for its children, or `p2p_list_` for a leaf.
  void take(std::uint32_t c, const CellList& from, const M* parent_field, M* local) {
    const Cell& cell = tree_.cells[c];
    auto& candidates = candidates_[cell.level];
    candidates.clear(), m2l_list_.clear(), softened_m2l_list_.clear(), p2p_list_.clear(), open_.clear();
    std::fill(local, local + locals(p), M(0));
    const auto done_with = [&](std::uint32_t image) {
      for (auto* list : {&candidates, &m2l_list_, &softened_m2l_list_, &p2p_list_}) list->close(image);
    };
    if (cell.level == 0) {
      // The root is in its own P2P list; images of it may be distant.
      (cell.leaf() ? p2p_list_ : candidates).cells.push_back(0);
      done_with(0);
      for (std::uint32_t image = 1; image < pass_.images.size(); ++image) {
        shift_ = pass_.images[image];
        test(0, 1, c, candidates);
        done_with(image);
      }
    } else {
      for (const auto& part : from.parts) {
        shift_ = pass_.images[part.image];
        for (auto k = part.begin; k < part.end; ++k) test_parts(from.cells[k], c, candidates);
        while (!open_.empty()) {
          const auto s = open_.back();
          open_.pop_back();
          test_parts(s, c, candidates);
        }
        done_with(part.image);
      }
      add_l2l(c, parent_field, local);
    }
    if (!m2l_list_.empty()) add_m2l(c, local);
    if (!softened_m2l_list_.empty()) add_softened_m2l(c, local);
  }

  void test_parts(std::uint32_t s, std::uint32_t c, CellList& candidates) {
    const Cell& source = tree_.cells[s];
    if (source.leaf()) test(s, 1, c, candidates);
    else test(source.first_child, source.children, c, candidates);
  }

  /// Sorts `count` cells, as they are in the present image, by what they are to cell c.
  void test(std::uint32_t first, std::uint32_t count, std::uint32_t c, CellList& candidates) {
    constexpr hn::CappedTag<double, 8> d;
    const auto set = [&](double v) { return hn::Set(d, v); };
    const auto x = set(up_.x[c]), y = set(up_.y[c]), z = set(up_.z[c]), r = set(up_.radius[c]);
    work.tests += count;
    const bool shifted = !(shift_ == Vec3<double>{});
    for (std::uint32_t k = 0; k < count; k += std::uint32_t(hn::Lanes(d))) {
      const std::size_t at = first + k;
      auto dx = hn::Sub(hn::LoadU(d, &up_.x[at]), x), dy = hn::Sub(hn::LoadU(d, &up_.y[at]), y);
      auto dz = hn::Sub(hn::LoadU(d, &up_.z[at]), z);
      // After the difference, so that the opposite pair has the opposite separation to the bit.
      if (shifted)
        dx = hn::Add(dx, set(shift_.x)), dy = hn::Add(dy, set(shift_.y)), dz = hn::Add(dz, set(shift_.z));
      const auto s = hn::Add(hn::LoadU(d, &up_.radius[at]), r);
      const auto R2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
      std::uint8_t far_bits[8] = {}, newtonian_bits[8] = {};
      auto far = hn::Gt(R2, hn::Mul(hn::Mul(s, s), set(per_theta2_)));
      if (pass_.tolerance > 0 && !hn::AllFalse(d, far)) far = hn::And(far, errors_.allow(at, c, R2));
      hn::StoreMaskBits(d, far, far_bits);
      hn::StoreMaskBits(d, hn::Gt(R2, set(newtonian2_)), newtonian_bits);
      const unsigned n = std::min(count - k, std::uint32_t(hn::Lanes(d))), all = (1u << n) - 1;
      const unsigned taken = far_bits[0] & all, newtonian = newtonian_bits[0];
      for_bits(taken & newtonian, [&](unsigned i) { m2l_list_.cells.push_back(std::uint32_t(at + i)); });
      for_bits(taken & ~newtonian,
               [&](unsigned i) { softened_m2l_list_.cells.push_back(std::uint32_t(at + i)); });
      for_bits(~taken & all, [&](unsigned i) {
        const auto source = std::uint32_t(at + i);
        if (!tree_.cells[c].leaf()) candidates.cells.push_back(source);
        else (tree_.cells[source].leaf() ? p2p_list_.cells : open_).push_back(source);
      });
    }
  }

  /// L2L: the parent's field about this cell's centre, in its unit.
  void add_l2l(std::uint32_t c, const M* parent_field, M* local) {
    const auto parent = tree_.cells[c].parent;
    const double unit = double(up_.record(parent)[R::unit]), per = 1 / unit;
    l2l(Order<p>{}, parent_field, M((up_.x[c] - up_.x[parent]) * per), M((up_.y[c] - up_.y[parent]) * per),
        M((up_.z[c] - up_.z[parent]) * per), local);
    const M ratio = M(double(up_.record(c)[R::unit]) * per);
    M power = 1;
    for (int n = 1; n <= p; ++n) {
      power *= ratio;
      for (int i = below(n); i < below(n + 1); ++i) local[i] *= power;
    }
  }

  /// Copies `groups` fours of each source's record, from `first` on, to staged[group][lane][4].
  template <int groups>
  HWY_INLINE void stage(const std::uint32_t* sources, std::size_t n, int first, M* staged) {
    const std::size_t lanes = hn::Lanes(D());
    for (std::size_t l = 0; l < lanes; ++l) {
      const M* record = up_.record(sources[l < n ? l : 0]) + first;
      for (int g = 0; g < groups; ++g)
        std::memcpy(staged + (std::size_t(g) * lanes + l) * 4, record + 4 * g, 4 * sizeof(M));
    }
  }
  /// The shift of an image in two parts, as records have places.
  struct Shift {
    M x, y, z, lx, ly, lz;
    bool any;
  };
  Shift shift_of(std::uint32_t image) const {
    const auto& at = pass_.images[image];
    const M x = M(at.x), y = M(at.y), z = M(at.z);
    return {x, y, z, M(at.x - double(x)), M(at.y - double(y)), M(at.z - double(z)), image != 0};
  }
  /// From staged places and masses: where cell c is from each source. Lanes from n on have no mass.
  HWY_INLINE void separation(std::uint32_t c, const Shift& shift, const M* staged, std::size_t n, V& x, V& y,
                             V& z, V& m, V& unit) {
    const D d;
    const M* t = up_.record(c);
    hn::Vec<D> sx, sy, sz, sm, lx, ly, lz;
    hn::LoadInterleaved4(d, staged, sx, sy, sz, sm);
    hn::LoadInterleaved4(d, staged + 4 * hn::Lanes(d), lx, ly, lz, unit.v);
    sx = hn::Sub(hn::Set(d, t[R::x]), sx), lx = hn::Sub(hn::Set(d, t[R::lx]), lx);
    sy = hn::Sub(hn::Set(d, t[R::y]), sy), ly = hn::Sub(hn::Set(d, t[R::ly]), ly);
    sz = hn::Sub(hn::Set(d, t[R::z]), sz), lz = hn::Sub(hn::Set(d, t[R::lz]), lz);
    if (shift.any) {
      sx = hn::Sub(sx, hn::Set(d, shift.x)), lx = hn::Sub(lx, hn::Set(d, shift.lx));
      sy = hn::Sub(sy, hn::Set(d, shift.y)), ly = hn::Sub(ly, hn::Set(d, shift.ly));
      sz = hn::Sub(sz, hn::Set(d, shift.z)), lz = hn::Sub(lz, hn::Set(d, shift.lz));
    }
    x.v = hn::Add(sx, lx), y.v = hn::Add(sy, ly), z.v = hn::Add(sz, lz);
    m.v = hn::IfThenElseZero(hn::FirstN(d, n), sm);
  }
  /// Moments [1, count) of staged fours; lanes from n on are 0.
  template <int count>
  HWY_INLINE void load_moments(const M* staged, std::size_t n, V* moments) {
    const D d;
    for (int k = 1; k < count; k += 4, staged += 4 * hn::Lanes(d))
      hn::LoadInterleaved4(d, staged, moments[k].v, moments[k + 1].v, moments[k + 2].v, moments[k + 3].v);
    if (n == hn::Lanes(d)) return;
    for (int k = 1; k < count; ++k) moments[k].v = hn::IfThenElseZero(hn::FirstN(d, n), moments[k].v);
  }

  HWY_NOINLINE void add_m2l(std::uint32_t c, M* local) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    constexpr int groups = R::full / 4;
    HWY_ALIGN M staged[groups * 4 * hn::MaxLanes(d)];
    V sums[folded_locals(p)], F[folded_moments(p) + 4], x, y, z, from;
    for (auto& s : sums) s = V(0.0);
    const V to(hn::Set(d, up_.record(c)[R::unit])), eps2(hn::Set(d, eps2_));
    work.cell_pairs += double(m2l_list_.cells.size());
    for (const auto& part : m2l_list_.parts) {
      const Shift shift = shift_of(part.image);
      for (std::size_t i = part.begin; i < part.end; i += lanes) {
        const std::size_t n = std::min(lanes, part.end - i);
        stage<groups>(&m2l_list_.cells[i], n, 0, staged);
        separation(c, shift, staged, n, x, y, z, F[0], from);
        load_moments<folded_moments(p)>(staged + R::folded * lanes, n, F);
        m2l(Order<p>{}, F, from, x, y, z, eps2, to, sums);
      }
    }
    M folded[folded_locals(p)];
    for (int k = 0; k < folded_locals(p); ++k) folded[k] = total(sums[k]);
    unfold(Order<p>{}, folded, local);
  }

  HWY_NOINLINE void add_softened_m2l(std::uint32_t c, M* local) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    constexpr int groups = (R::size - R::full) / 4;
    HWY_ALIGN M staged[8 * hn::MaxLanes(d)], rest[groups * 4 * hn::MaxLanes(d)];
    V sums[locals(p)], F[moments(p) + 4], x, y, z, from;
    for (auto& s : sums) s = V(0.0);
    const V to(hn::Set(d, up_.record(c)[R::unit]));
    work.cell_pairs += double(softened_m2l_list_.cells.size()),
        work.softened_cell_pairs += double(softened_m2l_list_.cells.size());
    for (const auto& part : softened_m2l_list_.parts) {
      const Shift shift = shift_of(part.image);
      for (std::size_t i = part.begin; i < part.end; i += lanes) {
        const std::size_t n = std::min(lanes, part.end - i);
        stage<2>(&softened_m2l_list_.cells[i], n, 0, staged);
        stage<groups>(&softened_m2l_list_.cells[i], n, R::full, rest);
        separation(c, shift, staged, n, x, y, z, F[0], from);
        load_moments<moments(p)>(rest, n, F);
        m2l_soft(Order<p>{}, F, from, x, y, z, V(hn::Set(d, eps2_)), to, sums);
      }
    }
    for (int k = 0; k < locals(p); ++k) local[k] += total(sums[k]);
  }

  /// The field at a leaf's bodies, and its P2P list.
  HWY_NOINLINE void end(std::uint32_t c, const M* local) {
    const Cell& cell = tree_.cells[c];
    const double unit = double(up_.record(c)[R::unit]), per = 1 / unit;
    for (const auto& part : p2p_list_.parts)
      std::sort(p2p_list_.cells.begin() + part.begin, p2p_list_.cells.begin() + part.end,
                [&](auto a, auto b) { return tree_.cells[a].begin < tree_.cells[b].begin; });
    bodies_.aim(tree_, cell.begin, cell.end, {up_.x[c], up_.y[c], up_.z[c]}, unit, pass_.eps);
    const std::size_t sources = bodies_.gather(tree_, p2p_list_, pass_.images);
    work.pairs += double(sources) * cell.bodies();
    if (!pass_.costs.empty()) {
      // A field costs about as many multiply-adds as a moment times a term of it; a pair twenty.
      const std::size_t cells = m2l_list_.cells.size() + softened_m2l_list_.cells.size();
      const std::size_t fields = cells * std::size_t(folded_moments(p) * folded_locals(p)) / 20;
      std::fill_n(&pass_.costs[cell.begin - tree_.share.first_target], cell.bodies(),
                  std::uint32_t(sources + fields / cell.bodies()));
    }
    if (pass_.potential) bodies_.template sum<true>();
    else bodies_.template sum<false>();
    evaluate(cell, local, per);
  }

  HWY_INLINE void evaluate(const Cell& cell, const M* local, double per) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    V L[locals(p)];
    for (int k = 0; k < locals(p); ++k) L[k] = V(hn::Set(d, local[k]));
    HWY_ALIGN M a[4][hn::MaxLanes(d)];
    for (std::size_t i = 0; i < cell.bodies(); i += lanes) {
      V ax(0.0), ay(0.0), az(0.0), phi(0.0);
      const V x(hn::LoadU(d, &bodies_.tx[i])), y(hn::LoadU(d, &bodies_.ty[i])),
          z(hn::LoadU(d, &bodies_.tz[i]));
      if (pass_.potential) l2p_potential(Order<p>{}, L, x, y, z, ax, ay, az, phi);
      else l2p(Order<p>{}, L, x, y, z, ax, ay, az);
      hn::Store(ax.v, d, a[0]), hn::Store(ay.v, d, a[1]), hn::Store(az.v, d, a[2]), hn::Store(phi.v, d, a[3]);
      for (std::size_t k = 0; k < lanes && i + k < cell.bodies(); ++k) {
        const std::size_t j = i + k, out = cell.begin + j - tree_.share.first_target;
        const double p2p[4] = {double(bodies_.ax[j]), double(bodies_.ay[j]), double(bodies_.az[j]),
                               double(bodies_.phi[j])};
        pass_.sums[out] = {per * (double(a[0][k]) + per * p2p[0]), per * (double(a[1][k]) + per * p2p[1]),
                           per * (double(a[2][k]) + per * p2p[2]), double(a[3][k]) + per * p2p[3]};
      }
    }
  }

  const Tree& tree_;
  const Moments<M>& up_;
  const Pass& pass_;
  PairErrors<p, M> errors_;
  double per_theta2_;
  M eps2_;
  double newtonian2_;
  std::vector<CellList> candidates_;  ///< of each level, while below it
  CellList m2l_list_, softened_m2l_list_, p2p_list_;
  Indices open_;
  Vec3<double> shift_{};  ///< of the present image
  P2P<M> bodies_;
};

/// All of it, in numbers M and of order p.
template <int p, class M>
void fmm(const Tree& tree, Memory<M>& memory, const Pass& pass, TreeWork& work) {
  const auto start = seconds();
  auto& up = memory.moments;
  auto& scales = memory.scales;
  prepare<p>(tree, memory, pass);
  work.moments = seconds() - start;
  if (!pass.does(Stage::forces)) return;
  Downward<p, M> top(tree, up, scales, pass);
  constexpr std::uint32_t least = 256, parts = 256;
  const auto tasks = top.divide(std::max(least, tree.cells[0].bodies() / parts));
  std::vector<TreeWork> each(tasks.size());
  parallel_for(tasks.size(), [&](std::size_t k) {
    Downward<p, M> part(tree, up, scales, pass);
    part.run(tasks[k]);
    each[k] = part.work;
  });
  add(work, top.work);
  for (const auto& w : each) add(work, w);
  work.forces = seconds() - start - work.moments;
}

}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
