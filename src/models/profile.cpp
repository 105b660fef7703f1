/// Spherical profiles and their integrals: three-point Gauss quadrature on every interval of ln r.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/profile.hpp"

#include <algorithm>
#include <array>
#include <numbers>

namespace pleiad {
namespace {

constexpr double four_pi = 4 * std::numbers::pi;

/// Integral of f(r) d ln r between two radii.
template <class F>
double gauss(F f, double low, double high) {
  constexpr std::array nodes{-0.7745966692414834, 0.0, 0.7745966692414834},
      weights{5 / 18.0, 8 / 18.0, 5 / 18.0};
  const double width = std::log(high / low), middle = std::sqrt(low * high);
  double sum = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    sum += weights[k] * f(middle * std::exp(0.5 * width * nodes[k]));
  return width * sum;
}

}  // namespace

double Profile::rho(double r) const {
  const double x = r / scale, power = density / x * std::pow(1 + x, 1 - outer);
  return cut > 0 ? power / std::cosh(std::min(r / cut, 700.0)) : power;
}

double Profile::slope(double r) const {
  const double x = r / scale, y = cut > 0 ? r / cut : 0;
  return -1 - (outer - 1) * x / (1 + x) - y * std::tanh(y);
}

double Profile::curvature(double r) const {
  const double x = r / scale, y = cut > 0 ? r / cut : 0, t = std::tanh(y);
  return -(outer - 1) * x / ((1 + x) * (1 + x)) - y * t - y * y * (1 - t * t);
}

Profile profile_of_mass(double mass, double outer, double scale, double cut) {
  Profile profile{.outer = outer, .scale = scale, .cut = cut, .density = 1};
  const auto r = radial_grid(1e-6 * scale, profile.reach());
  profile.density = mass / enclosed_mass([&](double x) { return profile.rho(x); }, r).back();
  return profile;
}

std::vector<double> radial_grid(double low, double high, std::size_t n) {
  std::vector<double> r(n);
  for (std::size_t k = 0; k < n; ++k)
    r[k] = low * std::pow(high / low, static_cast<double>(k) / static_cast<double>(n - 1));
  return r;
}

std::vector<double> enclosed_mass(const std::function<double(double)>& rho, const std::vector<double>& r) {
  const double slope = std::log(rho(r[1]) / rho(r[0])) / std::log(r[1] / r[0]);
  std::vector<double> mass(r.size());
  mass[0] = four_pi * r[0] * r[0] * r[0] * rho(r[0]) / (3 + slope);
  for (std::size_t k = 1; k < r.size(); ++k)
    mass[k] = mass[k - 1] + gauss([&](double x) { return four_pi * x * x * x * rho(x); }, r[k - 1], r[k]);
  return mass;
}

Well well_of(const std::function<double(double)>& rho, std::vector<double> r) {
  Well well{.r = std::move(r), .rho = {}, .mass = {}, .psi = {}};
  const std::size_t n = well.r.size();
  well.mass = enclosed_mass(rho, well.r);
  well.rho.resize(n), well.psi.resize(n);
  double outside = 0;  // contribution of the shells beyond r to psi
  for (std::size_t k = n; k-- > 0;) {
    if (k + 1 < n)
      outside += gauss([&](double x) { return four_pi * x * x * rho(x); }, well.r[k], well.r[k + 1]);
    well.rho[k] = rho(well.r[k]);
    well.psi[k] = well.mass[k] / well.r[k] + outside;
  }
  return well;
}

std::size_t interval(const std::vector<double>& a, double x) {
  const auto above = std::upper_bound(a.begin() + 1, a.end() - 1, x);
  return static_cast<std::size_t>(above - a.begin()) - 1;
}

double Well::mass_within(double radius) const {
  if (radius <= 0) return 0;
  const std::size_t k = interval(r, radius);
  const double slope = std::log(mass[k + 1] / mass[k]) / std::log(r[k + 1] / r[k]);
  return radius >= r.back() ? mass.back() : mass[k] * std::pow(radius / r[k], slope);
}

}  // namespace pleiad
