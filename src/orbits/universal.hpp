/// The solution of Kepler's equation in universal variables, for CPUs and GPUs: the code behind kepler.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "orbits/kepler.hpp"
#include "orbits/stumpff.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace pleiad::orbits {
namespace universal {

inline constexpr double rounding = std::numeric_limits<double>::epsilon();
inline constexpr double least_distance = std::numeric_limits<double>::min();
/// The larger one; the first, if one of them is no number.
PLEIAD_HD constexpr double larger(double a, double b) { return a < b ? b : a; }

/// Time as a function of the universal variable s, from a place at distance r where r dr/dt = eta:
/// t = r G1 + eta G2 + mu G3, with dt/ds = r(s).
struct TimeEquation {
  double mu, b, r, eta;

  struct Value {
    Stumpff<double> g;
    double time, distance, slope;  ///< slope: of the distance
  };
  PLEIAD_HD Value at(double s) const {
    const auto g = stumpff(b, s);
    return {g, r * g.g1 + (eta * g.g2 + mu * g.g3), r * g.g0 + (eta * g.g1 + mu * g.g2),
            eta * g.g0 + (mu - b * r) * g.g1};
  }
};

/// The root of t(s) = time > 0. The time grows with s, since its derivative is a distance. Laguerre's method
/// for polynomials of degree 5 (Conway 1986, Celestial Mechanics 39, 199), kept between the bounds by
/// bisection.
PLEIAD_HD inline double solve(const TimeEquation& equation, double time, double guess) {
  double low = 0, high = guess > 0 && std::isfinite(guess) ? guess : 1;
  // The first bound above: twice as far each time, an infinite time counts as late.
  for (int k = 0; k < 2100; ++k) {
    const double t = equation.at(high).time;
    if (!(t < time)) break;
    low = high, high *= 2;
  }
  double s = low > 0 ? (low + high) / 2 : high, last = high - low, before_last = last;
  for (int k = 0; k < 2200; ++k) {
    const auto now = equation.at(s);
    const double miss = now.time - time;
    if (miss == 0) return s;
    if (miss < 0) low = s;
    else high = s;  // also where it is no number
    constexpr double n = 5;
    const double r = now.distance,
                 root = std::sqrt(std::abs((n - 1) * (n - 1) * r * r - n * (n - 1) * miss * now.slope));
    double next = s - n * miss / (r + std::copysign(root, r));
    // A step that leaves the bounds, or is longer than half the one before the last, is none.
    if (!(next > low && next < high) || !(std::abs(next - s) <= before_last / 2))
      next = low + (high - low) / 2;
    before_last = last, last = std::abs(next - s);
    if (last <= 2 * rounding * std::abs(s) || next == low || next == high) return next;
    s = next;
  }
  return s;
}

/// The state at s of an orbit with pericentre distance q, from its pericentre.
PLEIAD_HD inline Phase from_pericentre(double mu, double q, double e, double s, double b,
                                       const Phase& start) {
  const auto [x, v] = start;
  const auto h = cross(x, v);
  const double r = norm(x), length = norm(h);
  auto along = (dot(v, v) / mu - 1 / r) * x - (dot(x, v) / mu) * v;  // towards pericentre, of length e
  along = along * (1 / norm(along));
  const auto across = length > 0 ? cross(h * (1 / length), along) : Vec3<double>{};
  const auto g = stumpff(b, s);
  const double distance = larger(q + mu * e * g.g2, least_distance);
  return {(q - mu * g.g2) * along + (length * g.g1) * across,
          (-mu * g.g1 / distance) * along + (length * g.g0 / distance) * across};
}

/// The change of the state; dt > 0.
PLEIAD_HD inline Phase forwards(double mu, const Phase& start, double dt) {
  const auto [x, v] = start;
  const double r = norm(x), eta = dot(x, v), b = 2 * mu / r - dot(v, v);
  // What is no number stays none, and what is too fast to have a square has no pull that could be felt.
  if (!std::isfinite(b) || !std::isfinite(eta) || !std::isfinite(dt)) return {dt * v, {}};
  const auto h = cross(x, v);
  // The parts of e of an ellipse do not cancel; 1 - b h^2 / mu^2 would lose an e below 1e-8.
  const double cosine = 1 - r * b / mu, sine = eta / mu;
  const double e = std::sqrt(b > 0 ? cosine * cosine + b * sine * sine : 1 - b * dot(h, h) / (mu * mu));
  const double q = dot(h, h) / (mu * (1 + e));
  if (b < 0 && eta < 0) {
    // A long way inwards on a hyperbola the sums of the equation would cancel: it is solved from pericentre.
    const double root = std::sqrt(-b), before = std::asinh(root * eta / (mu * e)) / root;
    if (root * before < -1 && root * dt > r / 2) {
      const TimeEquation equation{mu, b, q, 0};
      const double time = equation.at(before).time + dt;
      const double s = time == 0 ? 0 : std::copysign(solve(equation, std::abs(time), std::abs(before)), time);
      const auto end = from_pericentre(mu, q, e, s, b, start);
      return {end.x - x, end.v - v};
    }
  }
  double guess = dt / r;
  if (b > 0) {
    const double root = std::sqrt(b), turn = 2 * std::numbers::pi / root, period = turn * (mu / b);
    if (dt > period) dt = std::fmod(dt, period);
    if (!(guess < turn)) guess = turn;
  }
  const TimeEquation equation{mu, b, r, eta};
  const auto end = equation.at(solve(equation, dt, guess));
  const auto& g = end.g;
  const double distance = larger(larger(end.distance, q), least_distance);
  // g in the form whose terms cancel less.
  const double r_g1 = r * g.g1, eta_g2 = eta * g.g2, mu_g3 = mu * g.g3;
  const double time =
      std::abs(dt) + std::abs(mu_g3) <= std::abs(r_g1) + std::abs(eta_g2) ? dt - mu_g3 : r_g1 + eta_g2;
  return {(-mu * g.g2 / r) * x + time * v, (-mu * g.g1 / (r * distance)) * x - (mu * g.g2 / distance) * v};
}

}  // namespace universal

/// See kepler_change.
PLEIAD_HD inline Phase change_on_orbit(double mu, const Phase& start, double dt) {
  if (dt == 0) return {};
  if (!(mu > 0) || !(norm(start.x) > 0)) return {dt * start.v, {}};
  if (dt > 0) return universal::forwards(mu, start, dt);
  const auto change = universal::forwards(mu, {start.x, -1.0 * start.v}, -dt);
  return {change.x, -1.0 * change.v};
}

}  // namespace pleiad::orbits
