/// Bodies come in the order (key, index), rank by rank, so that a stable sort gives the order of one process.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "forest/part.hpp"

#include "core/threads.hpp"
#include "forest/blocks.hpp"
#include "forest/release.hpp"
#include "tree/build.hpp"
#include "tree/crowds.hpp"
#include "tree/curve.hpp"
#include "tree/structures.hpp"

#include <algorithm>
#include <numeric>

namespace pleiad::forest {
namespace {

using tree::Tree;

/// As tree::extent_of has it of all bodies in one place.
template <class Real>
tree::Extent extent_of_all(ranks::Transport& transport, std::span<const Mass<Real>> own) {
  constexpr std::size_t block = tree::mass_block;
  const auto first = firsts(transport, own.size());
  std::vector<Real> masses(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) masses[i] = own[i].m;
  const auto begin = before_first_block(first[std::size_t(transport.rank())], own.size(), block);
  const auto rest = rest_of_last_block<Real>(transport, std::span(masses).first(begin), first, block);
  masses.insert(masses.end(), rest.begin(), rest.end());
  std::vector<double> sums;
  for (std::size_t i = begin; i < masses.size(); i += block) {
    double sum = 0;
    for (std::size_t k = i; k < std::min(masses.size(), i + block); ++k) sum += double(masses[k]);
    sums.push_back(sum);
  }
  tree::Extent all;
  for (const auto& e : ranks::all_gather(transport, tree::extent_of(own))) all.add_places(e);
  for (const double sum : ranks::all_gather<double>(transport, sums).data) all.mass += sum;
  return all;
}

/// Where in sorted keys the part of each rank begins.
std::vector<std::size_t> parts_of(std::span<const std::uint64_t> keys, const Cuts& cuts) {
  std::vector<std::size_t> begins;
  for (const auto cut : cuts.keys)
    begins.push_back(std::size_t(std::lower_bound(keys.begin(), keys.end(), cut) - keys.begin()));
  return begins;
}

/// Sorts keys and what goes with them that are sorted from each of `begins` to the next; equal keys keep
/// their order. Two runs after the other become one.
void merge_runs(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values,
                std::vector<std::size_t> begins) {
  std::vector<std::uint64_t> other_keys(keys.size());
  std::vector<std::uint32_t> other_values(values.size());
  while (begins.size() > 2) {
    const std::size_t runs = begins.size() - 1;
    parallel_for((runs + 1) / 2, [&](std::size_t pair) {
      auto i = begins[2 * pair], j = begins[2 * pair + 1];
      const auto middle = j, end = begins[std::min(runs, 2 * pair + 2)];
      for (auto to = i; to < end; ++to) {
        const auto from = j == end || (i < middle && keys[i] <= keys[j]) ? i++ : j++;
        other_keys[to] = keys[from], other_values[to] = values[from];
      }
    });
    keys.swap(other_keys), values.swap(other_values);
    std::vector<std::size_t> fewer;
    for (std::size_t k = 0; k < runs; k += 2) fewer.push_back(begins[k]);
    fewer.push_back(begins.back());
    begins = std::move(fewer);
  }
}

/// As tree::levels_beside_crowds has them of all keys in one place. Octants of more bodies than a leaf holds
/// may be marked in part, or not: they are divided anyway.
std::vector<std::uint8_t> levels_beside_crowds(ranks::Transport& transport, const Part& part,
                                               std::span<const std::uint64_t> keys, std::uint32_t leaf_size) {
  const auto rank = std::size_t(part.rank);
  const std::uint64_t crowd = tree::crowd_of(leaf_size);
  std::vector<std::uint64_t> samples;
  for (std::size_t i = before_first_block(part.firsts[rank], keys.size(), crowd); i < keys.size(); i += crowd)
    samples.push_back(keys[i]);
  struct Ends {
    std::uint64_t first = 0, last = 0, count = 0;
  };
  const auto ends = ranks::all_gather(
      transport, samples.empty() ? Ends{} : Ends{samples.front(), samples.back(), samples.size()});
  bool before = false;
  if (!samples.empty()) {
    const auto some = [](const Ends& e) { return e.count > 0; };
    const auto here = ends.begin() + std::ptrdiff_t(rank);
    if (const auto next = std::find_if(here + 1, ends.end(), some); next != ends.end())
      samples.push_back(next->first);
    const auto last = std::find_if(std::make_reverse_iterator(here), ends.rend(), some);
    if (before = last != ends.rend(); before) samples.insert(samples.begin(), last->last);
  }
  std::vector<std::uint8_t> levels(keys.size());
  std::vector<std::vector<tree::BesideCrowd>> elsewhere(std::size_t(transport.ranks()));
  for (const auto& octant : tree::octants_beside_crowds(samples, before)) {
    const int owner = part.cuts.owner_of(octant.first_key);
    if (owner == part.rank) tree::raise_levels(keys, octant, leaf_size, levels);
    else elsewhere[std::size_t(owner)].push_back(octant);
  }
  std::vector<tree::BesideCrowd> sent;
  std::vector<std::size_t> begins{0};
  for (const auto& to : elsewhere) {
    sent.insert(sent.end(), to.begin(), to.end());
    begins.push_back(sent.size());
  }
  for (const auto& octant : ranks::all_to_all<tree::BesideCrowd>(transport, sent, begins).data)
    tree::raise_levels(keys, octant, leaf_size, levels);
  return levels;
}

}  // namespace

bool Part::is_shared(const tree::Cell& cell) const {
  if (cell.level >= Tree::levels_per_key) return false;
  const unsigned below = 3 * (Tree::levels_per_key - cell.level);
  const auto first = tree::key_of(tree.x[cell.begin], tree.y[cell.begin], tree.z[cell.begin]) >> below
                                                                                                     << below;
  const auto own = cuts.of(rank);
  return first < own.first || first + (std::uint64_t{1} << below) > own.end;
}

unsigned Part::octant_of(const Vec3<double>& place, std::uint32_t level) {
  return static_cast<unsigned>(tree::key_of(place.x, place.y, place.z) >> 3 * (Tree::levels_per_key - level) &
                               7);
}

template <class Real>
bool Planter<Real>::plant(std::span<const Mass<Real>> own, std::span<const std::uint32_t> costs,
                          std::uint32_t leaf_size, std::uint64_t most, Part& part) {
  auto& tree = part.tree;
  auto& cuts = part.cuts;
  part.rank = transport_.rank();
  tree.structure = Structure::octree;
  tree.cells.clear(), tree.levels.clear();
  if (!tree::take_units(tree, extent_of_all(transport_, own))) return false;
  std::vector<Mass<Real>> leaving(own.size());
  {
    const auto keys = tree::sort_along_curve(tree, own);
    sent_ = tree.order;
    std::vector<std::uint64_t> weights(own.size() + 1);
    for (std::size_t i = 0; i < own.size(); ++i)
      weights[i + 1] = weights[i] + (costs.empty() ? 1 : std::max<std::uint64_t>(1, costs[sent_[i]]));
    cuts = find_cuts(transport_, keys, weights, most);
    sent_begins_ = parts_of(keys, cuts);
  }
  for_each_index(own.size(), [&](std::size_t i) { leaving[i] = own[sent_[i]]; });
  const auto rank = std::size_t(transport_.rank());
  migrants_ = own.size() - (sent_begins_[rank + 1] - sent_begins_[rank]);
  auto came = ranks::all_to_all<Mass<Real>>(transport_, leaving, sent_begins_);
  release(leaving);
  came_begins_ = std::move(came.begins);
  part.firsts = firsts(transport_, came.data.size());
  auto keys = tree::keys_of<Real>(tree, came.data);
  tree.order.resize(keys.size());
  std::iota(tree.order.begin(), tree.order.end(), 0U);
  merge_runs(keys, tree.order, came_begins_);
  tree::take_bodies<Real>(tree, came.data);
  release(came.data);
  auto levels = levels_beside_crowds(transport_, part, keys, leaf_size);
  if (!keys.empty()) {
    tree::divide_into_octants(tree, keys, {.leaf_size = leaf_size, .levels = std::move(levels)},
                              cuts.of(transport_.rank()));
    tree.levels.push_back(static_cast<std::uint32_t>(tree.cells.size()));
  }
  return true;
}

template <class Real>
template <class T>
void Planter<Real>::bring_home(std::vector<T> values, std::span<T> home) {
  const auto came = ranks::all_to_all<T>(transport_, values, came_begins_).data;
  release(values);
  for_each_index(home.size(), [&](std::size_t i) { home[sent_[i]] = came[i]; });
}

#define PLEIAD_PLANTER(Real)                                                                   \
  template class Planter<Real>;                                                                \
  template void Planter<Real>::bring_home(std::vector<Vec4<float>>, std::span<Vec4<float>>);   \
  template void Planter<Real>::bring_home(std::vector<Vec4<double>>, std::span<Vec4<double>>); \
  template void Planter<Real>::bring_home(std::vector<std::uint32_t>, std::span<std::uint32_t>);
PLEIAD_PLANTER(float)
PLEIAD_PLANTER(double)
#undef PLEIAD_PLANTER

}  // namespace pleiad::forest
