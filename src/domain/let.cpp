#include "domain/let.hpp"

#include "ranks/send_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace pleiad::domain {
namespace {

using tree::CellHead;

CellHead head_at(const std::byte* row) {
  CellHead head;
  std::memcpy(&head, row, sizeof head);
  return head;
}

/// Rows along the curve, each cell's before those of the cells below it.
std::vector<std::byte> along_curve(std::vector<std::byte> rows, std::size_t bytes) {
  std::vector<std::size_t> order;
  for (std::size_t at = 0; at < rows.size(); at += bytes) order.push_back(at);
  const auto place = [&](std::size_t at) {
    const auto head = head_at(&rows[at]);
    return std::pair(head.first_body, head.level);
  };
  if (std::ranges::is_sorted(order, {}, place)) return rows;
  std::ranges::sort(order, {}, place);
  std::vector<std::byte> sorted;
  sorted.reserve(rows.size());
  for (const auto at : order) sorted.insert(sorted.end(), &rows[at], &rows[at] + bytes);
  return sorted;
}

/// A unique number for each octant of each level of the keys.
std::uint64_t octant_of(const CellHead& head) {
  return std::uint64_t{1} << 3 * head.level | head.key / tree::KeyRange::width(int(head.level));
}

/// Offsets of the elements of each rank's items: `begins` counts items, size(item) is the number of elements
/// of one.
template <class Item, class Size>
std::vector<std::size_t> begins_of(std::span<const Item> items, std::span<const std::size_t> begins,
                                   const Size& size) {
  std::vector<std::size_t> upto{0}, all;
  for (const auto& item : items) upto.push_back(upto.back() + size(item));
  for (const auto begin : begins) all.push_back(upto[begin]);
  return all;
}
std::size_t count_of(const Interval& interval) { return interval.count; }

}  // namespace

void LocalEssentialTree::gather_top_tree(std::uint32_t coarse) {
  known_ = {}, branches_.clear(), places_.clear(), leaves_.clear();
  cells_fetched = bodies_fetched = rounds = 0;
  auto own = cells_.find_branches(part_, coarse);
  const auto bytes = cells_.row_bytes();
  own.rows = along_curve(std::move(own.rows), bytes);
  for (std::size_t at = 0; at < own.rows.size(); at += bytes) branches_.push_back(head_at(&own.rows[at]).id);
  const auto all = ranks::all_gather<std::byte>(comm_, own.rows);
  if (branches_.empty()) return;
  make_top_tree(all);
  std::unordered_map<std::uint64_t, std::uint32_t> wholes;
  for (std::uint32_t c = 0; c < known_.size(); ++c)
    if (known_.cells[c].owner == KnownCell::shared) wholes.emplace(octant_of(known_.cells[c].head), c);
  for (const auto& head : own.shared) known_.shared.push_back({head, wholes.at(octant_of(head))});
  cells_.take_top_tree(all.data, places_);
}

void LocalEssentialTree::make_top_tree(const ranks::Received<std::byte>& rows) {
  struct Row {
    CellHead head;
    int owner;
  };
  std::vector<Row> all;
  for (int r = 0; r < comm_.ranks(); ++r)
    for (auto of = rows.of(r); !of.empty(); of = of.subspan(cells_.row_bytes()))
      all.push_back({head_at(of.data()), r});
  // From the root down, level by level, a cell being the rows [begin, end): itself, if it is of one rank, and
  // those below it.
  struct Range {
    std::uint32_t begin, end, level;
  };
  const auto count = std::uint32_t(all.size());
  std::vector<Range> ranges{{0, count, 0}};
  places_.assign(count, Cells::below_own);
  for (std::uint32_t c = 0; c < ranges.size(); ++c) {
    const auto [first, last, level] = ranges[c];
    if (known_.levels.size() == level) known_.levels.push_back(c);
    KnownCell cell{.head = all[first].head};
    auto begin = first;
    const bool of_one = cell.head.level == level;
    if (of_one) {
      cell.owner = all[first].owner;
      places_[begin++] = c;
      if (cell.owner == part_.rank) begin = last;
    } else {
      cell.head = {.key = cell.head.key,
                   .bodies = 0,
                   .children = 0,
                   .first_child = 0,
                   .first_body = 0,
                   .level = level,
                   .id = 0};
    }
    if (begin < last) cell.first_child = std::uint32_t(ranges.size());
    // Keys distinguish the children of a shared cell, levels those of other cells.
    const auto is_next = [&](const CellHead& a, const CellHead& b) {
      return of_one ? b.level == level + 1
                    : a.key / tree::KeyRange::width(int(level) + 1) !=
                          b.key / tree::KeyRange::width(int(level) + 1);
    };
    for (auto end = begin; begin < last; begin = end) {
      do ++end;
      while (end < last && !is_next(all[begin].head, all[end].head));
      ranges.push_back({begin, end, level + 1});
      if (!of_one) ++cell.head.children;
    }
    known_.cells.push_back(cell);
  }
  known_.levels.push_back(known_.size());
  for (auto c = known_.size(); c-- > 0;)
    if (auto& cell = known_.cells[c]; cell.owner == KnownCell::shared)
      for (std::uint32_t k = 0; k < cell.head.children; ++k)
        cell.head.bodies += known_.cells[cell.first_child + k].head.bodies;
}

void LocalEssentialTree::share_accelerations() {
  const auto of_branches = ranks::all_gather<double>(comm_, cells_.accelerations(branches_)).data;
  if (branches_.empty()) return;
  std::vector<double> least(known_.top(), std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < of_branches.size(); ++k)
    if (places_[k] != Cells::below_own) least[places_[k]] = of_branches[k];
  for (auto c = known_.top(); c-- > 0;)
    if (const auto& cell = known_.cells[c]; cell.owner == KnownCell::shared)
      for (std::uint32_t k = 0; k < cell.head.children; ++k)
        least[c] = std::min(least[c], least[cell.first_child + k]);
  cells_.take_accelerations(least);
}

void LocalEssentialTree::fetch_cells() {
  for (std::uint32_t from = 0;; ++rounds) {
    std::vector<std::uint32_t> closed;
    for (const auto c : cells_.opened(from)) {
      if (known_.cells[c].leaf()) leaves_.push_back(c);
      else if (known_.cells[c].closed()) closed.push_back(c);
    }
    from = known_.size();
    if (ranks::sum(comm_, closed.size()) == 0) return;
    fetch_children(closed);
  }
}

void LocalEssentialTree::fetch_children(std::span<const std::uint32_t> opened) {
  const auto [parents, begins] =
      ranks::grouped(comm_.ranks(), opened, [&](std::uint32_t c) { return known_.cells[c].owner; });
  std::vector<Interval> asked;
  auto next = known_.size();
  for (const auto c : parents) {
    auto& cell = known_.cells[c];
    asked.push_back({cell.head.first_child, cell.head.children});
    cell.first_child = std::exchange(next, next + cell.head.children);
  }
  const auto of_me = ranks::all_to_all<Interval>(comm_, asked, begins);
  std::vector<std::uint32_t> own;
  for (const auto& children : of_me.data)
    for (std::uint32_t k = 0; k < children.count; ++k) own.push_back(children.first + k);
  const SendLists lists{begins_of<Interval>(of_me.data, of_me.begins, count_of),
                        begins_of<Interval>(asked, begins, count_of)};
  const auto heads = cells_.exchange_cells(own, lists, parents);
  for (int r = 0; r < comm_.ranks(); ++r)
    for (auto k = lists.came[std::size_t(r)]; k < lists.came[std::size_t(r) + 1]; ++k)
      known_.cells.push_back({.head = heads[k], .owner = r});
  cells_fetched += heads.size();
}

void LocalEssentialTree::fetch_bodies() {
  const auto [leaves, begins] = ranks::grouped<std::uint32_t>(
      comm_.ranks(), leaves_, [&](std::uint32_t c) { return known_.cells[c].owner; });
  std::vector<Interval> asked;
  for (const auto c : leaves) asked.push_back({known_.cells[c].head.first_body, known_.cells[c].head.bodies});
  const auto of_me = ranks::all_to_all<Interval>(comm_, asked, begins);
  const SendLists lists{begins_of<Interval>(of_me.data, of_me.begins, count_of),
                        begins_of<Interval>(asked, begins, count_of)};
  cells_.exchange_bodies(part_, of_me.data, lists, leaves);
  bodies_fetched += lists.came.back();
}

}  // namespace pleiad::domain
