/// The order of bodies by distance from a centre, defined equally for the host and a device, and the passes
/// over all bodies that determine it.
///
/// Bodies are ordered by their squared distance in double precision, rounded operation by operation, then by
/// their number. Weights are integers, whose order of summation does not matter; masses and moments are
/// summed in an order that depends only on the number of bodies. So the result does not depend, bit for bit,
/// on where the bodies are stored or how they are divided.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace pleiad::by_distance {

/// A product that is rounded before it is added to anything.
PLEIAD_HD inline double product(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}
PLEIAD_HD inline std::uint64_t bits_of(double x) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint64_t>(__double_as_longlong(x));
#else
  return std::bit_cast<std::uint64_t>(x);
#endif
}

inline constexpr double farthest = std::numeric_limits<double>::infinity();
/// NaN counts as the largest distance.
PLEIAD_HD inline double squared_distance(Vec3<double> x, Vec3<double> centre) {
  const auto d = x - centre;
  const double square = product(d.x, d.x) + product(d.y, d.y) + product(d.z, d.z);
  return square < farthest ? square : farthest;
}

/// A body's place in the order of distances.
struct Place {
  double r2 = 0;
  std::uint64_t body = 0;
};
PLEIAD_HD inline bool is_before(const Place& a, const Place& b) {
  return a.r2 < b.r2 || (a.r2 == b.r2 && a.body < b.body);
}

/// The bodies that are in all of these spheres, each up to the place at its edge.
struct Members {
  struct Sphere {
    Vec3<double> centre;
    Place edge;
  };
  static constexpr int most = 3;
  Sphere spheres[most];
  int count = 0;
};
PLEIAD_HD inline bool is_member(const Members& members, Vec3<double> x, std::uint64_t body) {
  for (int s = 0; s < members.count; ++s)
    if (is_before(members.spheres[s].edge, {squared_distance(x, members.spheres[s].centre), body}))
      return false;
  return true;
}

/// Weight of a body: 1, or its mass in whole units, of which all bodies together have fewer than 2^63.
struct Weigh {
  bool by_mass = false;
  double units = 0;  ///< to a mass of 1; a power of two
  PLEIAD_HD std::uint64_t operator()(double mass) const {
    if (!by_mass) return 1;
    const double weight = product(mass, units);
    return weight > 0 && weight < 0x1p62 ? static_cast<std::uint64_t>(weight) : 0;
  }
};

/// The interval of places whose bits of r2, or among equal distances whose numbers, lie in [low, low +
/// 2^size).
struct Interval {
  std::uint64_t low = 0;
  unsigned size = 63;
  bool by_number = false;
  double r2 = 0;  ///< of all in it, by number
};
/// Index of the part of a place among 2^bits equal parts of an interval; in_no_part: it is in none. An
/// interval of less than 2^bits numbers has parts of one.
inline constexpr std::uint64_t in_no_part = std::numeric_limits<std::uint64_t>::max();
PLEIAD_HD inline std::uint64_t part_of(const Interval& interval, unsigned bits, const Place& place) {
  if (interval.by_number && place.r2 != interval.r2) return in_no_part;
  const std::uint64_t at = (interval.by_number ? place.body : bits_of(place.r2)) - interval.low;
  if (at >> interval.size != 0) return in_no_part;
  return at >> (interval.size > bits ? interval.size - bits : 0);
}

/// Sums in blocks of `block` bodies: by lanes, each of which takes its bodies in turn; then over halves of
/// the lanes, and neighbouring blocks (total).
struct Sums {
  static constexpr std::size_t block = 4096;
  static constexpr unsigned lanes = 256;
  double mass = 0;
  Vec3<double> moment{};

  PLEIAD_HD Sums& operator+=(const Sums& o) {
    mass += o.mass, moment += o.moment;
    return *this;
  }
  PLEIAD_HD void add(double m, Vec3<double> x) {
    mass += m;
    moment += {product(m, x.x), product(m, x.y), product(m, x.z)};
  }
};

/// A body that was found in an interval.
struct Found {
  Place place;
  std::uint64_t weight = 0;
};
struct AllFound {
  std::uint64_t count = 0;
  std::vector<Found> bodies;  ///< in any order; empty when there are more than most_found
};
inline constexpr std::size_t most_found = 4096;

/// The members of a pass, the centre of their distances, and their weights.
struct Question {
  Members members;
  Vec3<double> centre{};
  Weigh weigh;
};

/// Passes over all bodies, wherever they are stored.
class Passes {
 public:
  virtual ~Passes() = default;
  virtual std::size_t bodies() const = 0;
  /// Sums over the members, one for each block of bodies.
  virtual std::vector<Sums> sums(const Members& members) = 0;
  /// The weights in the 2^bits parts of each interval, one interval after the other.
  virtual std::vector<std::uint64_t> weights(const Question& question, std::span<const Interval> intervals,
                                             unsigned bits) = 0;
  virtual std::vector<AllFound> find(const Question& question, std::span<const Interval> intervals) = 0;
};

}  // namespace pleiad::by_distance
