#include "live/nearest.hpp"

#include "core/threads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pleiad::live {
namespace {

constexpr std::size_t sample_size = 16384;
constexpr int most_tries = 4;

/// Wraps a coordinate to [0, length).
double wrapped(double x, double length) { return x - length * std::floor(x / length); }

double distance2(const Snapshot& s, const Vec3<double>& place, std::size_t i) {
  const auto d = drawn_at(s, i) - place;
  return dot(d, d);
}

/// The square of a radius within which there are probably a few more than `count`.
double radius2_about(const Snapshot& s, const Vec3<double>& place, std::size_t count) {
  const std::size_t n = s.bodies.size(), stride = n / sample_size + 1;
  std::vector<double> found;
  for (std::size_t i = 0; i < n; i += stride)
    if (const double d2 = distance2(s, place, i); std::isfinite(d2)) found.push_back(d2);
  const std::size_t enough = count / stride + count / stride / 4 + 32;
  if (enough >= found.size()) return std::numeric_limits<double>::infinity();
  std::ranges::nth_element(found, found.begin() + static_cast<std::ptrdiff_t>(enough));
  return found[enough];
}

}  // namespace

Vec3<double> drawn_at(const Snapshot& snapshot, std::size_t i) {
  const auto at = snapshot.bodies.position(i);
  const auto& boundary = snapshot.boundary;
  if (!boundary.periodic) return at;
  return {wrapped(at.x, boundary.length.x), wrapped(at.y, boundary.length.y),
          wrapped(at.z, boundary.length.z)};
}

std::vector<std::uint32_t> nearest_bodies(const Snapshot& snapshot, const Vec3<double>& place,
                                          std::size_t count) {
  using Found = std::pair<double, std::uint32_t>;
  constexpr double everywhere = std::numeric_limits<double>::infinity();
  std::vector<Found> found;
  double radius2 = radius2_about(snapshot, place, count);
  for (int more = 0;; ++more, radius2 = more < most_tries ? 4 * radius2 : everywhere) {
    found = joined_blocks<Found>(
        snapshot.bodies.size(), [&](std::size_t begin, std::size_t end, std::vector<Found>& here) {
          for (std::size_t i = begin; i < end; ++i)
            if (const double d2 = distance2(snapshot, place, i); d2 <= radius2 && d2 < everywhere)
              here.emplace_back(d2, static_cast<std::uint32_t>(i));
        });
    if (found.size() >= count || radius2 == everywhere) break;
  }
  if (found.size() > count) {
    std::ranges::nth_element(found, found.begin() + static_cast<std::ptrdiff_t>(count));
    found.resize(count);
  }
  std::vector<std::uint32_t> numbers;
  numbers.reserve(found.size());
  for (const auto& [d2, i] : found) numbers.push_back(i);
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace pleiad::live
