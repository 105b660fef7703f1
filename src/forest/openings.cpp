/// Scalar twins of the criteria in src/tree/cpu.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "forest/openings.hpp"

#include "core/threads.hpp"
#include "tree/places.hpp"
#include "tree/scales.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

namespace pleiad::forest {
namespace {

/// What is taken off distances and errors that are allowed: more than rounding could.
constexpr double margin = 1e-9;

}  // namespace

template <class M>
CellOpenings<M>::CellOpenings(const View<M>& view, std::uint32_t coarse) : view_(view), coarse_(coarse) {
  if (view.part.tree.cells.empty()) return;
  if (view.known.owners[0] == view.part.rank) return;
  const auto images = std::uint32_t(view.pass.images.size());
  const auto& root = view.known.tree.cells[0];
  if (coarse > 0) {
    // The walk for accelerations has sources one level below their targets.
    for (std::uint32_t image = 0; image < images; ++image)
      for (auto k = root.first_child; k < root.first_child + root.children; ++k) test(0, k, image, waiting_);
  } else {
    waiting_.push_back({0, 0, 0});
    for (std::uint32_t image = 1; image < images; ++image) test(0, 0, image, waiting_);
  }
}

template <class M>
std::vector<std::uint32_t> CellOpenings<M>::look() {
  wanted_.resize(view_.known.cells());
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
  std::vector<std::uint32_t> wanted;
  for (const auto& pair : waiting_)
    if (!std::exchange(wanted_[pair.source], 1)) wanted.push_back(pair.source);
  return wanted;
}

template <class M>
std::vector<std::uint32_t> CellOpenings<M>::leaves() const {
  std::vector<std::uint32_t> leaves;
  for (std::uint32_t c = 0; c < wanted_.size(); ++c)
    if (wanted_[c] && view_.known.leaf(c)) leaves.push_back(c);
  return leaves;
}

template <class M>
void CellOpenings<M>::open(const Pair& pair, Pairs& pairs) {
  const auto& [c, s, image] = pair;
  const auto& known = view_.known;
  if (known.owners[s] == view_.part.rank) return;
  const auto& target = view_.part.tree.cells[c];
  const auto& source = known.tree.cells[s];
  const bool ends = leaf(view_.part.tree, c), whole = leaf(known.tree, s);
  if (whole && ends) {
    if (source.leaf()) std::atomic_ref(wanted_[s]).store(1, std::memory_order_relaxed);
    return;
  }
  if (!whole && known.closed(s)) {
    pairs.waiting.push_back(pair);
    return;
  }
  const auto meet = [&](std::uint32_t t) {
    if (whole) test(t, s, image, pairs.open);
    else
      for (auto k = source.first_child; k < source.first_child + source.children; ++k)
        test(t, k, image, pairs.open);
  };
  if (ends) meet(c);
  else
    for (auto k = target.first_child; k < target.first_child + target.children; ++k) meet(k);
}

template <class M>
void CellOpenings<M>::test(std::uint32_t target, std::uint32_t source, std::uint32_t image,
                           std::vector<Pair>& open) const {
  if (view_.known.owners[source] != view_.part.rank && !distant(target, source, image))
    open.push_back({target, source, image});
}

template <class M>
bool CellOpenings<M>::distant(std::uint32_t c, std::uint32_t s, std::uint32_t image) const {
  const auto& own = view_.own.moments;
  const auto& other = view_.known.memory.moments;
  const auto& shift = view_.pass.images[image];
  const double x = other.x[s] - own.x[c] + shift.x, y = other.y[s] - own.y[c] + shift.y,
               z = other.z[s] - own.z[c] + shift.z, R2 = x * x + y * y + z * z;
  const double r = (own.radius[c] + other.radius[s]) / (coarse_ > 0 ? 1 : view_.pass.theta);
  if (!(R2 > r * r * (1 + margin))) return false;
  return coarse_ > 0 || view_.pass.tolerance == 0 || allowed(c, s, R2);
}

/// PairErrors::allow for one pair.
template <class M>
bool CellOpenings<M>::allowed(std::uint32_t c, std::uint32_t s, double R2) const {
  const auto &own = view_.own.scales, &other = view_.known.memory.scales;
  const double a = view_.own.moments.radius[c], b = view_.known.memory.moments.radius[s];
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
std::vector<std::uint32_t> GroupOpenings<M>::look() {
  const auto& known = view_.known;
  if (view_.part.tree.cells.empty()) return {};
  std::vector<std::uint8_t> opened(known.cells() - seen_);
  for_each_index(
      opened.size(),
      [&](std::size_t k) {
        const auto s = seen_ + static_cast<std::uint32_t>(k);
        if (known.owners[s] == view_.part.rank || known.owners[s] == Known<M>::shared) return;
        const double reach = reach2(s);
        const auto by = [&](const Vec3<double>& shift) { return opens(0, s, shift, reach); };
        opened[k] = std::any_of(view_.pass.images.begin(), view_.pass.images.end(), by);
      },
      64);
  std::vector<std::uint32_t> wanted;
  for (std::size_t k = 0; k < opened.size(); ++k, ++seen_)
    if (opened[k]) (known.leaf(seen_) ? leaves_ : wanted).push_back(seen_);
  return wanted;
}

/// Whether any group of a cell may open the source: from the nearest place of the box around its bodies.
template <class M>
bool GroupOpenings<M>::opens(std::uint32_t c, std::uint32_t s, const Vec3<double>& shift,
                             double reach2) const {
  const auto& up = view_.known.memory.moments;
  const auto& [low, high] = view_.own.moments.boxes[c];
  const auto beside = [](double x, double least, double most) {
    return std::max({0.0, least - x, x - most});
  };
  const double x = beside(up.x[s] + shift.x, low[0], high[0]), y = beside(up.y[s] + shift.y, low[1], high[1]),
               z = beside(up.z[s] + shift.z, low[2], high[2]), R2 = x * x + y * y + z * z;
  if (R2 * (1 - margin) > reach2 && (view_.pass.tolerance == 0 || exact_enough(c, s, R2))) return false;
  const auto& cell = view_.part.tree.cells[c];
  if (cell.leaf() || (!view_.part.is_shared(cell) && int(cell.bodies()) <= view_.pass.group)) return true;
  for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k)
    if (opens(k, s, shift, reach2)) return true;
  return false;
}

/// The walk's, for the weakest acceleration in a cell.
template <class M>
bool GroupOpenings<M>::exact_enough(std::uint32_t c, std::uint32_t s, double R2) const {
  const auto& scales = view_.known.memory.scales;
  const auto p = double(scales.weights.size() - 1);
  const double R = std::sqrt(R2), r = view_.known.memory.moments.radius[s], gap = R - r;
  const double allowed = view_.pass.tolerance * view_.own.scales.least_acceleration[c];
  return scales.weights.back()[s] * ((p + 1) * R - p * r) <
         allowed * gap * gap * std::pow(R, p + 1) * (1 - margin);
}

/// The square of the distance beyond which a cell pulls as a whole.
template <class M>
double GroupOpenings<M>::reach2(std::uint32_t s) const {
  const auto& pass = view_.pass;
  const auto& tree = view_.known.tree;
  const auto& up = view_.known.memory.moments;
  if (pass.mac != Mac::classic && tree.bodies_of(s) <= few_) return std::numeric_limits<double>::infinity();
  const double reach = tree::reach_of(tree, s, up, pass.mac, pass.theta);
  return reach * reach * (1 + margin);
}

template class CellOpenings<float>;
template class CellOpenings<double>;
template class GroupOpenings<float>;
template class GroupOpenings<double>;

}  // namespace pleiad::forest
