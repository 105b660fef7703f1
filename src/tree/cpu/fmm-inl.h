/// The fast multipole method, top down: a cell takes over its parent's field, adds that of the cells which
/// are distant enough from it but were not from its parent, and hands down those that are still too close; a
/// leaf adds their bodies one by one.
///
/// Every pair of cells meets from both sides under the same condition, so that forces cancel in pairs to
/// rounding. Every target has one owner and one order of sums.
///
/// The potential at a cell's centre is apart from the rest of its field, in double precision. In a periodic
/// box the images that are walked have a potential of 70 M / L, of which the further ones and the background
/// leave a thousandth: single precision would leave an error of 1e-5 M / L in each cell, and of 1e-3 in the
/// energy of a nearly uniform box.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_TREE_FMM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_TREE_FMM_INL_H_
#undef PLEIAD_TREE_FMM_INL_H_
#else
#define PLEIAD_TREE_FMM_INL_H_
#endif

#include "tree/cpu/interactions-inl.h"
#include "tree/cpu/moments-inl.h"
#include "tree/cpu/p2p-inl.h"
#include "tree/cpu/pass.hpp"
#include "tree/cpu/scales-inl.h"

#include <cmath>
#include <cstring>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {

template <int p, class M>
class Downward : public Interactions<p> {
 public:
  using R = Record<p>;
  using V = Lanes<M>;
  using D = hn::ScalableTag<M>;

  Downward(const Tree& tree, const Moments<M>& up, const Scales& scales, const Pass& pass)
      : Interactions<p>(tree, up, scales, pass), up_(up), eps2_(M(pass.eps * pass.eps)) {}

  /// A part of the tree that can be evaluated independently: a cell, and the data from its parent.
  struct Task {
    std::uint32_t cell;
    CellList candidates;
    std::vector<M> local;
    double potential;  ///< at the centre of the parent
  };
  /// Divides the tree into tasks of at most `size` bodies; cells above them are evaluated here.
  std::vector<Task> divide(std::uint32_t size) {
    std::vector<Task> tasks;
    const std::vector<M> none(locals(p), M(0));
    divide(0, {}, none.data(), 0, size, tasks);
    return tasks;
  }
  void run(const Task& task) { descend(task.cell, task.candidates, task.local.data(), task.potential); }

  using Interactions<p>::work;

 private:
  using Lists = Interactions<p>;
  using Lists::tree_, Lists::pass_, Lists::candidates_, Lists::m2l_list_, Lists::softened_m2l_list_,
      Lists::p2p_list_;

  void divide(std::uint32_t c, const CellList& candidates, const M* parent_field, double parent_potential,
              std::uint32_t size, std::vector<Task>& tasks) {
    const Cell& cell = tree_.cells[c];
    if (cell.bodies() <= size || cell.leaf()) {
      tasks.push_back(
          {c, candidates, std::vector<M>(parent_field, parent_field + locals(p)), parent_potential});
      return;
    }
    M local[locals(p)];
    const double potential = parent_potential + take(c, candidates, parent_field, local);
    for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k)
      if (!tree_.foreign(k)) divide(k, candidates_[cell.level], local, potential, size, tasks);
  }

  void descend(std::uint32_t c, const CellList& candidates, const M* parent_field, double parent_potential) {
    const Cell& cell = tree_.cells[c];
    M local[locals(p)];
    const double potential = parent_potential + take(c, candidates, parent_field, local);
    if (cell.leaf()) {
      end(c, local, potential);
      return;
    }
    for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k)
      if (!tree_.foreign(k)) descend(k, candidates_[cell.level], local, potential);
  }

  /// The field of a cell, its candidates for its children, or `p2p_list_` for a leaf. The field has no
  /// potential at the centre: that is returned, less the parent's, or 0 where none is asked for.
  double take(std::uint32_t c, const CellList& from, const M* parent_field, M* local) {
    this->list(c, from);
    std::fill(local, local + locals(p), M(0));
    double potential = 0;
    if (tree_.cells[c].level > 0) add_l2l(c, parent_field, local);
    if (!m2l_list_.empty()) potential += add_m2l(c, local);
    if (!softened_m2l_list_.empty()) potential += add_softened_m2l(c, local);
    const double rest = double(std::exchange(local[0], M(0)));
    return pass_.potential ? potential + rest : 0;
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
  /// Computes the separations of cell c from staged positions and masses of sources. Lanes from n on have no
  /// mass.
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

  /// What single precision takes from the potentials of `n` sources as points: their separations from cell c,
  /// x, y, z, and masses m, in lanes as `m2l` has them, beside those in double precision. In a periodic box
  /// most of the potential is that of few cells in many images, whose roundings do not average out, and
  /// change as bodies go from one cell to another.
  HWY_INLINE double lost_potential(std::uint32_t c, const Vec3<double>& image, const std::uint32_t* sources,
                                   std::size_t n, V x, V y, V z, V m) const {
    const D d;
    const V eps2(hn::Set(d, eps2_)), r2 = fma(x, x, fma(y, y, z * z)), i1 = inverse_root(r2);
    HWY_ALIGN M rounded[hn::MaxLanes(D())], masses[hn::MaxLanes(D())];
    hn::Store((i1 * (r2 * i1 * inverse_root(r2 + eps2))).v, d, rounded), hn::Store(m.v, d, masses);
    double exact[hn::MaxLanes(D())];
    for (std::size_t l = 0; l < n; ++l) {
      const auto s = sources[l];
      const double dx = up_.x[c] - up_.x[s] - image.x, dy = up_.y[c] - up_.y[s] - image.y,
                   dz = up_.z[c] - up_.z[s] - image.z;
      exact[l] = up_.masses[s] / std::sqrt(dx * dx + dy * dy + dz * dz + pass_.eps * pass_.eps);
    }
    double lost = 0;
    for (std::size_t l = 0; l < n; ++l) lost += exact[l] - double(masses[l]) * double(rounded[l]);
    return lost;
  }

  /// Adds lanes of potentials to `sum` in double precision, and makes them 0. Without potentials they stay,
  /// and are not read.
  HWY_INLINE void take_potentials(V& lanes, double& sum) const {
    if (!pass_.potential) return;
    HWY_ALIGN M each[hn::MaxLanes(D())];
    hn::Store(lanes.v, D(), each);
    for (std::size_t k = 0; k < hn::Lanes(D()); ++k) sum += double(each[k]);
    lanes = V(0.0);
  }

  /// Adds the fields of the list's cells, and returns their potential at the centre.
  HWY_NOINLINE double add_m2l(std::uint32_t c, M* local) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    constexpr int groups = R::full / 4;
    HWY_ALIGN M staged[groups * 4 * hn::MaxLanes(d)];
    V sums[folded_locals(p)], F[folded_moments(p) + 4], x, y, z, from;
    for (auto& s : sums) s = V(0.0);
    const V to(hn::Set(d, up_.record(c)[R::unit])), eps2(hn::Set(d, eps2_));
    double potential = 0;
    work.cell_pairs += double(m2l_list_.cells.size());
    for (const auto& part : m2l_list_.parts) {
      const Shift shift = shift_of(part.image);
      for (std::size_t i = part.begin; i < part.end; i += lanes) {
        const std::size_t n = std::min(lanes, part.end - i);
        stage<groups>(&m2l_list_.cells[i], n, 0, staged);
        separation(c, shift, staged, n, x, y, z, F[0], from);
        load_moments<folded_moments(p)>(staged + R::folded * lanes, n, F);
        m2l(Order<p>{}, F, from, x, y, z, eps2, to, sums);
        if (pass_.potential && sizeof(M) < sizeof(double))
          potential += lost_potential(c, pass_.images[part.image], &m2l_list_.cells[i], n, x, y, z, F[0]);
        take_potentials(sums[0], potential);
      }
    }
    M folded[folded_locals(p)];
    for (int k = 0; k < folded_locals(p); ++k) folded[k] = total(sums[k]);
    unfold(Order<p>{}, folded, local);
    return potential;
  }

  HWY_NOINLINE double add_softened_m2l(std::uint32_t c, M* local) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    constexpr int groups = (R::size - R::full) / 4;
    HWY_ALIGN M staged[8 * hn::MaxLanes(d)], rest[groups * 4 * hn::MaxLanes(d)];
    V sums[locals(p)], F[moments(p) + 4], x, y, z, from;
    for (auto& s : sums) s = V(0.0);
    const V to(hn::Set(d, up_.record(c)[R::unit]));
    double potential = 0;
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
        take_potentials(sums[0], potential);
      }
    }
    for (int k = 0; k < locals(p); ++k) local[k] += total(sums[k]);
    return potential;
  }

  /// The field at a leaf's bodies, and its P2P list.
  HWY_NOINLINE void end(std::uint32_t c, const M* local, double potential) {
    const Cell& cell = tree_.cells[c];
    const double unit = double(up_.record(c)[R::unit]), per = 1 / unit;
    this->sort_p2p_list();
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
    if (pass_.splines != nullptr)
      bodies_.sum_splines(tree_, this->p2p_list_, *pass_.splines, pass_.potential);
    else bodies_.sum(pass_.potential);
    evaluate(cell, local, potential, per);
  }

  HWY_INLINE void evaluate(const Cell& cell, const M* local, double potential, double per) {
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
                           per * (double(a[2][k]) + per * p2p[2]),
                           potential + double(a[3][k]) + per * p2p[3]};
      }
    }
  }

  const Moments<M>& up_;
  M eps2_;
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
