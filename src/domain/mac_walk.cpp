/// Scalar twins of the criteria in src/tree/cpu.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "domain/mac_walk.hpp"

#include "core/threads.hpp"
#include "tree/places.hpp"
#include "tree/scales.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

namespace pleiad::domain {
namespace {

/// Tolerance that is subtracted from allowed distances and errors: larger than the rounding error.
constexpr double margin = 1e-9;

}  // namespace

template <class M>
CellWalk<M>::CellWalk(const View<M>& view) : view_(view) {
  if (view.tree.cells.empty() || view.known.cells[0].owner == view.rank) return;
  waiting_.push_back({0, 0, 0});
  for (std::uint32_t image = 1; image < view.pass.images.size(); ++image) test(0, 0, image, waiting_);
}

template <class M>
std::vector<std::uint32_t> CellWalk<M>::opened() {
  opened_.resize(view_.known.size());
  constexpr std::size_t piece = 256;
  std::vector<Pairs> parts((waiting_.size() + piece - 1) / piece);
  parallel_for(parts.size(), [&](std::size_t k) {
    auto& pairs = parts[k];
    for (auto i = k * piece; i < std::min(waiting_.size(), (k + 1) * piece); ++i) {
      pairs.open.push_back(waiting_[i]);
      while (!pairs.open.empty()) {
        const Pair pair = pairs.open.back();
        pairs.open.pop_back();
        open(pair, pairs);
      }
    }
  });
  waiting_.clear();
  for (const auto& pairs : parts) waiting_.insert(waiting_.end(), pairs.waiting.begin(), pairs.waiting.end());
  std::vector<std::uint32_t> found_now;
  for (std::uint32_t c = 0; c < opened_.size(); ++c)
    if (opened_[c] == found) opened_[c] = told, found_now.push_back(c);
  return found_now;
}

template <class M>
void CellWalk<M>::open(const Pair& pair, Pairs& pairs) {
  const auto& [c, s, image] = pair;
  const auto& source = view_.known.cells[s];
  if (source.owner == view_.rank) return;
  const auto& target = view_.tree.cells[c];
  const auto mark = [&] {
    if (std::atomic_ref opened(opened_[s]); opened.load(std::memory_order_relaxed) == closed)
      opened.store(found, std::memory_order_relaxed);
  };
  if (source.leaf() && target.leaf()) return mark();
  if (source.closed()) {
    mark();
    pairs.waiting.push_back(pair);
    return;
  }
  const auto meet = [&](std::uint32_t t) {
    if (source.leaf()) test(t, s, image, pairs.open);
    else
      for (auto k = source.first_child; k < source.first_child + source.head.children; ++k)
        test(t, k, image, pairs.open);
  };
  if (target.leaf()) meet(c);
  else
    for (auto k = target.first_child; k < target.first_child + target.children; ++k) meet(k);
}

template <class M>
void CellWalk<M>::test(std::uint32_t target, std::uint32_t source, std::uint32_t image,
                       std::vector<Pair>& open) const {
  if (view_.known.cells[source].owner != view_.rank && !distant(target, source, image))
    open.push_back({target, source, image});
}

template <class M>
bool CellWalk<M>::distant(std::uint32_t c, std::uint32_t s, std::uint32_t image) const {
  const auto& own = view_.own.moments;
  const auto& other = view_.there.memory.moments;
  const auto& shift = view_.pass.images[image];
  const double x = other.x[s] - own.x[c] + shift.x, y = other.y[s] - own.y[c] + shift.y,
               z = other.z[s] - own.z[c] + shift.z, R2 = x * x + y * y + z * z;
  const double r = (own.radius[c] + other.radius[s]) / view_.pass.theta;
  return R2 > r * r * (1 + margin) && (view_.pass.tolerance == 0 || allowed(c, s, R2));
}

/// PairErrors::allow for one pair.
template <class M>
bool CellWalk<M>::allowed(std::uint32_t c, std::uint32_t s, double R2) const {
  const auto &own = view_.own.scales, &other = view_.there.memory.scales;
  const double a = view_.own.moments.radius[c], b = view_.there.memory.moments.radius[s];
  const auto p = double(own.weights.size() - 1);
  double here = 0, there = 0;
  for (std::size_t k = 0; k < own.weights.size(); ++k)
    here = here * a + other.weights[k][s], there = there * b + own.weights[k][c];
  const double R = std::sqrt(R2), gap = R - (a + b);
  const double allowed = view_.pass.tolerance * std::pow(R, p + 1) * gap * gap / (p * gap + R);
  const auto below = [&](double error, double whole, double pull) {
    return error * error * (tree::per_share2 * pull + whole) <=
           allowed * allowed * pull * whole * whole * (1 - margin);
  };
  return below(here, own.least_acceleration[c], other.weights[0][s] / R2) &&
         below(there, other.least_acceleration[s], own.weights[0][c] / R2);
}

template <class M>
std::vector<std::uint32_t> GroupWalk<M>::opened(std::uint32_t from) const {
  const auto& known = view_.known;
  std::vector<std::uint8_t> flags(known.size() - from);
  for_each_index(
      flags.size(),
      [&](std::size_t k) {
        const auto s = from + static_cast<std::uint32_t>(k);
        const auto owner = known.cells[s].owner;
        if (owner == view_.rank || owner == KnownCell::shared) return;
        const double reach = reach2(s);
        const auto by = [&](const Vec3<double>& shift) { return opens(0, s, shift, reach); };
        flags[k] = std::any_of(view_.pass.images.begin(), view_.pass.images.end(), by);
      },
      64);
  std::vector<std::uint32_t> opened;
  for (std::uint32_t k = 0; k < flags.size(); ++k)
    if (flags[k]) opened.push_back(from + k);
  return opened;
}

/// Whether any group of a cell may open the source: from the nearest place of the box around its bodies.
template <class M>
bool GroupWalk<M>::opens(std::uint32_t c, std::uint32_t s, const Vec3<double>& shift, double reach2) const {
  const auto& up = view_.there.memory.moments;
  const auto& [low, high] = view_.own.moments.boxes[c];
  const auto beside = [](double x, double least, double most) {
    return std::max({0.0, least - x, x - most});
  };
  const double x = beside(up.x[s] + shift.x, low[0], high[0]), y = beside(up.y[s] + shift.y, low[1], high[1]),
               z = beside(up.z[s] + shift.z, low[2], high[2]), R2 = x * x + y * y + z * z;
  if (R2 * (1 - margin) > reach2 && (view_.pass.tolerance == 0 || exact_enough(c, s, R2))) return false;
  const auto& cell = view_.tree.cells[c];
  if (cell.leaf() || (int(cell.bodies()) <= view_.pass.group && !is_shared(view_.tree, cell, view_.keys)))
    return true;
  for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k)
    if (opens(k, s, shift, reach2)) return true;
  return false;
}

/// The walk's, for the weakest acceleration in a cell.
template <class M>
bool GroupWalk<M>::exact_enough(std::uint32_t c, std::uint32_t s, double R2) const {
  const auto& scales = view_.there.memory.scales;
  const auto p = double(scales.weights.size() - 1);
  const double R = std::sqrt(R2), r = view_.there.memory.moments.radius[s], gap = R - r;
  const double allowed = view_.pass.tolerance * view_.own.scales.least_acceleration[c];
  return scales.weights.back()[s] * ((p + 1) * R - p * r) <
         allowed * gap * gap * std::pow(R, p + 1) * (1 - margin);
}

/// The square of the distance beyond which a cell pulls as a whole.
template <class M>
double GroupWalk<M>::reach2(std::uint32_t s) const {
  const auto& pass = view_.pass;
  const auto& tree = view_.there.tree;
  const auto& up = view_.there.memory.moments;
  if (pass.mac != Mac::classic && tree.bodies_of(s) <= few_) return std::numeric_limits<double>::infinity();
  const double reach = tree::reach_of(tree, s, up, pass.mac, pass.theta);
  return reach * reach * (1 + margin);
}

template class CellWalk<float>;
template class CellWalk<double>;
template class GroupWalk<float>;
template class GroupWalk<double>;

}  // namespace pleiad::domain
