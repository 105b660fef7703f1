/// The update of one body: the only place where positions and velocities change on a device, so that all
/// launches give the same bits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/cuda.hpp"
#include "cuda/state.hpp"

#include <cmath>

namespace pleiad::cuda {

/// v + h s, rounded once.
template <class T>
__device__ Vec4<T> moved(Vec4<T> v, T h, Vec4<T> s) {
  using std::fma;
  return {fma(h, s.x, v.x), fma(h, s.y, v.y), fma(h, s.z, v.z), T(0)};
}

/// Wraps to [0, length), also after rounding; an axis without length is left unchanged.
template <class T>
__device__ T wrapped(T x, T length) {
  using std::floor;
  if (!(length > T(0)) || (x >= T(0) && x < length)) return x;
  T w = x - length * floor(x / length);
  if (w < T(0)) w += length;
  if (w >= length) w -= length;  // -1e-20 + length rounds to length: that is 0
  return w;
}
template <class T>
__device__ Mass<T> wrapped(Mass<T> x, Vec3<T> length) {
  return {wrapped(x.x, length.x), wrapped(x.y, length.y), wrapped(x.z, length.z), x.m};
}

/// Its kicks and damping; `sum` is read only when it kicks.
template <class T>
__device__ void change_velocity(const Update<T>& u, Vec4<T>& v, const Vec4<T>* sum) {
  if (u.kicks > 0) v = moved(v, u.kick[0], *sum);
  if (u.kicks > 1) v = moved(v, u.kick[1], *sum);
  if (u.damps) v = {v.x * u.damping, v.y * u.damping, v.z * u.damping, T(0)};
}
/// Its drift, and into the box of `length` (0: open space).
template <class T>
__device__ Mass<T> drifted(const Update<T>& u, Mass<T> at, Vec4<T> velocity, Vec3<T> length) {
  const auto to = moved(Vec4<T>{at.x, at.y, at.z, T(0)}, u.drift, velocity);
  return wrapped(Mass<T>{to.x, to.y, to.z, at.m}, length);
}

/// Length 0 on all axes means open space.
template <class T>
Vec3<T> lengths_of(const Boundary& b) {
  if (!b.periodic) return {};
  return {T(b.length.x), T(b.length.y), T(b.length.z)};
}

}  // namespace pleiad::cuda
