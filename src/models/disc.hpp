/// A stellar disc in equilibrium: Sigma ~ exp(-R/scale), rho ~ sech^2(z/height), velocities from moment
/// equations. Method: Hernquist, ApJS 86, 389 (1993), with one change: the equations are averaged over z with
/// the disc's true thickness.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/draw.hpp"
#include "models/profile.hpp"

#include <vector>

namespace pleiad {

struct DiscShape {
  double mass = 1, scale = 1, height = 0.2, toomre_q = 1.5;
  double reach() const { return 8 * scale; }  ///< 0.3 % of the exponential's mass is left out there
  double surface_density(double R) const;
  /// Mass within a radius, and its density averaged over spheres, for a disc without thickness.
  double mass_within(double r) const;
  double mean_rho(double r) const;
};

/// Moments that the velocity distribution at one radius depends on.
struct DiscMoments {
  double circular = 0;   ///< circular velocity squared, averaged over z
  double epicyclic = 0;  ///< kappa squared
  double sigma_R = 0, sigma_phi = 0, sigma_z = 0, streaming = 0;
};

class StellarDisc {
 public:
  /// `spheroids`: halo and bulge together.
  StellarDisc(const DiscShape& shape, const Well& spheroids, double G);
  Phase draw(Random& random) const;
  DiscMoments at(double R) const;

 private:
  void add_disc(double G);
  void add_spheroids(const Well& spheroids, double G);
  void set_dispersions(double G);

  DiscShape shape_;
  double step_;  // in R between table entries
  std::vector<DiscMoments> table_;
};

}  // namespace pleiad
