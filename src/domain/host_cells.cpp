/// A row is a cell's head, its places, the record of its moments and, for the error MAC, its scales.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "domain/host_cells.hpp"

#include "domain/mac_walk.hpp"
#include "domain/merge.hpp"
#include "domain/release.hpp"
#include "tree/cpu/methods.hpp"
#include "tree/curve.hpp"
#include "tree/groups.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace pleiad::domain {
namespace {

using tree::CellHead;

/// Calls each(values of a, values of b, their number) for all values of a cell in a row, except its head and
/// the position of its first body.
template <class Memory, class M, class Each>
void for_values(Memory& from, std::size_t a, tree::Memory<M>& to, std::size_t b, const Each& each) {
  auto& f = from.moments;
  auto& t = to.moments;
  each(&f.x[a], &t.x[b], 1), each(&f.y[a], &t.y[b], 1), each(&f.z[a], &t.z[b], 1);
  each(&f.radius[a], &t.radius[b], 1), each(&f.masses[a], &t.masses[b], 1);
  each(&f.boxes[a], &t.boxes[b], 1);
  each(&f.records[a * f.stride], &t.records[b * t.stride], f.stride);
  for (std::size_t k = 0; k < from.scales.weights.size(); ++k)
    each(&from.scales.weights[k][a], &to.scales.weights[k][b], 1);
  if (!from.scales.weights.empty())
    each(&from.scales.least_acceleration[a], &to.scales.least_acceleration[b], 1);
}

std::uint64_t key_of(const tree::Tree& tree, const tree::Cell& cell) {
  return tree::key_of(tree.x[cell.begin], tree.y[cell.begin], tree.z[cell.begin]);
}

CellHead head_of(const tree::Tree& tree, std::uint32_t c) {
  const auto& cell = tree.cells[c];
  return {.key = key_of(tree, cell),
          .bodies = cell.bodies(),
          .children = cell.children,
          .first_child = cell.first_child,
          .first_body = cell.begin,
          .level = cell.level,
          .id = c};
}

}  // namespace

bool is_shared(const tree::Tree& tree, const tree::Cell& cell, const tree::KeyRange& keys) {
  return keys.cuts(key_of(tree, cell), int(cell.level));
}

template <class M>
void copy_cell(const tree::Memory<M>& from, std::size_t a, tree::Memory<M>& to, std::size_t b) {
  for_values(from, a, to, b, [](const auto* f, auto* t, std::size_t count) { std::copy_n(f, count, t); });
}

template <class M>
void resize_like(const tree::Memory<M>& model, std::size_t cells, tree::Memory<M>& to) {
  constexpr std::size_t room = 16;  // of vectors that are loaded beyond the last cell
  auto& up = to.moments;
  for (auto* v : {&up.x, &up.y, &up.z, &up.radius}) v->reserve(cells + room);
  up.boxes.reserve(cells), up.masses.reserve(cells), up.records.reserve(cells * model.moments.stride + room);
  up.resize(cells, model.moments.stride);
  if (model.scales.weights.empty()) return;
  for (auto& weights : to.scales.weights) weights.reserve(cells + room);
  to.scales.least_acceleration.reserve(cells + room);
  to.scales.resize(cells, int(model.scales.weights.size()) - 1);
}

template <class M>
HostCells<M>::HostCells(ranks::Communicator& comm, const TreeSettings& settings)
    : comm_(comm), settings_(settings), compiled_(tree::compiled(settings.solver, settings.order)) {}
template <class M>
HostCells<M>::~HostCells() = default;

template <class M>
void HostCells<M>::evaluate(const tree::Tree& tree, tree::Memory<M>& memory, tree::Stage stage) {
  if (tree.cells.empty()) return;
  pass_.stage = stage;
  const double before = work_.moments;
  if constexpr (std::is_same_v<M, double>) compiled_.wide(tree, memory, pass_, work_);
  else compiled_.narrow(tree, memory, pass_, work_);
  work_.moments += before;
}

template <class M>
void HostCells<M>::forget() {
  release(own_, there_, known);
  cell_walk_.reset();
}

template <class M>
void HostCells<M>::find_accelerations() {
  if (tree_.cells.empty()) return;
  auto merged = merge_cells(tree_, comm_.rank(), known, there_);
  copy_moments(own_, there_.memory, merged);
  evaluate(merged.tree, merged.memory, tree::Stage::accelerations);
  for (std::size_t c = 0; c < merged.origins.size(); ++c)
    if (const auto& from = merged.origins[c]; from.own)
      own_.scales.least_acceleration[from.cell] = merged.memory.scales.least_acceleration[c];
}

template <class M>
std::size_t HostCells<M>::row_bytes() const {
  const std::size_t scales = own_.scales.weights.empty() ? 0 : own_.scales.weights.size() + 1;
  return sizeof(CellHead) + sizeof(Vec3<double>) + (5 + scales) * sizeof(double) +
         sizeof(own_.moments.boxes[0]) + own_.moments.stride * sizeof(M);
}

template <class M>
void HostCells<M>::pack(std::uint32_t c, std::vector<std::byte>& rows) {
  const auto at = tree_.cells[c].begin;
  const auto put = [&](const auto* values, const auto*, std::size_t count) {
    const auto* bytes = reinterpret_cast<const std::byte*>(values);
    rows.insert(rows.end(), bytes, bytes + count * sizeof(*values));
  };
  const auto head = head_of(tree_, c);
  const Vec3<double> first_body{tree_.x[at], tree_.y[at], tree_.z[at]};
  put(&head, &head, 1), put(&first_body, &first_body, 1);
  for_values(own_, c, own_, c, put);
}

template <class M>
void HostCells<M>::unpack(const std::byte* from, std::uint32_t c) {
  const auto get = [&](const auto*, auto* values, std::size_t count) {
    std::memcpy(values, from, count * sizeof(*values));
    from += count * sizeof(*values);
  };
  from += sizeof(CellHead);
  for (auto* array : {&there_.tree.x, &there_.tree.y, &there_.tree.z}) get(array->data(), &(*array)[c], 1);
  for_values(there_.memory, c, there_.memory, c, get);
}

template <class M>
void HostCells<M>::make_room(std::size_t all) {
  auto& tree = there_.tree;
  tree.cells.reserve(all), tree.share.bodies.reserve(all), tree.share.marks.reserve(all);
  for (auto* array : {&tree.x, &tree.y, &tree.z}) array->reserve(all), array->resize(all);
  resize_like(own_, all, there_.memory);
}

template <class M>
void HostCells<M>::add(const CellHead& head, std::uint32_t first_child, bool given) {
  auto& tree = there_.tree;
  const auto c = static_cast<std::uint32_t>(tree.cells.size());
  tree.cells.push_back({.begin = c,
                        .end = c + 1,
                        .first_child = first_child,
                        .children = head.children,
                        .parent = 0,
                        .level = head.level});
  tree.share.bodies.push_back(head.bodies);
  tree.share.marks.push_back(given ? tree::Share::given : 0);
}

template <class M>
Cells::Branches HostCells<M>::find_branches(const Part& part, std::uint32_t coarse) {
  keys_ = part.own();
  Branches found;
  const auto visit = [&](const auto& again, std::uint32_t c) -> void {
    const auto& cell = tree_.cells[c];
    const bool shared = is_shared(tree_, cell, keys_);
    if (shared) found.shared.push_back(head_of(tree_, c));
    else pack(c, found.rows);
    if (shared || cell.bodies() > coarse)
      for (auto k = cell.first_child; k < cell.first_child + cell.children; ++k) again(again, k);
  };
  if (!tree_.cells.empty()) visit(visit, 0);
  return found;
}

template <class M>
void HostCells<M>::take_top_tree(std::span<const std::byte> rows, std::span<const std::uint32_t> places) {
  auto& tree = there_.tree;
  tree.structure = tree_.structure, tree.levels = known.levels;
  make_room(known.size());
  for (const auto& cell : known.cells) add(cell.head, cell.first_child, cell.owner != KnownCell::shared);
  const auto bytes = row_bytes();
  for (std::size_t k = 0; k < places.size(); ++k)
    if (places[k] != below_own) unpack(&rows[k * bytes], places[k]);
  for (auto c = known.size(); c-- > 0;)
    if (known.cells[c].owner == KnownCell::shared)
      for (auto* array : {&tree.x, &tree.y, &tree.z}) (*array)[c] = (*array)[known.cells[c].first_child];
  evaluate(tree, there_.memory, tree::Stage::moments);
  for (const auto& [own, whole] : known.shared) {
    const auto box = own_.moments.boxes[own.id];
    copy_cell(there_.memory, whole, own_, own.id);
    own_.moments.boxes[own.id] = box;
  }
}

template <class M>
std::vector<double> HostCells<M>::accelerations(std::span<const std::uint32_t> own) {
  std::vector<double> values;
  for (const auto c : own) values.push_back(own_.scales.least_acceleration[c]);
  return values;
}

template <class M>
void HostCells<M>::take_accelerations(std::span<const double> of_top) {
  std::ranges::copy(of_top, there_.memory.scales.least_acceleration.begin());
  for (const auto& [own, whole] : known.shared) own_.scales.least_acceleration[own.id] = of_top[whole];
}

template <class M>
std::vector<std::uint32_t> HostCells<M>::opened(std::uint32_t from) {
  if (tree_.cells.empty()) return {};
  const View<M> view{tree_, own_, keys_, comm_.rank(), known, there_, pass_};
  if (settings_.solver == Solver::fmm) {
    if (from == 0) cell_walk_ = std::make_unique<CellWalk<M>>(view);
    return cell_walk_->opened();
  }
  return GroupWalk<M>(view, tree::few_bodies(settings_.order + 1)).opened(from);
}

template <class M>
std::vector<CellHead> HostCells<M>::exchange_cells(std::span<const std::uint32_t> own, const SendLists& lists,
                                                   std::span<const std::uint32_t>) {
  const auto bytes = row_bytes();
  std::vector<std::byte> leaving;
  leaving.reserve(own.size() * bytes);
  for (const auto c : own) pack(c, leaving);
  const auto came = ranks::all_to_all<std::byte>(comm_, leaving, lists.times(bytes).sent);
  const auto first = known.size();
  make_room(first + lists.came.back());
  std::vector<CellHead> heads(lists.came.back());
  for (std::size_t k = 0; k < heads.size(); ++k) {
    const auto* const row = &came.data[k * bytes];
    std::memcpy(&heads[k], row, sizeof heads[k]);
    add(heads[k], 0, true);
    unpack(row, first + std::uint32_t(k));
  }
  return heads;
}

template <class M>
void HostCells<M>::exchange_bodies(const Part&, std::span<const Interval> own, const SendLists& lists,
                                   std::span<const std::uint32_t> leaves) {
  std::vector<Mass<double>> leaving;
  leaving.reserve(lists.sent.back());
  for (const auto& [first, count] : own)
    for (auto i = first; i < first + count; ++i)
      leaving.push_back({tree_.x[i], tree_.y[i], tree_.z[i], tree_.m[i]});
  there_.bodies = ranks::all_to_all<Mass<double>>(comm_, leaving, lists.sent).data;
  there_.bodies_at.assign(known.size(), HostKnown<M>::none);
  std::uint32_t at = 0;
  for (const auto c : leaves) there_.bodies_at[c] = at, at += known.cells[c].head.bodies;
}

template void copy_cell(const tree::Memory<float>&, std::size_t, tree::Memory<float>&, std::size_t);
template void copy_cell(const tree::Memory<double>&, std::size_t, tree::Memory<double>&, std::size_t);
template void resize_like(const tree::Memory<float>&, std::size_t, tree::Memory<float>&);
template void resize_like(const tree::Memory<double>&, std::size_t, tree::Memory<double>&);
template class HostCells<float>;
template class HostCells<double>;

}  // namespace pleiad::domain
