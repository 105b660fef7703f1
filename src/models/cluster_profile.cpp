#include "models/cluster_profile.hpp"

#include "models/king_sphere.hpp"
#include "models/plummer_sphere.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <memory>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// Half-mass radius of what is within r, over r: from 2^(-1/3) in the core, where the density is uniform,
/// down to that of the whole.
template <class Sphere>
double concentration(const Sphere& sphere, double r) {
  return sphere.radius(sphere.mass_within(r) / 2) / r;
}

/// The part of the mass within the radius that is `cut` half-mass radii of that part, by bisection.
template <class Sphere>
double fraction_within(const Sphere& sphere, double whole, double cut) {
  double high = sphere.radius(whole), low = 1e-3 * sphere.radius(0.5);
  if (!(cut > 0) || concentration(sphere, high) >= 1 / cut) return whole;
  if (!(concentration(sphere, low) > 1 / cut))
    throw UsageError(
        fmt::format("model 'cluster': tidal_radius is {:g} times half_mass_radius; it must be more than 1.26 "
                    "times it, the ratio of a uniform sphere",
                    cut));
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (concentration(sphere, middle) > 1 / cut ? low : high) = middle;
  }
  return sphere.mass_within(low);
}

/// T/|W| of the mass within: the integrals of <v^2>/2 and M/r over the mass, by the midpoint rule. What is
/// outside does not pull.
template <class Sphere>
double virial_ratio_within(const Sphere& sphere, double fraction) {
  constexpr int steps = 4000;
  double kinetic = 0, potential = 0;
  for (int k = 0; k < steps; ++k) {
    const double m = fraction * (k + 0.5) / steps, r = sphere.radius(m);
    kinetic += sphere.mean_square_speed(r) / 2, potential += m / r;
  }
  return kinetic / potential;
}

template <class Sphere>
ClusterProfile profile_of(Sphere sphere, double whole, double cut) {
  const auto shared = std::make_shared<const Sphere>(std::move(sphere));
  const double fraction = fraction_within(*shared, whole, cut);
  return {.draw = [shared, fraction](Random& random) { return shared->draw(random, fraction); },
          .depth = [shared](double r) { return shared->depth(r); },
          .fraction = fraction,
          .half_mass_radius = shared->radius(fraction / 2),
          .virial_ratio = virial_ratio_within(*shared, fraction)};
}

}  // namespace

ClusterProfile plummer_profile(double cut) { return profile_of(PlummerSphere(), 0.999, cut); }

ClusterProfile king_profile(double central, double cut) { return profile_of(KingSphere(central), 1, cut); }

}  // namespace pleiad
