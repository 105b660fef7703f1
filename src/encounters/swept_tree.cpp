#include "encounters/swept_tree.hpp"

#include "core/clock.hpp"
#include "core/threads.hpp"
#include "tree/sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

namespace pleiad::encounters {
namespace {

constexpr std::size_t width = 8;
/// The level of the cells of which one call makes the pairs: 512 bodies each.
constexpr std::size_t block_level = 2, block_bodies = width * width * width;

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

/// A number in single precision below this one, by at most two of its units; numbers beyond its range are
/// taken to be at its end. |f| 2^-23 is at least one unit of f, and f is off by at most half a unit.
float rounded_down(double x) {
  constexpr double largest = 3e38;
  const auto f = static_cast<float>(std::clamp(x, -largest, largest));
  return f - (std::abs(f) * 0x1p-23F + std::numeric_limits<float>::min());
}
float rounded_up(double x) { return -rounded_down(-x); }

/// A box as in a cell.
struct Box {
  std::array<float, 3> low, high;
};
Box box_in(const SweptTree::Cell& c, std::size_t k) {
  return {{c.low[0][k], c.low[1][k], c.low[2][k]}, {c.high[0][k], c.high[1][k], c.high[2][k]}};
}
void put(SweptTree::Cell& c, std::size_t k, const Box& box) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    c.low[axis][k] = box.low[axis], c.high[axis][k] = box.high[axis];
}
/// The number of cells by which boxes of bodies, which are not in the order of the cells, are fetched ahead.
constexpr std::size_t ahead = 4;
void fetch(const SweptBox& box) { __builtin_prefetch(&box.low), __builtin_prefetch(&box.high.z); }

constexpr float nothing = std::numeric_limits<float>::infinity();
constexpr Box empty{{nothing, nothing, nothing}, {-nothing, -nothing, -nothing}};

/// Numbers that a processor handles at once: half of those of a cell.
using Four = float __attribute__((vector_size(16)));
using Bits = std::int32_t __attribute__((vector_size(16)));
Four half_of(const std::array<float, width>& numbers, std::size_t half) {
  Four four;
  std::memcpy(&four, &numbers[4 * half], sizeof four);
  return four;
}

/// The box of all boxes of a cell.
Box hull_of(const SweptTree::Cell& c) {
  Box hull;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Four a = half_of(c.low[axis], 0), b = half_of(c.low[axis], 1), low = a < b ? a : b;
    const Four e = half_of(c.high[axis], 0), f = half_of(c.high[axis], 1), high = e > f ? e : f;
    hull.low[axis] = std::min(std::min(low[0], low[1]), std::min(low[2], low[3]));
    hull.high[axis] = std::max(std::max(high[0], high[1]), std::max(high[2], high[3]));
  }
  return hull;
}

/// The bits of the boxes of a cell that overlap a box.
unsigned overlapping(const Box& box, const SweptTree::Cell& c) {
  const auto meets = [&](std::size_t half) {
    Bits all = (half_of(c.low[0], half) <= box.high[0]) & (half_of(c.high[0], half) >= box.low[0]);
    for (std::size_t axis = 1; axis < 3; ++axis)
      all &= (half_of(c.low[axis], half) <= box.high[axis]) & (half_of(c.high[axis], half) >= box.low[axis]);
    return all;
  };
  const Bits bits = (meets(0) & Bits{1, 2, 4, 8}) | (meets(1) & Bits{16, 32, 64, 128});
  return static_cast<unsigned>(bits[0] | bits[1] | bits[2] | bits[3]);
}

}  // namespace

std::size_t SweptTree::blocks(std::size_t n) { return (n + block_bodies - 1) / block_bodies; }

void SweptTree::sort(std::span<const SweptBox> boxes) {
  const std::size_t n = boxes.size();
  const auto x = axis_of(boxes, &Vec3<double>::x), y = axis_of(boxes, &Vec3<double>::y),
             z = axis_of(boxes, &Vec3<double>::z);
  middle_ = {x.middle, y.middle, z.middle};
  std::vector<std::uint64_t> keys(n);
  for_each_index(n, [&](std::size_t i) {
    const auto& low = boxes[i].low;
    keys[i] = spread(x.key(low.x)) << 2 | spread(y.key(low.y)) << 1 | spread(z.key(low.z));
  });
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), 0U);
  tree::sort_by_key(keys, order_);
  shortest_ = std::numeric_limits<double>::infinity(), lost_ = 0;
}

void SweptTree::make_cells(std::span<const SweptBox> boxes, std::span<const std::uint8_t> idle) {
  const std::size_t n = boxes.size();
  std::size_t parts = n;
  std::size_t level = 0;
  for (std::size_t cells = 0; cells != 1; ++level, parts = cells) {
    cells = (parts + width - 1) / width;
    if (levels_.size() == level) levels_.emplace_back(), awake_.emplace_back();
    levels_[level].resize(cells), awake_[level].resize(cells);
    for_each_index(cells, [&](std::size_t c) {
      auto& cell = levels_[level][c];
      unsigned bits = 0;
      if (level == 0)
        for (std::size_t next = (c + ahead) * width; next < std::min(n, (c + ahead + 1) * width); ++next)
          fetch(boxes[order_[next]]);
      for (std::size_t k = 0; k < width; ++k) {
        const std::size_t part = c * width + k;
        if (part >= parts) {
          put(cell, k, empty);
        } else if (level > 0) {
          put(cell, k, hull_of(levels_[level - 1][part]));
          bits |= (awake_[level - 1][part] != 0 ? 1U : 0U) << k;
        } else {
          const auto low = boxes[order_[part]].low - middle_, high = boxes[order_[part]].high - middle_;
          put(cell, k,
              {{rounded_down(low.x), rounded_down(low.y), rounded_down(low.z)},
               {rounded_up(high.x), rounded_up(high.y), rounded_up(high.z)}});
          bits |= (idle[order_[part]] == 0 ? 1U : 0U) << k;
        }
      }
      awake_[level][c] = static_cast<std::uint8_t>(bits);
    });
  }
  levels_.resize(level), awake_.resize(level);
}

/// The pairs of one block.
class SweptTree::Walk {
 public:
  Walk(const SweptTree& tree, std::size_t block, const Each& each)
      : tree_(tree), block_(block), each_(each) {}

  void all() {
    const std::size_t highest = tree_.levels_.size() - 1, level = std::min(block_level, highest);
    within(level, block_);
    if (level < highest) with_later(highest, 0, hull_of(tree_.levels_[level][block_]));
  }

 private:
  const Cell& cell(std::size_t level, std::size_t c) const { return tree_.levels_[level][c]; }
  unsigned awake(std::size_t level, std::size_t c) const { return tree_.awake_[level][c]; }
  bool rests(std::size_t level, std::size_t c) const { return awake(level, c) == 0; }

  /// The block with all later ones below a cell, as far as they overlap its hull.
  void with_later(std::size_t level, std::size_t c, const Box& hull) {
    for (unsigned bits = overlapping(hull, cell(level, c)); bits != 0; bits &= bits - 1) {
      const std::size_t part = c * width + std::size_t(std::countr_zero(bits));
      if (level > block_level + 1) with_later(level - 1, part, hull);
      else if (part > block_ && !(rests(block_level, block_) && rests(block_level, part)))
        between(block_level, block_, part, hull_of(cell(block_level, part)));
    }
  }
  void within(std::size_t level, std::size_t c) {
    if (rests(level, c)) return;
    const auto& here = cell(level, c);
    for (std::size_t k = 0; k < width; ++k) {
      const std::size_t a = c * width + k;
      if (level > 0 && a < tree_.levels_[level - 1].size()) within(level - 1, a);
      // Those after it.
      each_of(level, c, k, c, overlapping(box_in(here, k), here) & (~1U << k));
    }
  }
  /// Two cells, a before b, whose hulls overlap.
  void between(std::size_t level, std::size_t a, std::size_t b, const Box& hull_of_b) {
    const auto &one = cell(level, a), &other = cell(level, b);
    for (unsigned bits = overlapping(hull_of_b, one); bits != 0; bits &= bits - 1) {
      const auto k = std::size_t(std::countr_zero(bits));
      each_of(level, a, k, b, overlapping(box_in(one, k), other));
    }
  }
  /// The pairs of box k of cell a with boxes of cell b.
  void each_of(std::size_t level, std::size_t a, std::size_t k, std::size_t b, unsigned with) {
    if ((awake(level, a) >> k & 1) == 0) with &= awake(level, b);
    for (const std::size_t first = a * width + k; with != 0; with &= with - 1) {
      const auto m = std::size_t(std::countr_zero(with));
      const std::size_t second = b * width + m;
      if (level > 0) {
        between(level - 1, first, second, box_in(cell(level, b), m));
      } else {
        const auto [i, j] = std::minmax(tree_.order_[first], tree_.order_[second]);
        each_(block_, i, j);
      }
    }
  }

  const SweptTree& tree_;
  std::size_t block_;
  const Each& each_;
};

void SweptTree::for_pairs(std::span<const SweptBox> boxes, std::span<const std::uint8_t> idle,
                          const Each& each) {
  const std::size_t n = boxes.size();
  if (n < 2) return;
  if (order_.size() != n || lost_ > sort_seconds_) sort_seconds_ = seconds_of([&] { sort(boxes); });
  const double spent = seconds_of([&] {
    make_cells(boxes, idle);
    parallel_for(blocks(n), [&](std::size_t block) { Walk(*this, block, each).all(); });
  });
  shortest_ = std::min(shortest_, spent), lost_ += spent - shortest_;
}

}  // namespace pleiad::encounters
