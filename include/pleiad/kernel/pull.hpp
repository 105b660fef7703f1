/// The pair formula: the contribution of one source to one target.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pleiad {

/// A periodic box in the arithmetic of a kernel. An axis of length 0 (z in two dimensions) is not wrapped.
template <class M>
struct Box {
  Vec3<M> length{}, inverse{}, half{};
  explicit Box(const Boundary& b)
      : length{M(b.length.x), M(b.length.y), M(b.length.z)},
        inverse{per(b.length.x), per(b.length.y), per(b.length.z)},
        half{M(b.length.x / 2), M(b.length.y / 2), M(b.length.z / 2)} {}

 private:
  static M per(double length) { return length > 0 ? M(1 / length) : M(0); }
};

/// One component of a separation, wrapped to the nearest image. At exactly half a box there are two nearest
/// images: the result is 0. It uses rint, not floor(x + 1/2), which is not odd in d and would break Newton's
/// third law.
template <class M>
PLEIAD_HD M minimum_image(M d, M length, M inverse, M half) {
  using std::rint;
  d -= length * rint(d * inverse);
  return (d == half || d == -half) ? M(0) : d;
}
template <class M>
PLEIAD_HD Vec3<M> minimum_image(Vec3<M> d, const Box<M>& box) {
  return {minimum_image(d.x, box.length.x, box.inverse.x, box.half.x),
          minimum_image(d.y, box.length.y, box.inverse.y, box.half.y),
          minimum_image(d.z, box.length.z, box.inverse.z, box.half.z)};
}

/// 1/sqrt(x), by the fastest operation of the device that is accurate to rounding.
template <class M>
PLEIAD_HD M inverse_sqrt(M x) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(M) == 4) return rsqrtf(x);
  else return rsqrt(x);
#else
  using std::sqrt;
  return M(1) / sqrt(x);
#endif
}

/// The pull of a mass m at separation d (source minus target): xyz = m d / (d^2 + eps2)^(3/2), w = -m / (d^2
/// + eps2)^(1/2). Times G these are acceleration and potential. For coincident bodies xyz is exactly 0,
/// because d = 0. With eps2 = 0 the guard makes both xyz and w zero; a caller with eps2 >= floor_eps2
/// needs no guard.
template <bool guarded = true, class M>
PLEIAD_HD Vec4<M> pull(Vec3<M> d, M m, M eps2) {
  // With softening first these are three multiply-adds; otherwise a product, two multiply-adds and a sum.
  const M r2 = eps2 + d.x * d.x + d.y * d.y + d.z * d.z;
  const M y = !guarded || r2 > M(0) ? inverse_sqrt(r2) : M(0);
  const M my3 = m * y * y * y;
  return {d.x * my3, d.y * my3, d.z * my3, -m * y};
}

/// An eps2 for which m y^3 is finite at d = 0, so that no guard is needed, for masses up to 80 in single and
/// 1e60 in double precision. Distances below its root (1e-12 and 1e-80) are softened.
template <class M>
inline constexpr M floor_eps2 = sizeof(M) == 4 ? M(1e-24) : M(1e-160);
/// Returns such an eps2 for masses up to `heaviest`.
template <class M>
M floor_eps2_for(double heaviest) {
  return std::max(floor_eps2<M>, M(std::pow(4 * heaviest / double(std::numeric_limits<M>::max()), 2.0 / 3)));
}

}  // namespace pleiad
