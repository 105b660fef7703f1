/// Spots of light on a plane of pixels: each body's mass spread over a smooth kernel, wide where bodies are
/// few.
///
/// A body's radius follows from counts of its neighbours on a pyramid of grids, and its kernel is laid on the
/// level of a second pyramid where it is a few pixels wide; the coarse levels are then refined downwards. So
/// a body costs some 40 additions however wide it is: O(N) for the bodies and O(pixels) for the pyramid.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pleiad::render_detail {

/// A rectangle of numbers, row by row from the top.
struct Plane {
  int width = 0, height = 0;
  std::vector<double> values;

  Plane() = default;
  Plane(int w, int h) : width(w), height(h), values(std::size_t(w) * std::size_t(h)) {}
  double& at(int x, int y) { return values[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
  double at(int x, int y) const { return values[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
};

/// A body on the image: pixels from the upper left corner (pixel 0 covers [0, 1)), and its light.
struct Spot {
  double x = 0, y = 0, weight = 0;
};

/// How wide kernels are.
struct Smoothing {
  double neighbours = 32;  ///< bodies that a kernel should cover
  double core_fraction =
      0;  ///< part of the light that stays in a narrow core, so that single bodies are seen
  double core_radius = 1.6;   ///< of that core, in pixels
  double least_radius = 1.6;  ///< in pixels; below it pixels would alias
};
/// Few bodies keep cores, a million is a smooth cloud.
Smoothing smoothing_for(std::size_t bodies, int size);

/// Bodies this far outside an image of `size` pixels may still shine into it; also the widest kernel.
int margin(int size);

/// Weight per pixel of a square image. The sum over the pixels is the sum of the weights, less what falls
/// outside the image.
Plane splat(std::span<const Spot> spots, int size, const Smoothing& smoothing);

/// One level of a pyramid to the next finer one: quadratic B-spline, the sum is kept.
Plane refine(const Plane& coarse);
/// Sums of 2 x 2 pixels; width and height must be even.
Plane coarsen(const Plane& fine);

}  // namespace pleiad::render_detail
