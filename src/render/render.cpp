/// A picture: the densities of all types exposed, coloured and laid over each other, then the labels.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "render/colour.hpp"
#include "render/discs.hpp"
#include "render/label.hpp"
#include "render/project.hpp"

#include <pleiad/error.hpp>
#include <pleiad/render.hpp>

#include <algorithm>
#include <cmath>

namespace pleiad {
namespace {

using namespace render_detail;

void check(const View& view) {
  if (view.size < 16 || view.size > 16384)
    throw UsageError("a picture of " + std::to_string(view.size) + " pixels: its size must be 16 to 16384");
  for (const int axis : view.axes)
    if (axis < 0 || axis > 2)
      throw UsageError("a view along axis " + std::to_string(axis) + ": axes are 0 (x), 1 (y) and 2 (z)");
  if (view.axes[0] == view.axes[1]) throw UsageError("a view needs two different axes across and up");
  for (const double v : {view.half_width, view.centre.x, view.centre.y, view.centre.z})
    if (!std::isfinite(v)) throw UsageError("the centre and half width of a view must be finite numbers");
}

/// Limits from the densities at the bodies themselves: counted by bodies, neither a dense core nor empty sky
/// moves them.
void expose(const Plane& density, const std::vector<Spot>& spots, double pixel_area, double& low,
            double& high) {
  std::vector<double> seen;
  seen.reserve(spots.size());
  for (const Spot& s : spots) {
    const int x = int(std::floor(s.x)), y = int(std::floor(s.y));
    if (x >= 0 && y >= 0 && x < density.width && y < density.height)
      seen.push_back(density.at(x, y) / pixel_area);
  }
  if (seen.empty()) return;
  const auto quantile = [&](double f) {
    const auto at = seen.begin() + std::ptrdiff_t(f * double(seen.size() - 1));
    std::nth_element(seen.begin(), at, seen.end());
    return *at;
  };
  high = 1.2 * quantile(0.99);
  // Between one decade and nearly five: neither a flat grey nor a haze that hides the shape.
  low = std::clamp(quantile(0.03), high * 2e-5, high * 0.05);
}

/// Brightness 0 ... 1: linear in the density far below `low`, so that nothing ends with an edge, and
/// logarithmic above. `lift` < 1 lifts the faint parts.
double brightness(double density, double low, double high, double lift) {
  return std::pow(std::log1p(density / low) / std::log1p(high / low), lift);
}

/// Where there is anything luminous, dark matter steps back and is a smooth cloud: it would drown what
/// shines.
bool luminous(std::size_t type) { return Type(type) != Type::halo && Type(type) != Type::boundary; }

void draw_densities(Film& film, const Snapshot& snapshot, const View& view, Exposure& exposure) {
  const auto spots = project(snapshot, view);
  const double pixel = 2 * view.half_width / view.size, pixel_area = pixel * pixel;
  bool anything_luminous = false;
  for (std::size_t k = 0; k < spots.size(); ++k) anything_luminous |= !spots[k].empty() && luminous(k);
  for (std::size_t k = 0; k < spots.size(); ++k) {
    if (spots[k].empty()) continue;
    const bool background = anything_luminous && !luminous(k);
    Smoothing smoothing = smoothing_for(spots[k].size(), view.size);
    if (background) smoothing.core_fraction = 0, smoothing.neighbours *= 2;
    const Plane density = splat(spots[k], view.size, smoothing);
    double &low = exposure.low[k], &high = exposure.high[k];
    if (!exposure.set || !(low > 0 && high > low)) expose(density, spots[k], pixel_area, low, high);
    if (!(low > 0 && high > low)) continue;
    const double most = background ? 0.2 : 1, lift = background ? 1.1 : 0.85 - 0.4 * smoothing.core_fraction;
    parallel_for(std::size_t(view.size), [&](std::size_t row) {
      for (std::size_t i = row * std::size_t(view.size); i < (row + 1) * std::size_t(view.size); ++i)
        film.pixels[i] =
            Film::screen(film.pixels[i],
                         ramp(Type(k), brightness(density.values[i] / pixel_area, low, high, lift)) * most);
    });
  }
  exposure.set = true;
}

/// Beyond a periodic box its images go on, dimmed.
void dim_outside_the_box(Film& film, const Boundary& boundary, const View& view) {
  const Place low = place_of({0, 0, 0}, view), high = place_of(boundary.length, view);
  for (int y = 0; y < film.size; ++y)
    for (int x = 0; x < film.size; ++x)
      if (x + 0.5 < low.x || x + 0.5 > high.x || y + 0.5 > low.y || y + 0.5 < high.y)
        film.pixels[std::size_t(y) * std::size_t(film.size) + std::size_t(x)] *= 0.2;
}

void remember(Trails& trails, const Bodies& bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!drawable(bodies, i)) continue;
    auto& path = trails.paths[bodies.id[i]];
    path.push_back(bodies.position(i));
    if (path.size() > trails.longest) path.erase(path.begin());
  }
}

}  // namespace

Image render(const Snapshot& snapshot, const View& wanted, Exposure& exposure, Trails* trails) {
  check(wanted);
  const View view = wanted.half_width > 0 ? wanted : fit_view(snapshot, wanted.axes, wanted.size);
  Film film(view.size);
  if (snapshot.bodies.size() <= few_bodies) {
    if (trails) {
      remember(*trails, snapshot.bodies);
      draw_trails(film, snapshot, view, *trails);
    }
    draw_discs(film, snapshot, view);
  } else {
    draw_densities(film, snapshot, view, exposure);
    bloom(film, 0.25);
  }
  if (snapshot.boundary.periodic) dim_outside_the_box(film, snapshot.boundary, view);
  Image image = develop(film);
  draw_labels(image, view, snapshot.time, snapshot.units);
  return image;
}

}  // namespace pleiad
