/// A body as the pair loops of the step kernels read it, and the pull between two.
///
/// Mixed precision is exact for positions: a float and its remainder (47 bits), whose differences are formed
/// before they are added, so that the error depends neither on the position of the system nor on the distance
/// of some of its bodies. That is 19 instruction slots a pull instead of 13, where latency dominates the cost
/// of a step.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/ptx.hpp"
#include "cuda/direct/inverse_cube.hpp"

#include <pleiad/precision.hpp>

#include <type_traits>

namespace pleiad::cuda {

template <class P>
struct Place : Mass<typename P::Math> {};
template <>
struct Place<Mixed> : Mass<float> {
  Vec4<float> rest{};
};

/// Type of positions relative to an origin among them: a float is enough for Mixed.
template <class P>
using Relative = std::conditional_t<std::is_same_v<P, F64>, F64, F32>;

/// A source there pulls with zero: r^-3 is less than the least number.
template <class M>
constexpr M far_away = sizeof(M) == 8 ? static_cast<M>(1e150) : static_cast<M>(1e18);

/// Places in memory, as arrays of 16 bytes each: a warp that reads neighbours then meets every bank once.
template <class P>
class Places {
 public:
  struct alignas(16) Half {
    typename P::Math value[16 / sizeof(typename P::Math)];
  };
  static constexpr unsigned halves = std::is_same_v<P, F32> ? 1 : 2;
  static constexpr unsigned bytes = halves * sizeof(Half);  ///< of one place

  __device__ Places(void* memory, unsigned size) : first_(static_cast<Half*>(memory)), size_(size) {}

  __device__ Place<P> operator[](unsigned i) const {
    const Half a = first_[i];
    if constexpr (std::is_same_v<P, F32>) {
      return {{a.value[0], a.value[1], a.value[2], a.value[3]}};
    } else {
      const Half b = first_[size_ + i];
      if constexpr (std::is_same_v<P, F64>) return {{a.value[0], a.value[1], b.value[0], b.value[1]}};
      else return {{a.value[0], a.value[1], a.value[2], a.value[3]}, {b.value[0], b.value[1], b.value[2], 0}};
    }
  }
  /// One of the four numbers of place i.
  __device__ void set(unsigned i, unsigned component, typename P::Position x) const {
    if constexpr (std::is_same_v<P, F64>) {
      first_[size_ * (component / 2) + i].value[component % 2] = x;
    } else if constexpr (std::is_same_v<P, F32>) {
      first_[i].value[component] = x;
    } else {
      // A mass has no rest: it is rounded.
      const double upper = component < 3 ? upper_bits(x) : x;
      first_[i].value[component] = static_cast<float>(upper);
      first_[size_ + i].value[component] = static_cast<float>(x - upper);
    }
  }
  __device__ void set(unsigned i, const Place<P>& b) const {
#pragma unroll
    for (unsigned h = 0; h < halves; ++h) *at(i, h) = half_of(b, h);
  }
  /// Address of half h of place i, and the half of a body.
  __device__ Half* at(unsigned i, unsigned h) const { return first_ + h * size_ + i; }
  __device__ static Half half_of(const Place<P>& b, unsigned h) {
    if constexpr (std::is_same_v<P, F64>) return h == 0 ? Half{{b.x, b.y}} : Half{{b.z, b.m}};
    else if constexpr (std::is_same_v<P, F32>) return {{b.x, b.y, b.z, b.m}};
    else return h == 0 ? Half{{b.x, b.y, b.z, b.m}} : Half{{b.rest.x, b.rest.y, b.rest.z, 0}};
  }

 private:
  Half* first_;
  unsigned size_;
};

/// Makes a place from the four numbers of a body.
template <class P>
__device__ Place<P> place_of(typename P::Position x, typename P::Position y, typename P::Position z,
                             typename P::Position m) {
  using M = typename P::Math;
  if constexpr (std::is_same_v<P, Mixed>) {
    const Vec3<double> upper{upper_bits(x), upper_bits(y), upper_bits(z)};
    return {{M(upper.x), M(upper.y), M(upper.z), M(m)}, {M(x - upper.x), M(y - upper.y), M(z - upper.z), 0}};
  } else {
    return {{x, y, z, m}};
  }
}

/// Source minus target.
template <class P>
__device__ Vec3<typename P::Math> separation(const Place<P>& source, const Place<P>& target) {
  if constexpr (std::is_same_v<P, Mixed>)
    return {(source.x - target.x) + (source.rest.x - target.rest.x),
            (source.y - target.y) + (source.rest.y - target.rest.y),
            (source.z - target.z) + (source.rest.z - target.rest.z)};
  else return {source.x - target.x, source.y - target.y, source.z - target.z};
}

/// (d^2 + eps2)^(-3/2).
__device__ inline float inverse_cube_of(Vec3<float> d, float eps2) {
  const float v = rsqrt_approx(fmaf(d.x, d.x, fmaf(d.y, d.y, fmaf(d.z, d.z, eps2))));
  return v * (v * v);
}
__device__ inline double inverse_cube_of(Vec3<double> d, double eps2) {
  return inverse_cube(fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, eps2))));
}

/// a[0..2] += the pull of `source` on `target`: in single precision 13 slots, in double 16 operations.
template <class P>
__device__ void add_pull(typename P::Math* a, const Place<P>& source, const Place<P>& target,
                         typename P::Math eps2) {
  using std::fma;
  const auto d = separation<P>(source, target);
  const auto g = source.m * inverse_cube_of(d, eps2);
  a[0] = fma(d.x, g, a[0]), a[1] = fma(d.y, g, a[1]), a[2] = fma(d.z, g, a[2]);
}

}  // namespace pleiad::cuda
