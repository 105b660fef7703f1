/// Draws a sample. Neighbours along a space-filling curve give the density around a body; neighbours along a
/// line find close pairs that the curve separates.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/room.hpp"
#include "core/threads.hpp"
#include "engine/sampling.hpp"
#include "tree/sort.hpp"
#include "tree/spread.hpp"

#include <pleiad/accuracy.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace pleiad {
namespace sampling {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

Indices numbers_to(std::size_t n) {
  Indices all;
  resize_at_once(all, n);
  for_each_index(n, [&](std::size_t i) { all[i] = static_cast<std::uint32_t>(i); });
  return all;
}

void sort_by(std::vector<std::uint64_t>& keys, Indices& indices) {
  constexpr std::size_t few = 4096;
  if (keys.size() > few) return tree::sort_by_key(keys, indices);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> both(keys.size());
  for (std::size_t k = 0; k < keys.size(); ++k) both[k] = {keys[k], indices[k]};
  std::ranges::stable_sort(both, {}, &std::pair<std::uint64_t, std::uint32_t>::first);
  for (std::size_t k = 0; k < keys.size(); ++k) std::tie(keys[k], indices[k]) = both[k];
}

namespace {

/// A key that grows with the number, of 63 bits.
std::uint64_t ascending(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return (bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63) >> 1;
}

/// Range of the coordinates along one axis, of some bodies or of all.
Side side_of(const std::vector<double>& axis, std::span<const std::uint32_t> some) {
  Side side;
  for (const auto i : some) side = {std::min(side.low, axis[i]), std::max(side.high, axis[i])};
  return side;
}
Side side_of(const std::vector<double>& axis) {
  const auto of_block = [&](std::size_t begin, std::size_t end) {
    Side side;
    for (std::size_t i = begin; i < end; ++i)
      side = {std::min(side.low, axis[i]), std::max(side.high, axis[i])};
    return side;
  };
  return blocked_fold(axis.size(), Side{}, of_block, [](const Side& a, const Side& b) {
    return Side{std::min(a.low, b.low), std::max(a.high, b.high)};
  });
}

/// Puts the bodies into their order along Morton's curve.
void sort_along_curve(const Bodies& b, std::span<std::uint32_t> some) {
  if (some.size() < 2) return;
  const std::array axes{&b.x, &b.y, &b.z};
  Sides box;
  for (std::size_t a = 0; a < 3; ++a)
    box[a] = some.size() == b.size() ? side_of(*axes[a]) : side_of(*axes[a], some);
  if (!has_grid(box)) return;
  auto keys = keys_along_curve(b, some, box);
  Indices order;
  resize_at_once(order, some.size());
  copy_at_once<std::uint32_t>(some, order.data());
  sort_by(keys, order);
  copy_at_once<std::uint32_t>(order, some.data());
  sort_within_keys(b, keys, some, some.size());
}

}  // namespace

Sides box_of(const Bodies& b) { return {side_of(b.x), side_of(b.y), side_of(b.z)}; }

double longest_side(const Sides& box) {
  return std::max({0.0, box[0].length(), box[1].length(), box[2].length()});
}

bool has_grid(const Sides& box) {
  const double side = longest_side(box);
  return side > 0 && std::isfinite(side);
}

std::vector<std::uint64_t> keys_along_curve(const Bodies& b, std::span<const std::uint32_t> some,
                                            const Sides& box) {
  constexpr double cells = 1 << 21;
  const double side = longest_side(box);
  const auto on_grid = [&](double x, const Side& s) {
    const double cell = (x - s.low) / side * cells;
    return tree::spread(cell >= 0 ? static_cast<std::uint64_t>(std::min(cell, cells - 1)) : 0);
  };
  std::vector<std::uint64_t> keys;
  resize_at_once(keys, some.size());
  for_blocks(keys.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const auto i = some[k];
      keys[k] = on_grid(b.x[i], box[0]) << 2 | on_grid(b.y[i], box[1]) << 1 | on_grid(b.z[i], box[2]);
    }
  });
  return keys;
}

void sort_within_keys(const Bodies& b, std::span<const std::uint64_t> keys, std::span<std::uint32_t> some,
                      std::size_t n) {
  for_blocks(keys.size(), [&](std::size_t first, std::size_t last) {
    // Equal keys are sorted where they begin.
    std::size_t begin = first;
    while (0 < begin && begin < last && keys[begin] == keys[begin - 1]) ++begin;
    for (std::size_t end = begin; begin < last; begin = end) {
      while (end < keys.size() && keys[end] == keys[begin]) ++end;
      if (end - begin > 1 && end - begin < n) sort_along_curve(b, some.subspan(begin, end - begin));
    }
  });
}

namespace {

struct Place {
  double x, y, z;
};
/// The bodies' places one behind the other in this order, so that a search along it stays in near memory.
std::unique_ptr<Place[]> places_along(const Bodies& b, std::span<const std::uint32_t> order) {
  auto at = std::make_unique_for_overwrite<Place[]>(order.size());
  for_blocks(order.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) at[k] = {b.x[order[k]], b.y[order[k]], b.z[order[k]]};
  });
  return at;
}

/// The largest difference of two bodies' coordinates: no square of it underflows.
double apart(const Place& a, const Place& b) {
  return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)});
}

}  // namespace

void Closest::add(double separation, std::uint32_t body) {
  if (!(separation <= limit_)) return;
  found_.push_back({separation, body});
  if (found_.size() >= 8 * most_ + 64) tidy();
}

void Closest::add(const Closest& other) {
  for (const auto& c : other.found_) add(c.separation, c.body);
}

std::vector<Close> Closest::take() {
  tidy();
  return std::move(found_);
}

/// Ties go by place, not by number: a file's order means nothing.
auto Closest::key(const Close& c) const {
  const auto i = c.body;
  return std::tuple(c.separation, ascending(bodies_->x[i]), ascending(bodies_->y[i]),
                    ascending(bodies_->z[i]), ascending(bodies_->mass[i]),
                    numbers_.empty() ? i : numbers_[i]);
}

void Closest::tidy() {
  // Of each body the least first, then no body twice.
  std::ranges::sort(found_, [](const Close& a, const Close& c) {
    return std::tie(a.body, a.separation) < std::tie(c.body, c.separation);
  });
  const auto again = std::ranges::unique(found_, {}, &Close::body);
  found_.erase(again.begin(), again.end());
  std::ranges::sort(found_, [this](const Close& a, const Close& c) { return key(a) < key(c); });
  if (found_.size() <= most_) return;
  found_.resize(most_);
  limit_ = found_.back().separation;
}

void search_along(const Bodies& b, const Indices& order, std::size_t first, std::size_t last,
                  std::size_t reach, std::size_t most, Closest& closest,
                  std::span<const std::uint32_t> numbers) {
  const auto at = places_along(b, order);
  const std::size_t n = order.size();
  std::mutex mutex;
  for_blocks(last - first, [&](std::size_t begin, std::size_t end) {
    Closest here(b, most, numbers);
    for (std::size_t k = first + begin; k < first + end; ++k) {
      double nearest = infinity;
      for (std::size_t o = k - std::min(k, reach); o < std::min(n, k + reach + 1); ++o)
        if (const double d = apart(at[k], at[o]); d > 0) nearest = std::min(nearest, d);
      here.add(nearest, order[k]);
    }
    const std::lock_guard lock(mutex);
    closest.add(here);
  });
}

std::vector<std::uint64_t> keys_along_line(const Bodies& b) {
  constexpr Vec3<double> line{0.8191725133961645, 0.5197178012497733, 0.2426175943141221};
  std::vector<std::uint64_t> keys;
  resize_at_once(keys, b.size());
  for_each_index(keys.size(), [&](std::size_t i) { keys[i] = ascending(dot(line, b.position(i))); });
  return keys;
}

namespace {

/// The `most` bodies that are closest to another; of some pairs both.
std::vector<Close> closest_of(const Bodies& b, std::size_t most) {
  Closest closest(b, most);
  auto order = numbers_to(b.size());
  sort_along_curve(b, order);
  search_along(b, order, 0, order.size(), reach_on_curve, most, closest);
  auto keys = keys_along_line(b);
  order = numbers_to(b.size());
  sort_by(keys, order);
  search_along(b, order, 0, order.size(), reach_on_line, most, closest);
  return closest.take();
}

/// The median distance of each body, in this order, to the three before and after it.
std::vector<double> typical_distances(const Bodies& b, const Indices& order) {
  constexpr std::size_t reach = 3;
  const auto at = places_along(b, order);
  std::vector<double> typical(order.size());
  for_blocks(order.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      std::array<double, 2 * reach> d{};
      std::size_t count = 0;
      for (std::size_t o = k - std::min(k, reach); o < std::min(order.size(), k + reach + 1); ++o)
        if (o != k) d[count++] = apart(at[k], at[o]);
      const auto middle = d.begin() + std::ptrdiff_t(count / 2);
      std::nth_element(d.begin(), middle, d.begin() + std::ptrdiff_t(count));
      typical[k] = count > 0 ? *middle : 0;
    }
  });
  return typical;
}

}  // namespace

std::uint64_t hash_of(const Bodies& b, std::size_t i) {
  std::uint64_t hash = 0;
  for (const double v : {b.x[i], b.y[i], b.z[i], b.mass[i]})
    hash = mixed(hash, std::bit_cast<std::uint64_t>(v));
  return hash;
}

std::uint64_t hash_limit(std::size_t some, std::size_t n) {
  return static_cast<std::uint64_t>(0x1p64 * (double(some) / double(n)));
}

bool about(std::size_t kept, std::size_t some) { return kept > some / 2 && kept < 2 * some; }

namespace {

/// About `some` of the bodies, those with the smallest hashes; all if there are not many more, or if too many
/// share position and mass, so that hashes do not distinguish them.
Indices thinned(const Bodies& b, std::size_t some) {
  const std::size_t n = b.size();
  if (n <= 2 * some) return numbers_to(n);
  const auto limit = hash_limit(some, n);
  auto kept = joined_blocks<std::uint32_t>(n, [&](std::size_t begin, std::size_t end, Indices& least) {
    for (std::size_t i = begin; i < end; ++i)
      if (hash_of(b, i) < limit) least.push_back(std::uint32_t(i));
  });
  return about(kept.size(), some) ? kept : numbers_to(n);
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

/// Draws one body from each of `count` equal parts of the order of the strata; the bodies drawn represent
/// `all` bodies.
void draw(const Bodies& b, const Indices& rest, std::size_t count, double all, Sample& sample) {
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
    sample.weights[before + part] = double(end - begin) * (all / double(n));
  });
}

double mass_of(const Bodies& b) {
  return blocked_sum<double>(b.size(), [&](std::size_t begin, std::size_t end) {
    double mass = 0;
    for (std::size_t i = begin; i < end; ++i) mass += b.mass[i];
    return mass;
  });
}

}  // namespace

double typical_acceleration(double mass, const Sides& box) {
  const double side = longest_side(box), acceleration = mass / side / side;
  return side > 0 && std::isfinite(acceleration) ? acceleration : 0;
}

void draw_rest(const Bodies& b, Indices order, const std::vector<bool>& taken, std::size_t n,
               std::size_t most, Sample& sample) {
  sort_along_curve(b, order);
  const auto typical = typical_distances(b, order);
  Indices rest;
  std::vector<std::uint64_t> strata;
  for (std::size_t k = 0; k < order.size(); ++k)
    if (!taken[order[k]]) rest.push_back(order[k]), strata.push_back(stratum_of(b, order[k], typical[k]));
  if (n <= most) {
    sample.bodies.insert(sample.bodies.end(), rest.begin(), rest.end());
    sample.weights.assign(n, 1.0);
    return;
  }
  sort_by(strata, rest);
  draw(b, rest, most - sample.closest, double(n - sample.closest), sample);
}

}  // namespace sampling

std::size_t sample_size(std::size_t n, bool on_gpu) {
  // From check to check a GPU makes 256 evaluations, of 1 M bodies in 3 ms each and of 16.8 M in 27 (H200,
  // single precision, 1e-3), and sums 700 G pairs a second in double precision; a processor makes 128, of 0.2
  // to 0.8 us a body on two cores, which sum 2.5 to 7 G.
  constexpr std::size_t many = std::size_t{1} << 21;
  if (on_gpu) return n <= many ? 10'000 : 5'000;
  return 4'000;
}

Sample sample_of(const Bodies& b, std::size_t most) {
  using namespace sampling;
  const std::size_t n = b.size();
  const auto closest = closest_of(b, std::min({most_closest, n, most / 2}));
  const double mass = mass_of(b);
  Sample sample{.closest = closest.size(),
                .separation = closest.empty() ? infinity : closest.front().separation,
                .widest = closest.empty() ? infinity : closest.back().separation,
                .acceleration = typical_acceleration(mass, box_of(b)),
                .mass = mass};
  std::vector<bool> taken(n);
  for (const auto& c : closest) taken[c.body] = true, sample.bodies.push_back(c.body);
  sample.weights.assign(closest.size(), 1.0);
  draw_rest(b, thinned(b, n <= most ? n : looked_at * most), taken, n, most, sample);
  return sample;
}

}  // namespace pleiad
