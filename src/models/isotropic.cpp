/// Eddington inversion on a radial grid, and exact draws from the result by rejection.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/isotropic.hpp"

#include "core/threads.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace pleiad {
namespace {

/// d^2 rho / d psi^2 at every radius, from d psi / d ln r = -M/r and the profile's logarithmic derivatives.
std::vector<double> second_derivative(const Profile& profile, const Well& well, double G) {
  std::vector<double> g(well.r.size());
  for (std::size_t k = 0; k < g.size(); ++k) {
    const double r = well.r[k], s = profile.slope(r), force = G * well.mass[k] / r;
    const double mass_slope = 4 * std::numbers::pi * r * r * r * well.rho[k] / well.mass[k];
    g[k] = profile.rho(r) * (s * s + s + profile.curvature(r) - s * mass_slope) / (force * force);
  }
  return g;
}

/// Integral of g dpsi / sqrt(E - psi) from the edge up to E = psi[k], with g linear in psi between grid
/// points: no singularity is left.
double abel(const std::vector<double>& g, const std::vector<double>& psi, std::size_t k) {
  double sum = 0, p = 0;
  for (std::size_t j = k; j + 1 < g.size(); ++j) {
    const double q = std::sqrt(psi[k] - psi[j + 1]);
    sum += (q - p) * (2 * g[j] + (g[j + 1] - g[j]) * (2.0 / 3) * (q + 2 * p) / (q + p));
    p = q;
  }
  return sum;
}

}  // namespace

IsotropicSphere::IsotropicSphere(const Profile& profile, const Well& well, double G)
    : r_(well.r), psi_(well.psi) {
  mass_ = enclosed_mass([&](double r) { return profile.rho(r); }, r_);
  for (double& psi : psi_) psi *= G;
  const std::size_t n = r_.size();
  const auto g = second_derivative(profile, well, G);
  f_.resize(n), peak_.resize(n);
  parallel_for(n, [&](std::size_t k) {
    const double f = abel(g, psi_, k) / (std::sqrt(8.0) * std::numbers::pi * std::numbers::pi);
    f_[k] =
        std::max(f, 0.0);  // a component with a hole in phase space cannot be in equilibrium there: draw none
  });
  auto rising = f_;  // the least non-decreasing function of energy above f: with it the peak at r_[k] bounds
                     // those further out
  for (std::size_t k = n - 1; k-- > 0;) rising[k] = std::max(rising[k], rising[k + 1]);
  parallel_for(n, [&](std::size_t k) {
    // f is linear between energies, so v^2 f there is at most its larger v^2 times its larger f.
    for (std::size_t j = k; j + 1 < n; ++j)
      peak_[k] = std::max(peak_[k], 2 * (psi_[k] - psi_[j + 1]) * rising[j]);
  });
  energy_.assign(psi_.rbegin(), psi_.rend());
  f_rising_.assign(f_.rbegin(), f_.rend());
}

double IsotropicSphere::radius(double mass_fraction) const {
  const double m = mass_fraction * mass_.back();
  if (m <= mass_[0]) return r_[0] * std::sqrt(m / mass_[0]);  // M ~ r^2 in a 1/r cusp
  const std::size_t k = interval(mass_, m);
  if (!(mass_[k + 1] > mass_[k])) return r_[k];
  return r_[k] * std::pow(r_[k + 1] / r_[k], std::log(m / mass_[k]) / std::log(mass_[k + 1] / mass_[k]));
}

double IsotropicSphere::depth(double r) const {
  if (r <= r_[0]) return psi_[0];
  if (r >= r_.back()) return psi_.back() * r_.back() / r;
  const std::size_t k = interval(r_, r);
  const double u = std::log(r / r_[k]) / std::log(r_[k + 1] / r_[k]);
  return psi_[k] + u * (psi_[k + 1] - psi_[k]);
}

double IsotropicSphere::density_of_states(double energy) const {
  if (!(energy > energy_.front())) return 0;
  if (energy >= energy_.back()) return f_rising_.back();
  const std::size_t k = interval(energy_, energy);
  const double u = (energy - energy_[k]) / (energy_[k + 1] - energy_[k]);
  return f_rising_[k] + u * (f_rising_[k + 1] - f_rising_[k]);
}

double IsotropicSphere::speed(double r, Random& random) const {
  const double psi = depth(r), escape = std::sqrt(2 * psi);
  const double peak = peak_[r <= r_[0] ? 0 : interval(r_, r)];
  if (!(peak > 0)) return 0;
  for (;;) {
    const double v = escape * random.uniform();
    if (peak * random.uniform() < v * v * density_of_states(psi - 0.5 * v * v)) return v;
  }
}

Phase IsotropicSphere::draw(Random& random) const {
  const double r = radius(random.uniform());
  const auto position = random.direction() * r;
  const double v = speed(r, random);
  return {position, random.direction() * v};
}

Snapshot isotropic_sphere(std::string_view name, double outer, const ModelRequest& request) {
  const double scale = request["scale"];
  const auto profile = profile_of_mass(request["mass"], outer, scale, request["cut"] * scale);
  const auto well =
      well_of([&](double r) { return profile.rho(r); }, radial_grid(1e-6 * scale, profile.reach()));
  const IsotropicSphere sphere(profile, well, 1);
  auto bodies = draw_bodies(request.count("n"), request["mass"], request.seed, name,
                            [&](Random& random) { return sphere.draw(random); });
  remove_drift(bodies);
  return nbody_snapshot(std::move(bodies));
}

}  // namespace pleiad
