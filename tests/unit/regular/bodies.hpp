/// Groups of a few bodies, and the orbits of pairs in them, with more digits than doubles have.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "regular/group.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace pleiad::regular {

inline constexpr double pi = std::numbers::pi;

inline DoubleVec double_vec(const Vec3<double>& a) { return {{a.x, 0}, {a.y, 0}, {a.z, 0}}; }

inline Vec3<double> rounded_vec(const DoubleVec& a) { return {a.x.value(), a.y.value(), a.z.value()}; }

inline Group::Body body(double mass, const Vec3<double>& x, const Vec3<double>& v) {
  return {mass, double_vec(x), double_vec(v)};
}

/// Two bodies at apocentre, with a = 1: the total mass is 1, the period 2 pi.
inline std::vector<Group::Body> pair_at_apocentre(double e, double first = 0.5) {
  const double r = 1 + e, v = std::sqrt((1 - e) / (1 + e)), second = 1 - first;
  return {body(first, {second * r, 0, 0}, {0, second * v, 0}),
          body(second, {-first * r, 0, 0}, {0, -first * v, 0})};
}

/// Elements of the orbit of j about i.
struct Orbit {
  long double a = 0, e = 0, longitude = 0, momentum = 0;  ///< momentum: angular, for each unit of mass
  std::array<long double, 3> normal{};                    ///< times the angular momentum
};
inline Orbit orbit_of(const std::vector<Group::Body>& bodies, std::size_t i = 0, std::size_t j = 1) {
  const auto wide = [](const DoubleVec& d) {
    return std::array<long double, 3>{(long double)d.x.high + d.x.low, (long double)d.y.high + d.y.low,
                                      (long double)d.z.high + d.z.low};
  };
  const auto x = wide(bodies[j].x - bodies[i].x), v = wide(bodies[j].v - bodies[i].v);
  const auto dot = [](const auto& p, const auto& q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; };
  const auto cross = [](const auto& p, const auto& q) {
    return std::array<long double, 3>{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2],
                                      p[0] * q[1] - p[1] * q[0]};
  };
  const long double mass = bodies[i].mass + bodies[j].mass, r = std::sqrt(dot(x, x));
  Orbit o;
  o.a = 1 / (2 / r - dot(v, v) / mass);
  o.normal = cross(x, v);
  o.momentum = std::sqrt(dot(o.normal, o.normal));
  auto towards = cross(v, o.normal);
  for (std::size_t k = 0; k < 3; ++k) towards[k] = towards[k] / mass - x[k] / r;
  o.e = std::sqrt(dot(towards, towards));
  o.longitude = std::atan2(towards[1], towards[0]);
  return o;
}

inline double energy(const std::vector<Group::Body>& bodies) {
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto v = rounded_vec(bodies[i].v);
    sum += bodies[i].mass * dot(v, v) / 2;
    for (std::size_t j = 0; j < i; ++j)
      sum -= bodies[i].mass * bodies[j].mass / norm(rounded_vec(bodies[i].x - bodies[j].x));
  }
  return sum;
}

inline std::vector<Group::Body> pythagorean() {
  return {body(3, {1, 3, 0}, {}), body(4, {-2, -1, 0}, {}), body(5, {1, -1, 0}, {})};
}

}  // namespace pleiad::regular
