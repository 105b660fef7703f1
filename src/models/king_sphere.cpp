/// King's equation, its integration from the centre to the edge, and draws from the result.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/king_sphere.hpp"

#include "models/profile.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pleiad {
namespace {

/// Density for the depth W, up to a constant: the integral of v^2 (exp(W - v^2/2) - 1) over v < sqrt(2 W).
double king_density(double w) {
  if (!(w > 0)) return 0;
  // Below 0.02 the closed form cancels to noise; the series' next term is W^2/30 relative.
  if (w < 0.02) return 8 / (15 * std::sqrt(std::numbers::pi)) * w * w * std::sqrt(w) * (1 + 2 * w / 7);
  return std::exp(w) * std::erf(std::sqrt(w)) - std::sqrt(4 * w / std::numbers::pi) * (1 + 2 * w / 3);
}

/// Depth W and mass m = -x^2 dW/dx against the radius x in core radii.
struct KingTable {
  std::vector<double> x, w, m;
};

struct Slope {
  double w, m;
};
/// King's equation in t = ln x: dW/dt = -m/x, dm/dt = 9 x^3 rho/rho0.
Slope king_slope(double x, double w, double m, double central) {
  return {-m / x, 9 * x * x * x * king_density(w) / central};
}

/// One Runge-Kutta step of length h in ln x.
void king_step(double& x, double& w, double& m, double h, double central) {
  const double half = x * std::exp(0.5 * h), next = x * std::exp(h);
  const auto a = king_slope(x, w, m, central);
  const auto b = king_slope(half, w + 0.5 * h * a.w, m + 0.5 * h * a.m, central);
  const auto c = king_slope(half, w + 0.5 * h * b.w, m + 0.5 * h * b.m, central);
  const auto d = king_slope(next, w + h * c.w, m + h * c.m, central);
  w += h / 6 * (a.w + 2 * b.w + 2 * c.w + d.w);
  m += h / 6 * (a.m + 2 * b.m + 2 * c.m + d.m);
  x = next;
}

KingTable king_table(double w0) {
  const double central = king_density(w0);
  double x = 1e-4, w = w0 - 1.5 * x * x, m = 3 * x * x * x, h = 0.01;
  KingTable table{{x}, {w}, {m}};
  while (h > 1e-12) {
    double x1 = x, w1 = w, m1 = m;
    king_step(x1, w1, m1, h, central);
    if (w1 < 0) {  // beyond the edge: come closer to it in shorter steps
      h /= 2;
      continue;
    }
    x = x1, w = w1, m = m1;
    table.x.push_back(x), table.w.push_back(w), table.m.push_back(m);
  }
  table.w.back() = 0;
  return table;
}

/// |W| = integral of m dm / x for G = 1, by the trapezium rule in the table's short steps.
double king_binding(const KingTable& t) {
  double sum = t.m[0] * t.m[0] / t.x[0] * 0.6;
  for (std::size_t k = 1; k < t.x.size(); ++k)
    sum += 0.5 * (t.m[k] / t.x[k] + t.m[k - 1] / t.x[k - 1]) * (t.m[k] - t.m[k - 1]);
  return sum;
}

/// Speed in units of sigma from v^2 (exp(W - v^2/2) - 1): drawn from v^2, then by rejection.
double king_speed(double w, Random& random) {
  const double escape = std::sqrt(2 * w);
  for (;;) {
    const double v = escape * std::cbrt(random.uniform());
    if (std::expm1(w) * random.uniform() < std::expm1(w - 0.5 * v * v)) return v;
  }
}

/// Mean of v^2 / sigma^2 at the depth W, by Simpson's rule over the speeds.
double king_mean_square(double w) {
  if (!(w > 0)) return 0;
  constexpr int steps = 200;
  const double escape = std::sqrt(2 * w);
  double square = 0, all = 0;
  for (int k = 1; k < steps; ++k) {  // nothing at either end
    const double v = escape * k / steps, weight = (k % 2 == 0 ? 2 : 4) * v * v * std::expm1(w - 0.5 * v * v);
    square += weight * v * v, all += weight;
  }
  return square / all;
}

}  // namespace

KingSphere::KingSphere(double central) {
  auto table = king_table(central);
  // In the units of the table G = 1, sigma = 1 and the mass is m; in Henon units the mass is 1 and |W| = 1/2.
  mass_ = table.m.back(), length_ = 2 * king_binding(table) / (mass_ * mass_);
  velocity_ = 1 / std::sqrt(mass_ * length_);
  x_ = std::move(table.x), w_ = std::move(table.w), m_ = std::move(table.m);
}

KingSphere::Place KingSphere::where(double m) const {
  if (m >= mass_) return {x_.back(), 0};  // the last steps of the table may add no mass
  const std::size_t k = interval(m_, m);
  const double u = (std::cbrt(m) - std::cbrt(m_[k])) / (std::cbrt(m_[k + 1]) - std::cbrt(m_[k]));
  return {m < m_[0] ? x_[0] * std::cbrt(m / m_[0]) : x_[k] + u * (x_[k + 1] - x_[k]),
          m < m_[0] ? w_[0] : w_[k] + u * (w_[k + 1] - w_[k])};
}

Phase KingSphere::draw(Random& random, double fraction) const {
  const auto [x, w] = where(mass_ * (fraction * random.uniform()));
  const auto position = random.direction() * (x * length_);
  const double v = w > 0 ? king_speed(w, random) * velocity_ : 0;
  return Phase{position, random.direction() * v};
}

double KingSphere::radius(double fraction) const { return where(mass_ * fraction).x * length_; }

double KingSphere::mass_within(double r) const {
  const double x = r / length_;
  if (x >= x_.back()) return 1;
  if (x <= x_[0]) return m_[0] * std::pow(x / x_[0], 3) / mass_;
  const std::size_t k = interval(x_, x);
  const double u = (x - x_[k]) / (x_[k + 1] - x_[k]);
  return std::pow(std::cbrt(m_[k]) + u * (std::cbrt(m_[k + 1]) - std::cbrt(m_[k])), 3) / mass_;
}

double KingSphere::depth(double r) const {
  const double x = std::max(r / length_, x_[0]);
  if (x >= x_.back()) return 0;
  const std::size_t k = interval(x_, x);
  const double w = w_[k] + (x - x_[k]) / (x_[k + 1] - x_[k]) * (w_[k + 1] - w_[k]);
  return w * velocity_ * velocity_;
}

double KingSphere::mean_square_speed(double r) const {
  const double square = velocity_ * velocity_;
  return king_mean_square(depth(r) / square) * square;
}

}  // namespace pleiad
