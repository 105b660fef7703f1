/// Bodies are numbered along the curve: those of others before and after the part's own.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "domain/merge.hpp"

#include "core/threads.hpp"
#include "domain/release.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace pleiad::domain {
namespace {

using tree::Share;

template <class M>
class Merging {
 public:
  Merging(const tree::Tree& own, int rank, const Known& known, const HostKnown<M>& there, Merged<M>& to)
      : own_(own), rank_(rank), known_(known.cells), there_(there), to_(to.tree), origins_(to.origins) {
    to_.structure = own.structure;
    to_.centre = own.centre, to_.length = own.length, to_.mass = own.mass;
    const std::size_t most = own.cells.size() + known_.size();
    to_.cells.reserve(most), origins_.reserve(most);
    to_.share.bodies.reserve(most), to_.share.marks.reserve(most);
  }

  /// Level by level, so that children lie together.
  void collect() {
    add({0, known_[0].owner == rank_}, 0);
    for (std::uint32_t c = 0; c < origins_.size(); ++c) {
      const Origin from = origins_[c];
      if (to_.levels.size() == to_.cells[c].level) to_.levels.push_back(c);
      if (!from.own && known_[from.cell].closed()) continue;
      const auto children = from.own ? own_.cells[from.cell].children : known_[from.cell].head.children;
      const auto first = from.own ? own_.cells[from.cell].first_child : known_[from.cell].first_child;
      to_.cells[c].first_child = static_cast<std::uint32_t>(origins_.size());
      to_.cells[c].children = children;
      for (auto k = first; k < first + children; ++k) {
        const bool own = from.own || known_[k].owner == rank_;
        add({from.own || !own ? k : known_[k].head.id, own}, c);
      }
    }
    to_.levels.push_back(static_cast<std::uint32_t>(origins_.size()));
  }

  /// Counts the bodies of cells from the leaves up, then sets where they begin from the root down.
  void number_bodies() {
    auto& cells = to_.cells;
    for (auto c = cells.size(); c-- > 0;) {
      auto& cell = cells[c];
      if (origins_[c].own) cell.end = own_.cells[origins_[c].cell].bodies();
      else if (cell.leaf()) cell.end = has_bodies(c) ? to_.share.bodies[c] : 1;
      for (std::uint32_t k = 0; !origins_[c].own && k < cell.children; ++k) {
        cell.end += cells[cell.first_child + k].end;
        // A cell above a target's cell is a target's cell.
        if (!to_.foreign(cell.first_child + k)) to_.share.marks[c] &= std::uint8_t(~Share::foreign);
      }
    }
    for (auto& cell : cells) {
      cell.end += cell.begin;
      for (auto begin = cell.begin, k = 0U; k < cell.children; ++k) {
        auto& child = cells[cell.first_child + k];
        child.begin = begin;
        begin += child.end;
      }
    }
    for (std::size_t c = 0; c < cells.size(); ++c)
      if (origins_[c].own) {
        to_.share.first_target = cells[c].begin - own_.cells[origins_[c].cell].begin;
        break;
      }
  }

 private:
  using Cell = tree::Cell;
  void add(const Origin& from, std::uint32_t parent) {
    const auto& tree = from.own ? own_ : there_.tree;
    origins_.push_back(from);
    to_.cells.push_back({.begin = 0,
                         .end = 0,
                         .first_child = 0,
                         .children = 0,
                         .parent = parent,
                         .level = tree.cells[from.cell].level});
    to_.share.bodies.push_back(tree.bodies_of(from.cell));
    to_.share.marks.push_back(from.own ? Share::given : Share::given | Share::foreign);
  }
  /// Before bodies are there none has any.
  bool has_bodies(std::size_t c) const {
    return !there_.bodies_at.empty() && there_.bodies_at[origins_[c].cell] != HostKnown<M>::none;
  }

  const tree::Tree& own_;
  int rank_;
  const std::vector<KnownCell>& known_;
  const HostKnown<M>& there_;
  tree::Tree& to_;
  std::vector<Origin>& origins_;
};

}  // namespace

template <class M>
Merged<M> merge_cells(const tree::Tree& own, int rank, const Known& known, const HostKnown<M>& there) {
  Merged<M> to;
  Merging<M> merging(own, rank, known, there, to);
  merging.collect();
  merging.number_bodies();
  return to;
}

template <class M>
void copy_moments(const tree::Memory<M>& own, const tree::Memory<M>& known, Merged<M>& to) {
  resize_like(own, to.origins.size(), to.memory);
  for_each_index(to.origins.size(), [&](std::size_t c) {
    copy_cell(to.origins[c].own ? own : known, to.origins[c].cell, to.memory, c);
  });
}

template <class M>
void move_moments(tree::Memory<M>& own, tree::Memory<M>& known, Merged<M>& merged) {
  constexpr std::size_t room = 16;  // of vectors that are loaded beyond the last cell
  const auto& origins = merged.origins;
  const auto move = [&]<class Value>(std::vector<Value>& to, std::vector<Value>& of_own,
                                     std::vector<Value>& of_known, std::size_t stride = 1) {
    to.resize(origins.size() * stride + room);
    for_each_index(origins.size(), [&](std::size_t c) {
      const auto& from = origins[c].own ? of_own : of_known;
      std::copy_n(&from[origins[c].cell * stride], stride, &to[c * stride]);
    });
    release(of_own, of_known);
  };
  auto &up = merged.memory.moments, &a = own.moments, &b = known.moments;
  release(a.boxes, b.boxes);
  up.stride = a.stride;
  move(up.records, a.records, b.records, a.stride);
  move(up.x, a.x, b.x), move(up.y, a.y, b.y), move(up.z, a.z, b.z), move(up.radius, a.radius, b.radius);
  move(up.masses, a.masses, b.masses);
  auto &scales = merged.memory.scales, &s = own.scales, &t = known.scales;
  if (s.weights.empty()) return;
  scales.weights.resize(s.weights.size());
  for (std::size_t k = 0; k < s.weights.size(); ++k) move(scales.weights[k], s.weights[k], t.weights[k]);
  move(scales.least_acceleration, s.least_acceleration, t.least_acceleration);
}

template <class M>
void move_bodies(tree::Tree& own_tree, HostKnown<M>& there, Merged<M>& merged) {
  auto& [tree, memory, origins] = merged;
  const std::size_t n = tree.cells[0].bodies();
  // One coordinate after the other, so that there is room for one of them twice.
  const auto move = [&](std::vector<double> pleiad::tree::Tree::*array, double Mass<double>::*member,
                        const auto& first_place) {
    auto &own = own_tree.*array, &to = tree.*array;
    to.resize(n);
    std::copy(own.begin(), own.end(), to.begin() + std::ptrdiff_t(tree.share.first_target));
    release(own);
    for (std::size_t c = 0; c < origins.size(); ++c) {
      const auto& cell = tree.cells[c];
      if (origins[c].own || !cell.leaf()) continue;
      const auto from = origins[c].cell, at = there.bodies_at[from];
      if (at == HostKnown<M>::none) to[cell.begin] = first_place(from);
      else
        for (std::uint32_t k = 0; k < cell.bodies(); ++k) to[cell.begin + k] = there.bodies[at + k].*member;
    }
  };
  move(&pleiad::tree::Tree::x, &Mass<double>::x, [&](std::uint32_t c) { return there.tree.x[c]; });
  move(&pleiad::tree::Tree::y, &Mass<double>::y, [&](std::uint32_t c) { return there.tree.y[c]; });
  move(&pleiad::tree::Tree::z, &Mass<double>::z, [&](std::uint32_t c) { return there.tree.z[c]; });
  move(&pleiad::tree::Tree::m, &Mass<double>::m,
       [](std::uint32_t) { return std::numeric_limits<double>::quiet_NaN(); });
  tree.order.assign(n, 0);
}

#define PLEIAD_MERGE(M)                                                                      \
  template Merged<M> merge_cells(const tree::Tree&, int, const Known&, const HostKnown<M>&); \
  template void copy_moments(const tree::Memory<M>&, const tree::Memory<M>&, Merged<M>&);    \
  template void move_moments(tree::Memory<M>&, tree::Memory<M>&, Merged<M>&);                \
  template void move_bodies(tree::Tree&, HostKnown<M>&, Merged<M>&);
PLEIAD_MERGE(float)
PLEIAD_MERGE(double)
#undef PLEIAD_MERGE

}  // namespace pleiad::domain
