/// The densities of a universe, and what is refused of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cosmology/cosmology.hpp"

#include "cosmology/neutrinos.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace pleiad::cosmology {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double parsec_cm = 3.0856775814913673e18;

/// E^2 and half of its derivative with respect to ln a.
struct Squared {
  double value, half_slope;
};
Squared squared(const Cosmology& c, double a) {
  const double matter = c.omega_m / (a * a * a), radiation = c.omega_r / (a * a * a * a),
               curvature = c.omega_k() / (a * a);
  // A cosmological constant takes no power, so that it is exact.
  const bool constant = c.w0 == -1 && c.wa == 0;
  const double dark =
      constant ? c.omega_lambda
               : c.omega_lambda * std::pow(a, -3 * (1 + c.w0 + c.wa)) * std::exp(-3 * c.wa * (1 - a));
  const double dark_slope = -3 * (1 + c.w0 + c.wa * (1 - a));
  const auto neutrinos = massive_neutrinos(c, a);
  return {matter + radiation + curvature + dark + neutrinos.density,
          0.5 * (-3 * matter - 4 * radiation - 2 * curvature + dark_slope * dark + neutrinos.slope)};
}

}  // namespace

Cosmology flat(Cosmology cosmology) {
  cosmology.omega_lambda = 1 - cosmology.omega_m - cosmology.omega_r - cosmology.omega_nu();
  return cosmology;
}

double radiation_density(double t_cmb, double n_eff, double h) {
  if (!(t_cmb >= 0 && std::isfinite(t_cmb)))
    throw UsageError(fmt::format("t_cmb must be >= 0 kelvin, not {}", t_cmb));
  if (!(n_eff >= 0 && std::isfinite(n_eff)))
    throw UsageError(fmt::format("n_eff must be >= 0, not {}", n_eff));
  if (!(h > 0 && std::isfinite(h))) throw UsageError(fmt::format("h must be > 0, not {}", h));
  const double t = t_cmb / 2.7255, t2 = t * t;
  return 2.473e-5 * t2 * t2 * (1 + 0.2271 * n_eff) / (h * h);
}

void check(const Cosmology& c) {
  const auto refuse = [](const char* name, const char* want, double value) {
    throw UsageError(fmt::format("{} must be {}, not {}", name, want, value));
  };
  if (!(c.omega_m > 0 && std::isfinite(c.omega_m))) refuse("omega_m", "> 0", c.omega_m);
  if (!(c.omega_b >= 0 && c.omega_b <= c.omega_m)) refuse("omega_b", "from 0 to omega_m", c.omega_b);
  if (!std::isfinite(c.omega_lambda)) refuse("omega_lambda", "finite", c.omega_lambda);
  if (!(c.omega_r >= 0 && std::isfinite(c.omega_r))) refuse("omega_r", ">= 0", c.omega_r);
  if (!std::isfinite(c.w0)) refuse("w0", "finite", c.w0);
  if (!std::isfinite(c.wa)) refuse("wa", "finite", c.wa);
  // At early times dark energy must be less than matter: growth starts without it.
  if (c.omega_lambda != 0 && !(c.w0 + c.wa < 0)) refuse("w0 + wa", "< 0", c.w0 + c.wa);
  if (!(c.h > 0 && std::isfinite(c.h))) refuse("h", "> 0", c.h);
  for (const double mass : c.neutrino_masses)
    if (!(mass >= 0 && std::isfinite(mass))) refuse("a mass of a neutrino", "> 0 eV", mass);
  if (!(c.t_nu > 0 && std::isfinite(c.t_nu))) refuse("t_nu", "> 0 kelvin", c.t_nu);
  constexpr int places = 400;
  for (int k = 0; k <= places; ++k) {
    const double a = std::pow(1e-8, double(k) / places);
    if (const double value = squared(c, a).value; !(value > 0 && std::isfinite(value)))
      throw UsageError(
          fmt::format("these densities have no expansion at a = {:.4g}: H^2/H0^2 would be {:.4g}", a, value));
  }
}

double expansion_rate(const Cosmology& c, double a) { return std::sqrt(squared(c, a).value); }

double expansion_slope(const Cosmology& c, double a) {
  const auto [value, half_slope] = squared(c, a);
  return half_slope / value;
}

double matter_fraction(const Cosmology& c, double a) { return c.omega_m / (a * a * a) / squared(c, a).value; }

double virial_overdensity(const Cosmology& c, double a) {
  const double x = matter_fraction(c, a) - 1;
  return 18 * pi * pi + (c.omega_lambda == 0 ? 60 - 32 * x : 82 - 39 * x) * x;
}

double hubble_constant(const Units& units) {
  if (!units.physical)
    throw UsageError(
        fmt::format("units '{}' have no physical scale, so 100 km/s/Mpc has no value in them", units.name));
  // 100 km/s is a velocity in cm/s; a megaparsec is 1e6 pc.
  return 1e7 / units.velocity_cm_s * (units.length_cm / (1e6 * parsec_cm));
}

double hubble_constant(const Cosmology& c, double G, double density) {
  return std::sqrt(8 * pi * G * density / (3 * c.omega_m));
}

double matter_density(const Cosmology& c, double G, double H0) {
  return c.omega_m * 3 * H0 * H0 / (8 * pi * G);
}

}  // namespace pleiad::cosmology
