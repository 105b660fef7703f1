/// A picture: the densities of all types exposed, coloured and laid over each other, then the labels.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/render.hpp"

#include "core/threads.hpp"
#include "ranks/gather.hpp"
#include "render/colour.hpp"
#include "render/discs.hpp"
#include "render/image_planes.hpp"
#include "render/label.hpp"
#include "render/project.hpp"

#include <pleiad/error.hpp>

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
void expose(const Plane& density, const splat::ImagePlane& layer, double pixel_area, double& low,
            double& high) {
  const splat::Layout layout(density.width);
  std::vector<std::pair<double, std::uint32_t>> seen;  // a density, and how many bodies have it
  std::size_t all = 0;
  for (int y = 0; y < density.height; ++y)
    for (int x = 0; x < density.width; ++x) {
      const auto pixel = std::size_t(y + layout.pad) * std::size_t(layout.side) + std::size_t(x + layout.pad);
      if (const auto count = layer.counts[pixel]; count > 0)
        seen.emplace_back(density.at(x, y) / pixel_area, count), all += count;
    }
  if (seen.empty()) return;
  std::ranges::sort(seen);
  const auto quantile = [&](double f) {
    auto before = std::size_t(f * double(all - 1));
    auto at = seen.begin();
    for (; before >= at->second; ++at) before -= at->second;
    return at->first;
  };
  high = 1.2 * quantile(0.99);
  // Between one decade and nearly five: neither a flat grey nor a haze that hides the shape.
  low = std::clamp(quantile(0.03), high * 2e-5, high * 0.05);
}

/// Brightness 0 ... 1: linear in the density far below `low`, so that nothing ends with an edge, and
/// logarithmic above. `lift` < 1 lifts the faint parts. `whole` is log1p(high / low).
double brightness(double density, double low, double whole, double lift) {
  return std::pow(std::log1p(density / low) / whole, lift);
}

/// If there is any luminous type, dark matter is drawn as a faint smooth cloud: it would hide the luminous
/// one.
bool luminous(std::size_t type) { return Type(type) != Type::halo && Type(type) != Type::boundary; }

/// Whether dark matter is a background here.
bool any_luminous(const std::array<std::size_t, splat::types>& spots) {
  for (std::size_t k = 0; k < spots.size(); ++k)
    if (spots[k] > 0 && luminous(k)) return true;
  return false;
}

std::array<Smoothing, splat::types> smoothings_of(const std::array<std::size_t, splat::types>& spots,
                                                  int size) {
  std::array<Smoothing, splat::types> all;
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k] = smoothing_for(spots[k], size);
    if (any_luminous(spots) && !luminous(k)) all[k].core_fraction = 0, all[k].neighbours *= 2;
  }
  return all;
}

std::array<std::size_t, splat::types> spots_of(const splat::ImagePlanes& layers) {
  std::array<std::size_t, splat::types> spots;
  std::ranges::transform(layers, spots.begin(), [](const splat::ImagePlane& l) { return l.spots; });
  return spots;
}

/// Image planes computed on the host.
splat::ImagePlanes image_planes_of(const Snapshot& snapshot, const View& view,
                                   ranks::Communicator& ranks = ranks::self()) {
  const auto spots = project(snapshot, view, ranks);
  std::array<std::size_t, splat::types> counts;
  std::ranges::transform(spots, counts.begin(), [](const auto& s) { return s.size(); });
  ranks.sum(counts);
  const auto smoothing = smoothings_of(counts, view.size);
  splat::ImagePlanes layers;
  for (std::size_t k = 0; k < spots.size(); ++k)
    if (counts[k] > 0) layers[k] = layer_of(spots[k], view.size, smoothing[k], ranks);
  return layers;
}

void draw_densities(Film& film, const splat::ImagePlanes& layers, const View& view, Exposure& exposure) {
  const double pixel = 2 * view.half_width / view.size, pixel_area = pixel * pixel;
  const auto spots = spots_of(layers);
  const auto smoothing = smoothings_of(spots, view.size);
  for (std::size_t k = 0; k < layers.size(); ++k) {
    if (spots[k] == 0) continue;
    const bool background = any_luminous(spots) && !luminous(k);
    const Plane density = image_of(layers[k], view.size);
    double &low = exposure.low[k], &high = exposure.high[k];
    if (!exposure.set || !(low > 0 && high > low)) expose(density, layers[k], pixel_area, low, high);
    if (!(low > 0 && high > low)) continue;
    const double most = background ? 0.2 : 1,
                 lift = background ? 1.1 : 0.85 - 0.4 * smoothing[k].core_fraction;
    const double whole = std::log1p(high / low);
    parallel_for(std::size_t(view.size), [&](std::size_t row) {
      for (std::size_t i = row * std::size_t(view.size); i < (row + 1) * std::size_t(view.size); ++i) {
        const double value = density.values[i] / pixel_area;
        if (value == 0) continue;  // no light
        film.pixels[i] =
            Film::screen(film.pixels[i], ramp(Type(k), brightness(value, low, whole, lift)) * most);
      }
    });
  }
  exposure.set = true;
}

/// Beyond a periodic box its images go on, dimmed.
void dim_outside_the_box(Film& film, const Boundary& boundary, const View& view) {
  const Spot low = place_of({0, 0, 0}, view), high = place_of(boundary.length, view);
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

/// The bodies of all ranks, for few bodies.
Snapshot bodies_of_all(const Snapshot& own, ranks::Communicator& ranks) {
  Snapshot all = own;
  all.bodies = ranks::gather_bodies(ranks, own.bodies);
  return all;
}

Image developed(Film& film, const Frame& frame, const View& view) {
  if (frame.boundary.periodic) dim_outside_the_box(film, frame.boundary, view);
  Image image = develop(film);
  draw_labels(image, view, frame.time, frame.units);
  return image;
}

}  // namespace

void Trails::add(const Bodies& bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    auto& path = paths[bodies.id[i]];
    path.push_back(bodies.position(i));
    if (path.size() > 2 * longest) path.erase(path.begin(), path.end() - std::ptrdiff_t(longest));
  }
}

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
    draw_densities(film, image_planes_of(snapshot, view), view, exposure);
    bloom(film, 0.25);
  }
  return developed(film, {snapshot.time, snapshot.units, snapshot.boundary}, view);
}

Image render(const Snapshot& own, const View& view, Exposure& exposure, Trails* trails,
             ranks::Communicator& ranks) {
  if (ranks.ranks() == 1) return render(own, view, exposure, trails);
  check(view);
  const bool draws = ranks.rank() == 0;
  if (sum(ranks, own.bodies.size()) <= few_bodies) {
    const auto all = bodies_of_all(own, ranks);
    return draws ? render(all, view, exposure, trails) : Image{};
  }
  const auto layers = image_planes_of(own, view, ranks);
  return draws ? render(layers, {own.time, own.units, own.boundary}, view, exposure) : Image{};
}

bool drawn_of_layers(std::size_t bodies, const View& view) {
  constexpr int largest = 4096;
  return bodies > few_bodies && view.size <= largest && view.half_width > 0;
}

splat::Request image_planes_for(const View& view, const Boundary& boundary, const splat::Luminosities& shine,
                                std::span<const Type> type) {
  check(view);
  return {.projection = projection_of(view, boundary),
          .shine = shine,
          .type = type,
          .smoothing = [size = view.size](const auto& spots) { return smoothings_of(spots, size); }};
}

Image render(const splat::ImagePlanes& layers, const Frame& frame, const View& view, Exposure& exposure) {
  Film film(view.size);
  draw_densities(film, layers, view, exposure);
  bloom(film, 0.25);
  return developed(film, frame, view);
}

}  // namespace pleiad
