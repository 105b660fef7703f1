#include "tree/cpu/accelerations.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/cpu/accelerations.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include "core/threads.hpp"

#include <array>
#include <cmath>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

/// The walk for the acceleration, on the tree cut off at cells of `coarse` bodies, which are its leaves.
class AccelerationWalk {
 public:
  AccelerationWalk(const Tree& tree, const CellPlaces& up, std::span<const double> masses, const Pass& pass,
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
      // Where accelerations cancel, near the middle, relative accuracy would cost more than it is worth.
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
  const CellPlaces& up_;
  std::uint32_t coarse_ = feel_the_same(tree_.bodies_of(0));
  std::span<const double> masses_;
  const Pass& pass_;
  double eps2_;
  std::vector<double>& acceleration_;
  std::vector<CellList> candidates_;
  std::uint32_t image_ = 0;
  std::vector<std::uint32_t> open_;
};

}  // namespace

void measure_accelerations_here(const Tree& tree, const CellPlaces& up, const Pass& pass, Scales& scales) {
  // Of order p the weight of k = 0 is the mass itself.
  AccelerationWalk top(tree, up, scales.weights[0], pass, scales.least_acceleration);
  std::vector<AccelerationWalk::Task> tasks;
  top.divide(0, top.everything(), {}, std::max<std::uint32_t>(256, tree.cells[0].bodies() / 256), tasks);
  parallel_for(tasks.size(), [&](std::size_t k) {
    AccelerationWalk part(tree, up, scales.weights[0], pass, scales.least_acceleration);
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

}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pleiad::tree {
HWY_EXPORT(measure_accelerations_here);

void measure_accelerations(const Tree& tree, const CellPlaces& up, const Pass& pass, Scales& scales) {
  HWY_DYNAMIC_DISPATCH(measure_accelerations_here)(tree, up, pass, scales);
}
}  // namespace pleiad::tree
#endif
