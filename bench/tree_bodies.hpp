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
/// side 50; or a uniform cube. Positions that single precision holds.
inline Mass<double> body(const std::string& model, std::uint64_t i, std::uint64_t n) {
  const auto u = [&](std::uint64_t k) { return unit(42, 3 * i + k); };
  const double m = 1 / double(n);
  const auto at = [&](double x, double y, double z) {
    return Mass<double>{double(float(x)), double(float(y)), double(float(z)), double(float(m))};
  };
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
/// UsageError for another model than these six.
inline std::vector<Mass<double>> bodies_of(const std::string& model, std::size_t n) {
  if (model == "merger" || model == "king-in-halo") return modelled(model, n);
  if (model != "plummer" && model != "uncut" && model != "clumps" && model != "cube")
    throw UsageError("no model '" + model + "': it is plummer, uncut, clumps, cube, merger or king-in-halo");
  std::vector<Mass<double>> bodies(n);
  for (std::size_t i = 0; i < n; ++i) bodies[i] = body(model, i, n);
  return bodies;
}

}  // namespace pleiad::bench
