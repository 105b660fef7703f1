/// Bodies are numbered along the curve: those of others before and after the part's own.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "forest/merge.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace pleiad::forest {
namespace {

using tree::Share;

template <class M>
class Merging {
 public:
  Merging(const Part& part, const Known<M>& known, tree::Tree& to) : part_(part), known_(known), to_(to) {
    to.structure = part.tree.structure, to.kept = false;
    to.centre = part.tree.centre, to.length = part.tree.length, to.mass = part.tree.mass;
    to.cells.clear(), to.levels.clear(), to.share = {};
  }

  /// Level by level, so that children lie together.
  void collect() {
    add({0, known_.owners[0] == part_.rank}, 0);
    for (std::uint32_t c = 0; c < origins.size(); ++c) {
      const Origin from = origins[c];
      const auto& cell = (from.own ? part_.tree : known_.tree).cells[from.cell];
      if (to_.levels.size() == cell.level) to_.levels.push_back(c);
      if (!from.own && known_.closed(from.cell)) continue;
      to_.cells[c].first_child = static_cast<std::uint32_t>(origins.size());
      to_.cells[c].children = cell.children;
      for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k) {
        const bool own = from.own || known_.owners[k] == part_.rank;
        add({from.own || !own ? k : known_.ids[k], own}, c);
      }
    }
    to_.levels.push_back(static_cast<std::uint32_t>(origins.size()));
  }

  /// From the leaves up how many bodies cells have here, then from the root down where they begin.
  void number_bodies() {
    auto& cells = to_.cells;
    for (auto c = cells.size(); c-- > 0;) {
      auto& cell = cells[c];
      if (origins[c].own) cell.end = part_.tree.cells[origins[c].cell].bodies();
      else if (cell.leaf()) cell.end = has_bodies(c) ? to_.share.bodies[c] : 1;
      for (std::uint32_t k = 0; !origins[c].own && k < cell.children; ++k) {
        cell.end += cells[cell.first_child + k].end;
        // What is above a target's cell is one too.
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
      if (origins[c].own) {
        to_.share.first_target = cells[c].begin - part_.tree.cells[origins[c].cell].begin;
        break;
      }
  }

  void place_bodies() {
    const std::size_t n = to_.cells[0].bodies(), first = to_.share.first_target;
    const auto take = [&](std::vector<double>& to, const std::vector<double>& own, const auto& of_other) {
      to.resize(n);
      std::copy(own.begin(), own.end(), to.begin() + std::ptrdiff_t(first));
      for (std::size_t c = 0; c < origins.size(); ++c)
        if (const Cell& cell = to_.cells[c]; !origins[c].own && cell.leaf())
          for (auto i = cell.begin; i < cell.end; ++i) to[i] = of_other(c, i - cell.begin);
    };
    const auto& tree = part_.tree;
    const auto of = [&](double Mass<double>::*member, const std::vector<double>& first_places) {
      return [this, member, &first_places](std::size_t c, std::uint32_t k) {
        const auto from = origins[c].cell;
        return has_bodies(c) ? known_.bodies[known_.bodies_at[from] + k].*member : first_places[from];
      };
    };
    take(to_.x, tree.x, of(&Mass<double>::x, known_.tree.x));
    take(to_.y, tree.y, of(&Mass<double>::y, known_.tree.y));
    take(to_.z, tree.z, of(&Mass<double>::z, known_.tree.z));
    const std::vector<double> nowhere(known_.cells(), std::numeric_limits<double>::quiet_NaN());
    take(to_.m, tree.m, of(&Mass<double>::m, nowhere));
    to_.order.assign(n, 0);
  }

  std::vector<Origin> origins;

 private:
  using Cell = tree::Cell;
  void add(const Origin& from, std::uint32_t parent) {
    const auto& tree = from.own ? part_.tree : known_.tree;
    origins.push_back(from);
    to_.cells.push_back({.begin = 0,
                         .end = 0,
                         .first_child = 0,
                         .children = 0,
                         .parent = parent,
                         .level = tree.cells[from.cell].level});
    to_.share.bodies.push_back(tree.bodies_of(from.cell));
    to_.share.marks.push_back(from.own ? Share::given : Share::given | Share::foreign);
  }
  bool has_bodies(std::size_t c) const { return known_.bodies_at[origins[c].cell] != Known<M>::none; }

  const Part& part_;
  const Known<M>& known_;
  tree::Tree& to_;
};

}  // namespace

template <class M>
std::vector<Origin> merge(const Part& part, const tree::Memory<M>& own, const Known<M>& known, bool bodies,
                          tree::Tree& to, tree::Memory<M>& memory) {
  Merging<M> merging(part, known, to);
  merging.collect();
  merging.number_bodies();
  if (bodies) merging.place_bodies();
  resize_like(own, to.cells.size(), memory);
  for (std::size_t c = 0; c < to.cells.size(); ++c) {
    const auto& [cell, is_own] = merging.origins[c];
    copy_cell(is_own ? own : known.memory, cell, memory, c);
  }
  return std::move(merging.origins);
}

template std::vector<Origin> merge(const Part&, const tree::Memory<float>&, const Known<float>&, bool,
                                   tree::Tree&, tree::Memory<float>&);
template std::vector<Origin> merge(const Part&, const tree::Memory<double>&, const Known<double>&, bool,
                                   tree::Tree&, tree::Memory<double>&);

}  // namespace pleiad::forest
