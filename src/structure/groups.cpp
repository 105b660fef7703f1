#include "structure/groups.hpp"

#include "core/threads.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace pleiad::structure {
namespace {

/// Disjoint sets of numbers. The representative of a set is its smallest number, whatever the order of the
/// calls of unite, which threads may make at the same time.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t n) : parent_(n) {
    for (std::size_t k = 0; k < n; ++k) parent_[k].store(k, std::memory_order_relaxed);
  }
  std::size_t find(std::size_t k) {
    while (true) {
      const auto parent = parent_[k].load();
      if (parent == k) return k;
      const auto above = parent_[parent].load();
      auto expected = parent;
      if (above != parent) parent_[k].compare_exchange_weak(expected, above);  // halves the path
      k = parent;
    }
  }
  void unite(std::size_t a, std::size_t b) {
    while (true) {
      a = find(a), b = find(b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      auto expected = a;
      if (parent_[a].compare_exchange_strong(expected, b)) return;
    }
  }

 private:
  std::vector<std::atomic<std::size_t>> parent_;
};

using Points = std::span<Vec3<double>>;

struct Extent {
  Vec3<double> low, high;
};
Extent extent_of(Points points) {
  Extent e{points.front(), points.front()};
  for (const auto& p : points) {
    e.low = {std::min(e.low.x, p.x), std::min(e.low.y, p.y), std::min(e.low.z, p.z)};
    e.high = {std::max(e.high.x, p.x), std::max(e.high.y, p.y), std::max(e.high.z, p.z)};
  }
  return e;
}

/// Whether one of `a` is within the length of one of `b`, whose image is shifted.
class Linked {
 public:
  Linked(const Vec3<double>& image, double length) : image_(image), length2_(length * length) {}

  bool operator()(Points a, Points b) const {
    if (a.size() * b.size() <= few_pairs) return any_pair(a, b);
    const auto of_a = extent_of(a), of_b = extent_of(b);
    if (least2(of_a, of_b) > length2_ * (1 + slack)) return false;
    if (most2(of_a, of_b) < length2_ * (1 - slack)) return true;
    if (a.size() >= b.size()) {
      const auto [low, high] = halves(a, of_a);
      return (*this)(low, b) || (*this)(high, b);
    }
    const auto [low, high] = halves(b, of_b);
    return (*this)(a, low) || (*this)(a, high);
  }

 private:
  static constexpr std::size_t few_pairs = 512;
  static constexpr double slack = 1e-12;  // far above the rounding of a squared distance

  bool any_pair(Points a, Points b) const {
    for (const auto& p : a)
      for (const auto& q : b) {
        const auto d = q - p + image_;
        if (dot(d, d) < length2_) return true;
      }
    return false;
  }
  double least2(const Extent& a, const Extent& b) const {
    const auto gap = [](double low_a, double high_a, double low_b, double high_b) {
      return std::max({0.0, low_b - high_a, low_a - high_b});
    };
    const auto low = b.low + image_, high = b.high + image_;
    const Vec3<double> d{gap(a.low.x, a.high.x, low.x, high.x), gap(a.low.y, a.high.y, low.y, high.y),
                         gap(a.low.z, a.high.z, low.z, high.z)};
    return dot(d, d);
  }
  double most2(const Extent& a, const Extent& b) const {
    const auto low = b.low + image_, high = b.high + image_;
    const Vec3<double> d{std::max(high.x - a.low.x, a.high.x - low.x),
                         std::max(high.y - a.low.y, a.high.y - low.y),
                         std::max(high.z - a.low.z, a.high.z - low.z)};
    return dot(d, d);
  }
  static std::pair<Points, Points> halves(Points points, const Extent& e) {
    const auto size = e.high - e.low;
    const auto half = points.size() / 2;
    const auto middle = points.begin() + std::ptrdiff_t(half);
    if (size.x >= size.y && size.x >= size.z)
      std::nth_element(points.begin(), middle, points.end(), [](auto& p, auto& q) { return p.x < q.x; });
    else if (size.y >= size.z)
      std::nth_element(points.begin(), middle, points.end(), [](auto& p, auto& q) { return p.y < q.y; });
    else std::nth_element(points.begin(), middle, points.end(), [](auto& p, auto& q) { return p.z < q.z; });
    return {points.first(half), points.subspan(half)};
  }

  Vec3<double> image_;
  double length2_;
};

/// Half of the cells that may hold a friend: of each two opposite ones the later.
std::vector<Place> later_neighbours() {
  std::vector<Place> all;
  for (std::int32_t x = -2; x <= 2; ++x)
    for (std::int32_t y = -2; y <= 2; ++y)
      for (std::int32_t z = -2; z <= 2; ++z)
        if (const Place at{x, y, z}; at > Place{0, 0, 0}) all.push_back(at);
  // Near ones first: once they are linked, the others often need no look.
  std::ranges::stable_sort(all, {}, [](const Place& p) { return p[0] * p[0] + p[1] * p[1] + p[2] * p[2]; });
  return all;
}

}  // namespace

double side_of_linked_cells(double length) {
  // The coordinates of cells, up to 2^30, are rounded by at most 2^-22 of a side.
  return length / std::sqrt(3.0) * (1 - 1e-6);
}

double linking_length(double fraction, std::size_t bodies, const Boundary& boundary) {
  const auto& l = boundary.length;
  return fraction * std::cbrt(l.x * l.y * l.z / double(bodies));
}

Groups friends_of_friends(const Bodies& bodies, std::span<const std::size_t> chosen, const Boundary& boundary,
                          double length, std::size_t least) {
  if (!(length > 0 && std::isfinite(length)))
    throw UsageError(fmt::format("the linking length is {}; it must be a number above 0", length));
  const auto& l = boundary.length;
  if (boundary.periodic && length > std::min({l.x, l.y, l.z}) / 2)
    throw UsageError(fmt::format("the linking length {:g} is more than half the side {:g} of the box", length,
                                 std::min({l.x, l.y, l.z})));
  const Cells grid(bodies, chosen, boundary, side_of_linked_cells(length));
  const auto cells = grid.cells();
  const auto points_of = [&](const Cell& cell) {
    std::vector<Vec3<double>> points(cell.count);
    for (std::size_t k = 0; k < cell.count; ++k) points[k] = grid.position(cell.first + k);
    return points;
  };
  DisjointSets sets(cells.size());
  const auto neighbours = later_neighbours();
  for_each_index(
      cells.size(),
      [&](std::size_t c) {
        std::vector<Vec3<double>> here;
        for (const auto& offset : neighbours) {
          Vec3<double> image{};
          const Cell* const other = grid.beside(cells[c].place, offset, image);
          if (other == nullptr) continue;
          const auto d = std::size_t(other - cells.data());
          if (sets.find(c) == sets.find(d)) continue;
          if (here.empty()) here = points_of(cells[c]);
          auto there = points_of(*other);
          if (Linked(image, length)(here, there)) sets.unite(c, d);
        }
      },
      256);

  struct Found {
    std::size_t members = 0, id = std::numeric_limits<std::size_t>::max(), set = 0;
  };
  std::vector<Found> of_set(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    auto& found = of_set[sets.find(c)];
    found.set = sets.find(c), found.members += cells[c].count;
    for (std::size_t k = cells[c].first; k < cells[c].first + cells[c].count; ++k)
      found.id = std::min<std::size_t>(found.id, bodies.id[grid.bodies()[k]]);
  }
  std::vector<Found> kept;
  std::ranges::copy_if(of_set, std::back_inserter(kept),
                       [&](const Found& f) { return f.members >= std::max<std::size_t>(least, 1); });
  std::ranges::sort(kept, [](const Found& a, const Found& b) {
    return std::tuple(b.members, a.id) < std::tuple(a.members, b.id);
  });

  Groups groups;
  groups.first.assign(1, 0);
  std::vector<std::size_t> next(cells.size(), std::numeric_limits<std::size_t>::max());
  for (const auto& found : kept) {
    next[found.set] = groups.first.back();
    groups.first.push_back(groups.first.back() + found.members);
  }
  groups.members.resize(groups.first.back());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    auto& at = next[sets.find(c)];
    if (at == std::numeric_limits<std::size_t>::max()) continue;
    for (std::size_t k = cells[c].first; k < cells[c].first + cells[c].count; ++k)
      groups.members[at++] = grid.bodies()[k];
  }
  parallel_for(groups.size(), [&](std::size_t g) {
    std::sort(groups.members.begin() + std::ptrdiff_t(groups.first[g]),
              groups.members.begin() + std::ptrdiff_t(groups.first[g + 1]));
  });
  return groups;
}

}  // namespace pleiad::structure
