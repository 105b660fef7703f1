/// King's lowered isothermal sphere: its table, and what is drawn from it (King, AJ 71, 64, 1966).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/draw.hpp"

#include <cstddef>
#include <vector>

namespace pleiad {

/// In Henon units: G = 1, the mass is 1 and the potential energy -1/2.
class KingSphere {
 public:
  /// `central`: the depth W0 of the potential in the centre, in units of sigma^2.
  explicit KingSphere(double central);

  /// A body within the radius that holds this part of the mass.
  Phase draw(Random& random, double fraction = 1) const;

  /// The radius that holds this part of the mass, and the reverse.
  double radius(double fraction) const;
  double mass_within(double r) const;
  /// Depth of the potential below that of the edge, 0 beyond it.
  double depth(double r) const;
  /// Mean of v^2 at a radius.
  double mean_square_speed(double r) const;

 private:
  struct Place {
    double x, w;
  };
  /// Radius in core radii, and depth W, where this mass of the table is within.
  Place where(double m) const;

  std::vector<double> x_, w_, m_;  ///< radius in core radii, depth W, mass -x^2 dW/dx
  double mass_ = 0, length_ = 1, velocity_ = 1;
};

}  // namespace pleiad
