/// Numbers on a lattice: whole multiples of a unit, which is a power of two. Sums of whole numbers are exact,
/// so that what was added can be taken away again, bit for bit (Rein & Tamayo 2018, arXiv:1704.07715).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

namespace pleiad::lattice {

/// The largest multiple.
inline constexpr std::int64_t farthest = std::int64_t{1} << 62;

/// The multiple that is nearest to the number high + low, which is at most `farthest` units. Exact where the
/// number is on the lattice.
inline std::int64_t multiple_of(double high, double low, double per_unit) {
  return std::llrint(high * per_unit) + std::llrint(low * per_unit);
}

/// The double that is nearest to a multiple, and the rest in `low`.
inline double number_of(std::int64_t multiple, double unit, double& low) {
  const auto high = static_cast<double>(multiple);
  low = static_cast<double>(multiple - static_cast<std::int64_t>(high)) * unit;
  return high * unit;
}

/// from + `by`, rounded to a whole number, halves to the even one. The opposite of `by` leads back. Where
/// this would go beyond `farthest`, and for a NaN, it is `from`, and `left` is set.
inline std::int64_t moved(std::int64_t from, double by, bool& left) {
  if (!(std::abs(by) < 0x1p62)) {
    left = true;
    return from;
  }
  const std::int64_t to = from + std::llrint(by);
  if (to <= farthest && to >= -farthest) return to;
  left = true;
  return from;
}

}  // namespace pleiad::lattice
