#include "tree/crowds.hpp"

#include "core/threads.hpp"
#include "tree/tree.hpp"

#include <algorithm>
#include <bit>

namespace pleiad::tree {
namespace {

constexpr int levels = int(Tree::levels_per_key);

/// The bodies of an octant beside a crowd.
struct Mark {
  std::size_t begin, end;
  std::uint8_t level;
};

int common_levels(std::uint64_t a, std::uint64_t b) {
  return a == b ? levels : (std::countl_zero(a ^ b) - 1) / 3;
}

/// Around the octant of this level that holds `key`.
void mark_around(std::span<const std::uint64_t> keys, std::uint64_t key, int level, std::uint32_t leaf_size,
                 std::vector<Mark>& marks) {
  const int below = 3 * (levels - level);
  for (int k = 0; k < 27; ++k) {
    std::uint64_t other = 0;
    if (k == 13 || !beside(key >> below, level, k, other)) continue;
    const auto begin = std::lower_bound(keys.begin(), keys.end(), other << below);
    const auto most = std::min<std::ptrdiff_t>(keys.end() - begin, std::ptrdiff_t{leaf_size} + 1);
    const auto end =
        std::find_if(begin, begin + most, [=](std::uint64_t there) { return there >> below != other; });
    if (end - begin <= std::ptrdiff_t{leaf_size})
      marks.push_back({std::size_t(begin - keys.begin()), std::size_t(end - keys.begin()),
                       static_cast<std::uint8_t>(level)});
  }
}

}  // namespace

std::vector<std::uint8_t> levels_beside_crowds(std::span<const std::uint64_t> keys, std::uint32_t leaf_size) {
  std::vector<std::uint8_t> found(keys.size());
  // An octant that holds two keys one crowd apart holds a crowd. Each is looked at once, where the first of
  // its pairs is.
  const std::size_t crowd = crowd_of(leaf_size), pairs = keys.empty() ? 0 : (keys.size() - 1) / crowd;
  const auto common = [&](std::size_t j) { return common_levels(keys[j * crowd], keys[(j + 1) * crowd]); };
  std::vector<std::vector<Mark>> marks(pairs);
  parallel_for(pairs, [&](std::size_t j) {
    for (int level = j == 0 ? 1 : common(j - 1) + 1; level <= common(j); ++level)
      mark_around(keys, keys[j * crowd], level, leaf_size, marks[j]);
  });
  for (const auto& around : marks)
    for (const auto& m : around)
      for (auto i = m.begin; i < m.end; ++i) found[i] = std::max(found[i], m.level);
  return found;
}

}  // namespace pleiad::tree
