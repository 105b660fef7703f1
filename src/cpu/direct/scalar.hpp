/// One pair in plain C++: pull() on the separation of two bodies, for the rungs without a vector unit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/direct/frame.hpp"

namespace pleiad::cpu {

/// Differences in the precision of the positions, the pair in the precision of the arithmetic.
template <class P>
struct ScalarPair {
  using T = typename P::Position;
  using M = typename P::Math;
  Scale scale;
  Boundary boundary;
  Box<T> box;
  M eps2;
  bool potential;

  explicit ScalarPair(const PairProblem<P>& p)
      : scale(scale_of(p)),
        boundary(p.boundary),
        box(boundary),
        eps2(scaled_eps2(p, scale)),
        potential(p.potential) {}

  Vec4<M> operator()(Mass<T> target, Mass<T> source) const { return of<false>(target.position(), source); }

  /// `plain`: open space, and a softening that keeps coincident pairs apart.
  template <bool plain>
  Vec4<M> of(Vec3<T> target, Mass<T> source) const {
    Vec3<T> d = source.position() - target;
    if constexpr (!plain)
      if (boundary.periodic) d = minimum_image(d, box);
    if constexpr (std::is_same_v<M, double>) return pull<!plain>(d, source.m, eps2);
    if constexpr (std::is_same_v<T, float>)
      return pull<!plain>(d * M(scale.length), source.m * M(scale.mass), eps2);
    d *= scale.length;
    return pull<!plain>(Vec3<M>{M(d.x), M(d.y), M(d.z)}, M(source.m * scale.mass), eps2);
  }
  Vec4<typename P::Sum> unscaled(Vec4<double> sum) const {
    using S = typename P::Sum;
    const double f = scale.force();
    return {S(sum.x * f), S(sum.y * f), S(sum.z * f), potential ? S(sum.w * scale.potential()) : S(0)};
  }
};

/// Sources whose pulls one sum of the pair's precision may take before it goes to double: fp32 then errs by
/// about 1e-7 however long the row.
inline constexpr std::size_t tile = 256;
template <class A, class B>
void add(Vec4<A>& sum, Vec4<B> pull) {
  sum.x += pull.x;
  sum.y += pull.y;
  sum.z += pull.z;
  sum.w += pull.w;
}

}  // namespace pleiad::cpu
