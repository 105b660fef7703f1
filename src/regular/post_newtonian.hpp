/// Post-Newtonian terms of a pair of bodies, of the orders 1, 2 and 2.5, for any two masses.
///
/// The acceleration of one body relative to the other in harmonic coordinates, in the frame of their centre
/// of mass (Kidder 1995, Physical Review D 52, 821, equations 2.2; Blanchet 2014, Living Reviews in
/// Relativity 17, 2, section 7.3). Orders 1 and 2 keep an energy and an angular momentum of their own;
/// order 2.5 is the reaction of gravitational radiation (Damour & Deruelle 1981, Physics Letters A 87, 81).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

namespace pleiad::regular {

struct PostNewtonian {
  double c = 0;  ///< the speed of light
  bool first = true, second = true, radiation = true;
  /// Bound pairs that are alone, and whose pericentre advances by a smaller share of a turn in an orbit, may
  /// be on Kepler orbits that turn at this rate (see angle). What that leaves out is, by this share k, some k
  /// of the size of the orbit and of the period, k^2 of a turn, and k^(5/2) / (1 - e^2) of the size for
  /// radiation.
  double average = 0;

  /// Within this distance of each other, in gravitational radii (m1 + m2) / c^2, the orders that are left out
  /// are not small: the third is about a thousandth of the pull there.
  static constexpr double fewest_radii = 10;

  /// The acceleration, beyond the Newtonian one, of the second body relative to the first one, which is
  /// m1 / (m1 + m2) of it on the second, and the opposite momentum on the first. Masses are multiplied by G.
  Vec3<double> acceleration(double m1, double m2, const Vec3<double>& r, const Vec3<double>& v) const;
  /// By which share of a turn the pericentre of a pair advances in an orbit, to first order: 3 m^2 / (c h)^2
  /// with the angular momentum h of an orbit of any kind.
  double advance(double mass, const Vec3<double>& r, const Vec3<double>& v) const;
  /// Whether terms of this pair may be averaged over its orbit.
  bool averages(double mass, const Vec3<double>& r, const Vec3<double>& v) const;
  /// By which angle the orbit of a bound pair turns about its axis in a time, by the terms of order 1.
  double angle(double mass, const Vec3<double>& r, const Vec3<double>& v, double time) const;
};

}  // namespace pleiad::regular
