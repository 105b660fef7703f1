/// Bound systems of stars: binaries, and the hierarchies of which they are parts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/orbits.hpp>
#include <pleiad/snapshot.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace pleiad::structure {

/// A star, or a system as a body at its centre of mass.
struct Component {
  double mass = 0;
  Vec3<double> position{}, velocity{};
  std::size_t stars = 1;
  std::size_t star = 0;                 ///< number of the body; of a system its first one in the snapshot
  std::optional<std::size_t> system{};  ///< its number in Systems::systems; none: a single star
};

/// Two components on a bound orbit about each other.
struct BoundSystem {
  Component first, second;    ///< the one with more mass first; of equal ones that with the smaller number
  OrbitalElements orbit{};    ///< of the second about the first
  double binding_energy = 0;  ///< G m1 m2 / (2 a)
  /// The tide of the nearest other components at apocentre, relative to the attraction of the pair:
  /// 2 sum(m_k / d_k^3) (a (1 + e))^3 / (m1 + m2), below 1.
  double perturbation = 0;
  /// The pericentre of an orbit about a binary, divided by the smallest stable one of Mardling and Aarseth
  /// (2001), the larger of both where both components are binaries: a hierarchy with 1 or more is stable.
  /// None for a binary.
  std::optional<double> stability{};
  bool outermost = true;  ///< not a component of another system
  std::size_t stars() const { return first.stars + second.stars; }
  /// Both components as one body at their centre of mass, without a number as a system.
  Component together() const;
};

struct Systems {
  /// Components before the systems that they are part of.
  std::vector<BoundSystem> systems;
  /// Single stars and the outermost systems, each as one body, in ascending order of their first stars.
  std::vector<Component> objects;
};

/// Finds the bound systems among the chosen bodies, those without mass left out. Two components are a system
/// if each is the nearest of the other, their energy is negative, their `perturbation` by the six next
/// nearest components is below 1, and, where a component is a system, the pericentre lies outside of its
/// apocentre. A system is a component from then on, until no more are found. Softening is not considered:
/// orbits are those of point masses. The result does not depend on the number of threads. UsageError in a
/// periodic box.
Systems find_systems(const Snapshot& snapshot, std::span<const std::size_t> chosen);

/// The ratio of the outer pericentre to the smallest stable one, 2.8 [(1 + q) (1 + e) / sqrt(1 - e)]^(2/5)
/// (1 - 0.3 i / 180 degrees) a_in (Mardling and Aarseth 2001, MNRAS 321, 398, eq. 90, with their factor of
/// the inclination); q: the outer mass over that of the inner binary, e: the outer eccentricity, i: the angle
/// between both orbits in radians.
double stability_of(const OrbitalElements& inner, const OrbitalElements& outer, double mass_ratio,
                    double inclination);

}  // namespace pleiad::structure
