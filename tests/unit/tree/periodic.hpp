/// Bodies in periodic boxes, Ewald's sums of them, and errors, for the tests of trees.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solving.hpp"

#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace pleiad {
extern const DirectKernel direct_ewald;
}

namespace pleiad::tree_test::boxed {

inline Boundary box(Vec3<double> length = {1, 1, 1}) {
  return {.periodic = true, .length = length, .images = Images::all};
}

inline Masses uniform(std::size_t n) {
  Masses bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    Random r(31, i);
    const double x = r.uniform(), y = r.uniform(), z = r.uniform();
    bodies[i] = {x, y, z, (0.5 + r.uniform()) / double(n)};
  }
  return bodies;
}
/// Two clumps, one of them around a corner of the box.
inline Masses clumps(std::size_t n) {
  Masses bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    Random r(32, i);
    const Vec3<double> centre = i % 3 == 0 ? Vec3<double>{0, 0, 0} : Vec3<double>{0.7, 0.9, 0.4};
    const Vec3<double> x = centre + 0.03 * std::abs(r.normal()) * r.direction();
    const auto wrapped = [](double u) { return u - std::floor(u); };
    bodies[i] = {wrapped(x.x), wrapped(x.y), wrapped(x.z), 1 / double(n)};
  }
  return bodies;
}
inline Masses lattice(int side) {
  Masses bodies;
  for (int i = 0; i < side * side * side; ++i)
    bodies.push_back({(i % side + 0.5) / side, (i / side % side + 0.5) / side, (i / side / side + 0.5) / side,
                      1.0 / (side * side * side)});
  return bodies;
}

/// A young universe: a lattice whose bodies waves have displaced by 0.002 of the box at most. Their pulls
/// nearly cancel: some 0.02 M / L^2 are left of 6.
inline Masses young(int side) {
  Masses bodies = lattice(side);
  constexpr double turn = 2 * std::numbers::pi;
  for (auto& b : bodies) {
    const Vec3<double> q = b.position();
    b.x += 8e-4 * std::sin(turn * (q.x + q.y)) + 8e-4 * std::sin(turn * (2 * q.z + q.x) + 1);
    b.y += 8e-4 * std::sin(turn * (q.x + q.y)) + 4e-4 * std::cos(turn * 3 * q.y);
    b.z += 8e-4 * std::sin(turn * (q.z - q.y) + 2);
  }
  return bodies;
}
/// Bodies at corners, on edges and faces of the box and just inside of them, and a few elsewhere.
inline Masses at_the_walls(std::size_t n) {
  constexpr std::array places{0.0, 0x1p-30, 0.5, 1 - 0x1p-20, 0.25};
  Masses bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    Random r(33, i);
    const auto place = [&](std::size_t k) {
      const std::size_t at = k % (places.size() + 1);
      return at < places.size() ? places[at] : double(float(r.uniform()));
    };
    const double x = place(i), y = place(i / 6 + i % 5), z = place(i / 36 + i % 7);
    bodies[i] = {x, y, z, 1 / double(n)};
  }
  return bodies;
}

inline Sums<F64> ewald(const Boundary& boundary, const Masses& bodies, double eps) {
  Sums<F64> sums(bodies.size());
  direct_ewald.f64({.targets = bodies,
                    .sources = bodies,
                    .sums = sums,
                    .softening = {eps},
                    .boundary = boundary,
                    .potential = true},
                   {});
  return sums;
}

/// The 99th percentile of |da| / |a|, the largest |da| and |dPhi|.
struct Wrong {
  double p99 = 0, pull = 0, potential = 0;
};
template <class T>
Wrong wrong(const std::vector<Vec4<T>>& found, const Sums<F64>& right) {
  std::vector<double> relative;
  Wrong w;
  // NaN is worse, and stays.
  const auto worse = [](double most, double error) {
    return std::isnan(most) || error <= most ? most : error;
  };
  for (std::size_t i = 0; i < right.size(); ++i) {
    const auto f = found[i];
    const double error = norm(Vec3<double>{double(f.x), double(f.y), double(f.z)} - right[i].xyz());
    relative.push_back(std::isfinite(error) ? error / norm(right[i].xyz()) : INFINITY);
    w.pull = worse(w.pull, error);
    w.potential = worse(w.potential, std::abs(double(f.w) - right[i].w));
  }
  std::sort(relative.begin(), relative.end());
  w.p99 = relative[std::size_t(0.99 * double(relative.size()))];
  return w;
}

}  // namespace pleiad::tree_test::boxed
