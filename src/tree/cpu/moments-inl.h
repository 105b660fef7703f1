/// Bottom up: the moments of leaves from their bodies, of other cells from their children.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_TREE_MOMENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_TREE_MOMENTS_INL_H_
#undef PLEIAD_TREE_MOMENTS_INL_H_
#else
#define PLEIAD_TREE_MOMENTS_INL_H_
#endif

#include "core/threads.hpp"
#include "tree/cpu/operators-inl.h"
#include "tree/moments.hpp"
#include "tree/places.hpp"
#include "tree/tree.hpp"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {

/// The unit of a cell: the power of two above its radius; of a point in an octree, one that is surely below
/// the distance to the bodies of any other cell, as far as the tree resolves them. Bodies of kept cells may
/// coincide.
inline double unit_of(double radius, const Tree& tree, const Cell& cell) {
  const double least = tree.structure == Structure::octree && !tree.kept
                           ? std::ldexp(1.0, -int(cell.level) - 20)
                           : Tree::resolution;
  return radius > 0 ? std::max(least, std::ldexp(1.0, std::ilogb(radius) + 1)) : least;
}

template <int p, class M>
void add_bodies(const Tree& tree, const Cell& cell, double x, double y, double z, double per, M* all) {
  using V = Lanes<M>;
  const hn::ScalableTag<M> d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN M at[4][hn::MaxLanes(d)];
  V sums[moments(p)];
  for (auto& s : sums) s = V(0.0);
  for (std::uint32_t i = cell.begin; i < cell.end; i += std::uint32_t(lanes)) {
    for (std::size_t l = 0; l < lanes; ++l) {
      const bool there = i + l < cell.end;
      const std::size_t j = there ? i + l : cell.begin;
      at[0][l] = M((tree.x[j] - x) * per), at[1][l] = M((tree.y[j] - y) * per);
      at[2][l] = M((tree.z[j] - z) * per), at[3][l] = there ? M(tree.m[j]) : M(0);
    }
    p2m(Order<p>{}, V(hn::Load(d, at[0])), V(hn::Load(d, at[1])), V(hn::Load(d, at[2])),
        V(hn::Load(d, at[3])), sums);
  }
  for (int k = 0; k < moments(p); ++k) all[k] = total(sums[k]);
}

template <int p, class M>
void add_child(const Moments<M>& up, std::uint32_t k, double x, double y, double z, double per, M* all) {
  const M* record = up.record(k);
  M child[moments(p)];
  child[0] = record[Record<p>::m];
  const M ratio = record[Record<p>::unit] * M(per);
  M power = ratio;
  for (int n = 2, i = 1; n < p; ++n) {
    power *= ratio;
    for (; i < moment_index(below(n + 1)); ++i) child[i] = record[Record<p>::full + i - 1] * power;
  }
  m2m(Order<p>{}, child, M((up.x[k] - x) * per), M((up.y[k] - y) * per), M((up.z[k] - z) * per), all);
}

/// All of a cell whose children are done.
template <int p, class M>
void make_moments(const Tree& tree, std::uint32_t c, Moments<M>& up) {
  using R = Record<p>;
  const Cell& cell = tree.cells[c];
  const double m = up.masses[c] = place_cell(tree, c, up);
  const double x = up.x[c], y = up.y[c], z = up.z[c];
  double radius = radius_of(tree, c, up);
  // Cells that are no cubes may be as close to each other as bodies are: never so close that an expansion in
  // their units overflows.
  if (tree.structure != Structure::octree) radius = std::max(radius, Tree::resolution);
  const double unit = unit_of(radius, tree, cell), per = 1 / unit;
  up.radius[c] = radius * (1 + 1e-12);  // margin for rounding
  M all[moments(p)] = {}, folded[folded_moments(p)];
  if (cell.leaf()) add_bodies<p>(tree, cell, x, y, z, per, all);
  else
    for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k)
      add_child<p>(up, k, x, y, z, per, all);
  all[0] = M(m);
  fold(Order<p>{}, all, folded);
  M* record = &up.records[c * up.stride];
  const M hx = M(x), hy = M(y), hz = M(z);
  record[R::x] = hx, record[R::y] = hy, record[R::z] = hz, record[R::m] = M(m);
  record[R::lx] = M(x - double(hx)), record[R::ly] = M(y - double(hy)), record[R::lz] = M(z - double(hz));
  record[R::unit] = M(unit);
  std::copy_n(folded + 1, R::folded_count, record + R::folded);
  std::copy_n(all + 1, R::full_count, record + R::full);
}

/// Makes the moments of all cells that have none yet, level by level from the deepest.
template <int p, class M>
void make_moments(const Tree& tree, Moments<M>& up) {
  constexpr std::size_t piece = 64;
  up.resize(tree.cells.size(), Record<p>::size);
  for (std::size_t level = tree.levels.size() - 1; level-- > 0;) {
    const std::size_t first = tree.levels[level], last = tree.levels[level + 1];
    parallel_for((last - first + piece - 1) / piece, [&](std::size_t b) {
      for (std::size_t c = first + piece * b; c < std::min(last, first + piece * (b + 1)); ++c)
        if (!tree.given(std::uint32_t(c))) make_moments<p>(tree, std::uint32_t(c), up);
    });
  }
}

}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
