/// Bodies come in the order of their indices, rank by rank, so that a stable sort gives the order of one
/// process.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/device_forest/planter.hpp"

#include "cuda/tree/parts.hpp"
#include "forest/blocks.hpp"
#include "ranks/grouped.hpp"
#include "tree/scales.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace pleiad::device_forest {
namespace {

using cuda::tree::SortedKeys;
using cuda::tree::with_room;
using tree::BesideCrowd;

constexpr auto none = cuda::tree::Outputs<float>::none;
constexpr std::uint64_t parts_of_a_part = 64;  ///< how evenly the curve can be cut

/// Every rank's begins tell every other how much comes.
std::vector<std::size_t> came_begins(ranks::Transport& transport, std::span<const std::size_t> sent) {
  const auto all = ranks::all_gather<std::size_t>(transport, sent);
  const auto me = static_cast<std::size_t>(transport.rank());
  std::vector<std::size_t> begins{0};
  for (int r = 0; r < transport.ranks(); ++r) {
    const auto of = all.of(r);
    begins.push_back(begins.back() + of[me + 1] - of[me]);
  }
  return begins;
}

}  // namespace

template <class Real>
std::vector<std::uint64_t> Planter<Real>::count_below(std::span<const std::uint64_t> keys,
                                                      std::span<const std::uint64_t> bounds) const {
  std::vector<std::uint64_t> counts(bounds.size()), sorted(bounds.begin(), bounds.end());
  if (keys.empty()) return counts;
  std::ranges::sort(sorted);
  sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
  std::vector<std::uint64_t> below;  // each of the sorted
  for (std::size_t from = 0; from < sorted.size(); from += cuda::tree::most_bounds) {
    const auto some =
        std::span(sorted).subspan(from, std::min(cuda::tree::most_bounds, sorted.size() - from));
    const cuda::Buffer<std::uint64_t> there(std::span<const std::uint64_t>(some), stream_);
    cuda::Buffer<std::uint64_t> found(some.size() + 1, stream_);
    found.set_bytes(0);
    cuda::tree::count_between(keys, there.span(), found.data(), stream_);
    std::vector<std::uint64_t> between(found.size());
    found.copy_to_host(between);
    std::partial_sum(between.begin(), between.end() - 1, std::back_inserter(below));
  }
  for (std::size_t k = 0; k < counts.size(); ++k)
    counts[k] = below[std::size_t(std::ranges::lower_bound(sorted, bounds[k]) - sorted.begin())];
  return counts;
}

template <class Real>
bool Planter<Real>::plant(std::span<const Mass<Real>> own, std::span<Vec4<Real>> sums,
                          const Softening& softening, bool potential, std::uint32_t leaf_size,
                          std::uint32_t front, std::size_t behind, cuda::tree::Octree<Real>& tree,
                          Part& part) {
  static_assert(sizeof(Mass<Real>) == sizeof(Vec4<Real>));
  const std::size_t n = own.size();
  const auto all = ranks::sum(transport_, n);
  if (all > std::numeric_limits<std::uint32_t>::max())
    throw UsageError(fmt::format("trees have at most 4294967295 bodies; these are {}", all));
  cuda::tree::Extent extent;
  for (const auto& e : ranks::all_gather(transport_, tree.extent_of(own))) extent.add(e);
  tree.make_frame(extent, all, softening.eps);
  if (!tree.finite()) return false;

  const bool scarce = tree.memory_is_scarce(n);
  if (scarce) tree.forget_cells();
  // More than these may come, by about as much as a cut may be off.
  tree.make_room_to_sort(n + n / parts_of_a_part);
  tree.find_keys(own);
  part.rank = transport_.rank();
  const std::span keys(tree.keys(), n);
  // What is one thing to the evaluation is of one part: leaves, cells that feel the same.
  const auto most =
      std::max({std::uint64_t{leaf_size}, std::uint64_t{tree::feel_the_same(std::uint32_t(all))},
                all / (parts_of_a_part * std::uint64_t(transport_.ranks()))});
  part.cuts = forest::find_cuts(
      transport_, {n, n},
      [&](std::span<const std::uint64_t> bounds) {
        std::vector<forest::Below> counts;
        for (const auto count : count_below(keys, bounds)) counts.push_back({count, count});
        return counts;
      },
      most, part.cuts.octants);
  sent_begins_.clear();
  for (const auto count : count_below(keys, part.cuts.keys))
    sent_begins_.push_back(std::size_t(count) * sizeof(Mass<Real>));
  came_begins_ = came_begins(transport_, sent_begins_);

  auto* const leaving = reinterpret_cast<Mass<Real>*>(sums.data());
  find_order(n, part, tree);
  cuda::tree::reorder(own, sent_.data(), leaving, stream_);
  const std::size_t came = came_begins_.back() / sizeof(Mass<Real>);
  if (came_.size() < came) with_room(came_, came + came / 64, stream_);
  exchange_.all_to_all(reinterpret_cast<const std::byte*>(leaving), sent_begins_,
                       reinterpret_cast<std::byte*>(came_.data()), came_begins_);
  part.firsts = forest::firsts(transport_, came);

  const std::span<const Mass<Real>> bodies(came_.data(), came);
  tree.sort(bodies);
  // Sums of these bodies are found where the own ones belong, and a few more behind. Home they go by the
  // memory of sorted bodies, which are as many then.
  came_bodies_ = came;
  const std::size_t more = came > n ? came - n : 0;
  auto* const rest =
      more_sums_.size() < more ? with_room(more_sums_, more + more / 4, stream_) : more_sums_.data();
  tree.plant({.bodies = bodies,
              .sums = {{sums.data(), rest}, {0, std::uint32_t(n), none, none, none, none, none, none}},
              .softening = softening,
              .potential = potential},
             front, std::max(behind, n > came ? n - came : 0));
  // The order of those that were sent is found again.
  if (scarce) tree.forget_sorting(), came_ = {}, sent_ = {};
  mark_crowds(tree, part, leaf_size);
  if (came > 0) tree.divide(part.own());
  return true;
}

template <class Real>
void Planter<Real>::find_order(std::size_t bodies, const Part& part, cuda::tree::Octree<Real>& tree) {
  const std::span keys(part.cuts.keys);
  tree.order_by_part(bodies, keys.first(keys.size() - 1), sent_);
}

template <class Real>
void Planter<Real>::bring_home(std::span<const Mass<Real>> own, std::span<Vec4<Real>> sums, const Part& part,
                               cuda::tree::Octree<Real>& tree) {
  const std::size_t n = sums.size(), bytes = sizeof(Vec4<Real>);
  auto* const sorted = reinterpret_cast<Vec4<Real>*>(tree.sorted());
  // In one piece, and to where nothing is needed any more.
  auto* leaving = sums.data();
  if (came_bodies_ > n) {
    leaving = sorted;
    cuda::copy_on_device(sorted, sums.data(), n * bytes, stream_);
    cuda::copy_on_device(sorted + n, more_sums_.data(), (came_bodies_ - n) * bytes, stream_);
  }
  auto* const home = came_.size() >= n        ? reinterpret_cast<Vec4<Real>*>(came_.data())
                     : leaving == sums.data() ? sorted
                                              : sums.data();
  exchange_.all_to_all(reinterpret_cast<const std::byte*>(leaving), came_begins_,
                       reinterpret_cast<std::byte*>(home), sent_begins_);
  if (sent_.size() < n) tree.find_keys(own), find_order(n, part, tree);
  if (home != sums.data()) return cuda::tree::put_back<Real>({home, n}, sent_.data(), sums.data(), stream_);
  cuda::tree::put_back<Real>({home, n}, sent_.data(), sorted, stream_);
  cuda::copy_on_device(home, sorted, n * bytes, stream_);
}

/// As levels_beside_crowds in src/forest/part.cpp.
template <class Real>
void Planter<Real>::mark_crowds(cuda::tree::Octree<Real>& tree, const Part& part,
                                std::uint32_t leaf_size) const {
  const std::uint64_t crowd = tree::crowd_of(leaf_size);
  const SortedKeys keys{tree.keys(), tree.n};
  const std::size_t begin = forest::before_first_block(part.first(), tree.n, crowd),
                    count = (tree.n - begin + crowd - 1) / crowd;
  // One before the own ones, and one behind.
  cuda::Buffer<std::uint64_t> samples(count + 2, stream_);
  auto* const own = samples.data() + 1;
  cuda::tree::take_key_samples(keys.keys, std::uint32_t(begin), std::uint32_t(crowd), {own, count}, stream_);
  struct Ends {
    std::uint64_t first = 0, last = 0, count = 0;
  } mine;
  if (count > 0) {
    mine.count = count;
    cuda::copy_to_host(&mine.first, own, sizeof mine.first, stream_);
    cuda::copy_to_host(&mine.last, own + count - 1, sizeof mine.last, stream_);
  }
  const auto ends = ranks::all_gather(transport_, mine);
  std::vector<BesideCrowd> elsewhere;
  if (count > 0) {
    const auto some = [](const Ends& e) { return e.count > 0; };
    const auto here = ends.begin() + part.rank;
    const auto next = std::find_if(here + 1, ends.end(), some);
    const auto last = std::find_if(std::make_reverse_iterator(here), ends.rend(), some);
    const bool before = last != ends.rend(), behind = next != ends.end();
    if (behind) cuda::copy_to_device(own + count, &next->first, sizeof next->first, stream_);
    if (before) cuda::copy_to_device(samples.data(), &last->last, sizeof last->last, stream_);
    const std::span<const std::uint64_t> all(before ? samples.data() : own,
                                             count + (before ? 1 : 0) + (behind ? 1 : 0));
    // Levels are raised again without harm when there was too little room.
    cuda::Buffer<std::uint32_t> found(1, stream_);
    std::uint32_t room = 4096;
    for (std::uint32_t needed = 0;; room = needed) {
      cuda::Buffer<BesideCrowd> octants(room, stream_);
      found.set_bytes(0);
      cuda::tree::mark_beside_crowds(all, before, keys, part.own(), tree.levels(),
                                     {octants.data(), found.data(), room}, stream_);
      found.copy_to_host({&needed, 1});
      if (needed > room) continue;
      elsewhere.resize(needed);
      if (needed > 0)
        cuda::copy_to_host(elsewhere.data(), octants.data(), needed * sizeof(BesideCrowd), stream_);
      break;
    }
  }
  // Octants of several ranks are divided anyway. Some are there more than once, which costs less than to find
  // them.
  const auto owner_of = [&](const BesideCrowd& o) {
    const int first = part.cuts.owner_of(o.first_key),
              last = part.cuts.owner_of(o.first_key + cuda::tree::KeyRange::width(int(o.level)) - 1);
    return first == last ? std::optional(first) : std::nullopt;
  };
  const auto sent = ranks::grouped<BesideCrowd>(transport_.ranks(), elsewhere, owner_of);
  const auto asked = ranks::all_to_all<BesideCrowd>(transport_, sent.elements, sent.begins).data;
  if (asked.empty() || tree.n == 0) return;
  const cuda::Buffer<BesideCrowd> there(asked, stream_);
  cuda::tree::raise_levels(there.span(), keys, tree.levels(), stream_);
}

template class Planter<float>;
template class Planter<double>;

}  // namespace pleiad::device_forest
