/// Computation of a frame from the extent of the bodies, and of a body in it: the part of frame.hpp for one
/// body, for every kernel that does either.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/ptx.hpp"
#include "cuda/direct/frame.hpp"
#include "tree/spread.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace pleiad::cuda {

/// The unit of length for a softening; 0 without softening, when the extent determines it.
inline double unit_of_softening(double eps) { return eps > 0 ? std::ldexp(1.0, std::ilogb(eps) + 12) : 0; }
/// The square of the softening in that unit, or the least that there is.
template <class M>
M softening_in_frame(double eps) {
  const double in_unit = eps > 0 ? eps / unit_of_softening(eps) : 0;
  return eps > 0 ? M(in_unit * in_unit) : least_eps2<M>;
}

/// Extent of a part of the bodies, from which the frame is made.
struct Extent {
  Vec3<double> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  double mass = 0, lightest = 1e300, heaviest = 0;
  double finite = 0;  ///< 0, or NaN if some number is not finite
};

__device__ inline Extent joined(const Extent& a, const Extent& b) {
  using std::fmax, std::fmin;
  return {{fmin(a.low.x, b.low.x), fmin(a.low.y, b.low.y), fmin(a.low.z, b.low.z)},
          {fmax(a.high.x, b.high.x), fmax(a.high.y, b.high.y), fmax(a.high.z, b.high.z)},
          a.mass + b.mass,
          fmin(a.lightest, b.lightest),
          fmax(a.heaviest, b.heaviest),
          a.finite + b.finite};
}

template <class T>
__device__ Extent extent_of(Mass<T> b) {
  const Vec3<double> x{double(b.x), double(b.y), double(b.z)};
  const double m = double(b.m);
  return {x, x, m, m, m, (x.x - x.x) + (x.y - x.y) + (x.z - x.z) + (m - m)};
}

/// The power of two at or below x > 0; 1 for 0.
__device__ inline double power_below(double x) { return x > 0 ? std::ldexp(1.0, std::ilogb(x)) : 1; }

/// A middle of the bodies, the median of medians of three of nine of them, axis by axis, and how far the
/// fifth of these lies from it. Four of the nine must be far away before it is; the middle of an extent is
/// moved by one.
struct Middle {
  Vec3<double> at;
  double size;
};
__device__ inline double median_of_nine(const double (&x)[9]) {
  using std::fmax, std::fmin;
  const auto median = [](double a, double b, double c) { return fmax(fmin(a, b), fmin(fmax(a, b), c)); };
  return median(median(x[0], x[1], x[2]), median(x[3], x[4], x[5]), median(x[6], x[7], x[8]));
}
template <class T>
__device__ Middle middle_of(const Mass<T>* bodies, std::size_t n) {
  using std::fabs, std::fmax;
  double x[9], y[9], z[9], far[9], farthest = 0;
  for (std::size_t k = 0; k < 9; ++k) {
    const auto b = bodies[k * n / 9];
    x[k] = double(b.x), y[k] = double(b.y), z[k] = double(b.z);
  }
  const Vec3<double> at{median_of_nine(x), median_of_nine(y), median_of_nine(z)};
  for (int k = 0; k < 9; ++k) {
    far[k] = fmax(fabs(x[k] - at.x), fmax(fabs(y[k] - at.y), fabs(z[k] - at.z)));
    farthest = fmax(farthest, far[k]);
  }
  const double size = median_of_nine(far);
  return {at, size > 0 ? size : farthest > 0 ? farthest : 1};
}

/// Whether floats relative to a middle of the system err too much: two bodies that are as near as the
/// softening lets them matter, each with 2^-24 of the system's size (or of a thousandth of the way to the
/// farthest body, which takes the middle of its block along), the heavier pulling with its mass over the
/// softening squared where all the others pull with theirs over the size squared. Plummer spheres of scale
/// 0.6 and eps = 0.01: 2e-6 for 16384 bodies, 1e-7 for 262144 (the largest errors measured are 1.5e-6 and
/// 3e-7); an exponential disc with eps = 0.001: 1e-3 for 262144 (7e-4).
__device__ inline bool needs_curve(const Extent& e, const Middle& middle, double eps) {
  using std::fabs, std::fmax;
  const auto reach = [](double low, double high, double at) { return fmax(fabs(low - at), fabs(high - at)); };
  const double farthest =
      fmax(reach(e.low.x, e.high.x, middle.at.x),
           fmax(reach(e.low.y, e.high.y, middle.at.y), reach(e.low.z, e.high.z, middle.at.z)));
  const double softenings = fmax(middle.size, 0x1p-10 * farthest) / eps, share = e.heaviest / e.mass;
  return !(0x1p-24 * softenings * softenings * softenings * share <= 1e-6);
}

/// `length`: the unit for the softening, or 0 to use the extent. The origin of Mixed is the middle of the
/// extent, or `middle`.
template <class P>
__device__ Frame frame_of(const Extent& e, double length, const Vec3<double>* middle = nullptr) {
  using std::fabs, std::fmax;
  Frame frame;
  if constexpr (std::is_same_v<P, Mixed>)
    frame.origin = middle != nullptr ? *middle
                                     : Vec3<double>{e.low.x / 2 + e.high.x / 2, e.low.y / 2 + e.high.y / 2,
                                                    e.low.z / 2 + e.high.z / 2};
  const auto reach = [](double low, double high, double origin) {
    return fmax(fabs(low - origin), fabs(high - origin));
  };
  const double extent =
      fmax(reach(e.low.x, e.high.x, frame.origin.x),
           fmax(reach(e.low.y, e.high.y, frame.origin.y), reach(e.low.z, e.high.z, frame.origin.z)));
  frame.length = length > 0 ? length : 2 * power_below(extent);
  frame.mass = 2 * power_below(e.mass);
  frame.acceleration = frame.mass / frame.length / frame.length + e.finite;
  // The scaled source forms m_i (m_j / r^2)^(3/2): above 2^-96 without the factor m_i it is a normal number
  // with the bodies that matter, whose masses are at least 2^-25 of the whole.
  const double widest = fmax(4 * extent / frame.length, 1.0), light = e.lightest / frame.mass;
  if (light > 0x1p-100) frame.masses |= positive_masses;
  if (length > 0 && light * std::sqrt(light) > 0x1p-96 * widest * widest * widest)
    frame.masses |= scalable_masses;
  if (light > 0x1p-100 && e.lightest == e.heaviest) frame.masses |= equal_masses;
  return frame;
}

/// Key along Hilbert's curve, of coordinates with `bits` bits (at most 21): 3 times as many bits, by
/// Skilling's transformation (2004, AIP Conf. Proc. 707, 381). Neighbours on it are neighbours in space,
/// which Morton's curve does not ensure.
__device__ inline std::uint64_t on_hilbert_curve(std::uint32_t (&x)[3], int bits) {
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q /= 2)
    for (auto& coordinate : x) {
      const std::uint32_t lower = q - 1, both = (x[0] ^ coordinate) & lower;
      if ((coordinate & q) != 0) x[0] ^= lower;
      else x[0] ^= both, coordinate ^= both;
    }
  x[1] ^= x[0], x[2] ^= x[1];
  std::uint32_t flips = 0;
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q /= 2)
    if ((x[2] & q) != 0) flips ^= q - 1;
  const auto spread = [&](std::uint32_t coordinate) { return pleiad::tree::spread(coordinate ^ flips); };
  return spread(x[0]) << 2 | spread(x[1]) << 1 | spread(x[2]);
}

/// Key of a body on a curve, with `bits` bits of each axis. The curve is one of x / (|x| + the middle's
/// size), which includes bodies at any distance and is finest where most of them are.
template <class T>
__device__ std::uint64_t place_on_curve(const Middle& middle, Mass<T> b, int bits) {
  const double cells = double(1u << bits), last = cells - 1;
  const auto axis = [&](double x) {
    const double at = (0.5 + 0.5 * x / (std::fabs(x) + middle.size)) * cells;
    return static_cast<std::uint32_t>(at < last ? at : last);  // NaN, too, is mapped to the grid
  };
  std::uint32_t x[3]{axis(double(b.x) - middle.at.x), axis(double(b.y) - middle.at.y),
                     axis(double(b.z) - middle.at.z)};
  return on_hilbert_curve(x, bits);
}

/// The body in the frame: a float, or a float and its remainder, or a double.
template <class P>
__device__ void place(const Frame& f, Mass<typename P::Position> b, Mass<typename P::Math>* body,
                      Mass<typename P::Math>* rest) {
  using M = typename P::Math;
  const double per_length = 1 / f.length;
  const Vec3<double> x{(double(b.x) - f.origin.x) * per_length, (double(b.y) - f.origin.y) * per_length,
                       (double(b.z) - f.origin.z) * per_length};
  const M m = M(double(b.m) / f.mass);
  if constexpr (std::is_same_v<P, Mixed>) {
    const Vec3<double> upper{upper_bits(x.x), upper_bits(x.y), upper_bits(x.z)};
    *body = {M(upper.x), M(upper.y), M(upper.z), m};
    *rest = {M(x.x - upper.x), M(x.y - upper.y), M(x.z - upper.z), M(0)};
  } else {
    *body = {M(x.x), M(x.y), M(x.z), m};
  }
}

}  // namespace pleiad::cuda
