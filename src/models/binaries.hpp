/// Primordial binaries: the laws of their periods or separations, eccentricities and orientations.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/draw.hpp"

namespace pleiad {

/// Laws of binary orbits. The semi-major axis is between two limits; what a law has beyond them is left out.
/// - kroupa: periods P at birth, log10 of P in days from 1 to 8.43 with the density 2.5 (l - 1) / (45 + (l -
///   1)^2) in l = log10 P (Kroupa, MNRAS 277, 1507, 1995), without eigenevolution;
/// - log_normal: log10 of the period in days is normal about 5.03 with the width 2.28 (Raghavan et al., ApJS
///   190, 1, 2010);
/// - log_uniform: log a is uniform (Opik 1924).
/// Eccentricities: thermal, with the density 2 e (Jeans 1919); uniform in e; or all circular.
struct BinaryLaws {
  enum class Separation { kroupa, log_normal, log_uniform };
  enum class Eccentricity { thermal, uniform, circular };
  Separation separation = Separation::kroupa;
  Eccentricity eccentricity = Eccentricity::thermal;
  double least = 0, most = 0;  ///< semi-major axes
  double day = 1;              ///< in the unit of time of the axes and of mu

  /// Relative position and velocity of the components for mu = G (m1 + m2), in isotropic orientation at a
  /// time that is uniform in the period. UsageError if the law has nothing between the limits.
  Phase draw(Random& random, double mu) const;

 private:
  double axis(double u, double mu) const;
};

}  // namespace pleiad
