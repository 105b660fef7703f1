/// Millions of bodies for measurements of trees on GPUs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/vec.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace pleiad::bench {

inline std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
inline double unit(std::uint64_t seed, std::uint64_t k) {
  return double(mixed(mixed(seed) + k) >> 11) * 0x1p-53;
}

/// A Plummer sphere of scale 1 cut at 99.9 % of its mass, equal masses; uncut, with bodies a thousand scales
/// away; 64 of scales 0.01 to 1 in a cube of
/// side 50; a uniform cube; or in a box of side 1 a young universe: a lattice whose bodies waves have
/// displaced by some 0.002, so that 0.02 M / L^2 are left of their pulls, as at redshift 49. Positions that
/// single precision holds.
inline Mass<double> body(const std::string& model, std::uint64_t i, std::uint64_t n) {
  const auto u = [&](std::uint64_t k) { return unit(42, 3 * i + k); };
  const double m = 1 / double(n);
  const auto at = [&](double x, double y, double z) {
    return Mass<double>{double(float(x)), double(float(y)), double(float(z)), double(float(m))};
  };
  if (model == "young") {
    const auto side = std::uint64_t(std::llround(std::cbrt(double(n))));
    const auto q = [&](std::uint64_t k) { return (double(k % side) + 0.5) / double(side); };
    double x[3] = {q(i), q(i / side), q(i / side / side)};
    const double phase = 6.283185307179586, qx = x[0], qy = x[1], qz = x[2];
    // Waves of one amplitude, each along its own direction, as gravity makes them grow.
    for (std::uint64_t wave = 0; wave < 24; ++wave) {
      double k[3], length = 0;
      for (std::uint64_t axis = 0; axis < 3; ++axis)
        k[axis] = std::floor(9 * unit(5, 4 * wave + axis)) - 4, length += k[axis] * k[axis];
      if (length == 0) continue;
      const double by = 6e-4 / std::sqrt(length) *
                        std::sin(phase * (k[0] * qx + k[1] * qy + k[2] * qz + unit(5, 4 * wave + 3)));
      for (int axis = 0; axis < 3; ++axis) x[axis] += by * k[axis];
    }
    return at(x[0], x[1], x[2]);
  }
  if (model == "cube") return at(2 * u(0) - 1, 2 * u(1) - 1, 2 * u(2) - 1);
  const double share = model == "uncut" ? 1 : 0.999;
  double r = 1 / std::sqrt(std::pow(share * u(0) + 1e-12, -2.0 / 3) - 1), c[3] = {0, 0, 0};
  if (model == "clumps") {
    const auto v = [&](std::uint64_t k) { return unit(7, 5 * (i & 63) + k); };
    r *= std::pow(10.0, -2 * v(3));
    for (std::uint64_t k = 0; k < 3; ++k) c[k] = 50 * v(k);
  }
  const double ct = 2 * u(1) - 1, st = std::sqrt(1 - ct * ct), phi = 6.283185307179586 * u(2);
  return at(c[0] + r * st * std::cos(phi), c[1] + r * st * std::sin(phi), c[2] + r * ct);
}

inline void add(const Bodies& from, double length, double mass, Vec3<double> at,
                std::vector<Mass<double>>& to) {
  const auto single = [](double x) { return double(float(x)); };
  for (std::size_t i = 0; i < from.size(); ++i)
    to.push_back({single(at.x + length * from.x[i]), single(at.y + length * from.y[i]),
                  single(at.z + length * from.z[i]), single(mass * from.mass[i])});
}
/// Of the program's models, in positions that single precision holds.
inline std::vector<Mass<double>> modelled(const std::string& model, std::size_t n) {
  const auto draw = [&](const char* name, std::size_t count) {
    return make_model(name, std::vector{"n=" + std::to_string(count)}, 1).bodies;
  };
  std::vector<Mass<double>> bodies;
  if (model == "merger") {
    add(draw("encounter", n), 1, 1, {}, bodies);
  } else {
    // An eighth of the mass and of the bodies in a cluster fifty times smaller than the halo around it.
    add(draw("hernquist", n - n / 8), 1, 0.875, {}, bodies);
    add(draw("king", n / 8), 0.02, 0.125, {1, 0, 0}, bodies);
  }
  return bodies;
}
/// The side of the periodic box of a model; UsageError for one that has none.
inline double side_of(const std::string& model) {
  if (model == "cube") return 2;
  if (model == "clumps") return 50;
  if (model == "young") return 1;
  throw UsageError("the model '" + model + "' has no periodic box: cube, clumps and young have one");
}
/// UsageError for another model than these seven, and for a lattice of another number of bodies than a
/// cube's.
inline std::vector<Mass<double>> bodies_of(const std::string& model, std::size_t n) {
  if (model == "merger" || model == "king-in-halo") return modelled(model, n);
  if (model != "plummer" && model != "uncut" && model != "clumps" && model != "cube" && model != "young")
    throw UsageError("no model '" + model +
                     "': it is plummer, uncut, clumps, cube, young, merger or king-in-halo");
  if (const auto side = std::uint64_t(std::llround(std::cbrt(double(n))));
      model == "young" && side * side * side != n)
    throw UsageError("the model 'young' is a lattice, and " + std::to_string(n) + " is no cube of a number");
  std::vector<Mass<double>> bodies(n);
  for (std::size_t i = 0; i < n; ++i) bodies[i] = body(model, i, n);
  return bodies;
}

}  // namespace pleiad::bench
