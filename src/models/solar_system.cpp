/// Solar system: the Sun and eight planets from mean Keplerian elements of J2000, in the frame of the
/// barycentre. Elements: E. M. Standish, "Keplerian Elements for Approximate Positions of the Major Planets"
/// (JPL), table 1, valid 1800-2050; masses: IAU 2009 system of astronomical constants. Bodies 0..8: Sun,
/// Mercury, ..., Neptune; body 3 is Earth and Moon together.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"
#include "models/kepler.hpp"

#include <array>
#include <numbers>

namespace pleiad {
namespace {

/// Semi-major axis [au], eccentricity, inclination, mean longitude, longitude of perihelion, longitude of the
/// node [degrees].
struct MeanElements {
  double a, e, inclination, longitude, perihelion, node;
};
struct Planet {
  double sun_over_planet;  // ratio of masses
  MeanElements at_j2000, per_century;
};

constexpr std::array planets{
    Planet{6023600,  // Mercury
           {0.38709927, 0.20563593, 7.00497902, 252.25032350, 77.45779628, 48.33076593},
           {0.00000037, 0.00001906, -0.00594749, 149472.67411175, 0.16047689, -0.12534081}},
    Planet{408523.719,  // Venus
           {0.72333566, 0.00677672, 3.39467605, 181.97909950, 131.60246718, 76.67984255},
           {0.00000390, -0.00004107, -0.00078890, 58517.81538729, 0.00268329, -0.27769418}},
    Planet{328900.5596,  // Earth and Moon
           {1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0.0},
           {0.00000562, -0.00004392, -0.01294668, 35999.37244981, 0.32327364, 0.0}},
    Planet{3098703.59,  // Mars
           {1.52371034, 0.09339410, 1.84969142, -4.55343205, -23.94362959, 49.55953891},
           {0.00001847, 0.00007882, -0.00813131, 19140.30268499, 0.44441088, -0.29257343}},
    Planet{1047.348644,  // Jupiter
           {5.20288700, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909},
           {-0.00011607, -0.00013253, -0.00183714, 3034.74612775, 0.21252668, 0.20469106}},
    Planet{3497.9018,  // Saturn
           {9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448},
           {-0.00125060, -0.00050991, 0.00193609, 1222.49362201, -0.41897216, -0.28867794}},
    Planet{22902.98,  // Uranus
           {19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.95427630, 74.01692503},
           {-0.00196176, -0.00004397, -0.00242939, 428.48202785, 0.40805281, 0.04240589}},
    Planet{19412.26,  // Neptune
           {30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574},
           {0.00026291, 0.00005105, 0.00035372, 218.45945325, -0.32241464, -0.00508664}},
};

constexpr std::array parameters_of_solar_system{
    ModelParameter{"epoch", 0, -73048, 18628,
                   "days from J2000 (2000 January 1.5 TDB); the elements hold from 1800 to 2050"},
};

Elements elements_at(const Planet& planet, double centuries) {
  const auto at = [&](double MeanElements::*x) {
    return planet.at_j2000.*x + planet.per_century.*x * centuries;
  };
  constexpr double degree = std::numbers::pi / 180;
  const double perihelion = at(&MeanElements::perihelion), node = at(&MeanElements::node);
  return {.a = at(&MeanElements::a),
          .e = at(&MeanElements::e),
          .inclination = at(&MeanElements::inclination) * degree,
          .node = node * degree,
          .argument = (perihelion - node) * degree,
          .mean_anomaly = (at(&MeanElements::longitude) - perihelion) * degree};
}

Snapshot make_solar_system(const ModelRequest& request) {
  const double centuries = request["epoch"] / 36525;
  Snapshot snapshot;
  snapshot.units = units_named("solar");
  snapshot.G = snapshot.units.G();
  snapshot.bodies.add(1, {}, {});
  for (const auto& planet : planets) {
    const double mass = 1 / planet.sun_over_planet;
    const auto state = state_of(elements_at(planet, centuries), snapshot.G * (1 + mass));
    snapshot.bodies.add(mass, state.position, state.velocity);
  }
  move_to_centre_of_mass(snapshot.bodies);
  return snapshot;
}

}  // namespace

constinit const Model model_solar_system{
    .name = "solar-system",
    .idea =
        "the Sun and the eight planets at a date, in au, solar masses and years / 2 pi (ecliptic of J2000)",
    .parameters = parameters_of_solar_system,
    .origin = "the barycentre, at rest",
    .suggested_softening = 0,
    .make = make_solar_system};

}  // namespace pleiad
