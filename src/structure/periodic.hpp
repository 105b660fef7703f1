/// Places in a periodic box and vectors between them; open space leaves them as they are.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <cmath>

namespace pleiad::structure {

/// The image of a place in [0, length).
inline Vec3<double> into_box(const Vec3<double>& x, const Boundary& boundary) {
  if (!boundary.periodic) return x;
  const auto into = [](double at, double length) {
    const double in = at - length * std::floor(at / length);
    return in < length ? in : 0;  // a tiny negative place is rounded to the length
  };
  const auto& l = boundary.length;
  return {into(x.x, l.x), into(x.y, l.y), into(x.z, l.z)};
}

/// The shortest of the vectors between the images of two places.
inline Vec3<double> shortest(const Vec3<double>& d, const Boundary& boundary) {
  if (!boundary.periodic) return d;
  const auto& l = boundary.length;
  return {d.x - l.x * std::round(d.x / l.x), d.y - l.y * std::round(d.y / l.y),
          d.z - l.z * std::round(d.z / l.z)};
}

}  // namespace pleiad::structure
