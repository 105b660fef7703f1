/// The Milky Way: nucleus, bulge, disc and halo.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/hernquist.hpp"
#include "potentials/miyamoto_nagai.hpp"
#include "potentials/nfw.hpp"

#include <pleiad/units.hpp>

#include <array>
#include <cmath>

namespace pleiad::potentials {

struct MilkyWay {
  static constexpr std::array parameters{
      PotentialParameter{"kpc", 1e-50, 1e50, "length of 1 kpc in the units of the run"},
      PotentialParameter{"msun", 1e-50, 1e50, "mass of the Sun in the units of the run"}};
  static constexpr PotentialKind kind{
      "milky-way",
      "Milky Way (MilkyWayPotential v1 of gala, Price-Whelan 2017, JOSS 2, 388; disc of Bovy 2015): "
      "Miyamoto-Nagai disc of 6.8e10 Msun, 3 and 0.28 kpc; Hernquist bulge of 5e9 Msun, 1 kpc; Hernquist "
      "nucleus "
      "of 1.71e9 Msun, 0.07 kpc; NFW halo of 5.4e11 Msun, 15.62 kpc",
      parameters, true};
  /// Unit systems differ in the sixth digit of the kiloparsec and the fourth of the Sun's mass, while the
  /// numbers above have three: a unit that is a power of ten of them to a thousandth counts as one.
  static void scale(const Units& units, double* parameters) {
    const auto ratio = [](double one, double unit) {
      const double power = std::pow(10.0, std::round(std::log10(one / unit)));
      return std::abs(one / unit - power) <= 1e-3 * power ? power : one / unit;
    };
    parameters[0] = ratio(3.0856775814913673e21, units.length_cm);
    parameters[1] = ratio(1.988409870698051e33, units.mass_g);
  }

  /// The numbers: the parameters of disc, bulge, nucleus and halo.
  static void prepare(const double* p, double* numbers) {
    const double kpc = p[0], sun = p[1];
    const double all[]{6.8e10 * sun, 3 * kpc,    0.28 * kpc,   5e9 * sun,  kpc,
                       1.71e9 * sun, 0.07 * kpc, 5.4e11 * sun, 15.62 * kpc};
    for (int k = 0; k < 9; ++k) numbers[k] = all[k];
  }
  template <class T>
  PLEIAD_HD static Field<T> at(const double* numbers, double G, Vec3<T> x) {
    Field<T> sum;
    const Field<T> parts[]{MiyamotoNagai::at<T>(numbers, G, x), Hernquist::at<T>(numbers + 3, G, x),
                           Hernquist::at<T>(numbers + 5, G, x), Nfw::at<T>(numbers + 7, G, x)};
    for (const auto& part : parts) {
      sum.acceleration += part.acceleration;
      sum.potential += part.potential;
    }
    return sum;
  }
};

}  // namespace pleiad::potentials
