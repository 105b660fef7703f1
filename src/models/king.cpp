/// King's model: a lowered isothermal sphere with a tidal edge, in Henon units (King, AJ 71, 64, 1966).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/draw.hpp"
#include "models/profile.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace pleiad {
namespace {

constexpr std::array parameters_of_king{
    bodies_parameter(4096),
    ModelParameter{"W0", 6, 0.1, 12,
                   "depth of the central potential in units of sigma^2: the larger, the more concentrated"},
};

/// Density for the depth W, up to a constant: the integral of v^2 (exp(W - v^2/2) - 1) over v < sqrt(2 W).
double density(double w) {
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
Slope slope_at(double x, double w, double m, double central) {
  return {-m / x, 9 * x * x * x * density(w) / central};
}

/// One Runge-Kutta step of length h in ln x.
void step(double& x, double& w, double& m, double h, double central) {
  const double half = x * std::exp(0.5 * h), next = x * std::exp(h);
  const auto a = slope_at(x, w, m, central);
  const auto b = slope_at(half, w + 0.5 * h * a.w, m + 0.5 * h * a.m, central);
  const auto c = slope_at(half, w + 0.5 * h * b.w, m + 0.5 * h * b.m, central);
  const auto d = slope_at(next, w + h * c.w, m + h * c.m, central);
  w += h / 6 * (a.w + 2 * b.w + 2 * c.w + d.w);
  m += h / 6 * (a.m + 2 * b.m + 2 * c.m + d.m);
  x = next;
}

KingTable integrate(double w0) {
  const double central = density(w0);
  double x = 1e-4, w = w0 - 1.5 * x * x, m = 3 * x * x * x, h = 0.01;
  KingTable table{{x}, {w}, {m}};
  while (h > 1e-12) {
    double x1 = x, w1 = w, m1 = m;
    step(x1, w1, m1, h, central);
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
double binding(const KingTable& t) {
  double sum = t.m[0] * t.m[0] / t.x[0] * 0.6;
  for (std::size_t k = 1; k < t.x.size(); ++k)
    sum += 0.5 * (t.m[k] / t.x[k] + t.m[k - 1] / t.x[k - 1]) * (t.m[k] - t.m[k - 1]);
  return sum;
}

/// Speed in units of sigma from v^2 (exp(W - v^2/2) - 1): drawn from v^2, then by rejection.
double speed(double w, Random& random) {
  const double escape = std::sqrt(2 * w);
  for (;;) {
    const double v = escape * std::cbrt(random.uniform());
    if (std::expm1(w) * random.uniform() < std::expm1(w - 0.5 * v * v)) return v;
  }
}

Snapshot make_king(const ModelRequest& request) {
  const auto table = integrate(request["W0"]);
  // In the units of the table G = 1, sigma = 1 and the mass is m; in Henon units the mass is 1 and |W| = 1/2.
  const double mass = table.m.back(), length = 2 * binding(table) / (mass * mass);
  const double velocity = 1 / std::sqrt(mass * length);
  auto bodies = draw_bodies(
      request.count("n"), 1, request.seed, "king",
      [&](Random& random) {
        const double m = mass * random.uniform();
        const std::size_t k = interval(table.m, m);
        const double u =
            (std::cbrt(m) - std::cbrt(table.m[k])) / (std::cbrt(table.m[k + 1]) - std::cbrt(table.m[k]));
        const double x = m < table.m[0] ? table.x[0] * std::cbrt(m / table.m[0])
                                        : table.x[k] + u * (table.x[k + 1] - table.x[k]);
        const double w = m < table.m[0] ? table.w[0] : table.w[k] + u * (table.w[k + 1] - table.w[k]);
        const auto position = random.direction() * (x * length);
        const double v = w > 0 ? speed(w, random) * velocity : 0;
        return Phase{position, random.direction() * v};
      },
      Type::star);
  remove_drift(bodies);
  return nbody_snapshot(std::move(bodies));
}

}  // namespace

constinit const Model model_king{.name = "king",
                                 .idea =
                                     "King model of a star cluster, with a tidal radius, in equilibrium, in "
                                     "Henon units (G = M = 1, E = -1/4)",
                                 .parameters = parameters_of_king,
                                 .origin = origin::profile,
                                 .suggested_softening = 0.02,
                                 .make = make_king};

}  // namespace pleiad
