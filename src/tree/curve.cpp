#include "tree/curve.hpp"

#include "core/threads.hpp"
#include "tree/sort.hpp"
#include "tree/spread.hpp"

#include <algorithm>

namespace pleiad::tree {
namespace {

/// The inverse of spread().
std::uint64_t gather(std::uint64_t x) {
  x &= 0x1249249249249249;
  x = (x | x >> 2) & 0x10c30c30c30c30c3;
  x = (x | x >> 4) & 0x100f00f00f00f00f;
  x = (x | x >> 8) & 0x1f0000ff0000ff;
  x = (x | x >> 16) & 0x1f00000000ffff;
  return (x | x >> 32) & 0x1fffff;
}

constexpr double grid_cells = double(1u << Tree::levels_per_key);  // along an axis, in one key

/// The coordinate of [0, 1] on the grid.
std::uint64_t on_grid(double x) {
  return static_cast<std::uint64_t>(std::clamp(x * grid_cells, 0.0, grid_cells - 1));
}
std::uint64_t interleaved(double x, double y, double z) {
  return spread(on_grid(x)) << 2 | spread(on_grid(y)) << 1 | spread(on_grid(z));
}

template <class Value>
void reorder(std::vector<Value>& values, std::size_t begin, std::span<const std::uint32_t> from) {
  std::vector<Value> sorted(from.size());
  for_each_index(from.size(), [&](std::size_t i) { sorted[i] = values[begin + from[i]]; });
  for_each_index(from.size(), [&](std::size_t i) { values[begin + i] = sorted[i]; });
}

}  // namespace

std::uint64_t key_of(double x, double y, double z) {
  return interleaved(0.5 * (x + 1), 0.5 * (y + 1), 0.5 * (z + 1));
}

void reorder(Tree& tree, std::size_t begin, std::span<const std::uint32_t> from) {
  for (auto* array : {&tree.x, &tree.y, &tree.z, &tree.m}) reorder(*array, begin, from);
  reorder(tree.order, begin, from);
}

void sort_within(Tree& tree, std::uint64_t key, std::uint32_t begin, std::span<std::uint64_t> finer) {
  const auto corner = [&](unsigned bit) { return 2 / grid_cells * double(gather(key >> bit)) - 1; };
  const double x = corner(2), y = corner(1), z = corner(0), per = grid_cells / 2;
  std::vector<std::uint64_t> keys(finer.size());
  std::vector<std::uint32_t> from(finer.size());
  for (std::uint32_t k = 0; k < keys.size(); ++k) {
    const std::size_t i = begin + k;
    keys[k] = interleaved((tree.x[i] - x) * per, (tree.y[i] - y) * per, (tree.z[i] - z) * per);
    from[k] = k;
  }
  sort_by_key(keys, from);
  std::copy(keys.begin(), keys.end(), finer.begin());
  reorder(tree, begin, from);
}

}  // namespace pleiad::tree
