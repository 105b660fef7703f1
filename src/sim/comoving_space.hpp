/// Factors of kicks and drifts in an expanding universe, of which the time of a simulation is ln a.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosmology/cosmology.hpp"

#include <pleiad/simulation.hpp>

namespace pleiad {

/// The time of a simulation is tau = ln a, its positions are comoving ones, x, and its velocities are momenta
/// per mass, p = a^2 dx/dt. Then dp/dt = g / a with the pull g of the comoving positions in static space, and
/// dx/dt = p / a^2: a kick takes the integral of da / (a^2 H), a drift that of da / (a^3 H). Factors are
/// these integrals over the length in tau.
class ComovingSpace final : public Space {
 public:
  /// `hubble`: H0 in units of the simulation, velocity / length.
  ComovingSpace(const cosmology::Cosmology& cosmology, double hubble)
      : cosmology_(cosmology), hubble_(hubble) {}
  double kick(double from, double to) const override;
  double drift(double from, double to) const override;
  /// The acceleration criterion dt = sqrt(2 eta a eps / |g / a^2|) with the comoving softening eps, as a step
  /// H dt in tau: H sqrt(2 eta a^3) sqrt(eps / |g|).
  double eta_at(double time, double eta) const override;
  const cosmology::Cosmology& universe() const { return cosmology_; }
  double hubble() const { return hubble_; }

 private:
  cosmology::Cosmology cosmology_;
  double hubble_;
};

}  // namespace pleiad
