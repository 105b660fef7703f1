#include "tree/dense_regions.hpp"

#include "core/threads.hpp"
#include "tree/tree.hpp"

#include <algorithm>
#include <bit>

namespace pleiad::tree {
namespace {

constexpr int key_levels = int(Tree::levels_per_key);

/// The bodies of an octant next to a dense region.
struct Mark {
  std::size_t begin = 0, end = 0;
  std::uint8_t level = 0;
};

int common_levels(std::uint64_t a, std::uint64_t b) {
  return a == b ? key_levels : (std::countl_zero(a ^ b) - 1) / 3;
}

/// Names the octants around that of this level which holds `key`, by their least keys.
template <class Found>
void for_octants_around(std::uint64_t key, int level, const Found& found) {
  const int below = 3 * (key_levels - level);
  for (int k = 0; k < 27; ++k)
    if (std::uint64_t other = 0; k != 13 && beside(key >> below, level, k, other)) found(other << below);
}

/// The bodies of an octant, if they are no more than a leaf holds.
Mark mark_of(std::span<const std::uint64_t> keys, std::uint64_t first_key, int level,
             std::uint32_t leaf_size) {
  const int below = 3 * (key_levels - level);
  const auto begin = std::lower_bound(keys.begin(), keys.end(), first_key);
  const auto most = std::min<std::ptrdiff_t>(keys.end() - begin, std::ptrdiff_t{leaf_size} + 1);
  const auto end = std::find_if(begin, begin + most,
                                [=](std::uint64_t there) { return there >> below != first_key >> below; });
  if (end - begin > std::ptrdiff_t{leaf_size}) return {};
  return {std::size_t(begin - keys.begin()), std::size_t(end - keys.begin()),
          static_cast<std::uint8_t>(level)};
}

}  // namespace

std::vector<NearDense> octants_near_dense(std::span<const std::uint64_t> samples, bool before) {
  std::vector<NearDense> octants;
  for (std::size_t j = before ? 1 : 0; j + 1 < samples.size(); ++j) {
    const int last = common_levels(samples[j], samples[j + 1]);
    for (int level = j == 0 ? 1 : common_levels(samples[j - 1], samples[j]) + 1; level <= last; ++level)
      for_octants_around(samples[j], level, [&](std::uint64_t first_key) {
        octants.push_back({first_key, static_cast<std::uint64_t>(level)});
      });
  }
  return octants;
}

void raise_levels(std::span<const std::uint64_t> keys, const NearDense& octant, std::uint32_t leaf_size,
                  std::span<std::uint8_t> levels) {
  const Mark m = mark_of(keys, octant.first_key, int(octant.level), leaf_size);
  for (auto i = m.begin; i < m.end; ++i) levels[i] = std::max(levels[i], m.level);
}

std::vector<std::uint8_t> levels_near_dense(std::span<const std::uint64_t> keys, std::uint32_t leaf_size) {
  std::vector<std::uint8_t> found(keys.size());
  // An octant that holds two keys one dense region apart holds a dense region. Each is looked at once, where
  // the first of its pairs is.
  const std::size_t dense = dense_count(leaf_size), pairs = keys.empty() ? 0 : (keys.size() - 1) / dense;
  const auto common = [&](std::size_t j) { return common_levels(keys[j * dense], keys[(j + 1) * dense]); };
  std::vector<std::vector<Mark>> marks(pairs);
  parallel_for(pairs, [&](std::size_t j) {
    for (int level = j == 0 ? 1 : common(j - 1) + 1; level <= common(j); ++level)
      for_octants_around(keys[j * dense], level, [&](std::uint64_t first_key) {
        if (const Mark m = mark_of(keys, first_key, level, leaf_size); m.begin < m.end) marks[j].push_back(m);
      });
  });
  for (const auto& around : marks)
    for (const auto& m : around)
      for (auto i = m.begin; i < m.end; ++i) found[i] = std::max(found[i], m.level);
  return found;
}

}  // namespace pleiad::tree
