/// Spherical density profiles, and the potential well that a spherical density digs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <vector>

namespace pleiad {

/// rho = density (r/scale)^-1 (1 + r/scale)^(1 - outer) sech(r/cut): Hernquist for outer = 4, NFW for outer
/// = 3. The factor sech (McMillan & Dehnen 2007) ends the mass smoothly, so that the distribution function
/// stays positive; cut = 0: no end.
struct Profile {
  double outer = 4, scale = 1, cut = 0, density = 1;
  double rho(double r) const;
  double slope(double r) const;      ///< d ln rho / d ln r
  double curvature(double r) const;  ///< d slope / d ln r
  double reach() const {
    return cut > 0 ? 30 * cut : 1e6 * scale;
  }  ///< beyond it no mass that could be drawn
};

/// The profile of that shape whose mass within its reach is `mass`.
Profile profile_of_mass(double mass, double outer, double scale, double cut);

/// n radii with equal ratios from `low` to `high`, both included.
std::vector<double> radial_grid(double low, double high, std::size_t n = 1500);

/// Mass inside each radius of the grid; inside the first one the density is continued as a power law.
std::vector<double> enclosed_mass(const std::function<double(double)>& rho, const std::vector<double>& r);

/// A spherical mass distribution on a radial grid. psi = -potential / G: positive, 0 at infinity.
struct Well {
  std::vector<double> r, rho, mass, psi;
  double mass_within(double radius) const;
};
Well well_of(const std::function<double(double)>& rho, std::vector<double> r);

/// Index k with a[k] <= x < a[k+1] for rising `a`, kept inside [0, size - 2].
std::size_t interval(const std::vector<double>& a, double x);

}  // namespace pleiad
