/// An oblate body: its zonal harmonics J2 and J4.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "added_forces/effect.hpp"

#include <pleiad/added_force.hpp>

#include <array>
#include <cmath>

namespace pleiad::added {

/// Each harmonic l has the potential G M J R^l P(s) / r^(l + 1), with s the cosine of the angle from the axis
/// and P the Legendre polynomial of degree l. Its acceleration has P'_(l+1) along r and -P'_l along the axis.
struct Oblate {
  static constexpr std::array parameters{
      PotentialParameter{"j2", -1e3, 1e3, "second zonal harmonic J2"},
      PotentialParameter{"radius", 1e-100, 1e100, "radius R that J2 and J4 refer to"},
      PotentialParameter{"j4", -1e3, 1e3, "fourth zonal harmonic J4", false, 0},
      PotentialParameter{"axis_x", -1e100, 1e100, "x of the axis of symmetry", false, 0},
      PotentialParameter{"axis_y", -1e100, 1e100, "y of the axis", false, 0},
      PotentialParameter{"axis_z", -1e100, 1e100, "z of the axis", false, 1}};
  static constexpr AddedForceKind kind{
      .name = "oblate",
      .idea =
          "oblateness of the source: phi = G M / r (J2 (R/r)^2 P2 + J4 (R/r)^4 P4), P Legendre's "
          "polynomials of the cosine of the angle from its axis (Murray & Dermott 1999, Solar System "
          "Dynamics, section 4.5)",
      .parameters = parameters,
      .reacts = true,
      .keeps_energy = true};
  static Fault fault(const double* p) {
    const bool sound = p[3] != 0 || p[4] != 0 || p[5] != 0;
    return {sound ? "" : ": its axis is 0, 0, 0; it must have a direction"};
  }
  /// Whether the field is symmetric about the z axis.
  static bool upright(const double* p) { return p[3] == 0 && p[4] == 0; }

  template <class T>
  PLEIAD_HD static Effect<T> at(const double* p, const Place<T>& place) {
    using std::sqrt;
    const double length = std::sqrt(p[3] * p[3] + p[4] * p[4] + p[5] * p[5]);
    const Vec3<T> axis{T(p[3] / length), T(p[4] / length), T(p[5] / length)};
    const T inverse = T(1) / sqrt(dot(place.r, place.r)), s = dot(place.r, axis) * inverse, s2 = s * s;
    const T q2 = T(p[1] * p[1]) * inverse * inverse, c2 = T(p[0]) * q2, c4 = T(p[2]) * q2 * q2;
    const T p2 = T(1.5) * s2 - T(0.5), p4 = (T(35) * s2 - T(30)) * s2 * T(0.125) + T(0.375);
    const T slope2 = T(3) * s, slope4 = (T(17.5) * s2 - T(7.5)) * s;
    const T slope3 = T(7.5) * s2 - T(1.5), slope5 = (T(315) * s2 - T(210)) * s2 * T(0.125) + T(1.875);
    const T phi = T(place.Gm) * inverse, pull = phi * inverse;
    return {place.r * (pull * inverse * (c2 * slope3 + c4 * slope5)) -
                axis * (pull * (c2 * slope2 + c4 * slope4)),
            phi * (c2 * p2 + c4 * p4)};
  }
};

}  // namespace pleiad::added
