/// Rotation curves: rings about an axis, and the forces in their plane.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "profiles/near.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/pull.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace pleiad::profiles {
namespace {

/// A ring's points, at which the force is averaged.
constexpr int points = 32;

/// The plane of a frame: two directions at right angles to its axis and to each other.
struct Plane {
  Vec3<double> first, second;
  explicit Plane(Vec3<double> axis) {
    const auto other = std::abs(axis.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    const auto across = cross(axis, other);
    first = across * (1 / norm(across)), second = cross(axis, first);
  }
};

/// Inward acceleration at the radii, averaged over the points of each ring.
std::vector<double> inward_forces(const Snapshot& s, const Frame& frame, const std::vector<double>& radii,
                                  double eps) {
  const Plane plane(frame.axis);
  const auto& b = s.bodies;
  const Box<double> box(s.boundary);
  std::vector<double> inward(radii.size() * points);
  parallel_for(inward.size(), [&](std::size_t t) {
    const double angle = 2 * std::numbers::pi * double(t % points) / points;
    const auto out = std::cos(angle) * plane.first + std::sin(angle) * plane.second;
    const auto place = frame.centre + radii[t / points] * out;
    Vec3<double> sum;
    for (std::size_t i = 0; i < b.size(); ++i) {
      auto d = b.position(i) - place;
      if (s.boundary.periodic) d = minimum_image(d, box);
      const auto a = pull(d, b.mass[i], eps * eps);
      sum += Vec3<double>{a.x, a.y, a.z};
    }
    inward[t] = -s.G * dot(sum, out);
  });
  std::vector<double> means(radii.size());
  for (std::size_t t = 0; t < inward.size(); ++t) means[t / points] += inward[t] / points;
  return means;
}

std::vector<double> spherical_speeds(const Snapshot& s, const Frame& frame,
                                     const std::vector<double>& radii) {
  std::vector<double> mass(radii.size());
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const double r = norm(separation(s.bodies.position(i), frame.centre, s.boundary));
    const auto k = std::ranges::lower_bound(radii, r) - radii.begin();
    if (k < std::ssize(radii)) mass[static_cast<std::size_t>(k)] += s.bodies.mass[i];
  }
  double within = 0;
  for (std::size_t k = 0; k < radii.size(); ++k)
    within += mass[k], mass[k] = std::sqrt(s.G * within / radii[k]);
  return mass;
}

}  // namespace

Columns rotation_curve(const Snapshot& snapshot, const Choice& choice, const Bins& bins, double eps) {
  if (!(eps >= 0 && std::isfinite(eps))) throw UsageError(fmt::format("eps must be >= 0, not {}", eps));
  Frame frame;
  const auto bodies = seen_in(snapshot, choice, frame);
  struct Flat {
    double R, m;
    Vec3<double> v;  ///< outward, along the rotation, along the axis
  };
  std::vector<Flat> flat;
  std::vector<double> sorted;
  for (const auto& b : bodies) {
    const auto inside = b.x - dot(b.x, frame.axis) * frame.axis;
    const double R = norm(inside);
    sorted.push_back(R);
    if (!(R > 0)) continue;
    const auto out = inside * (1 / R);
    flat.push_back({R, b.m, {dot(b.v, out), dot(b.v, cross(frame.axis, out)), dot(b.v, frame.axis)}});
  }
  std::ranges::sort(sorted);
  const auto edges = edges_of(bins, sorted);
  const std::size_t n = edges.size() - 1;
  std::vector<Moments> rings(n);
  for (const auto& b : flat)
    if (const auto k = bin_of(b.R, edges); k < n) rings[k].add(b.m, b.v);

  std::vector<double> low(edges.begin(), edges.end() - 1), high(edges.begin() + 1, edges.end()), radius(n),
      count(n), mass(n), surface(n), azimuthal(n), error(n), radial(n), around(n), vertical(n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto& ring = rings[k];
    radius[k] = middle_of(low[k], high[k], bins.logarithmic);
    count[k] = ring.bodies, mass[k] = ring.mass;
    surface[k] = ring.mass / (std::numbers::pi * (high[k] * high[k] - low[k] * low[k]));
    const auto variance = ring.variance();
    azimuthal[k] = ring.mean().y;
    // The variance of a weighted mean is that of one body times sum m^2 / (sum m)^2.
    error[k] = std::sqrt(variance.y * ring.mass2) / ring.mass;
    radial[k] = std::sqrt(variance.x), around[k] = std::sqrt(variance.y), vertical[k] = std::sqrt(variance.z);
  }
  auto circular = inward_forces(snapshot, frame, radius, eps);
  for (std::size_t k = 0; k < n; ++k) circular[k] = std::sqrt(std::max(0.0, radius[k] * circular[k]));
  auto spherical = spherical_speeds(snapshot, frame, radius);
  using Q = Quantity;
  return {{{"radius_low", Q::length, std::move(low)},
           {"radius_high", Q::length, std::move(high)},
           {"radius", Q::length, std::move(radius)},
           {"bodies", Q::number, std::move(count)},
           {"mass", Q::mass, std::move(mass)},
           {"surface_density", Q::surface_density, std::move(surface)},
           {"circular_velocity", Q::velocity, std::move(circular)},
           {"spherical_circular_velocity", Q::velocity, std::move(spherical)},
           {"azimuthal_velocity", Q::velocity, std::move(azimuthal)},
           {"azimuthal_velocity_error", Q::velocity, std::move(error)},
           {"radial_dispersion", Q::velocity, std::move(radial)},
           {"azimuthal_dispersion", Q::velocity, std::move(around)},
           {"vertical_dispersion", Q::velocity, std::move(vertical)}}};
}

}  // namespace pleiad::profiles
