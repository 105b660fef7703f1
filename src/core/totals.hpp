/// Sums over all bodies: the contribution of one body, equal for engines on the host and on a device.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/snapshot.hpp>

#include <cmath>

namespace pleiad {

/// Without G. `external` is the part of `potential` that is the energy in external potentials. Added in an
/// order that depends on the number of bodies alone.
struct BodySums {
  double kinetic = 0, potential = 0, external = 0, mass = 0;
  Vec3<double> moment{}, momentum{}, angular_momentum{};
  double largest_pull_squared = 0;  ///< NaN counts as nothing
  double odd = 0;                   ///< NaN when some position or velocity is not finite

  PLEIAD_HD BodySums& operator+=(const BodySums& o) {
    kinetic += o.kinetic, potential += o.potential, external += o.external, mass += o.mass;
    moment += o.moment, momentum += o.momentum, angular_momentum += o.angular_momentum;
    if (largest_pull_squared < o.largest_pull_squared) largest_pull_squared = o.largest_pull_squared;
    odd += o.odd;
    return *this;
  }
};

/// `pull`: the sums of pulls on the body, with the potential's.
template <class T>
PLEIAD_HD BodySums sums_of_body(Mass<T> body, Vec4<T> velocity, Vec4<T> pull) {
  const double m = double(body.m);
  const Vec3<double> x{double(body.x), double(body.y), double(body.z)},
      v{double(velocity.x), double(velocity.y), double(velocity.z)},
      a{double(pull.x), double(pull.y), double(pull.z)}, p = m * v;
  BodySums s;
  s.kinetic = 0.5 * m * dot(v, v), s.potential = 0.5 * m * double(pull.w), s.mass = m;
  s.moment = m * x, s.momentum = p, s.angular_momentum = cross(x, p);
  if (const double squared = dot(a, a); squared > 0) s.largest_pull_squared = squared;
  // 0 times any number is 0, times anything else NaN.
  s.odd = 0 * x.x + 0 * x.y + 0 * x.z + 0 * v.x + 0 * v.y + 0 * v.z;
  return s;
}

inline Totals totals_of(const BodySums& s, double G) {
  Totals t{.energies = {s.kinetic, G * s.potential, G * s.external},
           .centre = {},
           .momentum = s.momentum,
           .angular_momentum = s.angular_momentum,
           .largest_acceleration = G * std::sqrt(s.largest_pull_squared),
           .finite = s.odd == 0};
  if (s.mass > 0) t.centre = {s.mass, s.moment * (1 / s.mass), s.momentum * (1 / s.mass)};
  return t;
}

}  // namespace pleiad
