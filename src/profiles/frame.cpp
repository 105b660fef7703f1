/// Choosing bodies and completing their frame; bins of radius.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "profiles/near.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/pull.hpp>
#include <pleiad/radii.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include <fmt/format.h>

namespace pleiad::profiles {
namespace {

bool chosen(Type type, const std::vector<Type>& types) {
  return types.empty() || std::ranges::find(types, type) != types.end();
}

std::string words(const std::vector<Type>& types) {
  std::string all;
  for (const Type type : types)
    all += fmt::format("{}{}", all.empty() ? "" : ", ", type_names[static_cast<std::size_t>(type)]);
  return all;
}

void need_bodies(bool any, const std::vector<Type>& types) {
  if (any) return;
  throw InputError(types.empty() ? "there are no bodies to measure"
                                 : "there are no bodies of type " + words(types));
}

Vec3<double> centre_of(const Snapshot& s, const std::vector<Type>& types) {
  if (types.empty()) return density_centre(s.bodies);
  Bodies some;
  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    if (chosen(s.bodies.type[i], types)) some.add(s.bodies.mass[i], s.bodies.position(i), {});
  return density_centre(some);
}

/// Mean of the velocities, by mass where there is any.
Vec3<double> mean_velocity(const std::vector<Seen>& bodies, std::size_t count) {
  double mass = 0;
  Vec3<double> momentum, sum;
  for (std::size_t k = 0; k < count; ++k)
    mass += bodies[k].m, momentum += bodies[k].m * bodies[k].v, sum += bodies[k].v;
  return mass > 0 ? momentum * (1 / mass) : sum * (1 / double(count));
}

Vec3<double> axis_of(const std::vector<Seen>& bodies, Vec3<double> velocity) {
  const bool disc = std::ranges::any_of(bodies, [](const Seen& b) { return b.type == Type::disc; });
  Vec3<double> spin;
  for (std::size_t k = 0; k < (bodies.size() + 1) / 2; ++k)
    if (!disc || bodies[k].type == Type::disc)
      spin += bodies[k].m * cross(bodies[k].x, bodies[k].v - velocity);
  const double length = norm(spin);
  return length > 0 && std::isfinite(length) ? spin * (1 / length) : Vec3<double>{0, 0, 1};
}

Vec3<double> unit(Vec3<double> axis) {
  const double length = norm(axis);
  if (!(length > 0 && std::isfinite(length)))
    throw UsageError(fmt::format("the axis {}, {}, {} must have a length above 0", axis.x, axis.y, axis.z));
  return axis * (1 / length);
}

Frame completed(const Choice& choice, Vec3<double> centre, const std::vector<Seen>& bodies) {
  constexpr std::size_t least = 100;
  const std::size_t inner = std::min(bodies.size(), std::max(least, bodies.size() / 10));
  Frame frame{.centre = centre};
  frame.velocity = choice.velocity ? *choice.velocity : mean_velocity(bodies, inner);
  frame.axis = choice.axis ? unit(*choice.axis) : axis_of(bodies, frame.velocity);
  return frame;
}

}  // namespace

Vec3<double> separation(Vec3<double> x, Vec3<double> centre, const Boundary& boundary) {
  return boundary.periodic ? minimum_image(x - centre, Box<double>(boundary)) : x - centre;
}

std::vector<Seen> nearest_first(const Snapshot& s, const std::vector<Type>& types, Vec3<double> centre) {
  const auto& b = s.bodies;
  std::vector<Seen> bodies;
  bodies.reserve(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (!chosen(b.type[i], types)) continue;
    const auto x = separation(b.position(i), centre, s.boundary);
    bodies.push_back({.r = norm(x), .m = b.mass[i], .x = x, .v = b.velocity(i), .type = b.type[i]});
  }
  need_bodies(!bodies.empty(), types);
  std::ranges::stable_sort(bodies, {}, &Seen::r);
  return bodies;
}

std::vector<Seen> seen_in(const Snapshot& s, const Choice& choice, Frame& frame) {
  need_bodies(std::ranges::any_of(s.bodies.type, [&](Type t) { return chosen(t, choice.types); }),
              choice.types);
  const auto centre = choice.centre ? *choice.centre : centre_of(s, choice.types);
  auto bodies = nearest_first(s, choice.types, centre);
  frame = completed(choice, centre, bodies);
  for (auto& body : bodies) body.v = body.v - frame.velocity;
  return bodies;
}

Frame frame_of(const Snapshot& snapshot, const Choice& choice) {
  Frame frame;
  seen_in(snapshot, choice, frame);
  return frame;
}

void Moments::add(double m, Vec3<double> c) {
  bodies += 1, mass += m, mass2 += m * m;
  v += m * c;
  v2 += m * Vec3<double>{c.x * c.x, c.y * c.y, c.z * c.z};
}

Vec3<double> Moments::mean() const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  return mass > 0 ? v * (1 / mass) : Vec3<double>{none, none, none};
}

Vec3<double> Moments::variance() const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (!(bodies > 1 && mass > 0)) return {none, none, none};
  const auto u = mean();
  const auto square = v2 * (1 / mass);
  return {std::max(0.0, square.x - u.x * u.x), std::max(0.0, square.y - u.y * u.y),
          std::max(0.0, square.z - u.z * u.z)};
}

std::size_t bin_of(double radius, const std::vector<double>& edges) {
  if (!(radius >= edges.front() && radius <= edges.back())) return edges.size();
  if (radius == edges.back()) return edges.size() - 2;
  return static_cast<std::size_t>(std::ranges::upper_bound(edges, radius) - edges.begin()) - 1;
}

double middle_of(double low, double high, bool logarithmic) {
  return logarithmic ? std::sqrt(low * high) : (low + high) / 2;
}

std::vector<double> edges_of(const Bins& bins, const std::vector<double>& radii) {
  if (bins.count < 1) throw UsageError(fmt::format("the number of bins must be >= 1, not {}", bins.count));
  const auto at = [&](double part) {
    const auto k = static_cast<std::size_t>(std::ceil(part * double(radii.size())));
    return radii[std::clamp<std::size_t>(k, 1, radii.size()) - 1];
  };
  double low = bins.low, high = bins.high > 0 ? bins.high : at(bins.logarithmic ? 0.995 : 0.95);
  if (!(high > 0)) throw InputError("all bodies are at the centre: there are no radii to divide into bins");
  if (bins.logarithmic && low == 0) {
    low = at(std::max(0.002, 10.0 / double(radii.size())));
    if (!(low > 0 && low < 0.5 * high)) low = high / 1000;  // few bodies, or all at one radius
  }
  if (!(low >= 0 && low < high && std::isfinite(high)))
    throw UsageError(fmt::format(
        "the range of radii must go from a smaller to a larger one, not from {} to {}", low, high));
  std::vector<double> edges(static_cast<std::size_t>(bins.count) + 1);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const double part = double(k) / bins.count;
    edges[k] = bins.logarithmic ? low * std::pow(high / low, part) : low + (high - low) * part;
  }
  edges.front() = low, edges.back() = high;
  return edges;
}

}  // namespace pleiad::profiles
