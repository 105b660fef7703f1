/// Profiles in spherical shells, and the phase space of radius and radial velocity.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "profiles/near.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace pleiad::profiles {
namespace {

/// Components of a velocity along the radius, and along the meridian and the parallel of an axis.
Vec3<double> spherical(const Seen& b, Vec3<double> axis) {
  if (!(b.r > 0)) return {0, 0, 0};
  const auto outward = b.x * (1 / b.r);
  const auto along = cross(axis, outward);
  const double sine = norm(along);
  // On the axis any two tangential directions do.
  const auto east =
      sine > 0 ? along * (1 / sine)
               : cross(outward, std::abs(outward.x) < 0.5 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0});
  const auto parallel = east * (1 / norm(east));
  return {dot(b.v, outward), dot(b.v, cross(parallel, outward)), dot(b.v, parallel)};
}

std::vector<double> radii_of(const std::vector<Seen>& bodies) {
  std::vector<double> radii(bodies.size());
  std::ranges::transform(bodies, radii.begin(), &Seen::r);
  return radii;
}

/// Mass of the bodies, nearest first, up to each of these ascending radii.
std::vector<double> enclosed(const std::vector<Seen>& bodies, const std::vector<double>& radii) {
  std::vector<double> all;
  double mass = 0;
  std::size_t next = 0;
  for (const double r : radii) {
    for (; next < bodies.size() && bodies[next].r <= r; ++next) mass += bodies[next].m;
    all.push_back(mass);
  }
  return all;
}

}  // namespace

Columns radial_profile(const Snapshot& snapshot, const Choice& choice, const Bins& bins) {
  Frame frame;
  const auto bodies = seen_in(snapshot, choice, frame);
  const auto edges = edges_of(bins, radii_of(bodies));
  const std::size_t n = edges.size() - 1;
  std::vector<Moments> shells(n);
  for (const auto& b : bodies)
    if (const auto k = bin_of(b.r, edges); k < n) shells[k].add(b.m, spherical(b, frame.axis));

  std::vector<double> low(edges.begin(), edges.end() - 1), high(edges.begin() + 1, edges.end()), radius(n),
      count(n), mass(n), density(n), error(n), inward(n), azimuthal(n), radial(n), tangential(n),
      anisotropy(n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto& shell = shells[k];
    const double volume = 4.0 / 3 * std::numbers::pi * (std::pow(high[k], 3) - std::pow(low[k], 3));
    radius[k] = middle_of(low[k], high[k], bins.logarithmic);
    count[k] = shell.bodies, mass[k] = shell.mass;
    density[k] = shell.mass / volume, error[k] = std::sqrt(shell.mass2) / volume;
    const auto mean = shell.mean(), variance = shell.variance();
    inward[k] = mean.x, azimuthal[k] = mean.z;
    radial[k] = std::sqrt(variance.x), tangential[k] = std::sqrt((variance.y + variance.z) / 2);
    anisotropy[k] = 1 - (variance.y + variance.z) / (2 * variance.x);
    if (!std::isfinite(anisotropy[k])) anisotropy[k] = std::nan("");
  }
  auto inside = enclosed(bodies, radius);
  using Q = Quantity;
  return {{{"radius_low", Q::length, std::move(low)},
           {"radius_high", Q::length, std::move(high)},
           {"radius", Q::length, std::move(radius)},
           {"bodies", Q::number, std::move(count)},
           {"mass", Q::mass, std::move(mass)},
           {"density", Q::density, std::move(density)},
           {"density_error", Q::density, std::move(error)},
           {"enclosed_mass", Q::mass, std::move(inside)},
           {"radial_velocity", Q::velocity, std::move(inward)},
           {"azimuthal_velocity", Q::velocity, std::move(azimuthal)},
           {"radial_dispersion", Q::velocity, std::move(radial)},
           {"tangential_dispersion", Q::velocity, std::move(tangential)},
           {"anisotropy", Q::number, std::move(anisotropy)}}};
}

Columns phase_space(const Snapshot& snapshot, const Choice& choice, const Bins& bins, int speeds,
                    double highest) {
  if (speeds < 0)
    throw UsageError(fmt::format("the number of cells of velocity must be >= 0, not {}", speeds));
  Frame frame;
  const auto bodies = seen_in(snapshot, choice, frame);
  const int usual = static_cast<int>(std::clamp(std::sqrt(double(bodies.size()) / 5), 16.0, 100.0));
  if (speeds == 0) speeds = usual;
  auto cells = bins;
  if (cells.count == 0) cells.count = usual;
  const auto edges = edges_of(cells, radii_of(bodies));
  const std::size_t n = edges.size() - 1, across = static_cast<std::size_t>(speeds);
  struct Point {
    std::size_t bin;
    double velocity, mass;
  };
  std::vector<Point> points;
  for (const auto& b : bodies)
    if (const auto k = bin_of(b.r, edges); k < n) points.push_back({k, spherical(b, frame.axis).x, b.m});
  double top = highest;
  if (!(top > 0) && !points.empty()) {
    std::vector<double> sizes(points.size());
    std::ranges::transform(points, sizes.begin(), [](const Point& p) { return std::abs(p.velocity); });
    const auto at = static_cast<std::ptrdiff_t>(0.998 * double(sizes.size() - 1));
    std::ranges::nth_element(sizes, sizes.begin() + at);
    top = 1.05 * sizes[static_cast<std::size_t>(at)];
  }
  if (!(top > 0 && std::isfinite(top))) top = 1;  // all are at rest
  std::vector<double> velocity_edges(across + 1);
  for (std::size_t j = 0; j <= across; ++j)
    velocity_edges[j] = j == across ? top : -top + 2 * top * double(j) / speeds;
  std::vector<double> low, high, radius, slow, fast, velocity, count(n * across), mass(n * across);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < across; ++j) {
      low.push_back(edges[k]), high.push_back(edges[k + 1]);
      radius.push_back(middle_of(edges[k], edges[k + 1], bins.logarithmic));
      slow.push_back(velocity_edges[j]), fast.push_back(velocity_edges[j + 1]);
      velocity.push_back((velocity_edges[j] + velocity_edges[j + 1]) / 2);
    }
  for (const auto& p : points)
    if (const auto j = bin_of(p.velocity, velocity_edges); j < across)
      count[p.bin * across + j] += 1, mass[p.bin * across + j] += p.mass;
  using Q = Quantity;
  return {{{"radius_low", Q::length, std::move(low)},
           {"radius_high", Q::length, std::move(high)},
           {"radius", Q::length, std::move(radius)},
           {"velocity_low", Q::velocity, std::move(slow)},
           {"velocity_high", Q::velocity, std::move(fast)},
           {"radial_velocity", Q::velocity, std::move(velocity)},
           {"bodies", Q::number, std::move(count)},
           {"mass", Q::mass, std::move(mass)}}};
}

}  // namespace pleiad::profiles
