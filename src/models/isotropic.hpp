/// A sphere in equilibrium: isotropic velocities from the distribution function that Eddington's formula
/// gives. Source: Binney & Tremaine, Galactic Dynamics (2nd ed.), eq. 4.46b; it holds for a component in the
/// well of a whole galaxy too.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/draw.hpp"
#include "models/profile.hpp"

#include <pleiad/models.hpp>

#include <string_view>

namespace pleiad {

class IsotropicSphere {
 public:
  /// `well` is the total potential (mass over radius; G enters here), and gives the grid.
  IsotropicSphere(const Profile& profile, const Well& well, double G);

  /// A body's position and velocity.
  Phase draw(Random& random) const;
  double radius(double mass_fraction) const;
  /// Potential depth (G included) at a radius.
  double depth(double r) const;
  /// The distribution function of the energy depth - v^2/2: mass per phase-space volume.
  double density_of_states(double energy) const;

 private:
  double speed(double r, Random& random) const;

  std::vector<double> r_, mass_, psi_, f_;  // f_[k] at the energy psi_[k]
  std::vector<double> energy_, f_rising_;   // the same in rising order of energy
  std::vector<double> peak_;                // no less than v^2 f anywhere between r_[k] and r_[k+1]
};

/// The model `name` with the parameters n, mass, scale and cut: profile_of_mass() with this outer slope,
/// alone and in equilibrium.
Snapshot isotropic_sphere(std::string_view name, double outer, const ModelRequest& request);

}  // namespace pleiad
