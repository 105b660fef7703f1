/// See splat.hpp: neighbour counts give each kernel its width; strips of rows are laid in parallel, each in
/// one fixed order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/splat.hpp"

#include "core/threads.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace pleiad::render_detail {
namespace {

constexpr int strip_rows = 32;  // of a level; a kernel (at most 11 rows) touches two strips at most
constexpr double widest = 4.8;  // radius of a kernel on its level, in that level's pixels; half of it is the
                                // narrowest but on level 0
constexpr std::size_t batch = 8192;

/// The image with its margin: levels halve in size, and each is a whole number of pixels.
struct Layout {
  int levels = 1, pad = 0, side = 0;
  explicit Layout(int size) : pad(margin(size)) {
    while ((size >> levels) >= 16) ++levels;
    const int unit = 1 << (levels - 1);
    side = (size + 2 * pad + unit - 1) / unit * unit;
  }
  int side_at(int level) const { return side >> level; }
  int strips_at(int level) const { return (side_at(level) + strip_rows - 1) / strip_rows; }
};

/// A kernel to lay down: where on its level, how wide, how bright.
struct Kernel {
  float x, y, radius;
  std::int16_t level, strip;
  double weight;
};

/// Counts of bodies per pixel, on every level.
std::vector<Plane> count_pyramid(std::span<const Spot> spots, const Layout& layout) {
  std::vector<Plane> counts{Plane(layout.side, layout.side)};
  for (const Spot& s : spots) {
    const int x = int(std::floor(s.x)) + layout.pad, y = int(std::floor(s.y)) + layout.pad;
    if (x >= 0 && y >= 0 && x < layout.side && y < layout.side) counts[0].at(x, y) += 1;
  }
  for (int level = 1; level < layout.levels; ++level) counts.push_back(coarsen(counts.back()));
  return counts;
}

/// Bilinear between the centres of cells; (x, y) in the plane's pixels.
double interpolate(const Plane& plane, double x, double y) {
  x = std::clamp(x - 0.5, 0.0, plane.width - 1.0), y = std::clamp(y - 0.5, 0.0, plane.height - 1.0);
  const int i = std::min(int(x), std::max(plane.width - 2, 0)),
            j = std::min(int(y), std::max(plane.height - 2, 0));
  const int i1 = std::min(i + 1, plane.width - 1), j1 = std::min(j + 1, plane.height - 1);
  const double u = x - i, v = y - j;
  return (1 - v) * ((1 - u) * plane.at(i, j) + u * plane.at(i1, j)) +
         v * ((1 - u) * plane.at(i, j1) + u * plane.at(i1, j1));
}

/// The side, in pixels, of the square about (x, y) that holds `wanted` bodies; between levels the count is
/// taken as a power of the side.
double neighbour_side(const std::vector<Plane>& counts, double x, double y, double wanted) {
  double below = 0, scale = 1;
  for (const Plane& plane : counts) {
    const double here = interpolate(plane, x / scale, y / scale);
    if (here >= wanted) {
      if (below <= 0) return scale * std::sqrt(wanted / here);
      return 0.5 * scale * std::exp2(std::log(wanted / below) / std::log(here / below));
    }
    below = here, scale *= 2;
  }
  return 0.5 * scale * std::sqrt(wanted / std::max(below, 0.25));
}

/// Puts a kernel of `radius` image pixels on the level where it is `widest` or less. Refinement adds a
/// variance of 1/4 (1 - 4^-level) of the level's pixels squared, which the kernel (variance radius^2 / 9)
/// leaves out, so that widths run smoothly through the levels.
Kernel place(const Spot& spot, double radius, double weight, const Layout& layout) {
  int level = 0;
  double scale = 1;
  while (level + 1 < layout.levels && radius / scale > widest) ++level, scale *= 2;
  const double wide = std::min(radius / scale, widest);
  const double x = (spot.x + layout.pad) / scale, y = (spot.y + layout.pad) / scale;
  const double own = std::sqrt(std::max(wide * wide - 2.25 * (1 - 1 / (scale * scale)), 1.0));
  const int row = std::clamp(int(std::floor(y - own)), 0, layout.side_at(level) - 1);
  return {float(x), float(y), float(own), std::int16_t(level), std::int16_t(row / strip_rows), weight};
}

/// The kernel's profile (1 - t^2)^3 along one axis, normalised over the pixels: light is neither lost nor
/// made.
struct Profile {
  int first = 0, count = 0;
  std::array<double, 12> weights{};
  Profile(double centre, double radius) {
    first = int(std::ceil(centre - radius - 0.5)), count = int(std::floor(centre + radius - 0.5)) - first + 1;
    count = std::clamp(count, 1, int(weights.size()));
    double sum = 0;
    for (int k = 0; k < count; ++k) {
      const double t = (first + k + 0.5 - centre) / radius, s = std::max(1 - t * t, 0.0);
      sum += weights[std::size_t(k)] = s * s * s;
    }
    for (int k = 0; k < count; ++k) weights[std::size_t(k)] /= sum;
  }
};

/// Adds the part of a kernel that lies in rows [top, bottom) of its level.
void lay(Plane& plane, const Kernel& kernel, int top, int bottom) {
  const Profile across(kernel.x, kernel.radius), down(kernel.y, kernel.radius);
  const int left = std::max(0, -across.first), right = std::min(across.count, plane.width - across.first);
  for (int j = std::max(0, top - down.first); j < std::min(down.count, bottom - down.first); ++j) {
    const double weight = kernel.weight * down.weights[std::size_t(j)];
    double* row = &plane.values[std::size_t(down.first + j) * std::size_t(plane.width)];
    for (int i = left; i < right; ++i) row[across.first + i] += weight * across.weights[std::size_t(i)];
  }
}

/// All kernels, in the order of the bodies.
std::vector<Kernel> kernels_of(std::span<const Spot> spots, int size, const Smoothing& how,
                               const Layout& layout) {
  const std::vector<Plane> counts = count_pyramid(spots, layout);
  const std::size_t each = how.core_fraction > 0 ? 2 : 1;
  std::vector<Kernel> kernels(spots.size() * each);
  parallel_for((spots.size() + batch - 1) / batch, [&](std::size_t b) {
    for (std::size_t i = b * batch; i < std::min(spots.size(), (b + 1) * batch); ++i) {
      const Spot& s = spots[i];
      // A square of side a holds what a disc of radius 0.56 a does; the profile's outskirts are faint, so it
      // reaches further.
      const double radius = 0.9 * neighbour_side(counts, s.x + layout.pad, s.y + layout.pad, how.neighbours);
      const double wide =
          std::clamp(radius, how.least_radius, std::max(how.least_radius, double(margin(size))));
      kernels[i * each] = place(s, wide, s.weight * (1 - how.core_fraction), layout);
      if (each == 2) kernels[i * each + 1] = place(s, how.core_radius, s.weight * how.core_fraction, layout);
    }
  });
  return kernels;
}

}  // namespace

Smoothing smoothing_for(std::size_t bodies, int size) {
  Smoothing s;
  const double n = double(std::max<std::size_t>(bodies, 1));
  s.neighbours = std::clamp(0.4 * std::sqrt(n), 8.0, 400.0);
  s.core_fraction = std::clamp(0.5 - 0.2 * std::log10(n / 1000), 0.0, 0.6);
  s.core_radius = std::clamp(size / 420.0 * std::pow(1000 / n, 0.15), 1.4, 4.5);
  return s;
}

int margin(int size) { return std::max(2, size / 8); }

Plane splat(std::span<const Spot> spots, int size, const Smoothing& smoothing) {
  const Layout layout(size);
  const std::vector<Kernel> kernels = kernels_of(spots, size, smoothing, layout);

  // Sorted by level and strip, stably: every pixel adds its kernels in an order that knows nothing of
  // threads.
  std::vector<std::size_t> first_strip(std::size_t(layout.levels) + 1);
  for (int l = 0; l < layout.levels; ++l)
    first_strip[std::size_t(l) + 1] = first_strip[std::size_t(l)] + std::size_t(layout.strips_at(l));
  const auto bin = [&](const Kernel& k) { return first_strip[std::size_t(k.level)] + std::size_t(k.strip); };
  std::vector<std::size_t> begin(first_strip.back() + 1);
  for (const Kernel& k : kernels) ++begin[bin(k) + 1];
  for (std::size_t b = 1; b < begin.size(); ++b) begin[b] += begin[b - 1];
  std::vector<std::uint32_t> order(kernels.size());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t k = 0; k < kernels.size(); ++k) order[next[bin(kernels[k])]++] = std::uint32_t(k);

  std::vector<Plane> levels;
  for (int l = 0; l < layout.levels; ++l) levels.emplace_back(layout.side_at(l), layout.side_at(l));
  parallel_for(first_strip.back(), [&](std::size_t b) {
    const std::size_t l =
        std::size_t(std::upper_bound(first_strip.begin(), first_strip.end(), b) - first_strip.begin()) - 1;
    const int strip = int(b - first_strip[l]), top = strip * strip_rows,
              bottom = std::min(top + strip_rows, layout.side_at(int(l)));
    for (std::size_t k = begin[strip > 0 ? b - 1 : b]; k < begin[b + 1]; ++k)
      lay(levels[l], kernels[order[k]], top, bottom);
  });

  for (std::size_t l = levels.size() - 1; l > 0; --l) {
    const Plane finer = refine(levels[l]);
    for (std::size_t i = 0; i < finer.values.size(); ++i) levels[l - 1].values[i] += finer.values[i];
  }
  Plane image(size, size);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) image.at(x, y) = levels[0].at(x + layout.pad, y + layout.pad);
  return image;
}

Plane refine(const Plane& coarse) {
  Plane fine(2 * coarse.width, 2 * coarse.height);
  parallel_for(std::size_t(coarse.height), [&](std::size_t row) {
    const int j = int(row);
    for (int half = 0; half < 2; ++half) {
      const int other = std::clamp(half == 0 ? j - 1 : j + 1, 0, coarse.height - 1);
      // 3/4 of the nearer row, 1/4 of the farther, the same across; a quarter of a cell's sum goes to each of
      // its pixels.
      const auto mixed = [&](int i) { return 0.1875 * coarse.at(i, j) + 0.0625 * coarse.at(i, other); };
      double left = mixed(0), here = left;
      for (int i = 0; i < coarse.width; ++i) {
        const double right = i + 1 < coarse.width ? mixed(i + 1) : here;
        fine.at(2 * i, 2 * j + half) = 0.75 * here + 0.25 * left;
        fine.at(2 * i + 1, 2 * j + half) = 0.75 * here + 0.25 * right;
        left = here, here = right;
      }
    }
  });
  return fine;
}

Plane coarsen(const Plane& fine) {
  Plane coarse(fine.width / 2, fine.height / 2);
  for (int j = 0; j < coarse.height; ++j)
    for (int i = 0; i < coarse.width; ++i)
      coarse.at(i, j) = fine.at(2 * i, 2 * j) + fine.at(2 * i + 1, 2 * j) + fine.at(2 * i, 2 * j + 1) +
                        fine.at(2 * i + 1, 2 * j + 1);
  return coarse;
}

}  // namespace pleiad::render_detail
