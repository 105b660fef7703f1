/// Each cut is looked for in the octant that its weight lies in, from the root down, by the numbers and
/// weights of bodies in the eight parts: integers, whose sums do not depend on where the bodies are.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "forest/cuts.hpp"

#include "tree/tree.hpp"

#include <array>

namespace pleiad::forest {
namespace {

constexpr unsigned key_levels = tree::Tree::levels_per_key;

/// The octant of a level in which a cut lies.
struct Search {
  std::uint64_t target;      ///< the weight before the cut
  std::uint64_t first = 0;   ///< the octant's least key
  std::uint64_t before = 0;  ///< the weight before the octant
  unsigned level = 0;
  bool done = false;
};

/// Of the eight parts of an octant: first the numbers of bodies, then their weights.
constexpr std::size_t numbers = 16;

std::uint64_t width(unsigned level) { return std::uint64_t{1} << 3 * (key_levels - level); }

/// The nine bounds of the parts of its octant.
void add_bounds(const Search& s, std::vector<std::uint64_t>& bounds) {
  for (std::uint64_t k = 0; k <= 8; ++k) bounds.push_back(s.first + k * width(s.level + 1));
}
void count_parts(std::span<const Below, 9> at, std::span<std::uint64_t, numbers> parts) {
  for (std::size_t k = 0; k < 8; ++k)
    parts[k] = at[k + 1].bodies - at[k].bodies, parts[8 + k] = at[k + 1].weight - at[k].weight;
}

/// Goes on in the part that the cut lies in; where this is small enough the cut is at the nearer of its ends.
void descend(Search& s, std::span<const std::uint64_t, numbers> parts, std::uint64_t most) {
  std::size_t k = 0;
  while (k < 7 && s.before + parts[8 + k] <= s.target) s.before += parts[8 + k++];
  ++s.level;
  s.first += k * width(s.level);
  s.done = parts[k] <= most || s.level == key_levels;
  if (s.done && 2 * (s.target - s.before) > parts[8 + k]) s.first += width(s.level);
}

}  // namespace

Cuts find_cuts(ranks::Transport& transport, const Below& own, const CountBelow& below, std::uint64_t most) {
  const auto ranks = static_cast<std::size_t>(transport.ranks());
  std::array<std::uint64_t, 2> all{own.bodies, own.weight};
  transport.sum(all);
  std::vector<Search> searches(ranks - 1);
  for (std::size_t k = 0; k < searches.size(); ++k) {
    auto& s = searches[k];
    s.target = all[1] / ranks * (k + 1) + all[1] % ranks * (k + 1) / ranks;
    s.done = all[0] <= most;
    if (s.done && 2 * s.target > all[1]) s.first = width(0);
  }
  std::vector<std::uint64_t> parts(numbers * searches.size());
  const auto of = [&](std::size_t k) { return std::span(parts).subspan(numbers * k).first<numbers>(); };
  const auto looking = [](const Search& s) { return !s.done; };
  while (std::any_of(searches.begin(), searches.end(), looking)) {
    std::fill(parts.begin(), parts.end(), 0);
    std::vector<std::uint64_t> bounds;
    for (const auto& s : searches)
      if (!s.done) add_bounds(s, bounds);
    const auto counts = below(bounds);
    std::size_t at = 0;
    for (std::size_t k = 0; k < searches.size(); ++k)
      if (!searches[k].done) count_parts(std::span(counts).subspan(9 * at++).first<9>(), of(k));
    transport.sum(parts);
    for (std::size_t k = 0; k < searches.size(); ++k)
      if (!searches[k].done) descend(searches[k], of(k), most);
  }
  Cuts cuts{{0}};
  for (const auto& s : searches) cuts.keys.push_back(s.first);
  cuts.keys.push_back(width(0));
  return cuts;
}

Cuts find_cuts(ranks::Transport& transport, std::span<const std::uint64_t> keys,
               std::span<const std::uint64_t> weights, std::uint64_t most) {
  const auto below = [&](std::span<const std::uint64_t> bounds) {
    std::vector<Below> all;
    for (const auto bound : bounds) {
      const auto n = std::size_t(std::lower_bound(keys.begin(), keys.end(), bound) - keys.begin());
      all.push_back({n, weights[n]});
    }
    return all;
  };
  return find_cuts(transport, {keys.size(), weights.back()}, below, most);
}

}  // namespace pleiad::forest
