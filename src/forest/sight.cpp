/// A request names cells by their owner's numbers; the answers come in the order of the requests.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "forest/sight.hpp"

#include <algorithm>

namespace pleiad::forest {

template <class M>
void Sight<M>::find_branches(std::uint32_t c) {
  const auto& cell = part_.tree.cells[c];
  if (!part_.is_shared(cell)) {
    branches_.push_back(c);
    return;
  }
  for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k) find_branches(k);
}

template <class M>
void Sight<M>::look_up() {
  std::vector<std::byte> shown;
  if (!part_.tree.cells.empty()) find_branches(0);
  for (const auto c : branches_) parcel_.add(part_.tree, own_, c, shown);
  const auto all = ranks::all_gather<std::byte>(transport_, shown);
  if (branches_.empty()) return;
  Known<M> branches;
  branches.make_room(all.data.size() / parcel_.size(), own_);
  for (int r = 0; r < transport_.ranks(); ++r)
    for (auto at = all.begins[std::size_t(r)]; at < all.begins[std::size_t(r) + 1]; at += parcel_.size())
      parcel_.take(&all.data[at], r, branches);

  // From the root down, a cell being the branches [begin, end).
  struct Range {
    std::uint32_t begin, end, parent, level;
  };
  auto& tree = known.tree;
  tree.structure = part_.tree.structure;
  known_branches_.resize(branches.cells());
  std::vector<Range> ranges{{0, branches.cells(), 0, 0}};
  for (std::uint32_t c = 0; c < ranges.size(); ++c) {
    const Range range = ranges[c];
    const std::uint32_t b = range.begin;
    if (tree.levels.size() == range.level) tree.levels.push_back(c);
    const auto place = [&](std::uint32_t i) {
      return Vec3<double>{branches.tree.x[i], branches.tree.y[i], branches.tree.z[i]};
    };
    if (range.end - b == 1 && branches.tree.cells[b].level == range.level) {
      known.add(branches.tree.cells[b], branches.tree.share.bodies[b], place(b), branches.owners[b],
                branches.ids[b]);
      known.tree.cells[c].parent = range.parent;
      known_branches_[b] = c;
      continue;
    }
    std::uint32_t count = 0;
    for (auto i = b; i < range.end; ++i) count += branches.tree.share.bodies[i];
    tree::Cell cell{.begin = 0,
                    .end = 0,
                    .first_child = std::uint32_t(ranges.size()),
                    .children = 0,
                    .parent = range.parent,
                    .level = range.level};
    for (auto begin = b; begin < range.end; ++cell.children) {
      auto end = begin + 1;
      const auto octant = Part::octant_of(place(begin), range.level + 1);
      while (end < range.end && Part::octant_of(place(end), range.level + 1) == octant) ++end;
      ranges.push_back({begin, end, c, range.level + 1});
      begin = end;
    }
    known.add(cell, count, place(b), Known<M>::shared, 0);
  }
  top_ = known.cells();
  tree.levels.push_back(top_);
  resize_like(own_, top_, known.memory);
  for (std::uint32_t b = 0; b < branches.cells(); ++b)
    copy_cell(branches.memory, b, known.memory, known_branches_[b]);
}

template <class M>
void Sight<M>::complete_own() {
  if (top_ > 0 && known.owners[0] == Known<M>::shared) complete_own(0, 0);
}

template <class M>
void Sight<M>::complete_own(std::uint32_t own, std::uint32_t whole) {
  const auto box = own_.moments.boxes[own];
  copy_cell(known.memory, whole, own_, own);
  own_.moments.boxes[own] = box;
  const auto& cell = part_.tree.cells[own];
  const auto& shared = known.tree.cells[whole];
  const auto octant = [&](const tree::Tree& tree, std::uint32_t c) {
    const auto at = tree.cells[c].begin;
    return Part::octant_of({tree.x[at], tree.y[at], tree.z[at]}, cell.level + 1);
  };
  for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k)
    for (auto w = shared.first_child; w < shared.first_child + shared.children; ++w)
      if (known.owners[w] == Known<M>::shared && octant(part_.tree, k) == octant(known.tree, w))
        complete_own(k, w);
}

template <class M>
typename Sight<M>::Asked Sight<M>::ask(std::span<const std::uint32_t> cells) {
  Asked asked{{cells.begin(), cells.end()}, {}};
  std::stable_sort(asked.cells.begin(), asked.cells.end(),
                   [&](auto a, auto b) { return known.owners[a] < known.owners[b]; });
  std::vector<std::uint32_t> ids;
  std::vector<std::size_t> begins;
  for (const auto c : asked.cells) {
    begins.resize(std::size_t(known.owners[c]) + 1, ids.size());
    ids.push_back(known.ids[c]);
  }
  begins.resize(std::size_t(transport_.ranks()) + 1, ids.size());
  asked.of_me = ranks::all_to_all<std::uint32_t>(transport_, ids, begins);
  return asked;
}

template <class M>
bool Sight<M>::fetch(std::span<const std::uint32_t> cells) {
  if (ranks::sum(transport_, cells.size()) == 0) return false;
  const auto asked = ask(cells);
  std::vector<std::byte> answers;
  std::vector<std::size_t> begins{0};
  for (int r = 0; r < transport_.ranks(); ++r) {
    for (const auto id : asked.of_me.of(r)) {
      const auto& cell = part_.tree.cells[id];
      for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k) {
        parcel_.add(part_.tree, own_, k, answers);
        served_[std::size_t(r)].push_back(k);
      }
    }
    begins.push_back(answers.size());
  }
  const auto got = ranks::all_to_all<std::byte>(transport_, answers, begins);
  known.make_room(got.data.size() / parcel_.size(), own_);
  const std::byte* from = got.data.data();
  for (const auto c : asked.cells) {
    const int owner = known.owners[c];
    known.tree.cells[c].first_child = known.cells();
    for (std::uint32_t k = 0; k < known.tree.cells[c].children; ++k, from += parcel_.size()) {
      const auto child = parcel_.take(from, owner, known);
      known.tree.cells[child].parent = c;
      got_[std::size_t(owner)].push_back(child);
      ++cells_fetched;
    }
  }
  return true;
}

template <class M>
void Sight<M>::fetch_bodies(std::span<const std::uint32_t> leaves) {
  const auto asked = ask(leaves);
  std::vector<Mass<double>> answers;
  std::vector<std::size_t> begins{0};
  const auto& tree = part_.tree;
  for (int r = 0; r < transport_.ranks(); ++r) {
    for (const auto id : asked.of_me.of(r))
      for (auto i = tree.cells[id].begin; i < tree.cells[id].end; ++i)
        answers.push_back({tree.x[i], tree.y[i], tree.z[i], tree.m[i]});
    begins.push_back(answers.size());
  }
  known.bodies = ranks::all_to_all<Mass<double>>(transport_, answers, begins).data;
  std::uint32_t at = 0;
  for (const auto c : asked.cells) {
    known.bodies_at[c] = at;
    at += known.tree.share.bodies[c];
  }
}

template <class M>
void Sight<M>::tell_accelerations() {
  const auto& least = own_.scales.least_acceleration;
  std::vector<double> mine;
  for (const auto c : branches_) mine.push_back(least[c]);
  const auto of_branches = ranks::all_gather<double>(transport_, mine).data;
  mine.clear();
  std::vector<std::size_t> begins{0};
  for (const auto& to : served_) {
    for (const auto c : to) mine.push_back(least[c]);
    begins.push_back(mine.size());
  }
  const auto of_others = ranks::all_to_all<double>(transport_, mine, begins);
  auto& all = known.memory.scales.least_acceleration;
  for (std::size_t b = 0; b < known_branches_.size(); ++b) all[known_branches_[b]] = of_branches[b];
  for (std::size_t r = 0; r < got_.size(); ++r)
    for (std::size_t k = 0; k < got_[r].size(); ++k) all[got_[r][k]] = of_others.of(int(r))[k];
  for (auto c = top_; c-- > 0;) {
    if (known.owners[c] != Known<M>::shared) continue;
    const auto& cell = known.tree.cells[c];
    all[c] = *std::min_element(&all[cell.first_child], &all[cell.first_child] + cell.children);
  }
}

template class Sight<float>;
template class Sight<double>;

}  // namespace pleiad::forest
