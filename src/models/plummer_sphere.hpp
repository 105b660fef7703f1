/// Plummer's sphere in Henon units: rho ~ (1 + r^2/a^2)^(-5/2), f ~ (-E)^(7/2), both drawn exactly.
/// Source: Aarseth, Henon & Wielen, Astronomy & Astrophysics 37, 183 (1974), appendix.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/draw.hpp"

#include <cmath>
#include <numbers>

namespace pleiad {

/// G = 1, the mass is 1 and the potential energy -1/2.
struct PlummerSphere {
  static constexpr double scale = 3 * std::numbers::pi / 16;  // E = -3 pi / (64 a) = -1/4

  /// q = v / v_escape from g(q) = q^2 (1 - q^2)^(7/2), whose maximum is 0.0922 at q = sqrt(2)/3 (von Neumann
  /// rejection).
  static double speed_fraction(Random& random) {
    for (;;) {
      const double q = random.uniform(), p2 = 1 - q * q;
      if (0.093 * random.uniform() < q * q * p2 * p2 * p2 * std::sqrt(p2)) return q;
    }
  }

  /// A body within the radius that holds this part of the mass.
  static Phase draw(Random& random, double fraction) {
    const double r = radius(fraction * random.uniform()), escape = std::sqrt(2 * depth(r));
    const auto position = random.direction() * r;
    const double speed = escape * speed_fraction(random);
    return Phase{position, random.direction() * speed};
  }

  /// The radius that holds this part of the mass, and the reverse: M(r) = (1 + a^2/r^2)^(-3/2).
  static double radius(double fraction) {
    const double m = std::cbrt(fraction);
    return scale * m / std::sqrt((1 - m) * (1 + m));
  }
  static double mass_within(double r) { return std::pow(r / std::hypot(r, scale), 3); }
  /// Depth of the potential, 0 at infinity.
  static double depth(double r) { return 1 / std::hypot(r, scale); }
  /// Mean of v^2 at a radius.
  static double mean_square_speed(double r) { return depth(r) / 2; }
};

}  // namespace pleiad
