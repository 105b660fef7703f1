/// Orbital elements: of the bodies of a snapshot about one of them, about a pair, about the barycentre, or
/// each about those before it; and bodies from elements.
///
/// Angles are radians. Lengths, velocities and masses are in the units of the snapshot. An orbit is that of
/// two bodies: what the others do to it is what changes its elements with time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/snapshot.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {

/// A conic about a mass at the origin of coordinates. The reference plane is z = 0, and angles in it begin at
/// the x axis. Where an angle has no definition, another one takes its part: an orbit in the plane has node
/// 0, and its pericentre is an angle from the x axis; a circle has pericentre 0, and anomalies are angles
/// from the node. A straight line through the centre has e = 1 and pericentre distance 0, in the plane that
/// is tilted least, and its pericentre is opposite to the body; its anomalies are those of the limit of
/// narrow ellipses.
struct OrbitalElements {
  double semi_major_axis = 0;      ///< a; negative on a hyperbola, infinite on a parabola
  double eccentricity = 0;         ///< e
  double inclination = 0;          ///< i, 0 to pi
  double node = 0;                 ///< longitude of the ascending node, Omega, -pi to pi
  double pericentre = 0;           ///< argument of pericentre, omega, -pi to pi
  double true_anomaly = 0;         ///< f, -pi to pi
  double mean_anomaly = 0;         ///< M = n (t - time of pericentre); on an ellipse -pi to pi
  double pericentre_distance = 0;  ///< q = a (1 - e)
  double mean_motion = 0;          ///< n = sqrt(mu / |a|^3); of a parabola sqrt(mu / (2 q^3))
  double period = 0;               ///< 2 pi / n of an ellipse, else infinite

  bool operator==(const OrbitalElements&) const = default;
};

/// Elements of the orbit with mu = G (m + M) > 0 and this position and velocity relative to M. UsageError if
/// mu is not positive, the position is 0 or a number is not finite.
OrbitalElements elements_of(double mu, Vec3<double> position, Vec3<double> velocity);

/// An orbit as users state it. Exactly one of semi_major_axis and pericentre_distance must be given, and at
/// most one of the anomalies.
struct StatedOrbit {
  static constexpr double unset = -1e308;
  double semi_major_axis = unset, pericentre_distance = unset;  ///< a parabola needs the second one
  double eccentricity = 0, inclination = 0, node = 0, pericentre = 0;
  double true_anomaly = unset, mean_anomaly = unset;  ///< neither: at pericentre
};

/// Position and velocity relative to the central mass.
struct OrbitalState {
  Vec3<double> position{}, velocity{};
};
/// The place and velocity on an orbit with mu = G (m + M) > 0. UsageError for values that no orbit has, such
/// as a true anomaly beyond the asymptote of a hyperbola.
OrbitalState state_on(double mu, const StatedOrbit& orbit);

/// What orbits are about.
struct OrbitCentre {
  enum class Kind {
    heaviest,    ///< the body with the largest mass, the first one of equal ones: heliocentric elements
    body,        ///< the body with ids[0]
    pair,        ///< the centre of mass of the bodies with ids[0] and ids[1]
    barycentre,  ///< the centre of mass of all bodies, with the mass of all
    jacobi,      ///< the centre of mass of all bodies before each one, in the order of the snapshot
  };
  Kind kind = Kind::heaviest;
  std::uint64_t ids[2] = {0, 0};
};
/// "heaviest", "barycentre", "jacobi", an id as "7", or two as "0,1". UsageError with the nearest word.
OrbitCentre orbit_centre_named(std::string_view text);

/// The orbit of one body.
struct Orbit {
  std::uint64_t id = 0;
  double mu = 0;  ///< G times the mass of the body and of what it is about
  OrbitalElements elements{};
};
/// The orbits of all bodies but those of the centre, in the order of the snapshot. A body without an orbit
/// (at the centre itself, or without any mass in it) has elements that are no numbers. UsageError for ids
/// that are not there, and for fewer than two bodies.
std::vector<Orbit> orbits_of(const Snapshot& snapshot, const OrbitCentre& centre = {});

/// Adds a body on an orbit about `centre` with what is there already, where `heaviest`, `body`, `pair`,
/// `barycentre` and `jacobi` (the last two are the same) refer to the bodies so far. Its id follows the
/// largest one.
void add_on_orbit(Snapshot& snapshot, double mass, const StatedOrbit& orbit, const OrbitCentre& centre = {});

}  // namespace pleiad
