#include "models/binaries.hpp"

#include "models/kepler.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace pleiad {
namespace {

using Separation = BinaryLaws::Separation;

constexpr double birth_scale = 2.5, birth_width = 45, birth_first = 1;
constexpr double normal_centre = 5.03, normal_width = 2.28;

/// The part of the binaries whose period is shorter, for l = log10 of the period in days.
double part_below(Separation law, double l) {
  if (law == Separation::log_normal)
    return 0.5 * std::erfc((normal_centre - l) / (normal_width * std::numbers::sqrt2));
  const double x = std::max(0.0, l - birth_first);
  return std::min(1.0, birth_scale / 2 * std::log1p(x * x / birth_width));
}

/// The reverse, between two l: for Kroupa's law in closed form, else by bisection.
double log_period(Separation law, double part, double low, double high) {
  if (law == Separation::kroupa)
    return std::clamp(birth_first + std::sqrt(birth_width * std::expm1(2 * part / birth_scale)), low, high);
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (part_below(law, middle) < part ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

double BinaryLaws::axis(double u, double mu) const {
  if (separation == Separation::log_uniform || !(least < most))
    return std::min(most, least * std::pow(most / least, u));
  // Kepler's third law: log10 of the period in days, and back.
  const double shift = std::log10(2 * std::numbers::pi / (std::sqrt(mu) * day));
  const double low = shift + 1.5 * std::log10(least), high = shift + 1.5 * std::log10(most);
  const double from = part_below(separation, low), to = part_below(separation, high);
  if (!(from < to))
    throw UsageError(
        fmt::format("model 'cluster': between separation_min and separation_max log10 of the period in days "
                    "is from {:.3g} to {:.3g}, where the law has no binaries; set wider limits",
                    low, high));
  const double l = log_period(separation, from + u * (to - from), low, high);
  return std::clamp(std::pow(10, (l - shift) / 1.5), least, most);
}

Phase BinaryLaws::draw(Random& random, double mu) const {
  constexpr double turn = 2 * std::numbers::pi, widest = 1 - 1e-12;  // nearer to 1 an ellipse is a line
  const double a = axis(random.uniform(), mu), v = random.uniform();
  const double e = eccentricity == Eccentricity::circular  ? 0
                   : eccentricity == Eccentricity::uniform ? v
                                                           : std::sqrt(v);
  return state_of({.a = a,
                   .e = std::min(e, widest),
                   .inclination = std::acos(random.uniform(-1, 1)),
                   .node = turn * random.uniform(),
                   .argument = turn * random.uniform(),
                   .mean_anomaly = turn * random.uniform()},
                  mu);
}

}  // namespace pleiad
