#include "orbits/passage.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pleiad::orbits {
namespace {

double rate(const Phase& p) { return dot(p.x, p.v); }
bool falls(const Phase& p) { return rate(p) < 0; }

/// 1 / a: negative on a hyperbola.
double inverse_axis(double mu, const Phase& p) { return 2 / norm(p.x) - dot(p.v, p.v) / mu; }

/// The time to the next pericentre of an ellipse, and the period.
struct Turn {
  double to_pericentre = 0, period = 0;
};
Turn turn_of(double mu, const Phase& p, double inverse) {
  const double e_sin = rate(p) * std::sqrt(inverse / mu), e_cos = 1 - norm(p.x) * inverse,
               anomaly = std::atan2(e_sin, e_cos) - e_sin, motion = inverse * std::sqrt(mu * inverse),
               whole = 2 * std::numbers::pi;
  return {(falls(p) ? -anomaly : whole - anomaly) / motion, whole / motion};
}

/// The point at which `before` becomes false between a, where it is true, and b.
template <class Before>
double boundary(double a, double b, const Before& before) {
  for (int k = 0; k < 200; ++k) {
    const double t = 0.5 * (a + b);
    if (!(a < t && t < b)) break;
    (before(t) ? a : b) = t;
  }
  return b;
}

/// Parts of an orbit in which the distance falls to its first pericentre: from `begin` to somewhere after it.
struct Fall {
  double begin = 0, until = 0;
  double guess = 0;     ///< the time of the pericentre
  bool passes = false;  ///< the pericentre is within the time
};
Fall fall_of(double mu, const Phase& start, const Phase& end, double time) {
  const double inverse = inverse_axis(mu, start);
  if (!(inverse > 0)) return {0, time, time / 2, falls(start) && !falls(end)};
  const auto [next, period] = turn_of(mu, start, inverse);
  // Rounding does not decide on which side of the end a pericentre is: the direction there does.
  const bool passes = next < time - period / 4 || (next < time + period / 4 && !falls(end));
  return {falls(start) ? 0 : std::max(0.0, next - period / 2), std::min(time, next + period / 4), next,
          passes};
}

}  // namespace

Pericentre pericentre_of(double mu, const Phase& at) {
  const auto spin = cross(at.x, at.v);
  const double width = dot(spin, spin) / mu, e = std::sqrt(std::max(0.0, 1 - width * inverse_axis(mu, at)));
  return {width / (1 + e), e};
}

std::optional<double> pericentre_within(double mu, const Phase& start, const Phase& end, double time) {
  const auto fall = fall_of(mu, start, end, time);
  if (!fall.passes) return std::nullopt;
  // At the apocentre, to rounding, the distance may still grow.
  double low = fall.begin + (falls(start) ? 0 : (fall.until - fall.begin) / 1024), high = fall.until;
  double t = fall.guess;
  for (int k = 0; k < 100; ++k) {
    if (!(low < t && t < high)) t = 0.5 * (low + high);
    if (!(low < t && t < high)) break;
    const auto at = kepler_step(mu, start, t);
    (falls(at) ? low : high) = t;
    // Newton's method for x v = 0.
    const double by = rate(at) / (dot(at.v, at.v) - mu / norm(at.x));
    if (std::abs(by) <= 1e-16 * time) break;
    t -= by;
  }
  return t;
}

std::optional<double> approach_within(double mu, const Phase& start, const Phase& end, double time,
                                      double distance) {
  if (!(pericentre_of(mu, start).distance <= distance)) return std::nullopt;
  const auto nearest = pericentre_within(mu, start, end, time);
  const auto fall = fall_of(mu, start, end, time);
  const double until = nearest.value_or(time);
  const auto beyond = [&](double t) { return norm(kepler_step(mu, start, t).x) > distance; };
  if (!(fall.begin < until) || !beyond(fall.begin)) return std::nullopt;
  // Where the pericentre is at that distance, rounding may hide it.
  if (!nearest && (!falls(end) || beyond(until))) return std::nullopt;
  return boundary(fall.begin, until, beyond);
}

}  // namespace pleiad::orbits
