/// How a frame is made of the extent of the bodies, and a body put into it: one body's part of frame.hpp, for
/// every kernel that does either.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/ptx.hpp"
#include "cuda/direct/frame.hpp"

#include <cmath>
#include <type_traits>

namespace pleiad::cuda {

/// The unit of length that a softening asks for; 0 without one, when it is the extent that counts.
inline double unit_of_softening(double eps) { return eps > 0 ? std::ldexp(1.0, std::ilogb(eps) + 12) : 0; }
/// The square of the softening in that unit, or the least that there is.
template <class M>
M softening_in_frame(double eps) {
  const double in_unit = eps > 0 ? eps / unit_of_softening(eps) : 0;
  return eps > 0 ? M(in_unit * in_unit) : least_eps2<M>;
}

/// What the frame is made from, of a part of the bodies.
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

/// `length`: the unit that the softening asks for, or 0 to take the extent.
template <class P>
__device__ Frame frame_of(const Extent& e, double length) {
  using std::fabs, std::fmax;
  Frame frame;
  if constexpr (std::is_same_v<P, Mixed>)
    frame.origin = {e.low.x / 2 + e.high.x / 2, e.low.y / 2 + e.high.y / 2, e.low.z / 2 + e.high.z / 2};
  const auto reach = [](double low, double high, double origin) {
    return fmax(fabs(low - origin), fabs(high - origin));
  };
  const double extent =
      fmax(reach(e.low.x, e.high.x, frame.origin.x),
           fmax(reach(e.low.y, e.high.y, frame.origin.y), reach(e.low.z, e.high.z, frame.origin.z)));
  frame.length = length > 0 ? length : 2 * power_below(extent);
  frame.mass = 2 * power_below(e.mass);
  frame.pull = frame.mass / frame.length / frame.length + e.finite;
  // The scaled source forms m_i (m_j / r^2)^(3/2): above 2^-96 without the factor m_i it is a normal number
  // with the bodies that matter, whose masses are at least 2^-25 of the whole.
  const double widest = fmax(4 * extent / frame.length, 1.0), light = e.lightest / frame.mass;
  if (light > 0x1p-100) frame.masses |= positive_masses;
  if (length > 0 && light * std::sqrt(light) > 0x1p-96 * widest * widest * widest)
    frame.masses |= scalable_masses;
  if (light > 0x1p-100 && e.lightest == e.heaviest) frame.masses |= equal_masses;
  return frame;
}

/// The body in the frame: a float, or a float and what it left, or a double.
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
