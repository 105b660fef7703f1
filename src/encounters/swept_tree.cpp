#include "encounters/swept_tree.hpp"

#include "core/threads.hpp"
#include "tree/sort.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numeric>

namespace pleiad::encounters {
namespace {

/// Leaves that one call looks at.
constexpr std::size_t leaves_at_once = 256;

/// One axis of the curve. Coordinates are compressed about their median, so that a few bodies far away do
/// not put all others into one cell.
struct Axis {
  double middle = 0, scale = 1;
  std::uint64_t key(double x) const {
    const double t = (x - middle) / scale;
    return static_cast<std::uint64_t>((t / (1 + std::abs(t)) + 1) * 0x1p20 * 0.999999);
  }
};

Axis axis_of(std::span<const SweptBox> boxes, double Vec3<double>::*coordinate) {
  constexpr std::size_t most = 1024;
  const std::size_t n = boxes.size(), every = n / most + 1;
  std::vector<double> sample;
  for (std::size_t i = 0; i < n; i += every) sample.push_back(boxes[i].low.*coordinate);
  const auto median = [&] {
    const auto middle = sample.begin() + std::ptrdiff_t(sample.size() / 2);
    std::nth_element(sample.begin(), middle, sample.end());
    return *middle;
  };
  Axis axis{.middle = median()};
  for (double& x : sample) x = std::abs(x - axis.middle);
  if (const double scale = median(); scale > 0) axis.scale = scale;
  return axis;
}

/// The bits of 21 of a number, two apart.
std::uint64_t spread(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

}  // namespace

void SweptBox::add(const SweptBox& o) {
  low = {std::min(low.x, o.low.x), std::min(low.y, o.low.y), std::min(low.z, o.low.z)};
  high = {std::max(high.x, o.high.x), std::max(high.y, o.high.y), std::max(high.z, o.high.z)};
}

std::size_t SweptTree::blocks(std::size_t n) {
  return (n + leaf * leaves_at_once - 1) / (leaf * leaves_at_once);
}

void SweptTree::sort(std::span<const SweptBox> boxes) {
  const std::size_t n = boxes.size();
  const auto x = axis_of(boxes, &Vec3<double>::x), y = axis_of(boxes, &Vec3<double>::y),
             z = axis_of(boxes, &Vec3<double>::z);
  std::vector<std::uint64_t> keys(n);
  for_each_index(n, [&](std::size_t i) {
    const auto& low = boxes[i].low;
    keys[i] = spread(x.key(low.x)) << 2 | spread(y.key(low.y)) << 1 | spread(z.key(low.z));
  });
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), 0U);
  tree::sort_by_key(keys, order_);
  work_when_sorted_ = 0;
}

void SweptTree::make_cells() {
  std::size_t cells = (boxes_.size() + leaf - 1) / leaf;
  levels_.resize(1);
  levels_[0].resize(cells);
  for_each_index(cells, [&](std::size_t c) {
    auto box = boxes_[c * leaf];
    for (std::size_t k = c * leaf + 1; k < std::min(boxes_.size(), (c + 1) * leaf); ++k) box.add(boxes_[k]);
    levels_[0][c] = box;
  });
  while (cells > 1) {
    const std::size_t below = levels_.size() - 1;
    const std::size_t above = (cells + 1) / 2;
    levels_.emplace_back(above);
    for_each_index(above, [&](std::size_t c) {
      auto box = levels_[below][2 * c];
      if (2 * c + 1 < cells) box.add(levels_[below][2 * c + 1]);
      levels_[below + 1][c] = box;
    });
    cells = above;
  }
}

void SweptTree::for_pairs(std::span<const SweptBox> boxes, std::span<const std::uint8_t> idle,
                          const Each& each) {
  const std::size_t n = boxes.size();
  if (n < 2) return;
  constexpr double slower = 1.25;
  if (order_.size() != n || double(work_) > slower * double(work_when_sorted_)) sort(boxes);
  boxes_.resize(n);
  for_each_index(n, [&](std::size_t k) { boxes_[k] = boxes[order_[k]]; });
  make_cells();
  std::atomic<std::size_t> work = 0;
  const std::size_t leaves = levels_[0].size();
  parallel_for(blocks(n), [&](std::size_t block) {
    std::size_t looked = 0;
    // Of two leaves only the bodies matter that reach into the other one.
    const auto reach = [&](std::size_t a, const SweptBox& other, std::array<std::uint32_t, leaf>& into) {
      std::size_t count = 0;
      for (std::size_t k = a * leaf; k < std::min(n, (a + 1) * leaf); ++k) {
        into[count] = static_cast<std::uint32_t>(k);
        count += boxes_[k].overlaps(other) ? 1 : 0;
      }
      return count;
    };
    const auto pair = [&](std::uint32_t k, std::uint32_t m) {
      if (!boxes_[k].overlaps(boxes_[m]) || (idle[order_[k]] != 0 && idle[order_[m]] != 0)) return;
      const auto [i, j] = std::minmax(order_[k], order_[m]);
      each(block, i, j);
    };
    const auto in_leaves = [&](std::size_t a, std::size_t b) {
      looked += leaf;
      std::array<std::uint32_t, leaf> of_a, of_b;
      const std::size_t count_a = reach(a, levels_[0][b], of_a);
      if (count_a == 0) return;
      if (a == b) {
        for (std::size_t k = 0; k < count_a; ++k)
          for (std::size_t m = k + 1; m < count_a; ++m) pair(of_a[k], of_a[m]);
        return;
      }
      const std::size_t count_b = reach(b, levels_[0][a], of_b);
      for (std::size_t k = 0; k < count_a; ++k)
        for (std::size_t m = 0; m < count_b; ++m) pair(of_a[k], of_b[m]);
    };
    struct Cell {
      std::size_t level, c;
    };
    std::array<Cell, 128> waiting;
    for (std::size_t a = block * leaves_at_once; a < std::min(leaves, (block + 1) * leaves_at_once); ++a) {
      const auto box = levels_[0][a];
      std::size_t count = 0;
      // Each pair of leaves from the side of the first.
      const auto put = [&](std::size_t level, std::size_t c) {
        waiting[count] = {level, c};
        count += ((c + 1) << level) > a && box.overlaps(levels_[level][c]) ? 1 : 0;
      };
      put(levels_.size() - 1, 0);
      while (count > 0) {
        const auto [level, c] = waiting[--count];
        ++looked;
        if (level == 0) {
          in_leaves(a, c);
          continue;
        }
        if (2 * c + 1 < levels_[level - 1].size()) put(level - 1, 2 * c + 1);
        put(level - 1, 2 * c);
      }
    }
    work += looked;
  });
  work_ = work;
  if (work_when_sorted_ == 0) work_when_sorted_ = work_;
}

}  // namespace pleiad::encounters
