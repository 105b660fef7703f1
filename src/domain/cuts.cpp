/// Each cut is looked for in the octant that its weight lies in, from the root or a likely octant down, by
/// the numbers and weights of bodies in the eight parts: integers, whose sums do not depend on where the
/// bodies are.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "domain/cuts.hpp"

#include <array>
#include <numeric>

namespace pleiad::domain {
namespace {

constexpr unsigned key_levels = tree::KeyRange::levels;

/// Search for one cut.
struct Search {
  std::uint64_t target;   ///< the weight before the cut
  Octant octant;          ///< in which the cut lies
  bool likely = false;    ///< the cut may lie in it: not yet checked
  std::uint64_t key = 0;  ///< key of the cut
  bool done = false;
};

/// Numbers for the eight parts of an octant: first the counts of bodies, then their weights; last the weight
/// before the octant.
constexpr std::size_t numbers = 17;

std::uint64_t width(unsigned level) { return tree::KeyRange::width(int(level)); }

/// The nine bounds of its parts.
void add_bounds(const Octant& o, std::vector<std::uint64_t>& bounds) {
  for (std::uint64_t k = 0; k <= 8; ++k) bounds.push_back(o.first + k * width(o.level + 1));
}
void count_parts(std::span<const Below, 9> at, std::span<std::uint64_t, numbers> parts) {
  for (std::size_t k = 0; k < 8; ++k)
    parts[k] = at[k + 1].bodies - at[k].bodies, parts[8 + k] = at[k + 1].weight - at[k].weight;
  parts[16] = at[0].weight;
}

/// Whether a search from the root comes to this octant.
bool is_on_the_way(const Search& s, std::span<const std::uint64_t, numbers> parts, std::uint64_t most) {
  const auto bodies = std::accumulate(parts.begin(), parts.begin() + 8, std::uint64_t{0});
  const auto weight = std::accumulate(parts.begin() + 8, parts.begin() + 16, std::uint64_t{0});
  return bodies > most && parts[16] <= s.target && s.target < parts[16] + weight;
}

/// Goes on in the part that the cut lies in; where this is small enough the cut is at the nearer of its ends.
void descend(Search& s, std::span<const std::uint64_t, numbers> parts, std::uint64_t most) {
  std::size_t k = 0;
  auto before = parts[16];
  while (k < 7 && before + parts[8 + k] <= s.target) before += parts[8 + k++];
  const Octant part{s.octant.first + k * width(s.octant.level + 1), s.octant.level + 1};
  s.likely = false;
  s.done = parts[k] <= most || part.level == key_levels;
  if (!s.done) s.octant = part;
  else s.key = part.first + (2 * (s.target - before) > parts[8 + k] ? width(part.level) : 0);
}

}  // namespace

Cuts find_cuts(ranks::Communicator& comm, const Below& own, const CountBelow& below, std::uint64_t most,
               std::span<const Octant> near) {
  const auto ranks = static_cast<std::size_t>(comm.ranks());
  std::array<std::uint64_t, 2> all{own.bodies, own.weight};
  comm.sum(all);
  std::vector<Search> searches(ranks - 1);
  for (std::size_t k = 0; k < searches.size(); ++k) {
    auto& s = searches[k];
    s.target = all[1] / ranks * (k + 1) + all[1] % ranks * (k + 1) / ranks;
    s.done = all[0] <= most;
    if (s.done && 2 * s.target > all[1]) s.key = width(0);
    if (near.size() == searches.size()) s.octant = near[k], s.likely = true;
  }
  std::vector<std::uint64_t> parts(numbers * searches.size());
  const auto of = [&](std::size_t k) { return std::span(parts).subspan(numbers * k).first<numbers>(); };
  const auto looking = [](const Search& s) { return !s.done; };
  while (std::any_of(searches.begin(), searches.end(), looking)) {
    std::fill(parts.begin(), parts.end(), 0);
    std::vector<std::uint64_t> bounds;
    for (const auto& s : searches)
      if (!s.done) add_bounds(s.octant, bounds);
    const auto counts = below(bounds);
    std::size_t at = 0;
    for (std::size_t k = 0; k < searches.size(); ++k)
      if (!searches[k].done) count_parts(std::span(counts).subspan(9 * at++).first<9>(), of(k));
    comm.sum(parts);
    for (std::size_t k = 0; k < searches.size(); ++k) {
      auto& s = searches[k];
      if (s.done) continue;
      if (s.likely && !is_on_the_way(s, of(k), most)) s.octant = {}, s.likely = false;
      else descend(s, of(k), most);
    }
  }
  Cuts cuts{{0}, {}};
  for (const auto& s : searches) cuts.keys.push_back(s.key), cuts.octants.push_back(s.octant);
  cuts.keys.push_back(width(0));
  return cuts;
}

std::vector<Below> count_below(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> weights,
                               std::span<const std::uint64_t> bounds) {
  std::vector<Below> all;
  for (const auto bound : bounds) {
    const auto n = std::size_t(std::lower_bound(keys.begin(), keys.end(), bound) - keys.begin());
    all.push_back({n, weights.empty() ? n : weights[n]});
  }
  return all;
}

}  // namespace pleiad::domain
