/// The bodies of a choice in their frame, nearest first.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiles/profiles.hpp"

#include <vector>

namespace pleiad::profiles {

/// A body relative to centre and velocity of a frame.
struct Seen {
  double r = 0, m = 0;
  Vec3<double> x{}, v{};
  Type type{};
};

/// x - centre, or the nearest image of it in a periodic box.
Vec3<double> separation(Vec3<double> x, Vec3<double> centre, const Boundary& boundary);

/// The bodies of these types (all where there are none), by their distance from the centre; equally distant
/// ones in their order. The velocities are as they are. InputError if there are no such bodies.
std::vector<Seen> nearest_first(const Snapshot& snapshot, const std::vector<Type>& types,
                                Vec3<double> centre);

/// The same in the whole frame, which is completed: `frame` is what the numbers refer to.
std::vector<Seen> seen_in(const Snapshot& snapshot, const Choice& choice, Frame& frame);

/// Sums of one bin: masses, means and mean squares of three components of the velocity.
struct Moments {
  double bodies = 0, mass = 0, mass2 = 0;
  Vec3<double> v{}, v2{};
  void add(double m, Vec3<double> components);
  Vec3<double> mean() const;
  /// Variances; 0 where rounding makes them negative, NaN with fewer than two bodies.
  Vec3<double> variance() const;
};

/// The bin of a radius, or `edges.size()` outside of all. The last bin includes its upper edge.
std::size_t bin_of(double radius, const std::vector<double>& edges);

/// The radius that stands for a bin: the geometric mean of its limits, or the arithmetic one.
double middle_of(double low, double high, bool logarithmic);

}  // namespace pleiad::profiles
