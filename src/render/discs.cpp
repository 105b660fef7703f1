/// See discs.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/discs.hpp"

#include "render/project.hpp"
#include "render/sparse_path.hpp"

#include <algorithm>
#include <cmath>

namespace pleiad::render_detail {
namespace {

/// The disc of the heaviest body: small where it rules the others, as a sun does, so that it does not cover
/// their orbits.
double largest_radius(const Bodies& bodies, int size) {
  double heaviest = 0, second = 0;
  for (const double m : bodies.mass)
    if (m > heaviest) second = heaviest, heaviest = m;
    else if (m > second) second = m;
  return std::max(2.5, size / (second < 0.01 * heaviest && second > 0 ? 170.0 : 85.0));
}

/// Volume is proportional to mass, down to the least visible disc.
double radius_of(double mass, double heaviest, double most) {
  const double relative = heaviest > 0 ? std::cbrt(std::max(mass, 0.0) / heaviest) : 1;
  return std::max(most * relative, std::max(1.2, most / 4));
}

/// Lightens the pixels within `reach` of a place by `colour` times `strength(distance)`.
template <class Strength>
void glow(Film& film, Spot centre, double reach, Light colour, Strength strength) {
  if (!(std::abs(centre.x) < 1e6 && std::abs(centre.y) < 1e6)) return;
  const int left = std::max(0, int(centre.x - reach)), right = std::min(film.size - 1, int(centre.x + reach));
  const int top = std::max(0, int(centre.y - reach)), bottom = std::min(film.size - 1, int(centre.y + reach));
  for (int y = top; y <= bottom; ++y)
    for (int x = left; x <= right; ++x) {
      const double s = strength(std::hypot(x + 0.5 - centre.x, y + 0.5 - centre.y));
      Light& pixel = film.pixels[std::size_t(y) * std::size_t(film.size) + std::size_t(x)];
      pixel = Film::screen(pixel, colour * s);
    }
}

/// White hot in the middle, its own colour towards the rim, and a halo around.
void disc(Film& film, Spot p, double radius, Light colour) {
  const double reach = 7 * radius;
  glow(film, p, reach, colour, [&](double r) {
    const double t = r / (1.6 * radius), edge = std::max(0.0, 1 - r / reach);
    return 0.35 * edge * edge / (1 + t * t * t);
  });
  glow(film, p, radius + 1, colour, [&](double r) { return std::clamp(radius + 0.5 - r, 0.0, 1.0); });
  glow(film, p, radius, {1, 1, 1}, [&](double r) {
    const double t = std::min(r / radius, 1.0);
    return 0.75 * (1 - t * t) * (1 - t * t);
  });
}

/// Body k's colour: its type's where types differ, else one of its own.
Light colour_of(const Bodies& bodies, std::size_t k) {
  const bool mixed =
      std::any_of(bodies.type.begin(), bodies.type.end(), [&](Type t) { return t != bodies.type[0]; });
  return mixed ? ramp(bodies.type[k], 0.75) : distinct_colour(k);
}

}  // namespace

void draw_discs(Film& film, const Snapshot& snapshot, const View& view) {
  const Bodies& bodies = snapshot.bodies;
  double heaviest = 0;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (drawable(bodies, i)) order.push_back(i), heaviest = std::max(heaviest, bodies.mass[i]);
  const double most = largest_radius(bodies, film.size);
  for (const std::size_t i : order)
    disc(film, place_of(bodies.position(i), view), radius_of(bodies.mass[i], heaviest, most),
         colour_of(bodies, i));
}

void draw_trails(Film& film, const Snapshot& snapshot, const View& view, const Trails& trails) {
  const Bodies& bodies = snapshot.bodies;
  const double line = std::max(0.7, film.size / 900.0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto path = trails.paths.find(bodies.id[i]);
    if (path == trails.paths.end()) continue;
    // The line is gathered as the nearest distance and the age per pixel, so that its joints are not brighter
    // than the rest.
    std::vector<float> shine(film.pixels.size());
    const auto& points = path->second;
    const bool dots = sparse_path(points);
    const double thickness = dots ? 1.5 * line : line;
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      const Spot a = place_of(points[k], view), b = dots ? a : place_of(points[k + 1], view);
      const double length = std::hypot(b.x - a.x, b.y - a.y), age = double(k + 1) / double(points.size());
      if (!(length < 2.0 * film.size)) continue;
      const int left = std::max(0, int(std::min(a.x, b.x) - 3)),
                right = std::min(film.size - 1, int(std::max(a.x, b.x) + 3));
      const int top = std::max(0, int(std::min(a.y, b.y) - 3)),
                bottom = std::min(film.size - 1, int(std::max(a.y, b.y) + 3));
      for (int y = top; y <= bottom; ++y)
        for (int x = left; x <= right; ++x) {
          const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
          const double along =
              length > 0 ? std::clamp((px * (b.x - a.x) + py * (b.y - a.y)) / (length * length), 0.0, 1.0)
                         : 0;
          const double away = std::hypot(px - along * (b.x - a.x), py - along * (b.y - a.y));
          float& s = shine[std::size_t(y) * std::size_t(film.size) + std::size_t(x)];
          s = std::max(s, float(std::clamp(thickness + 0.5 - away, 0.0, 1.0) * (0.06 + 0.54 * age * age)));
        }
    }
    const Light colour = colour_of(bodies, i);
    for (std::size_t p = 0; p < shine.size(); ++p)
      if (shine[p] > 0) film.pixels[p] = Film::screen(film.pixels[p], colour * double(shine[p]));
  }
}

}  // namespace pleiad::render_detail
