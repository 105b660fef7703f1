/// Small systems and how they are run, for the physics tests (numbers P1... are those of the validation
/// catalogue in docs/validation.md).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/integrator.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string_view>

namespace pleiad::physics {

inline constexpr double pi = std::numbers::pi;

inline Snapshot snapshot_of(Bodies bodies) {
  Snapshot s;
  s.bodies = std::move(bodies);
  return s;
}

inline Method fixed(std::string_view integrator, double dt) {
  return {.integrator = &integrator_named(integrator), .dt = dt};
}

inline EngineOptions in(Precision precision) { return {.precision = precision}; }

/// A bound pair with total mass 1 (3/4 and 1/4), semi-major axis 1, G = 1: the period is 2 pi. Starts at
/// pericentre.
inline Bodies kepler_pair(double e) {
  const double r = 1 - e, v = std::sqrt((1 + e) / (1 - e));
  Bodies b;
  b.add(0.75, {-0.25 * r, 0, 0}, {0, -0.25 * v, 0});
  b.add(0.25, {0.75 * r, 0, 0}, {0, 0.75 * v, 0});
  return b;
}

/// The classic digits of the figure-eight, which close only to 3e-8, or the refined ones.
inline Bodies figure_eight(bool refined) {
  const double x = refined ? 0.9700043569282653 : 0.97000436, y = refined ? -0.2430875293457389 : -0.24308753;
  const double u = refined ? -0.9324073696992292 : -0.93240737,
               v = refined ? -0.8647314630875040 : -0.86473146;
  Bodies b;
  b.add(1, {x, y, 0}, {-u / 2, -v / 2, 0});
  b.add(1, {-x, -y, 0}, {-u / 2, -v / 2, 0});
  b.add(1, {0, 0, 0}, {u, v, 0});
  return b;
}
inline constexpr double figure_eight_period = 6.32591398;

inline Vec3<double> separation(const Bodies& b) { return b.position(1) - b.position(0); }
inline Vec3<double> relative_velocity(const Bodies& b) { return b.velocity(1) - b.velocity(0); }

/// Largest |E - E0| / |E0| seen after each of `steps` steps.
inline double worst_energy_error(Simulation& s, std::uint64_t steps) {
  const double before = s.energies().total();
  double worst = 0;
  for (std::uint64_t k = 0; k < steps; ++k) {
    s.run_towards(1e9 * s.method().dt, 1);
    const double error = std::abs((s.energies().total() - before) / before);
    worst = std::isfinite(error) ? std::max(worst, error) : INFINITY;
  }
  return worst;
}

/// Largest distance between bodies of the same index.
inline double distance(const Bodies& a, const Bodies& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = norm(a.position(i) - b.position(i));
    worst = std::isfinite(d) ? std::max(worst, d) : INFINITY;
  }
  return worst;
}

/// Least-squares slope of log2(y) for x = 0, 1, 2, ...
inline double slope(const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = static_cast<double>(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double x = static_cast<double>(i), l = std::log2(y[i]);
    sx += x, sy += l, sxx += x * x, sxy += x * l;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace pleiad::physics
