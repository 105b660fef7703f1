#include "live/order.hpp"

#include "tree/sort.hpp"
#include "tree/spread.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>

namespace pleiad::live {
namespace {

constexpr std::size_t enough = 1 << 16;  ///< bodies show where all are

const std::vector<double>& coordinate(const Bodies& bodies, std::size_t axis) {
  return axis == 0 ? bodies.x : axis == 1 ? bodies.y : bodies.z;
}

/// Finite values of one coordinate of some of the bodies.
std::vector<double> sample_of(const std::vector<double>& values) {
  std::vector<double> sample;
  const std::size_t stride = std::max<std::size_t>(1, values.size() / enough);
  for (std::size_t i = 0; i < values.size(); i += stride)
    if (std::isfinite(values[i])) sample.push_back(values[i]);
  return sample;
}

struct Range {
  double low = 0, high = 0;
};

/// Between the lowest and the highest, but no further than a few times the middle 98 %.
Range range_of(std::vector<double> values) {
  if (values.empty()) return {};
  const auto at = [&](std::size_t k) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(k), values.end());
    return values[k];
  };
  const std::size_t n = values.size();
  const double low = at(n / 100), high = at(n - 1 - n / 100), reach = 4 * (high - low);
  const auto [least, most] = std::ranges::minmax(values);
  return n < 100 ? Range{least, most} : Range{std::max(least, low - reach), std::min(most, high + reach)};
}

std::uint64_t part_of(double x, float corner, float size) {
  const double part = (x - double{corner}) / double{size};
  return part > 0 ? static_cast<std::uint64_t>(std::min(part, 0.9999999) * 0x1p21) : 0;
}

}  // namespace

Box box_for(const Snapshot& snapshot) {
  Box box;
  if (snapshot.boundary.periodic) {
    const auto& l = snapshot.boundary.length;
    box.size = {static_cast<float>(l.x), static_cast<float>(l.y), static_cast<float>(l.z)};
    return box;
  }
  // Cells of one size in all directions, and room to move.
  std::array<double, 3> middle{};
  double half = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto range = range_of(sample_of(coordinate(snapshot.bodies, axis)));
    middle[axis] = 0.5 * (range.low + range.high);
    half = std::max({half, 0.5 * (range.high - range.low), 1e-6 * std::abs(middle[axis])});
  }
  half = half > 0 ? 1.25 * half : 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box.corner[axis] = static_cast<float>(middle[axis] - half);
    box.size[axis] = static_cast<float>(2 * half);
  }
  return box;
}

bool suits(const Box& box, const Snapshot& snapshot) {
  const auto now = box_for(snapshot);
  if (snapshot.boundary.periodic) return now == box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float edge = 0.09F * now.size[axis];  // of the room that a box has
    if (now.corner[axis] + edge < box.corner[axis] ||
        now.corner[axis] + now.size[axis] - edge > box.corner[axis] + box.size[axis])
      return false;
  }
  return now.size[0] > 0.5F * box.size[0];
}

std::vector<std::uint32_t> key_order(const Bodies& bodies, const Box& box) {
  using tree::spread;
  std::vector<std::uint64_t> keys(bodies.size());
  std::vector<std::uint32_t> order(bodies.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = spread(part_of(bodies.x[i], box.corner[0], box.size[0])) << 2 |
              spread(part_of(bodies.y[i], box.corner[1], box.size[1])) << 1 |
              spread(part_of(bodies.z[i], box.corner[2], box.size[2]));
  std::iota(order.begin(), order.end(), 0U);
  tree::sort_by_key(keys, order);
  return order;
}

std::vector<float> densities(const Bodies& bodies, std::span<const std::uint32_t> order) {
  constexpr std::size_t reach = 12, nearest = 6;
  std::vector<float> found(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto here = bodies.position(order[k]);
    std::array<double, 2 * reach> squares{};
    std::size_t count = 0;
    const std::size_t begin = k > reach ? k - reach : 0, end = std::min(order.size(), k + reach + 1);
    for (std::size_t other = begin; other < end; ++other) {
      if (other == k) continue;
      const auto d = bodies.position(order[other]) - here;
      squares[count++] = d.x * d.x + d.y * d.y + d.z * d.z;
    }
    if (count == 0) continue;
    const std::size_t nth = std::min(nearest, count);
    std::nth_element(squares.begin(), squares.begin() + static_cast<std::ptrdiff_t>(nth - 1),
                     squares.begin() + static_cast<std::ptrdiff_t>(count));
    const double volume = 4 * std::numbers::pi / 3 * std::pow(squares[nth - 1], 1.5);
    found[k] = volume > 0 ? static_cast<float>(static_cast<double>(nth) / volume) : 0;
  }
  return found;
}

}  // namespace pleiad::live
