/// Spots of light on a plane of pixels: each body's mass spread over a smooth kernel, wide where bodies are
/// few. See core/splat.hpp for how; here the host does it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/large_pages.hpp"
#include "core/splat.hpp"
#include "core/threads.hpp"
#include "ranks/self.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace pleiad::render_detail {

using splat::Smoothing;
using splat::Spot;

/// A rectangle of numbers, row by row from the top.
struct Plane {
  int width = 0, height = 0;
  std::vector<double> values;

  Plane() = default;
  Plane(int w, int h)
      : width(w), height(h), values(zeros_in_large_pages<double>(std::size_t(w) * std::size_t(h))) {}
  double& at(int x, int y) { return values[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
  double at(int x, int y) const { return values[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
};

/// Few bodies keep cores, a million is a smooth cloud.
Smoothing smoothing_for(std::size_t bodies, int size);

/// Deposits the light of the spots on the levels of a square image; the result does not depend on the number
/// of threads, bit for bit. With several ranks the spots are this rank's, and rank 0 gets the plane of all,
/// equal to that of one process; collective.
splat::ImagePlane layer_of(std::span<const Spot> spots, int size, const Smoothing& smoothing,
                           ranks::Communicator& ranks = ranks::self());

/// Weight per pixel of a square image. The sum over the pixels is the sum of the weights inside the image.
Plane image_of(const splat::ImagePlane& layer, int size);

/// One level of a pyramid to the next finer one: quadratic B-spline, the sum is kept. Calls put(x, y, value)
/// for each pixel of the finer level, from several threads.
template <class Put>
void each_refined(const Plane& coarse, const Put& put) {
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
        put(2 * i, 2 * j + half, 0.75 * here + 0.25 * left);
        put(2 * i + 1, 2 * j + half, 0.75 * here + 0.25 * right);
        left = here, here = right;
      }
    }
  });
}
/// Adds a level to the next finer one.
void add_refined(const Plane& coarse, Plane& fine);
/// Sums of 2 x 2 pixels; width and height must be even.
Plane coarsen(const Plane& fine);

}  // namespace pleiad::render_detail
