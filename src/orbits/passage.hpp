/// When a body on an orbit about a mass passes its pericentre, and when it comes within a distance.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "orbits/kepler.hpp"

#include <optional>

namespace pleiad::orbits {

/// The shape of an orbit.
struct Pericentre {
  double distance = 0;      ///< from the mass
  double eccentricity = 0;  ///< its error is 1e-8 where it is near 0
};
Pericentre pericentre_of(double mu, const Phase& at);

/// The time of the first pericentre within `time` > 0 from `start`, which is at `end` then. It is that at
/// which the distance ceases to fall: of parts of an orbit that follow each other one has it.
std::optional<double> pericentre_within(double mu, const Phase& start, const Phase& end, double time);

/// The time at which the distance first falls to `distance`, within `time`; none if it does not.
std::optional<double> approach_within(double mu, const Phase& start, const Phase& end, double time,
                                      double distance);

}  // namespace pleiad::orbits
