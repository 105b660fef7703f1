/// Measures the scales of the error-controlled MAC (Dehnen 2014, Computational Astrophysics and
/// Cosmology 1, 1, sections 3.3 and 4.4).
///
/// The pull is found from the present positions alone, by a walk with monopoles only among cells of some
/// hundred bodies: a run that goes on after a checkpoint needs no memory of it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_TREE_SCALES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_TREE_SCALES_INL_H_
#undef PLEIAD_TREE_SCALES_INL_H_
#else
#define PLEIAD_TREE_SCALES_INL_H_
#endif

#include "core/threads.hpp"
#include "tree/cpu/moments-inl.h"
#include "tree/cpu/pass.hpp"
#include "tree/scales.hpp"

#include <array>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {

/// P_n = |sum m (x - c)^n|, the norm of the tensor of order n: it is m r^n for one body, whatever the
/// direction. Of order p, which has not been computed: about r P_(p-1), or r^2 P_(p-2) where odd
/// orders cancel, as between two equal bodies.
template <int p, class M>
void measure_powers(std::uint32_t c, const Moments<M>& up, Scales& scales) {
  const M* record = up.record(c);
  const double unit = double(record[Record<p>::unit]);
  double factorial[p + 1] = {1}, power[p + 1] = {double(record[Record<p>::m])}, scale = unit;
  for (int n = 1; n <= p; ++n) factorial[n] = n * factorial[n - 1];
  for (int n = 2; n < p; ++n) {
    scale *= unit;
    double sum = 0;
    for (int id = below(n); id < below(n + 1); ++id) {
      // A moment is the sum over (a! b! c!), up to its sign; the tensor has n! / (a! b! c!) such components.
      const auto e = exponents(id);
      const double m = double(record[Record<p>::full + moment_index(id) - 1]);
      sum += m * m * factorial[e.a] * factorial[e.b] * factorial[e.c];
    }
    power[n] = scale * std::sqrt(factorial[n] * sum);
  }
  power[p] = up.radius[c] * std::max(power[p - 1], up.radius[c] * power[p - 2]);
  for (int n = 0; n <= p; ++n)
    scales.weights[std::size_t(n)][c] = power[n] * factorial[p] / (factorial[n] * factorial[p - n]);
}

/// The walk for the acceleration, on the tree cut off at cells of `coarse` bodies, which are its leaves.
template <class M>
class AccelerationWalk {
 public:
  AccelerationWalk(const Tree& tree, const Moments<M>& up, std::span<const double> masses, const Pass& pass,
                   std::vector<double>& acceleration)
      : tree_(tree),
        up_(up),
        masses_(masses),
        pass_(pass),
        eps2_(pass.eps * pass.eps),
        acceleration_(acceleration),
        candidates_(tree.levels.size()) {}

  using D = hn::CappedTag<double, 8>;
  using V = hn::Vec<D>;
  /// The vector and the sum of the absolute pulls, as far as cells have them in common.
  using Sums = std::array<double, 4>;
  struct Task {
    std::uint32_t cell;
    CellList candidates;
    Sums parent_sums;
  };
  /// All images of the root, from which the walk begins.
  CellList everything() const {
    CellList all;
    for (std::uint32_t image = 0; image < pass_.images.size(); ++image) {
      all.cells.push_back(0);
      all.close(image);
    }
    return all;
  }
  void divide(std::uint32_t c, const CellList& candidates, const Sums& parent_sums, std::uint32_t size,
              std::vector<Task>& tasks) {
    const Cell& cell = tree_.cells[c];
    if (cell.bodies() <= size || leaf(c)) {
      tasks.push_back({c, candidates, parent_sums});
      return;
    }
    const Sums sums = take(c, candidates, parent_sums);
    for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k)
      if (!tree_.foreign(k)) divide(k, candidates_[cell.level], sums, size, tasks);
  }
  void descend(std::uint32_t c, const CellList& candidates, const Sums& parent_sums) {
    const Cell& cell = tree_.cells[c];
    Sums sums = take(c, candidates, parent_sums);
    if (leaf(c)) {
      if (pass_.lattice != nullptr) {
        const auto far = pass_.lattice->acceleration_at({up_.x[c], up_.y[c], up_.z[c]});
        sums[0] += far.x, sums[1] += far.y, sums[2] += far.z;
      }
      // Where accelerations cancel, in the middle of things, what matters is not to be exact there at any
      // price.
      constexpr double floor = 0.1;
      const double a2 = sums[0] * sums[0] + sums[1] * sums[1] + sums[2] * sums[2];
      give(c, std::max(std::sqrt(a2), floor * sums[3]));
      return;
    }
    for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k)
      if (!tree_.foreign(k)) descend(k, candidates_[cell.level], sums);
  }

 private:
  bool leaf(std::uint32_t c) const { return tree_.cells[c].leaf() || tree_.bodies_of(c) <= coarse_; }
  void give(std::uint32_t c, double acceleration) {
    const Cell& cell = tree_.cells[c];
    acceleration_[c] = acceleration;
    for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k) give(k, acceleration);
  }

  Sums take(std::uint32_t c, const CellList& from, const Sums& parent_sums) {
    const D d;
    auto& candidates = candidates_[tree_.cells[c].level];
    candidates.clear(), open_.clear();
    V sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (const auto& part : from.parts) {
      // Of images only the vector is summed: the sum of all their pulls has no end.
      image_ = part.image;
      for (auto k = part.begin; k < part.end; ++k) visit(from.cells[k], c, candidates, sums);
      while (!open_.empty()) {
        const auto s = open_.back();
        open_.pop_back();
        visit(s, c, candidates, sums);
      }
      candidates.close(image_);
    }
    Sums all = parent_sums;
    for (std::size_t k = 0; k < 4; ++k) all[k] += hn::GetLane(hn::SumOfLanes(d, sums[k]));
    return all;
  }
  void visit(std::uint32_t s, std::uint32_t c, CellList& candidates, V* sums) {
    const Cell& source = tree_.cells[s];
    if (leaf(s)) visit(s, 1, c, candidates, sums);
    else visit(source.first_child, source.children, c, candidates, sums);
  }
  /// Distant cells pull as points, and so do all leaves on a leaf; but no body on itself.
  void visit(std::uint32_t first, std::uint32_t count, std::uint32_t c, CellList& candidates, V* sums) {
    const D d;
    const bool end = leaf(c);
    const auto& shift = pass_.images[image_];
    const auto x = hn::Set(d, up_.x[c] - shift.x), y = hn::Set(d, up_.y[c] - shift.y);
    const auto z = hn::Set(d, up_.z[c] - shift.z);
    const auto r = hn::Set(d, up_.radius[c]), eps2 = hn::Set(d, eps2_);
    for (std::uint32_t k = 0; k < count; k += std::uint32_t(hn::Lanes(d))) {
      const std::size_t at = first + k;
      const auto dx = hn::Sub(hn::LoadU(d, &up_.x[at]), x), dy = hn::Sub(hn::LoadU(d, &up_.y[at]), y);
      const auto dz = hn::Sub(hn::LoadU(d, &up_.z[at]), z), s = hn::Add(hn::LoadU(d, &up_.radius[at]), r);
      const auto R2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
      const unsigned n = std::min(count - k, std::uint32_t(hn::Lanes(d))), all = (1u << n) - 1;
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(d, hn::Gt(R2, hn::Mul(s, s)), bits);
      unsigned taken = bits[0] & all;
      for (unsigned rest = ~taken & all; rest != 0; rest &= rest - 1) {
        const auto i = unsigned(__builtin_ctz(rest));
        const auto source = std::uint32_t(at + i);
        if (!end) candidates.cells.push_back(source);
        else if (leaf(source)) taken |= unsigned(source != c || tree_.cells[c].bodies() > 1) << i;
        else open_.push_back(source);
      }
      if (taken == 0) continue;
      bits[0] = std::uint8_t(taken);
      // As it is on the far side of the target.
      const auto reach = hn::Add(hn::Sqrt(R2), r), size2 = hn::MulAdd(reach, reach, eps2);
      const auto real = hn::And(hn::LoadMaskBits(d, bits), hn::Gt(size2, hn::Zero(d)));
      const auto safe = hn::IfThenElse(real, size2, hn::Set(d, 1.0));
      const auto f = hn::IfThenElseZero(real, hn::Div(hn::LoadU(d, &masses_[at]), safe));
      const auto per_r = hn::Div(f, hn::Sqrt(safe));
      sums[0] = hn::MulAdd(per_r, dx, sums[0]), sums[1] = hn::MulAdd(per_r, dy, sums[1]);
      sums[2] = hn::MulAdd(per_r, dz, sums[2]), sums[3] = image_ == 0 ? hn::Add(f, sums[3]) : sums[3];
    }
  }

  const Tree& tree_;
  const Moments<M>& up_;
  std::uint32_t coarse_ = feel_the_same(tree_.bodies_of(0));
  std::span<const double> masses_;
  const Pass& pass_;
  double eps2_;
  std::vector<double>& acceleration_;
  std::vector<CellList> candidates_;
  std::uint32_t image_ = 0;
  std::vector<std::uint32_t> open_;
};

/// Powers of all cells that have none yet.
template <int p, class M>
void measure_powers(const Tree& tree, const Moments<M>& up, Scales& scales) {
  const std::size_t cells = tree.cells.size();
  constexpr std::size_t piece = 256;
  scales.resize(cells, p);
  parallel_for((cells + piece - 1) / piece, [&](std::size_t b) {
    for (std::size_t c = b * piece; c < std::min(cells, (b + 1) * piece); ++c)
      if (!tree.given(std::uint32_t(c))) measure_powers<p>(std::uint32_t(c), up, scales);
  });
}

/// Pulls on all leaves with targets, and from these the least of each cell with targets.
template <class M>
void measure_accelerations(const Tree& tree, const Moments<M>& up, const Pass& pass, Scales& scales) {
  // Of order p the weight of k = 0 is the mass itself.
  AccelerationWalk<M> top(tree, up, scales.weights[0], pass, scales.least_acceleration);
  std::vector<typename AccelerationWalk<M>::Task> tasks;
  top.divide(0, top.everything(), {}, std::max<std::uint32_t>(256, tree.cells[0].bodies() / 256), tasks);
  parallel_for(tasks.size(), [&](std::size_t k) {
    AccelerationWalk<M> part(tree, up, scales.weights[0], pass, scales.least_acceleration);
    part.descend(tasks[k].cell, tasks[k].candidates, tasks[k].parent_sums);
  });
  for (std::size_t c = tree.cells.size(); c-- > 0;) {
    const Cell& cell = tree.cells[c];
    if (cell.leaf() || tree.foreign(std::uint32_t(c))) continue;
    double least = scales.least_acceleration[cell.first_child];
    for (std::uint32_t k = 1; k < cell.children; ++k)
      least = std::min(least, scales.least_acceleration[cell.first_child + k]);
    scales.least_acceleration[c] = least;
  }
}

/// The parts of an evaluation that are the same for all methods.
template <int p, class M>
void prepare(const Tree& tree, Memory<M>& memory, const Pass& pass) {
  const bool by_error = pass.tolerance > 0;
  if (pass.does(Stage::moments)) {
    make_moments<p>(tree, memory.moments);
    if (by_error) measure_powers<p>(tree, memory.moments, memory.scales);
  }
  if (by_error && pass.does(Stage::accelerations))
    measure_accelerations(tree, memory.moments, pass, memory.scales);
}

}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
