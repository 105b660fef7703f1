/// Plummer's sphere in Henon units: rho ~ (1 + r^2/a^2)^(-5/2), f ~ (-E)^(7/2), both drawn exactly.
/// Source: Aarseth, Henon & Wielen, Astronomy & Astrophysics 37, 183 (1974), appendix. Without a cut one body
/// in a thousand is drawn beyond 22.8, the farthest of n near 0.6 sqrt(3 n / 2); the field cuts there.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/draw.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace pleiad {
namespace {

constexpr std::array parameters_of_plummer{
    bodies_parameter(4096),
    ModelParameter{"mass_fraction", 0.999, 0.01, 1,
                   "mass fraction at which the sphere is truncated (0.999: radius 22.8); 1: not truncated"},
};

constexpr double scale = 3 * std::numbers::pi / 16;  // E = -3 pi / (64 a) = -1/4

/// q = v / v_escape from g(q) = q^2 (1 - q^2)^(7/2), whose maximum is 0.0922 at q = sqrt(2)/3 (von Neumann
/// rejection).
double speed_fraction(Random& random) {
  for (;;) {
    const double q = random.uniform(), p2 = 1 - q * q;
    if (0.093 * random.uniform() < q * q * p2 * p2 * p2 * std::sqrt(p2)) return q;
  }
}

Snapshot make_plummer(const ModelRequest& request) {
  const double fraction = request["mass_fraction"];
  auto bodies = draw_bodies(
      request.count("n"), 1, request.seed, "plummer",
      [&](Random& random) {
        const double m = std::cbrt(fraction * random.uniform());
        const double r = scale * m / std::sqrt((1 - m) * (1 + m));  // M(r) = (1 + a^2/r^2)^(-3/2)
        const double escape = std::sqrt(2 / std::hypot(r, scale));
        const auto position = random.direction() * r;
        const double speed = escape * speed_fraction(random);
        return Phase{position, random.direction() * speed};
      },
      Type::star);
  remove_drift(bodies);
  return nbody_snapshot(std::move(bodies));
}

}  // namespace

constinit const Model model_plummer{
    .name = "plummer",
    .idea = "Plummer sphere in equilibrium, in Henon units (G = M = 1, E = -1/4)",
    .parameters = parameters_of_plummer,
    .origin = origin::profile,
    .suggested_softening = 0.02,
    .make = make_plummer};

}  // namespace pleiad
