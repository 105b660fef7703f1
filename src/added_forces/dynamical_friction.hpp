/// Dynamical friction of heavy bodies in an external potential, whose density is a sea of light ones.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "added_forces/effect.hpp"
#include "potentials/sum.hpp"

#include <pleiad/added_force.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace pleiad::added {

/// Chandrasekhar's formula with a Maxwellian distribution of velocities. The density of the potential is that
/// of Poisson's equation. Where no dispersion is given it is the circular speed over the root of 2, as in an
/// isothermal sphere.
struct DynamicalFriction {
  static constexpr int medium = 2;
  static constexpr std::array parameters{
      PotentialParameter{"log_lambda", 0, 1e3, "Coulomb logarithm"},
      PotentialParameter{"sigma", 0, 1e100,
                         "velocity dispersion in one dimension; 0: the circular speed / 2^(1/2)", false, 0},
      PotentialParameter{"potential", 1, 64, "number of the external potential that drags, from 1", false,
                         1}};
  static constexpr AddedForceKind kind{
      .name = "dynamical-friction",
      .idea =
          "friction by a potential's own density rho: -4 pi G^2 m rho log_lambda (erf X - 2 X exp(-X^2) "
          "/ pi^(1/2)) v / v^3, X = v / (2^(1/2) sigma) (Chandrasekhar 1943, Astrophysical Journal 97, "
          "255; Binney & Tremaine 2008, Galactic Dynamics, section 8.1)",
      .parameters = parameters,
      .of_source = false,
      .of_velocities = true,
      .has_jerks = false,
      .on = ActsOn::massive};

  static Fault fault(const double* p) {
    return p[medium] == std::floor(p[medium]) ? Fault{} : Fault{"must be a whole number", medium};
  }

  template <class T>
  PLEIAD_HD static Effect<T> at(const double* p, const Place<T>& place) {
    if constexpr (std::is_same_v<T, double>) {
      const auto& halo = *place.medium;
      const auto offset = place.r - halo.centre, v = place.v - place.medium_velocity;
      const double speed = norm(v), strength = 4 * std::numbers::pi * place.G * place.m * p[0];
      const double sigma = p[1] > 0 ? p[1] : std::sqrt(circular_squared(halo, place, offset) / 2);
      if (!(speed > 0 && sigma > 0)) return {};
      return {v * (-strength * G_density(halo, place) * slowed(speed / (std::numbers::sqrt2 * sigma)) /
                   (speed * speed * speed))};
    } else {
      return {};  // never asked for: the kind has no jerks
    }
  }

 private:
  /// erf X - 2 X exp(-X^2) / pi^(1/2): the share of the sea that is slower. Its series where the difference
  /// would cancel.
  PLEIAD_HD static double slowed(double x) {
    constexpr double root = std::numbers::inv_sqrtpi;
    if (x < 0.02) return root * x * x * x * (4.0 / 3 - (0.8 - 2.0 / 7 * x * x) * x * x);
    return std::erf(x) - 2 * root * x * std::exp(-x * x);
  }
  PLEIAD_HD static double circular_squared(const potentials::Instant<double>& halo,
                                           const Place<double>& place, const Vec3<double>& offset) {
    return -dot(potentials::field_of(halo, place.G, place.r).acceleration, offset);
  }
  /// G rho, from the divergence of the field.
  PLEIAD_HD static double G_density(const potentials::Instant<double>& halo, const Place<double>& place) {
    using potentials::Dual;
    potentials::Instant<Dual> now{.kind = halo.kind,
                                  .turned = halo.turned,
                                  .rows = halo.rows,
                                  .row_count = halo.row_count,
                                  .centre = {halo.centre.x, halo.centre.y, halo.centre.z},
                                  .cosine = halo.cosine,
                                  .sine = halo.sine,
                                  .scaled = halo.scaled,
                                  .strength = halo.strength};
    for (int k = 0; k < potentials::Instant<Dual>::most_numbers; ++k) now.numbers[k] = halo.numbers[k];
    const auto& r = place.r;
    const auto along = [&](double x, double y, double z) {
      return potentials::field_of<Dual>(now, place.G, {{r.x, x}, {r.y, y}, {r.z, z}}).acceleration;
    };
    const double divergence = along(1, 0, 0).x.rate + along(0, 1, 0).y.rate + along(0, 0, 1).z.rate;
    return -divergence / (4 * std::numbers::pi);
  }
};

}  // namespace pleiad::added
