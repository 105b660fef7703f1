#include "core/threads.hpp"
#include "tree/sort.hpp"
#include "tree/tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace pleiad::tree {
namespace {

constexpr std::size_t block = 16384;  ///< bodies per piece of parallel work

template <class Work>
void for_blocks(std::size_t n, const Work& work) {
  parallel_for((n + block - 1) / block,
               [&](std::size_t b) { work(b * block, std::min(n, (b + 1) * block)); });
}

struct Extent {
  Vec3<double> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  double mass = 0;
  bool finite = true;  ///< the positions; in the end also size and mass
};

template <class T>
Extent extent_of(std::span<const Mass<T>> bodies) {
  std::vector<Extent> parts((bodies.size() + block - 1) / block);
  for_blocks(bodies.size(), [&](std::size_t begin, std::size_t end) {
    Extent e;
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3<double> p{double(bodies[i].x), double(bodies[i].y), double(bodies[i].z)};
      e.low = {std::min(e.low.x, p.x), std::min(e.low.y, p.y), std::min(e.low.z, p.z)};
      e.high = {std::max(e.high.x, p.x), std::max(e.high.y, p.y), std::max(e.high.z, p.z)};
      e.mass += double(bodies[i].m);
      e.finite = e.finite && std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
    }
    parts[begin / block] = e;
  });
  Extent all;
  for (const auto& e : parts) {
    all.low = {std::min(all.low.x, e.low.x), std::min(all.low.y, e.low.y), std::min(all.low.z, e.low.z)};
    all.high = {std::max(all.high.x, e.high.x), std::max(all.high.y, e.high.y),
                std::max(all.high.z, e.high.z)};
    all.mass += e.mass;
    all.finite = all.finite && e.finite;
  }
  const auto size = all.high - all.low;
  all.finite = all.finite && std::isfinite(size.x) && std::isfinite(size.y) && std::isfinite(size.z) &&
               std::isfinite(all.mass);
  return all;
}

/// Every third bit of the result is one of x.
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  x = (x | x << 2) & 0x1249249249249249;
  return x;
}

/// The inverse, of every third bit.
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
std::uint64_t key_of(double x, double y, double z) {
  return spread(on_grid(x)) << 2 | spread(on_grid(y)) << 1 | spread(on_grid(z));
}

/// Where the children of a cell begin among its bodies; octant 8 is the end.
std::array<std::uint32_t, 9> octants(std::span<const std::uint64_t> keys, const Cell& cell) {
  const unsigned shift = 3 * (Tree::levels_per_key - 1 - cell.level % Tree::levels_per_key);
  std::array<std::uint32_t, 9> begins{};
  begins[0] = cell.begin;
  begins[8] = cell.end;
  for (unsigned octant = 1; octant < 8; ++octant)
    begins[octant] = static_cast<std::uint32_t>(
        std::lower_bound(keys.begin() + begins[octant - 1], keys.begin() + cell.end, octant,
                         [shift](std::uint64_t key, unsigned o) { return (key >> shift & 7) < o; }) -
        keys.begin());
  return begins;
}

/// Divides cells level by level. A cell is divided when it has many bodies, and also when it is large for
/// where it is: a few bodies in a wide cell beside something heavy are no leaf that a field could be expanded
/// in, whatever the order and however small the cells that pull on it.
class Division {
 public:
  Division(Tree& tree, std::uint32_t leaf_size) : tree_(tree), leaf_size_(leaf_size) {
    const std::size_t n = tree.m.size();
    mass_before_.resize(n + 1);
    for (std::size_t i = 0; i < n; ++i) mass_before_[i + 1] = mass_before_[i] + tree.m[i];
    tree.cells.push_back({});
    tree.cells[0].end = static_cast<std::uint32_t>(n);
    tree.levels.push_back(0);
    pull_.push_back(0);
  }

  /// As far as the present keys go; false when nothing more is to be divided.
  bool divide_all(std::span<const std::uint64_t> keys) {
    for (unsigned level = 0; level < Tree::levels_per_key; ++level)
      if (!divide_level(keys)) return false;
    return tree_.cells.back().level < Tree::deepest;
  }
  bool to_be_divided(std::uint32_t c) const {
    const Cell& cell = tree_.cells[c];
    if (cell.bodies() <= 1) return false;
    return cell.bodies() > leaf_size_ || side2(cell) * pull_[c] > widest * widest * mass_before_.back();
  }

 private:
  /// The side of a leaf, at most, over the distance at which all mass together would pull as the heaviest of
  /// its ancestors does at its own size.
  static constexpr double widest = 0.25;

  static double side2(const Cell& cell) { return std::ldexp(4.0, -2 * int(cell.level)); }

  template <class Work>
  void for_divided(std::uint32_t first, std::uint32_t last, const Work& work) {
    constexpr std::size_t piece = 256;
    parallel_for((last - first + piece - 1) / piece, [&](std::size_t b) {
      for (std::size_t k = b * piece; k < std::min<std::size_t>(last - first, (b + 1) * piece); ++k)
        if (const auto c = std::uint32_t(first + k); to_be_divided(c)) work(c, begins_[k]);
    });
  }

  /// The cells of the last level.
  bool divide_level(std::span<const std::uint64_t> keys) {
    auto& cells = tree_.cells;
    const std::uint32_t first = tree_.levels.back(), last = static_cast<std::uint32_t>(cells.size());
    if (cells[first].level == Tree::deepest) return false;
    begins_.resize(last - first);
    for_divided(first, last, [&](std::uint32_t c, auto& at) {
      at = octants(keys, cells[c]);
      for (std::size_t o = 0; o < 8; ++o) cells[c].children += at[o + 1] > at[o];
    });
    std::uint32_t next = last;
    for (std::uint32_t c = first; c < last; ++c) {
      cells[c].first_child = next;
      next += cells[c].children;
    }
    if (next == last) return false;
    tree_.levels.push_back(last);
    cells.resize(next), pull_.resize(next);
    for_divided(first, last, [&](std::uint32_t c, const auto& at) {
      const double mass = mass_before_[cells[c].end] - mass_before_[cells[c].begin];
      std::uint32_t child = cells[c].first_child;
      for (std::size_t o = 0; o < 8; ++o) {
        if (at[o + 1] == at[o]) continue;
        pull_[child] = std::max(pull_[c], mass / side2(cells[c]));
        cells[child++] = {.begin = at[o],
                          .end = at[o + 1],
                          .first_child = 0,
                          .children = 0,
                          .parent = c,
                          .level = cells[c].level + 1};
      }
    });
    return true;
  }

  Tree& tree_;
  std::uint32_t leaf_size_;
  std::vector<double> mass_before_, pull_;
  std::vector<std::array<std::uint32_t, 9>> begins_;
};

template <class Value>
void reorder(std::vector<Value>& values, std::size_t begin, std::span<const std::uint32_t> from) {
  std::vector<Value> sorted(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) sorted[i] = values[begin + from[i]];
  std::copy(sorted.begin(), sorted.end(), values.begin() + std::ptrdiff_t(begin));
}

/// The bodies of a cell as deep as keys go get keys within it.
void sort_within(Tree& tree, std::span<std::uint64_t> keys, const Cell& cell) {
  const std::uint64_t key = keys[cell.begin];
  const auto corner = [&](unsigned bit) { return 2 / grid_cells * double(gather(key >> bit)) - 1; };
  const double x = corner(2), y = corner(1), z = corner(0), per = grid_cells / 2;
  std::vector<std::uint64_t> own(cell.bodies());
  std::vector<std::uint32_t> from(cell.bodies());
  for (std::uint32_t k = 0; k < cell.bodies(); ++k) {
    const auto i = cell.begin + k;
    own[k] = key_of((tree.x[i] - x) * per, (tree.y[i] - y) * per, (tree.z[i] - z) * per);
    from[k] = k;
  }
  sort_by_key(own, from);
  std::copy(own.begin(), own.end(), keys.begin() + cell.begin);
  for (auto* array : {&tree.x, &tree.y, &tree.z, &tree.m}) reorder(*array, cell.begin, from);
  reorder(tree.order, cell.begin, from);
}

/// The power of two at or above x > 0; 1 otherwise.
double power_above(double x) { return x > 0 ? std::ldexp(1.0, std::ilogb(x) + 1) : 1; }

}  // namespace

template <class T>
bool build(Tree& tree, std::span<const Mass<T>> bodies, std::uint32_t leaf_size) {
  const std::size_t n = bodies.size();
  tree.cells.clear(), tree.levels.clear(), tree.order.resize(n);
  for (auto* array : {&tree.x, &tree.y, &tree.z, &tree.m}) array->resize(n);
  if (n == 0) return true;
  const Extent e = extent_of(bodies);
  if (!e.finite) return false;
  tree.centre = 0.5 * (e.low + e.high);
  tree.length = power_above(0.5 * std::max({e.high.x - e.low.x, e.high.y - e.low.y, e.high.z - e.low.z}));
  tree.mass = power_above(e.mass);
  const double per_length = 1 / tree.length, per_mass = 1 / tree.mass;
  std::vector<std::uint64_t> keys(n);
  const auto in_tree = [&](const Mass<T>& b) {
    return Vec3<double>{(double(b.x) - tree.centre.x) * per_length,
                        (double(b.y) - tree.centre.y) * per_length,
                        (double(b.z) - tree.centre.z) * per_length};
  };
  for_blocks(n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto p = in_tree(bodies[i]);
      keys[i] = key_of(0.5 * (p.x + 1), 0.5 * (p.y + 1), 0.5 * (p.z + 1));
      tree.order[i] = static_cast<std::uint32_t>(i);
    }
  });
  sort_by_key(keys, tree.order);
  for_blocks(n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto& b = bodies[tree.order[i]];
      const auto p = in_tree(b);
      tree.x[i] = p.x, tree.y[i] = p.y, tree.z[i] = p.z, tree.m[i] = double(b.m) * per_mass;
    }
  });
  Division division(tree, leaf_size);
  if (division.divide_all(keys)) {
    for (auto c = tree.levels.back(); c < tree.cells.size(); ++c)
      if (division.to_be_divided(c)) sort_within(tree, keys, tree.cells[c]);
    division.divide_all(keys);
  }
  tree.levels.push_back(static_cast<std::uint32_t>(tree.cells.size()));
  return true;
}

template bool build(Tree&, std::span<const Mass<float>>, std::uint32_t);
template bool build(Tree&, std::span<const Mass<double>>, std::uint32_t);

}  // namespace pleiad::tree
