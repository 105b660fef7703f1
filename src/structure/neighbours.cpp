#include "structure/neighbours.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace pleiad::structure {
namespace {

/// Ranges of at most `leaf` points are not divided.
constexpr std::size_t leaf = 8;

double component(const Vec3<double>& x, unsigned char axis) {
  return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

}  // namespace

Neighbours::Neighbours(std::span<const Vec3<double>> points)
    : points_(points.begin(), points.end()), order_(points.size()), axis_(points.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  build(0, order_.size());
}

void Neighbours::build(std::size_t begin, std::size_t end) {
  while (end - begin > leaf) {
    std::array<double, 3> low{}, high{};
    for (unsigned char axis = 0; axis < 3; ++axis) {
      low[axis] = high[axis] = component(points_[order_[begin]], axis);
      for (std::size_t k = begin + 1; k < end; ++k) {
        const double x = component(points_[order_[k]], axis);
        low[axis] = std::min(low[axis], x), high[axis] = std::max(high[axis], x);
      }
    }
    unsigned char widest = 0;
    for (unsigned char axis = 1; axis < 3; ++axis)
      if (high[axis] - low[axis] > high[widest] - low[widest]) widest = axis;
    const auto middle = begin + (end - begin) / 2;
    const auto at = [&](std::size_t k) { return order_.begin() + std::ptrdiff_t(k); };
    std::nth_element(at(begin), at(middle), at(end), [&](std::size_t a, std::size_t b) {
      return component(points_[a], widest) < component(points_[b], widest);
    });
    axis_[middle] = widest;
    build(begin, middle);
    begin = middle + 1;
  }
}

void Neighbours::search(std::size_t begin, std::size_t end, const Vec3<double>& from, std::size_t self,
                        std::size_t count, std::vector<Neighbour>& found) const {
  const auto consider = [&](std::size_t point) {
    if (point == self) return;
    const auto d = points_[point] - from;
    const Neighbour neighbour{dot(d, d), point};
    if (found.size() == count && !(neighbour < found.back())) return;
    if (found.size() == count) found.pop_back();
    found.insert(std::ranges::upper_bound(found, neighbour), neighbour);
  };
  if (end - begin <= leaf) {
    for (std::size_t k = begin; k < end; ++k) consider(order_[k]);
    return;
  }
  const auto middle = begin + (end - begin) / 2;
  const double beyond = component(from, axis_[middle]) - component(points_[order_[middle]], axis_[middle]);
  const auto below = [&] { search(begin, middle, from, self, count, found); };
  const auto above = [&] { search(middle + 1, end, from, self, count, found); };
  if (beyond < 0) below();
  else above();
  consider(order_[middle]);
  // A point at the same distance may have a smaller number.
  if (found.size() == count && beyond * beyond > found.back().distance2) return;
  if (beyond < 0) above();
  else below();
}

std::vector<Neighbour> Neighbours::nearest(std::size_t i, std::size_t count) const {
  std::vector<Neighbour> found;
  if (count == 0) return found;
  found.reserve(count + 1);
  search(0, order_.size(), points_[i], i, count, found);
  return found;
}

}  // namespace pleiad::structure
