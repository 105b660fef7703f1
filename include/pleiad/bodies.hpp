/// The bodies as one array per property, in double precision: for files, models and users. Units are those of
/// the snapshot that contains them (Snapshot::units).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {

/// The particle types of GADGET, with its numbers. Files keep them.
enum class Type : std::uint8_t { gas = 0, halo = 1, disc = 2, bulge = 3, star = 4, boundary = 5 };
/// The names of the types, by their numbers.
inline constexpr std::array<std::string_view, 6> type_names{"gas",   "halo", "disc",
                                                            "bulge", "star", "boundary"};

/// Bodies as arrays of equal length. Each id must be unique. validate checks this.
struct Bodies {
  std::vector<double> x, y, z, vx, vy, vz, mass;  ///< length, velocity, mass; a mass of 0: a test particle
  std::vector<std::uint64_t> id;
  std::vector<Type> type;
  /// Low-order parts of x, y, z, vx, vy, vz, each at most half a unit in the last place. Hermite and
  /// Gauss-Radau keep them, so that rounding errors of many short steps do not accumulate. Empty: all are 0.
  std::vector<std::array<double, 6>> low;
  /// The accelerations after the last step as series in time, c1 t + c2 t^2 + ... + c7 t^7 for x, y and z,
  /// that Gauss-Radau begins its next step with: x, y, z of c1, then of c2, ... Of steps with a symplectic
  /// corrector it is the state in the coordinates of their map. Empty: all are 0.
  std::vector<std::array<double, 21>> series;
  /// Softening lengths of the bodies, Plummer-equivalent, >= 0. Empty: all have that of the law.
  std::vector<double> softening;

  std::size_t size() const { return mass.size(); }
  bool empty() const { return mass.empty(); }
  /// Changes the number of bodies. New ones have values of 0, id 0 and type halo; ids must then be set.
  void resize(std::size_t n);
  void reserve(std::size_t n);
  /// Appends one body; its id is the number of bodies before it.
  void add(double m, Vec3<double> position, Vec3<double> velocity, Type type = Type::halo);
  /// Appends the bodies of `other`, with new ids that follow the largest one here. Low-order parts are not
  /// appended, and softenings only where both have them.
  void append(const Bodies& other);
  Vec3<double> position(std::size_t i) const { return {x[i], y[i], z[i]}; }
  Vec3<double> velocity(std::size_t i) const { return {vx[i], vy[i], vz[i]}; }

  bool operator==(const Bodies&) const = default;
};

/// Total mass, centre of mass and its velocity.
struct CentreOfMass {
  double mass = 0;
  Vec3<double> position{}, velocity{};
};
/// Returns the centre of mass, in the units of the bodies; all values are 0 if the total mass is 0. O(N).
CentreOfMass centre_of_mass(const Bodies& bodies);
/// Shifts positions and velocities so that the centre of mass is at rest at the origin.
void move_to_centre_of_mass(Bodies& bodies);

/// Throws InputError, with the first invalid index and the number of invalid bodies, for: NaN or infinite
/// values, negative masses, all masses zero, |x| > 1e18, |v| > 1e30, masses > 1e300, arrays of unequal
/// length, no bodies, duplicate ids; with eps = 0 also coincident bodies (see coincident_pair). O(N log N).
/// The message begins with `origin`, such as a file name.
void validate(const Bodies& bodies, double eps, std::string_view origin);

/// Throws InputError, which names the first body that is not in the plane z = 0 or moves out of it.
void need_flat(const Bodies& bodies, std::string_view origin);

/// Indices of two bodies at exactly the same position, of which at least one has mass, or {n, n} if there are
/// none. Massless bodies exert no forces on each other. O(N log N).
std::array<std::size_t, 2> coincident_pair(const Bodies& bodies);

/// 128-bit hash of ids, positions, velocities and masses as 32 hex digits. Equal states have equal hashes;
/// the order of the bodies matters.
std::string state_hash(const Bodies& bodies);

}  // namespace pleiad
