/// Deposit of a body's luminosity on a plane of pixels: the arithmetic of pictures, the same on the host and
/// on a device.
///
/// A body's radius follows from counts of its neighbours on a pyramid of grids, and its kernel is laid on the
/// level of a second pyramid where it is a few pixels wide; the coarse levels are then refined downwards. So
/// a body costs some 40 additions however wide it is: O(N) for the bodies and O(pixels) for the pyramid.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace pleiad::splat {

inline constexpr std::size_t types = type_names.size();

/// Bodies this far outside an image of `size` pixels may still shine into it; also the widest kernel.
PLEIAD_HD constexpr int margin(int size) { return size / 8 > 2 ? size / 8 : 2; }

PLEIAD_HD constexpr int clamped(int value, int low, int high) {
  return value < low ? low : value > high ? high : value;
}
PLEIAD_HD constexpr double clamped(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

/// Widths of kernels.
struct Smoothing {
  double neighbours = 32;  ///< bodies that a kernel should cover
  double core_fraction =
      0;  ///< part of the light that stays in a narrow core, so that single bodies are visible
  double core_radius = 1.6;   ///< of that core, in pixels
  double least_radius = 1.6;  ///< in pixels; below it pixels would alias
};

/// A body on the image: pixels from the upper left corner (pixel 0 covers [0, 1)), and its light.
struct Spot {
  double x = 0, y = 0, weight = 0;
};

/// The image with its margin, in levels that halve in size; each is a square of a whole number of pixels, and
/// they lie one after the other in memory, the finest first.
struct Layout {
  int levels = 1, pad = 0, side = 0;

  explicit Layout(int size) : pad(margin(size)) {
    while ((size >> levels) >= 16) ++levels;
    const int unit = 1 << (levels - 1);
    side = (size + 2 * pad + unit - 1) / unit * unit;
  }
  PLEIAD_HD int side_at(int level) const { return side >> level; }
  PLEIAD_HD std::size_t pixels_at(int level) const {
    return std::size_t(side_at(level)) * std::size_t(side_at(level));
  }
  /// Index of the first pixel of a level; the number of all pixels for the number of levels.
  PLEIAD_HD std::size_t begin_of(int level) const {
    std::size_t begin = 0;
    for (int l = 0; l < level; ++l) begin += pixels_at(l);
    return begin;
  }
};

/// Projection from space to the image.
struct Projection {
  int across = 0, up = 1;  ///< axes: 0 x, 1 y, 2 z
  Vec3<double> centre{};
  double half_width = 1;
  int size = 1024;
  Boundary boundary{};

  PLEIAD_HD static double component(const Vec3<double>& v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
  }
  /// Place of the coordinates across and up.
  PLEIAD_HD Spot place_of(double a, double b) const {
    const double scale = 0.5 * size / half_width;
    return {0.5 * size + scale * (a - component(centre, across)),
            0.5 * size - scale * (b - component(centre, up)), 0};
  }
  /// Calls see(spot) for the body if it lies in or about the image, and in a periodic box for each of its
  /// images that does. Nothing for a body that is not finite.
  template <class See>
  PLEIAD_HD void each_image(const Vec3<double>& position, double weight, See&& see) const {
    if (!(0 * position.x + 0 * position.y + 0 * position.z + 0 * weight == 0)) return;
    const double low = -margin(size), high = size + margin(size);
    const Shifts a = shifts(across, component(position, across)), b = shifts(up, component(position, up));
    for (int j = 0; j < b.count; ++j)
      for (int i = 0; i < a.count; ++i) {
        Spot s = place_of(component(position, across) + (a.first + i * a.step),
                          component(position, up) + (b.first + j * b.step));
        s.weight = weight;
        if (s.x > low && s.y > low && s.x < high && s.y < high) see(s);
      }
  }

 private:
  /// Multiples of the box by which a coordinate is shifted to find its images near the view.
  struct Shifts {
    double first = 0, step = 0;
    int count = 1;
  };
  PLEIAD_HD Shifts shifts(int axis, double value) const {
    if (!boundary.periodic) return {};
    const double length = component(boundary.length, axis),
                 wrapped = value - length * std::floor(value / length);
    return {wrapped - value - length, length, 3};
  }
};

/// The pixel of a spot on the finest level, margin included; side * side for one outside it.
PLEIAD_HD inline std::size_t pixel_of(const Spot& s, const Layout& layout) {
  const int x = int(std::floor(s.x)) + layout.pad, y = int(std::floor(s.y)) + layout.pad;
  if (x < 0 || y < 0 || x >= layout.side || y >= layout.side) return layout.pixels_at(0);
  return std::size_t(y) * std::size_t(layout.side) + std::size_t(x);
}

/// Bodies per pixel of a square plane.
struct Counts {
  const std::uint32_t* values;
  int side;
  PLEIAD_HD double at(int x, int y) const {
    return double(values[std::size_t(y) * std::size_t(side) + std::size_t(x)]);
  }
  /// Bilinear between the centres of pixels.
  PLEIAD_HD double interpolated(double x, double y) const {
    x = clamped(x - 0.5, 0.0, side - 1.0), y = clamped(y - 0.5, 0.0, side - 1.0);
    const int last = side > 2 ? side - 2 : 0;
    const int i = int(x) < last ? int(x) : last, j = int(y) < last ? int(y) : last;
    const int i1 = i + 1 < side ? i + 1 : side - 1, j1 = j + 1 < side ? j + 1 : side - 1;
    const double u = x - i, v = y - j;
    return (1 - v) * ((1 - u) * at(i, j) + u * at(i1, j)) + v * ((1 - u) * at(i, j1) + u * at(i1, j1));
  }
};

/// The side, in pixels, of the square about (x, y) that contains `wanted` bodies; between levels the count is
/// interpolated as a power of the side. `counts`: those of all levels of the layout.
PLEIAD_HD inline double neighbour_side(const std::uint32_t* counts, const Layout& layout, double x, double y,
                                       double wanted) {
  double below = 0, scale = 1;
  for (int level = 0; level < layout.levels; ++level) {
    const double here = Counts{counts, layout.side_at(level)}.interpolated(x / scale, y / scale);
    if (here >= wanted) {
      if (below <= 0) return scale * std::sqrt(wanted / here);
      return 0.5 * scale * std::exp2(std::log(wanted / below) / std::log(here / below));
    }
    counts += layout.pixels_at(level);
    below = here, scale *= 2;
  }
  return 0.5 * scale * std::sqrt(wanted / (below > 0.25 ? below : 0.25));
}

/// A kernel to lay down: where on its level, how wide, how bright.
struct Kernel {
  float x, y, radius;
  std::int16_t level;
  double weight;
};

/// Radius of a kernel on its level, in that level's pixels; half of it is the narrowest but on level 0.
inline constexpr double widest = 4.8;

/// Puts a kernel of `radius` image pixels on the level where it is `widest` or less. Refinement adds a
/// variance of 1/4 (1 - 4^-level) of the level's pixels squared, which the kernel (variance radius^2 / 9)
/// leaves out, so that widths run smoothly through the levels.
PLEIAD_HD inline Kernel placed(const Spot& spot, double radius, double weight, const Layout& layout) {
  int level = 0;
  double scale = 1;
  while (level + 1 < layout.levels && radius / scale > widest) ++level, scale *= 2;
  const double wide = radius / scale < widest ? radius / scale : widest;
  const double x = (spot.x + layout.pad) / scale, y = (spot.y + layout.pad) / scale;
  const double variance = wide * wide - 2.25 * (1 - 1 / (scale * scale));
  return {float(x), float(y), float(std::sqrt(variance > 1 ? variance : 1.0)), std::int16_t(level), weight};
}

/// A spot's kernel, with a width from its neighbours.
PLEIAD_HD inline Kernel wide_kernel(const Spot& s, const std::uint32_t* counts, const Layout& layout,
                                    const Smoothing& how, int size) {
  // A square of side a has the area of a disc of radius 0.56 a; the profile's outskirts are faint, so it
  // reaches further.
  const double radius =
                   0.9 * neighbour_side(counts, layout, s.x + layout.pad, s.y + layout.pad, how.neighbours),
               most = how.least_radius > margin(size) ? how.least_radius : double(margin(size));
  return placed(s, clamped(radius, how.least_radius, most), s.weight * (1 - how.core_fraction), layout);
}
/// The narrow core of a spot.
PLEIAD_HD inline Kernel core_kernel(const Spot& s, const Layout& layout, const Smoothing& how) {
  return placed(s, how.core_radius, s.weight * how.core_fraction, layout);
}

/// The kernel's profile (1 - t^2)^3 along one axis, normalised over the pixels: light is neither lost nor
/// made.
struct Profile {
  static constexpr int longest = 12;
  int first = 0, count = 0;
  double weights[longest]{};

  PLEIAD_HD Profile(double centre, double radius) {
    first = int(std::ceil(centre - radius - 0.5)), count = int(std::floor(centre + radius - 0.5)) - first + 1;
    count = clamped(count, 1, longest);
    double sum = 0;
    for (int k = 0; k < count; ++k) {
      const double t = (first + k + 0.5 - centre) / radius, s = 1 - t * t > 0 ? 1 - t * t : 0.0;
      sum += weights[k] = s * s * s;
    }
    for (int k = 0; k < count; ++k) weights[k] /= sum;
  }
};

/// Pixels of a level: rows [top, bottom) and columns [left, right).
struct Tile {
  int top = 0, bottom = 0, left = 0, right = 0;
};

/// Calls add(pixel, weight) for the pixels of a kernel in a tile of its level.
template <class Add>
PLEIAD_HD void lay(const Kernel& kernel, int side, const Tile& tile, Add&& add) {
  const Profile across(kernel.x, kernel.radius), down(kernel.y, kernel.radius);
  const int left = tile.left > across.first ? tile.left - across.first : 0,
            right = across.count < tile.right - across.first ? across.count : tile.right - across.first;
  const int begin = tile.top > down.first ? tile.top - down.first : 0,
            end = down.count < tile.bottom - down.first ? down.count : tile.bottom - down.first;
  for (int j = begin; j < end; ++j) {
    const double weight = kernel.weight * down.weights[j];
    const std::size_t row = std::size_t(down.first + j) * std::size_t(side);
    for (int i = left; i < right; ++i) add(row + std::size_t(across.first + i), weight * across.weights[i]);
  }
}

/// Luminosities by type: number of bodies, the luminosity of a body without mass (that of the lightest with
/// mass), and a bound of the sum.
struct Luminosities {
  std::array<std::size_t, types> bodies{};
  std::array<double, types> least{}, most{};
};
Luminosities luminosities_of(const Bodies& bodies);

/// The light of one type: number of spots, their counts on the finest level, and the light deposited on each
/// level of the layout, the finest first.
struct ImagePlane {
  std::size_t spots = 0;
  std::vector<std::uint32_t> counts;
  std::vector<double> light;
};
using ImagePlanes = std::array<ImagePlane, types>;

/// A requested picture.
struct Request {
  Projection projection;
  Luminosities shine;
  std::span<const Type> type;  ///< of each body
  /// Widths of the kernels of each type, from the number of its spots.
  std::function<std::array<Smoothing, types>(const std::array<std::size_t, types>&)> smoothing;
};

}  // namespace pleiad::splat
