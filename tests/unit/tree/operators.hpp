/// The generated operators of all orders for doubles, and random cells to try them on.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/indices.hpp"

#include <pleiad/vec.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace pleiad::tree_test {

using namespace tree;

template <int p>
struct Order {};
using std::fma;
inline double inverse_root(double x) { return 1 / std::sqrt(x); }

#define PLEIAD_OPERATOR inline
#define PLEIAD_RESTRICT __restrict__
// Written by the build of pleiad_tree.
#include "operators_2.inc"
#include "operators_3.inc"
#include "operators_4.inc"
#include "operators_5.inc"
#include "operators_6.inc"
#include "operators_8.inc"
#undef PLEIAD_OPERATOR
#undef PLEIAD_RESTRICT

inline std::mt19937_64 random_bits(1);
inline double uniform(double low, double high) {
  return std::uniform_real_distribution(low, high)(random_bits);
}
inline Vec3<double> direction() {
  for (;;) {
    const Vec3<double> d{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    if (const double r = norm(d); r > 0.1 && r < 1) return (1 / r) * d;
  }
}

/// A cell: bodies, and what the tree knows of them.
struct Cluster {
  std::vector<Mass<double>> bodies;
  Vec3<double> centre{};
  double mass = 0, radius = 0, unit = 1;
};
/// The unit need not fit the radius; in a tree it is up to twice as large.
inline Cluster cluster_of(std::vector<Mass<double>> bodies, double unit_per_radius) {
  Cluster c{.bodies = std::move(bodies)};
  for (const auto& b : c.bodies) c.mass += b.m, c.centre += b.m * b.position();
  c.centre = c.bodies.size() == 1 ? c.bodies[0].position() : (1 / c.mass) * c.centre;
  for (const auto& b : c.bodies) c.radius = std::max(c.radius, norm(b.position() - c.centre));
  c.unit = c.radius > 0 ? unit_per_radius * c.radius : 1;
  return c;
}
/// 1 to 12 bodies in a ball, often flat or lopsided.
inline Cluster random_cluster(Vec3<double> middle, double size) {
  const int n = int(uniform(1, 13));
  const double flat = uniform(0, 1), heavy = uniform(1, 20);
  std::vector<Mass<double>> bodies;
  for (int i = 0; i < n; ++i) {
    const auto d = size * std::cbrt(uniform(0, 1)) * direction();
    bodies.push_back(
        {middle.x + d.x, middle.y + d.y, middle.z + flat * d.z, uniform(0.1, 1) * (i == 0 ? heavy : 1)});
  }
  return cluster_of(std::move(bodies), uniform(1, 2));
}

inline std::vector<Mass<double>> random_cube(int n) {
  std::vector<Mass<double>> bodies;
  for (int i = 0; i < n; ++i) {
    const double x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
    bodies.push_back({x, y, z, uniform(0.5, 1)});
  }
  return bodies;
}

template <int p>
struct Moments {
  std::array<double, std::size_t(moments(p))> all{};
  std::array<double, std::size_t(folded_moments(p))> folded{};
};
template <int p>
void add_bodies(const Cluster& c, std::array<double, std::size_t(moments(p))>& all) {
  for (const auto& b : c.bodies) {
    const auto d = (1 / c.unit) * (b.position() - c.centre);
    p2m(Order<p>{}, d.x, d.y, d.z, b.m, all.data());
  }
}
template <int p>
Moments<p> moments_of(const Cluster& c) {
  Moments<p> m;
  add_bodies<p>(c, m.all);
  fold(Order<p>{}, m.all.data(), m.folded.data());
  return m;
}

template <int p>
using Local = std::array<double, std::size_t(locals(p))>;
/// The field of a source about the centre of a target by the harmonic operators, weakened for softening.
template <int p>
Local<p> harmonic_field(const Cluster& source, const Cluster& target, double eps) {
  Local<p> local{};
  const auto m = moments_of<p>(source);
  const auto d = target.centre - source.centre;
  std::array<double, std::size_t(folded_locals(p))> folded{};
  m2l(Order<p>{}, m.folded.data(), source.unit, d.x, d.y, d.z, eps * eps, target.unit, folded.data());
  unfold(Order<p>{}, folded.data(), local.data());
  return local;
}
/// The same with all of softening; eps < 0: without any, by the harmonic operators.
template <int p>
Local<p> field(const Cluster& source, const Cluster& target, double eps) {
  if (eps < 0) return harmonic_field<p>(source, target, 0);
  Local<p> local{};
  const auto m = moments_of<p>(source);
  const auto d = target.centre - source.centre;
  m2l_soft(Order<p>{}, m.all.data(), source.unit, d.x, d.y, d.z, eps * eps, target.unit, local.data());
  return local;
}
/// Pull and potential of an expansion on a body.
template <int p>
inline Vec4<double> at(const Local<p>& local, const Cluster& target, Vec3<double> x) {
  const auto d = (1 / target.unit) * (x - target.centre);
  Vec4<double> a;
  l2p_potential(Order<p>{}, local.data(), d.x, d.y, d.z, a.x, a.y, a.z, a.w);
  return {a.x / target.unit, a.y / target.unit, a.z / target.unit, a.w};
}
inline Vec4<double> direct(const Cluster& source, Vec3<double> x, double eps) {
  Vec4<double> a;
  for (const auto& b : source.bodies) {
    const auto d = b.position() - x;
    const double i = 1 / std::sqrt(dot(d, d) + eps * eps), f = b.m * i * i * i;
    a = {a.x + f * d.x, a.y + f * d.y, a.z + f * d.z, a.w + b.m * i};
  }
  return a;
}

/// Two cells with (r_A + r_B) / R = rho.
inline std::pair<Cluster, Cluster> random_pair(double rho) {
  const double ratio = std::pow(10.0, uniform(-1, 1));
  const auto source = random_cluster({}, 1);
  auto target = random_cluster({}, ratio);
  const double sum = source.radius + target.radius, R = (sum > 0 ? sum : 1) / rho;
  const auto shift = source.centre + R * direction() - target.centre;
  for (auto& b : target.bodies) b.x += shift.x, b.y += shift.y, b.z += shift.z;
  return {source, cluster_of(std::move(target.bodies), uniform(1, 2))};
}

template <class Test>
void for_all_orders(const Test& test) {
  test(Order<3>{}), test(Order<4>{}), test(Order<5>{}), test(Order<6>{}), test(Order<8>{});
}

}  // namespace pleiad::tree_test
