/// Elements of a state, and the state of elements (Danby 1988, Fundamentals of Celestial Mechanics, 6).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "orbits/kepler.hpp"
#include "orbits/stumpff.hpp"

#include <pleiad/error.hpp>
#include <pleiad/orbits.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

namespace pleiad {
namespace {

constexpr double pi = std::numbers::pi, infinite = std::numeric_limits<double>::infinity();

bool finite(const Vec3<double>& a) { return std::isfinite(a.x + a.y + a.z); }

/// An angle from -pi to pi.
double turned(double angle) { return std::remainder(angle, 2 * pi); }

/// The normal of the plane of an orbit, of length 1; of a straight line that of the plane tilted least.
Vec3<double> normal_of(const Vec3<double>& h, const Vec3<double>& x) {
  if (const double length = norm(h); length > 0) return h * (1 / length);
  const auto along = x * (1 / norm(x));
  const auto up = Vec3<double>{0, 0, 1} - along.z * along;
  const double length = norm(up);
  return length > 0 ? up * (1 / length) : Vec3<double>{1, 0, 0};
}

/// The directions of the ascending node, and of a quarter of a turn behind it, in the plane of the orbit.
struct Plane {
  Vec3<double> node{}, ahead{};
};
Plane plane_of(double inclination, double node) {
  const double c = std::cos(node), s = std::sin(node), ci = std::cos(inclination), si = std::sin(inclination);
  return {{c, s, 0}, {-s * ci, c * ci, si}};
}

/// Time since pericentre of a place at distance r and true anomaly f, where r dr/dt = eta.
double time_since_pericentre(double mu, double b, double e, double q, double r, double eta, double f) {
  const double root = std::sqrt(std::abs(b));
  double s = eta / mu;
  // By the anomaly where e is small: rounding errors of it then belong to that pericentre.
  if (b > 0 && e < 0.5) s = std::atan2(std::sqrt(1 - e * e) * std::sin(f), e + std::cos(f)) / root;
  else if (b > 0) s = std::atan2(root * eta, mu - b * r) / root;
  else if (b < 0) s = std::asinh(root * eta / (mu * e)) / root;
  const auto g = orbits::stumpff(b, s);
  return q * g.g1 + mu * g.g3;
}

}  // namespace

OrbitalElements elements_of(double mu, Vec3<double> x, Vec3<double> v) {
  const double r = norm(x), eta = dot(x, v);
  if (!(mu > 0 && std::isfinite(mu))) throw UsageError(fmt::format("an orbit needs mu = {} > 0", mu));
  if (!(finite(x) && finite(v))) throw UsageError("an orbit needs a finite position and velocity");
  if (!(r > 0)) throw UsageError("an orbit needs a position that is not the centre");
  const auto h = cross(x, v);
  const double p = dot(h, h) / mu, b = 2 * mu / r - dot(v, v);
  OrbitalElements o;
  // e cos f and e sin f, so that e and f are of one place whatever their rounding errors.
  const double e_cos = p / r - 1, e_sin = std::sqrt(p / mu) * eta / r;
  o.eccentricity = std::hypot(e_cos, e_sin);
  o.true_anomaly = o.eccentricity > 0 ? std::atan2(e_sin, e_cos) : 0;
  o.pericentre_distance = p / (1 + o.eccentricity);
  o.semi_major_axis = b == 0 ? infinite : mu / b;
  const auto normal = normal_of(h, x);
  o.inclination = std::atan2(std::hypot(normal.x, normal.y), normal.z);
  const bool flat = normal.x == 0 && normal.y == 0;
  o.node = flat ? 0 : std::atan2(normal.x, -normal.y);
  const auto plane = plane_of(o.inclination, o.node);
  const double latitude = std::atan2(dot(x, plane.ahead), dot(x, plane.node));  // its argument
  if (o.eccentricity > 0) o.pericentre = turned(latitude - o.true_anomaly);
  else o.true_anomaly = latitude;
  o.mean_motion = b == 0 ? std::sqrt(mu / (2 * o.pericentre_distance)) / o.pericentre_distance
                         : std::sqrt(std::abs(b)) * (std::abs(b) / mu);
  o.period = b > 0 ? 2 * pi / o.mean_motion : infinite;
  o.mean_anomaly = o.eccentricity > 0
                       ? o.mean_motion * time_since_pericentre(mu, b, o.eccentricity, o.pericentre_distance,
                                                               r, eta, o.true_anomaly)
                       : o.true_anomaly;
  return o;
}

OrbitalState state_on(double mu, const StatedOrbit& o) {
  const auto stated = [](double value) { return value != StatedOrbit::unset; };
  const auto need = [](bool holds, const std::string& message) {
    if (!holds) throw UsageError("orbit: " + message);
  };
  const double e = o.eccentricity;
  need(mu > 0 && std::isfinite(mu), fmt::format("mu = {} must be > 0", mu));
  need(e >= 0 && std::isfinite(e), fmt::format("eccentricity = {} must be >= 0", e));
  need(stated(o.semi_major_axis) != stated(o.pericentre_distance),
       "give the semi-major axis or the pericentre distance, and not both");
  need(!(stated(o.true_anomaly) && stated(o.mean_anomaly)), "give the true or the mean anomaly, not both");
  for (const double angle : {o.inclination, o.node, o.pericentre})
    need(std::isfinite(angle), fmt::format("an angle of {} must be finite", angle));
  if (stated(o.semi_major_axis)) {
    const double a = o.semi_major_axis;
    need(e != 1, "a parabola (eccentricity 1) has a pericentre distance, not a semi-major axis");
    need(std::isfinite(a) && (e < 1 ? a > 0 : a < 0),
         fmt::format("semi-major axis = {} must be {} with eccentricity {}", a, e < 1 ? "> 0" : "< 0", e));
  }
  const double q = stated(o.semi_major_axis) ? o.semi_major_axis * (1 - e) : o.pericentre_distance;
  need(q > 0 && std::isfinite(q), fmt::format("pericentre distance = {} must be > 0", q));
  const auto plane = plane_of(o.inclination, o.node);
  const double c = std::cos(o.pericentre), s = std::sin(o.pericentre);
  const auto along = c * plane.node + s * plane.ahead, across = c * plane.ahead - s * plane.node;
  const double p = q * (1 + e);
  if (stated(o.mean_anomaly)) {
    need(std::isfinite(o.mean_anomaly), fmt::format("mean anomaly = {} must be finite", o.mean_anomaly));
    const double a = q / std::abs(1 - e), n = e == 1 ? std::sqrt(mu / (2 * q)) / q : std::sqrt(mu / a) / a;
    const auto end =
        orbits::kepler_step(mu, {q * along, std::sqrt(mu * (1 + e) / q) * across},
                            (e < 1 ? std::remainder(o.mean_anomaly, 2 * pi) : o.mean_anomaly) / n);
    return {end.x, end.v};
  }
  const double f = stated(o.true_anomaly) ? o.true_anomaly : 0;
  need(std::isfinite(f), fmt::format("true anomaly = {} must be finite", f));
  const double r = p / (1 + e * std::cos(f)), k = std::sqrt(mu / p);
  need(r > 0 && std::isfinite(r), fmt::format("true anomaly = {} lies beyond the asymptote, at {:.9g}", f,
                                              std::acos(-1 / std::max(e, 1.0))));
  return {r * (std::cos(f) * along + std::sin(f) * across),
          k * (-std::sin(f) * along + (e + std::cos(f)) * across)};
}

}  // namespace pleiad
