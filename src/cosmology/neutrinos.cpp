/// The density of neutrinos that were fast when they decoupled and have slowed down since: integrals of Fermi
/// and Dirac.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cosmology/neutrinos.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <fmt/format.h>

namespace pleiad::cosmology {
namespace {

/// An electron volt over Boltzmann's constant, kelvin (SI of 2019).
constexpr double ev_per_k = 1.602176634e-19 / 1.380649e-23;
/// h^2 omega of photons of 2.7255 K, and 15 / pi^4, by which their integral of Bose and Einstein is 1.
constexpr double photons = 2.473e-5, photon_temperature = 2.7255;
constexpr double pi2 = std::numbers::pi * std::numbers::pi, per_photons = 15 / (pi2 * pi2);
/// The integral of x^3 / (e^x + 1).
constexpr double of_radiation = 7 * pi2 * pi2 / 120;

/// The trapezoidal rule in t with x = exp(t - exp(-t)), for integrals of x^2 f(x) / (e^x + 1) from 0 to
/// infinity: both ends fall off doubly exponentially, and sqrt(x^2 + y^2) has its branch points a distance of
/// about 1 from the axis of t for every y. The error is about exp(-2 pi / step), 1e-18.
struct FermiRule {
  static constexpr double step = 0.15, begin = -2.55;
  static constexpr std::size_t points = 46;  ///< to x = 65
  std::array<double, points> x2{}, weight{};
  FermiRule() {
    for (std::size_t k = 0; k < points; ++k) {
      const double t = begin + step * double(k), x = std::exp(t - std::exp(-t));
      x2[k] = x * x, weight[k] = step * x * (1 + std::exp(-t)) * x * x / (std::exp(x) + 1);
    }
  }
};

/// h^2 omega of one massless neutrino and its antiparticle over the integral above.
double unit_of(const Cosmology& c) {
  const double t = c.t_nu / photon_temperature, t2 = t * t;
  return photons * t2 * t2 * per_photons / (c.h * c.h);
}

}  // namespace

NeutrinoDensity massive_neutrinos(const Cosmology& c, double a) {
  if (!c.has_massive_neutrinos()) return {};
  static const FermiRule rule;
  double energy = 0, rest = 0;  // the integrals of all, and of y^2 / sqrt(x^2 + y^2) in place of the root
  for (const double mass : c.neutrino_masses) {
    if (mass == 0) continue;
    const double y = mass * ev_per_k * a / c.t_nu, y2 = y * y;
    for (std::size_t k = 0; k < FermiRule::points; ++k) {
      const double root = std::sqrt(rule.x2[k] + y2);
      energy += rule.weight[k] * root, rest += rule.weight[k] * y2 / root;
    }
  }
  const double unit = unit_of(c) / (a * a * a * a);
  return {unit * energy, unit * (rest - 4 * energy)};
}

double neutrino_density(const Cosmology& c, double a) { return massive_neutrinos(c, a).density; }
double Cosmology::omega_nu() const { return massive_neutrinos(*this, 1).density; }

double neutrino_radiation(const Cosmology& c) {
  const auto massive = std::ranges::count_if(c.neutrino_masses, [](double mass) { return mass > 0; });
  return double(massive) * unit_of(c) * of_radiation;
}

double massless_rest(double n_eff, const NeutrinoMasses& masses) {
  const double t3 = neutrino_temperature_ratio * neutrino_temperature_ratio * neutrino_temperature_ratio;
  const double each = t3 * neutrino_temperature_ratio * std::pow(11.0 / 4, 4.0 / 3);
  const auto massive = std::ranges::count_if(masses, [](double mass) { return mass > 0; });
  const double rest = n_eff - double(massive) * each;
  if (!(rest >= 0))
    throw UsageError(
        fmt::format("n_eff = {} is less than {:.6g}, what {} massive neutrinos are while they are "
                    "fast",
                    n_eff, double(massive) * each, massive));
  return rest;
}

NeutrinoMasses neutrino_masses_of(std::span<const double> masses) {
  NeutrinoMasses all{};
  if (masses.size() > all.size())
    throw UsageError(
        fmt::format("there are {} masses of neutrinos; at most {} can be", masses.size(), all.size()));
  for (const double mass : masses)
    if (!(mass > 0 && std::isfinite(mass)))
      throw UsageError(
          fmt::format("a mass of a neutrino must be > 0 eV, not {}; massless ones are counted by "
                      "n_eff",
                      mass));
  std::ranges::copy(masses, all.begin());
  return all;
}

}  // namespace pleiad::cosmology
