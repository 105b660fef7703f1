/// Numbers on a lattice: whole multiples of a unit, which is a power of two. Sums of whole numbers are exact,
/// so that what was added can be taken away again, bit for bit (Rein & Tamayo 2018, arXiv:1704.07715).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/update.hpp"

#include <pleiad/vec.hpp>

#include <cmath>
#include <cstdint>

namespace pleiad::lattice {

/// The largest multiple.
inline constexpr std::int64_t farthest = std::int64_t{1} << 62;

/// The multiple that is nearest to the number high + low, which is at most `farthest` units. Exact where the
/// number is on the lattice.
PLEIAD_HD inline std::int64_t multiple_of(double high, double low, double per_unit) {
  return std::llrint(high * per_unit) + std::llrint(low * per_unit);
}

/// The double that is nearest to a multiple, and the rest in `low`.
PLEIAD_HD inline double number_of(std::int64_t multiple, double unit, double& low) {
  const auto high = static_cast<double>(multiple);
  low = static_cast<double>(multiple - static_cast<std::int64_t>(high)) * unit;
  return high * unit;
}

/// from + `by`, rounded to a whole number, halves to the even one. The opposite of `by` leads back. Where
/// this would go beyond `farthest`, and for a NaN, it is `from`, and `left` is set.
PLEIAD_HD inline std::int64_t moved(std::int64_t from, double by, bool& left) {
  if (!(std::abs(by) < 0x1p62)) {
    left = true;
    return from;
  }
  const std::int64_t to = from + std::llrint(by);
  if (to <= farthest && to >= -farthest) return to;
  left = true;
  return from;
}

/// The units, and what an update takes from them. All are powers of two: products by them are exact.
struct Units {
  double length = 1, velocity = 1;
  double per_length = 1, per_velocity = 1;
  double lengths = 1;  ///< units of length in a unit of velocity and a unit of time

  Units(double of_length, double of_velocity)
      : length(of_length),
        velocity(of_velocity),
        per_length(1 / of_length),
        per_velocity(1 / of_velocity),
        lengths(of_velocity / of_length) {}
};

/// The kicks and the drift of one body, by whole numbers that depend on the rest of its state alone. The same
/// bits on a host and on a device. `low`: its six low parts (Bodies::low); `pulls` are read where it kicks.
/// Where the body would leave the lattice it stays, and `left` is set.
PLEIAD_HD inline void update_body(const Update<double>& u, const Units& units, Mass<double>& x,
                                  Vec4<double>& v, double* low, const Vec4<double>& pulls, bool& left) {
  const double drift = u.drifts ? u.drift * units.lengths : 0;
  const auto along = [&](double& at, double& going, double pull, double& low_at, double& low_going) {
    auto w = multiple_of(going, low_going, units.per_velocity);
    for (int k = 0; k < u.kicks; ++k) w = moved(w, u.kick[k] * pull * units.per_velocity, left);
    going = number_of(w, units.velocity, low_going);
    if (!u.drifts) return;
    const auto q = multiple_of(at, low_at, units.per_length);
    at = number_of(moved(q, static_cast<double>(w) * drift, left), units.length, low_at);
  };
  along(x.x, v.x, pulls.x, low[0], low[3]);
  along(x.y, v.y, pulls.y, low[1], low[4]);
  along(x.z, v.z, pulls.z, low[2], low[5]);
}

}  // namespace pleiad::lattice
