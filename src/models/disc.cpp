/// The disc's moments: its own force by Hankel transforms, the spheroids' by averages over z, then Toomre's Q
/// and asymmetric drift.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/disc.hpp"

#include "core/threads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace pleiad {
namespace {

constexpr double pi = std::numbers::pi;
constexpr std::size_t radii = 161;  // every scale / 20 out to 8 scales

/// Density of the distance d between two bodies of a sech^2 layer, in units of height / 2: difference of two
/// logistic variates.
double distance_density(double d) {
  if (d < 1e-2)
    return 1.0 / 3 - d * d / 30;  // the closed form is 0/0 here; the next term is of the order d^4 / 400
  const double e = std::exp(-d);
  return 2 * e * (d - 2 + e * (d + 2)) / std::pow(1 - e, 3);
}

/// Averages over all pairs of a layer: U = <exp(-k d)> weakens the radial force, V = <k d exp(-k d)> / 2 is
/// the vertical virial.
struct Layer {
  double U = 0, V = 0;
};
Layer layer_averages(double k, double height) {
  constexpr int n = 400;
  constexpr double reach = 40;
  Layer sum;
  for (int i = 0; i <= n; ++i) {
    // Simpson's rule in s with d = reach s^3: fine steps where exp(-k d) is steep.
    const double s = static_cast<double>(i) / n, d = reach * s * s * s;
    const double weight = (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) / (3.0 * n) * 3 * reach * s * s;
    const double kd = 0.5 * k * height * d, term = weight * distance_density(d) * std::exp(-kd);
    sum.U += term, sum.V += 0.5 * kd * term;
  }
  return sum;
}

}  // namespace

double DiscShape::surface_density(double R) const {
  return mass / (2 * pi * scale * scale) * std::exp(-R / scale);
}
double DiscShape::mass_within(double r) const {
  const double x = r / scale;
  return mass * (x < 1e-4 ? x * x * (0.5 - x / 3) : 1 - (1 + x) * std::exp(-x));
}
double DiscShape::mean_rho(double r) const { return surface_density(r) / (2 * r); }

StellarDisc::StellarDisc(const DiscShape& shape, const Well& spheroids, double G)
    : shape_(shape), step_(shape.reach() / (radii - 1)), table_(radii) {
  add_disc(G);
  add_spheroids(spheroids, G);
  set_dispersions(G);
}

/// Phi(R, z) = -G M integral of J0(kR) exp(-k|z|) (1 + (k scale)^2)^(-3/2) dk, smeared over both layers (B&T
/// eq. 2.162).
void StellarDisc::add_disc(double G) {
  // In units of the scale: to k = 60, where the integrand has fallen by 60^-3.5 = 6e-7; a step of 0.02
  // samples J0(8 k) 39 times a period.
  constexpr int n = 3000;
  constexpr double dk = 0.02;
  std::vector<Layer> layer(n + 1);
  parallel_for(n + 1, [&](std::size_t i) {
    const double k = dk * static_cast<double>(i);
    const double weight = (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * dk / 3 * std::pow(1 + k * k, -1.5);
    const auto mean = layer_averages(k, shape_.height / shape_.scale);
    layer[i] = {weight * k * mean.U, weight * mean.V};
  });
  parallel_for(radii, [&](std::size_t j) {
    const double R = step_ / shape_.scale * static_cast<double>(j);
    double radial = 0, vertical = 0;
    for (std::size_t i = 0; i <= n; ++i) {
      const double kR = dk * static_cast<double>(i) * R;
      radial += layer[i].U * ::j1(kR), vertical += layer[i].V * ::j0(kR);
    }
    table_[j].circular = G * shape_.mass / shape_.scale * R * radial;
    table_[j].sigma_z = G * shape_.mass / shape_.scale * vertical;  // squared until set_dispersions
  });
}

/// A sphere pulls with G M(r)/r^3 (R, z): the mean of R F_R and of z F_z over the layer, by its 32 quantiles.
void StellarDisc::add_spheroids(const Well& spheroids, double G) {
  constexpr int quantiles = 32;
  for (std::size_t j = 0; j < radii; ++j)
    for (int q = 0; q < quantiles; ++q) {
      const double R = step_ * static_cast<double>(j), z = shape_.height * std::atanh((q + 0.5) / quantiles);
      const double r = std::hypot(R, z), pull = G * spheroids.mass_within(r) / (r * r * r) / quantiles;
      table_[j].circular += R * R * pull;
      table_[j].sigma_z += z * z * pull;
    }
}

/// sigma_R ~ exp(-R / (2 scale)) with Toomre's Q >= toomre_q everywhere and equal to it at one radius;
/// sigma_phi by epicycles; the streaming velocity from the radial moment equation (asymmetric drift).
void StellarDisc::set_dispersions(double G) {
  double least = std::numeric_limits<double>::max();  // of Q, for sigma_R = exp(-R / (2 scale))
  for (std::size_t j = 1; j + 1 < radii; ++j) {
    auto& m = table_[j];
    const double R = step_ * static_cast<double>(j);
    const double slope = (table_[j + 1].circular - table_[j - 1].circular) / (2 * step_) * R / m.circular;
    m.epicyclic = m.circular / (R * R) * (2 + slope);
    const double sigma = std::exp(-0.5 * R / shape_.scale);
    least = std::min(least, sigma * std::sqrt(m.epicyclic) / (3.36 * G * shape_.surface_density(R)));
  }
  table_[0].epicyclic = table_[1].epicyclic, table_.back().epicyclic = table_[radii - 2].epicyclic;
  for (std::size_t j = 0; j < radii; ++j) {
    auto& m = table_[j];
    const double R = step_ * static_cast<double>(j), x = R / shape_.scale;
    const double radial = std::pow(shape_.toomre_q / least, 2) * std::exp(-x);
    const double mean_square =
        std::max(0.0, m.circular + radial * (1 - 2 * x));  // <v_phi^2>: Sigma sigma_R^2 ~ exp(-2R/scale)
    const double epicycle = j == 0 ? 1 : m.epicyclic * R * R / (4 * m.circular);
    const double azimuthal = std::min(radial * epicycle, mean_square);
    m.sigma_R = std::sqrt(radial), m.sigma_phi = std::sqrt(azimuthal), m.sigma_z = std::sqrt(m.sigma_z);
    m.streaming = std::sqrt(mean_square - azimuthal);
  }
}

DiscMoments StellarDisc::at(double R) const {
  const double x = std::min(R / step_, static_cast<double>(radii - 1));
  const auto j = std::min(static_cast<std::size_t>(x), radii - 2);
  const double u = x - static_cast<double>(j);
  const auto mix = [&](double DiscMoments::*m) {
    return table_[j].*m + u * (table_[j + 1].*m - table_[j].*m);
  };
  return {mix(&DiscMoments::circular),  mix(&DiscMoments::epicyclic), mix(&DiscMoments::sigma_R),
          mix(&DiscMoments::sigma_phi), mix(&DiscMoments::sigma_z),   mix(&DiscMoments::streaming)};
}

Phase StellarDisc::draw(Random& random) const {
  double R = 0;
  do {  // R exp(-R/scale) is the density of the sum of two exponential variates
    const double first = std::log(random.uniform());
    R = -shape_.scale * (first + std::log(random.uniform()));
  } while (R > shape_.reach());
  const double z = shape_.height * std::atanh(random.uniform(-1, 1)), phi = random.uniform(0, 2 * pi);
  const auto m = at(R);
  const double outward = m.sigma_R * random.normal(), along = m.streaming + m.sigma_phi * random.normal();
  const double up = m.sigma_z * random.normal(), c = std::cos(phi), s = std::sin(phi);
  return {{R * c, R * s, z}, {outward * c - along * s, outward * s + along * c, up}};
}

}  // namespace pleiad
