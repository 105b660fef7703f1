/// The motion of a body on an orbit about a mass at the origin, for a time: ellipses, parabolas, hyperbolas
/// and straight lines by one equation in universal variables.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

namespace pleiad::orbits {

/// Position and velocity relative to the mass.
struct Phase {
  Vec3<double> x{}, v{};
};

/// The state after a time dt, of either sign, on an orbit with G (m + M) = mu. It has no failures: the
/// equation of time grows with its variable, and its root is bracketed where Newton's method leaves it. Its
/// errors are those that rounding errors of the input would make, of some units in the last place. A body
/// that falls into the centre goes out again the way it came, as the limit of ever narrower ellipses. Without
/// a pull (mu <= 0) or at the centre itself the body moves on in a straight line.
Phase kepler_step(double mu, const Phase& start, double dt);
/// What that state differs by from the one at the start, with a smaller rounding error in short steps.
Phase kepler_change(double mu, const Phase& start, double dt);

}  // namespace pleiad::orbits
