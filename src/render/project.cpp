/// See project.hpp; and the choice of a view.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/project.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace pleiad {
namespace {

double component(const Vec3<double>& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
double& component(Vec3<double>& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// The value below which `fraction` of the weight lies.
double weighted_quantile(std::vector<std::pair<double, double>> values, double fraction) {
  std::sort(values.begin(), values.end());
  double total = 0, sum = 0;
  for (const auto& [value, weight] : values) total += weight;
  for (const auto& [value, weight] : values)
    if ((sum += weight) >= fraction * total) return value;
  return values.empty() ? 0 : values.back().first;
}

bool luminous(Type type) { return type != Type::halo && type != Type::boundary; }

/// Whether body i is among some hundred thousand of n, which show where all of them are. By a hash of the
/// number: bodies of one kind may follow each other in steps.
bool one_of_many(std::uint64_t i, std::size_t n) {
  constexpr std::size_t enough = std::size_t{1} << 18;
  if (n <= enough) return true;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9U;
  i = (i ^ i >> 27) * 0x94d049bb133111ebU;
  return (i ^ i >> 31) % (n / enough + 1) == 0;
}

/// The bodies that a view should hold: the luminous ones where there are any.
std::vector<std::size_t> worth_seeing(const Bodies& bodies) {
  std::vector<std::size_t> all, bright;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!one_of_many(i, bodies.size()) || !render_detail::drawable(bodies, i)) continue;
    all.push_back(i);
    if (luminous(bodies.type[i])) bright.push_back(i);
  }
  return bright.empty() || all.size() <= render_detail::few_bodies ? all : bright;
}

/// Centred on the centre of mass, wide enough for all bodies wherever they turn about it.
void hold_all(const Bodies& bodies, const std::vector<std::size_t>& chosen, View& view) {
  double total = 0;
  for (const std::size_t i : chosen) total += bodies.mass[i];
  for (const std::size_t i : chosen)
    view.centre += bodies.position(i) * (total > 0 ? bodies.mass[i] / total : 1.0 / double(chosen.size()));
  for (const std::size_t i : chosen)
    view.half_width = std::max(view.half_width, 1.2 * norm(bodies.position(i) - view.centre));
}

/// Centre on the medians by mass, then the square that holds 98 % of the mass.
void hold_most(const Bodies& bodies, const std::vector<std::size_t>& chosen, View& view) {
  std::vector<std::pair<double, double>> values(chosen.size());
  double total = 0;
  for (const std::size_t i : chosen) total += bodies.mass[i];
  const auto weight = [&](std::size_t i) { return total > 0 ? bodies.mass[i] : 1.0; };
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t k = 0; k < chosen.size(); ++k)
      values[k] = {component(bodies.position(chosen[k]), axis), weight(chosen[k])};
    // The middle of the middle 60 %: like the median for one object, and between the two of an encounter.
    component(view.centre, axis) = 0.5 * (weighted_quantile(values, 0.2) + weighted_quantile(values, 0.8));
  }
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const Vec3<double> d = bodies.position(chosen[k]) - view.centre;
    values[k] = {std::max(std::abs(component(d, view.axes[0])), std::abs(component(d, view.axes[1]))),
                 weight(chosen[k])};
  }
  // Discs throw out tails; a cluster or halo stays what it is.
  view.half_width = (luminous(bodies.type[chosen[0]]) ? 1.35 : 1.1) * weighted_quantile(values, 0.98);
}

}  // namespace

View fit_view(const Snapshot& snapshot, std::array<int, 2> axes, int size) {
  View view{.axes = axes, .size = size};
  const Boundary& boundary = snapshot.boundary;
  if (boundary.periodic) {
    view.centre = boundary.length * 0.5;
    view.half_width =
        0.5 * std::max(component(boundary.length, axes[0]), component(boundary.length, axes[1]));
    return view;
  }
  const std::vector<std::size_t> chosen = worth_seeing(snapshot.bodies);
  if (!chosen.empty()) {
    if (chosen.size() <= render_detail::few_bodies) hold_all(snapshot.bodies, chosen, view);
    else hold_most(snapshot.bodies, chosen, view);
  }
  // Bodies on one spot leave the scale open; so does a spread that is only the rounding of their coordinates.
  const double far = std::max({std::abs(view.centre.x), std::abs(view.centre.y), std::abs(view.centre.z)});
  if (!(view.half_width > 1e-12 * far)) view.half_width = far > 0 ? 0.1 * far : 1;
  return view;
}

namespace render_detail {

splat::Projection projection_of(const View& view, const Boundary& boundary) {
  return {.across = view.axes[0],
          .up = view.axes[1],
          .centre = view.centre,
          .half_width = view.half_width,
          .size = view.size,
          .boundary = boundary};
}

Spot place_of(Vec3<double> position, const View& view) {
  return projection_of(view, {}).place_of(component(position, view.axes[0]),
                                          component(position, view.axes[1]));
}

bool drawable(const Bodies& bodies, std::size_t i) {
  return std::isfinite(bodies.x[i]) && std::isfinite(bodies.y[i]) && std::isfinite(bodies.z[i]) &&
         std::isfinite(bodies.mass[i]);
}

std::array<std::vector<Spot>, splat::types> project(const Snapshot& snapshot, const View& view) {
  const Bodies& bodies = snapshot.bodies;
  const auto shine = splat::shine_of(bodies);
  const auto projection = projection_of(view, snapshot.boundary);
  std::array<std::vector<Spot>, splat::types> spots;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto type = std::size_t(bodies.type[i]);
    projection.each_image(bodies.position(i), bodies.mass[i] > 0 ? bodies.mass[i] : shine.least[type],
                          [&](const Spot& s) { spots[type].push_back(s); });
  }
  return spots;
}

}  // namespace render_detail
}  // namespace pleiad
