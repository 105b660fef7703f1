/// Tides of external potentials: by how much their accelerations differ within short distances.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/instant.hpp"

#include <pleiad/potential.hpp>

#include <span>
#include <vector>

namespace pleiad::potentials {

/// The difference of two accelerations has no digits left where places are close to each other and far from
/// the centre of a potential. There it is the integral of the derivative between them, by one or two nodes of
/// Gauss and Legendre, with the exact derivative at each (Dual).
class Tides {
 public:
  Tides(std::vector<Potential> potentials, double G);

  bool any() const { return !potentials_.empty(); }
  /// Returns the acceleration at a place, G included, and adds to `differences` by how much that at each of
  /// the offsets from it differs from it. UsageError for a time that a track does not have.
  Vec3<double> about(double time, const Vec3<double>& place, std::span<const Vec3<double>> offsets,
                     std::span<Vec3<double>> differences) const;
  /// The root of the sum of squares of the tides, in acceleration over length, of three offsets of this
  /// length along the axes: no tide of that length is much larger.
  double strength(double time, const Vec3<double>& place, double length) const;

 private:
  /// A potential relative to its centre, for values and for derivatives in space.
  struct Still {
    Instant<double> of_values;
    Instant<Dual> of_derivatives;
    Vec3<double> centre;
  };
  Still at_time(const Potential& potential, double time) const;
  template <class Use>
  void for_each(double time, const Use& use) const;

  std::vector<Potential> potentials_;
  double G_ = 1;
  std::vector<Still> still_;  ///< of those that do not change with time, the first ones
};

}  // namespace pleiad::potentials
