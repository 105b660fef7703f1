/// The draw of a sample: neighbours along a space-filling curve say how dense it is around a body, neighbours
/// along a line find pairs that the curve parts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "tree/sort.hpp"
#include "tree/spread.hpp"

#include <pleiad/accuracy.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace pleiad {
namespace {

using Indices = std::vector<std::uint32_t>;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Sorts indices by their keys of at most 63 bits, and the keys with them.
void sort_by(std::vector<std::uint64_t>& keys, Indices& indices) {
  constexpr std::size_t few = 4096;
  if (keys.size() > few) return tree::sort_by_key(keys, indices);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> both(keys.size());
  for (std::size_t k = 0; k < keys.size(); ++k) both[k] = {keys[k], indices[k]};
  std::ranges::stable_sort(both, {}, &std::pair<std::uint64_t, std::uint32_t>::first);
  for (std::size_t k = 0; k < keys.size(); ++k) std::tie(keys[k], indices[k]) = both[k];
}

/// A key that grows with the number, of 63 bits.
std::uint64_t ascending(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return (bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63) >> 1;
}

struct Side {
  double low = infinity, high = -infinity;
  double length() const { return high - low; }
};
std::array<Side, 3> box_of(const Bodies& b, std::span<const std::uint32_t> some) {
  std::array<Side, 3> box;
  const std::array<const std::vector<double>*, 3> axes{&b.x, &b.y, &b.z};
  for (std::size_t a = 0; a < 3; ++a)
    for (const auto i : some) {
      const double x = (*axes[a])[i];
      box[a] = {std::min(box[a].low, x), std::max(box[a].high, x)};
    }
  return box;
}

/// Puts the bodies into their order along Morton's curve: within the cells of a grid that the keys of one
/// box tell apart, along the curve of the bodies there, so that no distance is too small.
void sort_along_curve(const Bodies& b, std::span<std::uint32_t> some) {
  if (some.size() < 2) return;
  constexpr double cells = 1 << 21;
  const auto box = box_of(b, some);
  double side = 0;
  for (const auto& s : box) side = std::max(side, s.length());
  if (!(side > 0 && std::isfinite(side))) return;
  const auto on_grid = [&](double x, const Side& s) {
    const double cell = (x - s.low) / side * cells;
    return tree::spread(cell >= 0 ? static_cast<std::uint64_t>(std::min(cell, cells - 1)) : 0);
  };
  std::vector<std::uint64_t> keys(some.size());
  Indices order(some.begin(), some.end());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto i = order[k];
    keys[k] = on_grid(b.x[i], box[0]) << 2 | on_grid(b.y[i], box[1]) << 1 | on_grid(b.z[i], box[2]);
  }
  sort_by(keys, order);
  std::ranges::copy(order, some.begin());
  for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
    while (end < keys.size() && keys[end] == keys[begin]) ++end;
    if (end - begin > 1 && end - begin < keys.size()) sort_along_curve(b, some.subspan(begin, end - begin));
  }
}

/// The largest difference of two bodies' coordinates: no square of it underflows.
double apart(const Bodies& b, std::size_t i, std::size_t j) {
  return std::max({std::abs(b.x[i] - b.x[j]), std::abs(b.y[i] - b.y[j]), std::abs(b.z[i] - b.z[j])});
}

struct Neighbours {
  Indices order;                ///< along the curve
  std::vector<double> nearest;  ///< of each body, the smallest separation that was found; not zero
  std::vector<double> typical;  ///< the median of those from the three before and behind
};

/// Calls `work` with every number below n, on all threads.
template <class Work>
void for_each(std::size_t n, const Work& work) {
  constexpr std::size_t block = 4096;
  parallel_for((n + block - 1) / block, [&](std::size_t b) {
    for (std::size_t k = b * block; k < std::min(n, (b + 1) * block); ++k) work(k);
  });
}

/// Looks from each body to those `reach` before and behind it in this order; `tell` gets the median of their
/// separations.
template <std::size_t reach, class Tell>
void look_along(const Bodies& b, const Indices& order, std::vector<double>& nearest, const Tell& tell) {
  for_each(order.size(), [&](std::size_t k) {
    std::array<double, 2 * reach> d{};
    std::size_t count = 0;
    const std::size_t i = order[k];
    for (std::size_t o = k - std::min(k, reach); o < std::min(order.size(), k + reach + 1); ++o) {
      if (o == k) continue;
      const double distance = apart(b, i, order[o]);
      if (distance > 0) nearest[i] = std::min(nearest[i], distance);
      std::size_t place = count++;
      for (; place > 0 && d[place - 1] > distance; --place) d[place] = d[place - 1];
      d[place] = distance;
    }
    if (count > 0) tell(i, d[count / 2]);
  });
}

Neighbours neighbours_of(const Bodies& b) {
  const std::size_t n = b.size();
  Neighbours found{.order = Indices(n), .nearest = std::vector(n, infinity), .typical = std::vector(n, 0.0)};
  std::iota(found.order.begin(), found.order.end(), std::uint32_t{0});
  sort_along_curve(b, found.order);
  look_along<3>(b, found.order, found.nearest,
                [&](std::size_t i, double median) { found.typical[i] = median; });
  // Two bodies much closer than others are neighbours along any line; this one lies in no plane of symmetry.
  constexpr Vec3<double> line{0.8191725133961645, 0.5197178012497733, 0.2426175943141221};
  std::vector<std::uint64_t> keys(n);
  Indices along = found.order;
  for_each(n, [&](std::size_t k) { keys[k] = ascending(dot(line, b.position(along[k]))); });
  sort_by(keys, along);
  look_along<2>(b, along, found.nearest, [](std::size_t, double) {});
  return found;
}

std::uint64_t hash_of(const Bodies& b, std::size_t i) {
  std::uint64_t hash = 0;
  for (const double v : {b.x[i], b.y[i], b.z[i], b.mass[i]}) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(v)) + 0x9e3779b97f4a7c15U;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebU;
    hash ^= hash >> 31;
  }
  return hash;
}

/// Type, then the octave of the mass, then the distance of neighbours.
std::uint64_t stratum_of(const Bodies& b, std::size_t i, double distance) {
  const double m = b.mass[i];
  const auto octave = m > 0 && std::isfinite(m) ? static_cast<std::uint64_t>(std::ilogb(m) + 1100) : 0;
  // Sign and exponent, and twelve bits of the rest.
  const auto close = std::bit_cast<std::uint64_t>(distance) >> 40;
  const auto type = i < b.type.size() ? static_cast<std::uint64_t>(b.type[i]) : 0;
  return type << 36 | octave << 24 | close;
}

/// One of each of `count` equal parts of what is in the order of the strata.
void draw(const Bodies& b, const Indices& rest, std::size_t count, Sample& sample) {
  const std::size_t n = rest.size();
  const auto begin_of = [&](std::size_t part) {
    return static_cast<std::size_t>(double(n) * double(part) / double(count));
  };
  const std::size_t before = sample.bodies.size();
  sample.bodies.resize(before + count), sample.weights.resize(before + count);
  parallel_for(count, [&](std::size_t part) {
    const std::size_t begin = begin_of(part), end = part + 1 == count ? n : begin_of(part + 1);
    std::size_t best = begin;
    for (std::uint64_t k = begin, least = ~std::uint64_t{0}; k < end; ++k)
      if (const auto hash = hash_of(b, rest[k]); hash < least) best = k, least = hash;
    sample.bodies[before + part] = rest[best];
    sample.weights[before + part] = double(end - begin);
  });
}

double typical_pull(const Bodies& b, std::span<const std::uint32_t> all) {
  double mass = 0, side = 0;
  for (const double m : b.mass) mass += m;
  for (const auto& s : box_of(b, all)) side = std::max(side, s.length());
  const double pull = mass / side / side;
  return side > 0 && std::isfinite(pull) ? pull : 0;
}

}  // namespace

std::size_t sample_size(std::size_t n) {
  constexpr std::size_t least = 500, most = 1000, pairs = 2'000'000'000;
  return n == 0 ? most : std::clamp(pairs / n, least, most);
}

Sample sample_of(const Bodies& b, std::size_t most) {
  const std::size_t n = b.size();
  const auto found = neighbours_of(b);
  Sample sample;
  sample.pull = typical_pull(b, found.order);
  sample.separation = n == 0 ? infinity : *std::ranges::min_element(found.nearest);
  // The closest: both of some pairs.
  constexpr std::size_t some = 32;
  sample.closest = std::min({some, n, most / 2});
  Indices rest = found.order;
  const auto closer = [&](std::uint32_t i, std::uint32_t j) { return found.nearest[i] < found.nearest[j]; };
  if (sample.closest < n)
    std::nth_element(rest.begin(), rest.begin() + std::ptrdiff_t(sample.closest), rest.end(), closer);
  sample.bodies.assign(rest.begin(), rest.begin() + std::ptrdiff_t(sample.closest));
  sample.weights.assign(sample.closest, 1.0);
  if (n <= most) {
    sample.bodies.insert(sample.bodies.end(), rest.begin() + std::ptrdiff_t(sample.closest), rest.end());
    sample.weights.assign(n, 1.0);
    return sample;
  }
  std::vector<bool> taken(n);
  for (const auto i : sample.bodies) taken[i] = true;
  rest.clear();
  for (const auto i : found.order)
    if (!taken[i]) rest.push_back(i);
  std::vector<std::uint64_t> strata(rest.size());
  for_each(rest.size(), [&](std::size_t k) { strata[k] = stratum_of(b, rest[k], found.typical[rest[k]]); });
  sort_by(strata, rest);
  draw(b, rest, most - sample.closest, sample);
  return sample;
}

}  // namespace pleiad
