/// Two bodies on a conic: orbital elements to relative position and velocity.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/draw.hpp"

#include <string_view>

namespace pleiad {

/// Angles in radians. `a` is positive for ellipses and hyperbolas alike; e = 1 is not described by these
/// elements.
struct Elements {
  double a = 1, e = 0, inclination = 0, node = 0, argument = 0, mean_anomaly = 0;
};

/// Relative position and velocity for the gravitational parameter mu = G (m1 + m2).
Phase state_of(const Elements& orbit, double mu);

/// State on any conic (parabola included) in the xy plane, pericentre on +x, turning counterclockwise, given
/// the true anomaly.
Phase state_on_conic(double pericentre, double e, double true_anomaly, double mu);

/// State on the way to the pericentre, `separation` before it. UsageError, which names the model, for a
/// separation that is not on the orbit.
Phase approach(std::string_view model, double pericentre, double e, double separation, double mu);

/// Rotates by z-x-z Euler angles: argument in the plane, then inclination, then node.
Vec3<double> oriented(Vec3<double> v, double node, double inclination, double argument);

}  // namespace pleiad
