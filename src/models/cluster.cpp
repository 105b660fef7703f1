/// A star cluster in physical units: stars with the masses of an initial mass function, binaries, mass
/// segregation and rotation in a sphere in equilibrium.
///
/// Rotation reverses the azimuthal velocity of a part of the retrograde orbits, which keeps the density and
/// all energies (Lynden-Bell, MNRAS 120, 204, 1960).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/binaries.hpp"
#include "models/catalogue.hpp"
#include "models/cluster_profile.hpp"
#include "models/mass_function.hpp"
#include "models/segregation.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
namespace {

template <std::size_t size>
constexpr ModelParameter choice(std::string_view name, const std::array<std::string_view, size>& words,
                                std::string_view meaning) {
  return {name, 0, 0, double(size - 1), meaning, words};
}

constexpr std::array<std::string_view, 2> profiles{"plummer", "king"};
constexpr std::array<std::string_view, 5> mass_functions{"kroupa", "salpeter", "chabrier", "chabrier-system",
                                                         "equal"};
constexpr std::array<std::string_view, 2> pairings{"random", "uniform"};
constexpr std::array<std::string_view, 3> separations{"kroupa", "log-normal", "log-uniform"};
constexpr std::array<std::string_view, 3> eccentricities{"thermal", "uniform", "circular"};

constexpr std::array parameters_of_cluster{
    ModelParameter{"n", 1000, 0, 1e10,
                   "number of stars, those in binaries included; 0: as many as make up the mass"},
    choice("profile", profiles, "density of the cluster: Plummer's sphere, or King's with the depth W0"),
    ModelParameter{"W0", 6, 0.1, 12, "of a King profile: depth of the central potential in units of sigma^2"},
    ModelParameter{"half_mass_radius", 1, 1e-6, 1e6, "radius of half the mass of the profile, pc"},
    ModelParameter{"mass", 0, 0, 1e12,
                   "mass of the cluster, Msun: all drawn masses are scaled to it; with n = 0 stars are drawn "
                   "until they have it; 0: the sum of the drawn masses"},
    choice(
        "imf", mass_functions,
        "initial mass function: Kroupa 2001, Salpeter 1955, Chabrier 2003 for single stars or for systems, "
        "or equal masses, of 1 Msun unless mass is given"),
    ModelParameter{"lower", 0.08, 1e-4, 1e6, "least mass of a star in the mass function, Msun"},
    ModelParameter{"upper", 100, 1e-4, 1e6, "largest mass of a star in the mass function, Msun"},
    ModelParameter{
        "binaries", 0, 0, 1,
        "binary fraction: binaries over singles and binaries; they come first, as pairs of bodies"},
    choice("pairing", pairings,
           "masses of binaries: two stars as drawn, or a primary as drawn and a mass ratio that is uniform "
           "from lower / primary to 1"),
    choice("separation", separations,
           "law of binaries: periods at birth of Kroupa 1995, log-normal periods of Raghavan et al. 2010, or "
           "log-uniform semi-major axes"),
    ModelParameter{"separation_min", 0.01, 1e-4, 1e8, "least semi-major axis of a binary, au"},
    ModelParameter{"separation_max", 1e4, 1e-4, 1e8, "largest semi-major axis of a binary, au"},
    choice("eccentricity", eccentricities,
           "of binaries: thermal, with the density 2 e; uniform; or circular"),
    ModelParameter{"segregation", 0, 0, 1,
                   "mass segregation: 0 none, 1 the more massive a star the deeper its orbit"},
    ModelParameter{"virial_ratio", 0.5, 0, 100, "T/|W| of the cluster: 0.5 equilibrium, 0 at rest"},
    ModelParameter{"rotation", 0, 0, 1,
                   "part of the orbits that turn clockwise about z that are turned round; 1: all "
                   "counterclockwise"},
    ModelParameter{"tidal_radius", 0, 0, 1e9, "the profile ends there, pc; 0: Plummer at 99.9 % of its mass"},
};

[[noreturn]] void refuse(const std::string& why) { throw UsageError("model 'cluster': " + why); }

/// Limits of a pair of parameters.
std::array<double, 2> limits(const ModelRequest& request, std::string_view least, std::string_view most) {
  const double low = request[least], high = request[most];
  if (!(low <= high))
    refuse(
        fmt::format("{} = {:g} is larger than {} = {:g}; it must be at most that", least, low, most, high));
  return {low, high};
}

/// Masses of the stars, first those of the binaries, each with its primary first.
struct Stars {
  std::vector<double> mass;
  std::size_t pairs = 0;
  std::size_t systems() const { return mass.size() - pairs; }
};

/// As many as come nearest to the mass, at least one.
std::vector<double> masses_that_make_up(double mass, const std::function<double(std::size_t)>& star) {
  std::vector<double> masses;
  double total = 0;
  while (total < mass) total += masses.emplace_back(star(masses.size()));
  if (masses.size() > 1 && total - mass > mass - (total - masses.back())) masses.pop_back();
  return masses;
}

Stars stars_of(const ModelRequest& request) {
  const std::size_t n = request.count("n");
  const double mass = request["mass"], binaries = request["binaries"];
  const bool equal = mass_functions[request.count("imf")] == "equal";
  const bool uniform_ratio = pairings[request.count("pairing")] == "uniform";
  const auto [low, high] = equal ? std::array{1.0, 1.0} : limits(request, "lower", "upper");
  const auto law = equal ? MassFunction::Law::salpeter : MassFunction::Law(request.count("imf"));
  const MassFunction function(law, low, high);
  const std::uint32_t purpose = purpose_of("cluster/mass");
  const auto star = [&](std::size_t i) {
    Random random(request.seed, i, purpose);
    return function.draw(random);
  };
  Stars stars;
  if (n == 0) {
    if (!(mass > 0)) refuse("n = 0 needs mass > 0, which the stars make up");
    if (uniform_ratio && binaries > 0)
      refuse("pairing = uniform needs n > 0: with n = 0 stars are drawn one by one until they have the mass");
    need_memory(static_cast<std::size_t>(mass / function.mean()));
    stars.mass = masses_that_make_up(mass, star);
  } else {
    need_memory(n);
    stars.mass.resize(n);
    for_each_index(n, [&](std::size_t i) { stars.mass[i] = star(i); });
  }
  auto& m = stars.mass;
  const auto all = static_cast<double>(m.size());
  // Of f systems in pairs: n = systems (1 + f).
  stars.pairs =
      std::min(m.size() / 2, static_cast<std::size_t>(std::llround(all * binaries / (1 + binaries))));
  for_each_index(stars.pairs, [&](std::size_t k) {
    double& first = m[2 * k];
    double& second = m[2 * k + 1];
    if (uniform_ratio)
      second = first * Random(request.seed, 2 * k + 1, purpose).uniform(std::min(1.0, low / first), 1);
    if (second > first) std::swap(first, second);
  });
  if (mass > 0 && n > 0) {
    const double factor = mass / std::accumulate(m.begin(), m.end(), 0.0);
    for (double& one : m) one *= factor;
  }
  return stars;
}

ClusterProfile profile_of(const ModelRequest& request) {
  const double cut = request["tidal_radius"] / request["half_mass_radius"];
  return profiles[request.count("profile")] == "king" ? king_profile(request["W0"], cut)
                                                      : plummer_profile(cut);
}

BinaryLaws laws_of(const ModelRequest& request, const Units& units) {
  const auto [least, most] = limits(request, "separation_min", "separation_max");
  const double au = units_named("solar").length_cm / units.length_cm;
  return {.separation = BinaryLaws::Separation(request.count("separation")),
          .eccentricity = BinaryLaws::Eccentricity(request.count("eccentricity")),
          .least = least * au,
          .most = most * au,
          .day = 86400 / units.time_s()};
}

/// Places and velocities of systems of these masses.
std::vector<Phase> places_of(const ModelRequest& request, const std::vector<double>& masses, double G) {
  const auto profile = profile_of(request);
  const double mass = std::accumulate(masses.begin(), masses.end(), 0.0);
  const double length = request["half_mass_radius"] / profile.half_mass_radius;
  // In the units of the profile the mass of the part that is taken is its fraction.
  const double speed = std::sqrt(G * mass / (profile.fraction * length)) *
                       std::sqrt(request["virial_ratio"] / profile.virial_ratio);
  const auto orbit = [&](std::size_t k) {
    Random random(request.seed, k, purpose_of("cluster/place"));
    return profile.draw(random);
  };
  std::vector<std::size_t> chosen;
  if (request["segregation"] > 0)
    chosen = segregated_orbits(masses, request["segregation"], request.seed, [&](std::size_t k) {
      const auto at = orbit(k);
      return 0.5 * dot(at.velocity, at.velocity) - profile.depth(norm(at.position));
    });
  std::vector<Phase> places(masses.size());
  for_each_index(masses.size(), [&](std::size_t k) {
    auto [x, v] = orbit(chosen.empty() ? k : chosen[k]);
    const double turning = x.x * v.y - x.y * v.x, across = x.x * x.x + x.y * x.y;
    if (turning < 0 &&
        Random(request.seed, k, purpose_of("cluster/rotation")).uniform() < request["rotation"])
      v.x += 2 * turning * x.y / across, v.y -= 2 * turning * x.x / across;
    places[k] = {x * length, v * speed};
  });
  if (places.size() == 1) places[0].velocity = {};  // without rounding
  return places;
}

Snapshot make_cluster(const ModelRequest& request) {
  Snapshot snapshot;
  snapshot.units = units_named("cluster");
  const double G = snapshot.G = snapshot.units.G();
  const auto stars = stars_of(request);
  const auto laws = laws_of(request, snapshot.units);
  std::vector<double> masses(stars.systems());
  for (std::size_t k = 0; k < masses.size(); ++k)
    masses[k] = k < stars.pairs ? stars.mass[2 * k] + stars.mass[2 * k + 1] : stars.mass[k + stars.pairs];
  const auto places = places_of(request, masses, G);

  Bodies& bodies = snapshot.bodies;
  bodies.resize(stars.mass.size());
  const auto put = [&](std::size_t i, const Vec3<double>& x, const Vec3<double>& v) {
    bodies.x[i] = x.x, bodies.y[i] = x.y, bodies.z[i] = x.z;
    bodies.vx[i] = v.x, bodies.vy[i] = v.y, bodies.vz[i] = v.z;
    bodies.mass[i] = stars.mass[i], bodies.id[i] = i, bodies.type[i] = Type::star;
  };
  for_each_index(masses.size(), [&](std::size_t k) {
    const auto& [x, v] = places[k];
    if (k >= stars.pairs) return put(k + stars.pairs, x, v);
    Random random(request.seed, k, purpose_of("cluster/orbit"));
    const auto orbit = laws.draw(random, G * masses[k]);
    const double first = stars.mass[2 * k] / masses[k], second = stars.mass[2 * k + 1] / masses[k];
    put(2 * k, x - orbit.position * second, v - orbit.velocity * second);
    put(2 * k + 1, x + orbit.position * first, v + orbit.velocity * first);
  });
  if (bodies.size() > 1) remove_drift(bodies);
  return snapshot;
}

}  // namespace

constinit const Model model_cluster{
    .name = "cluster",
    .idea = "a star cluster with a mass function, binaries, segregation and rotation, in pc, Msun, km/s",
    .parameters = parameters_of_cluster,
    .origin = origin::profile,
    .suggested_softening = 0,
    .make = make_cluster};

}  // namespace pleiad
