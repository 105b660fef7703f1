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

  Vec4<M> operator()(Mass<T> target, Mass<T> source) const {
    Vec3<T> d = source.position() - target.position();
    if (boundary.periodic) d = minimum_image(d, box);
    if constexpr (std::is_same_v<M, double>) return pull(d, source.m, eps2);
    const M length = M(scale.length);
    if constexpr (std::is_same_v<T, float>) return pull(d * length, source.m * M(scale.mass), eps2);
    else
      return pull(Vec3<M>{M(d.x * scale.length), M(d.y * scale.length), M(d.z * scale.length)},
                  M(source.m * scale.mass), eps2);
  }
  Vec4<typename P::Sum> unscaled(Vec4<double> sum) const {
    using S = typename P::Sum;
    const double f = scale.force();
    return {S(sum.x * f), S(sum.y * f), S(sum.z * f), potential ? S(sum.w * scale.potential()) : S(0)};
  }
};

/// Sums are kept in double: one addition costs the same and long rows lose nothing.
template <class M>
void add(Vec4<double>& sum, Vec4<M> pull) {
  sum.x += pull.x;
  sum.y += pull.y;
  sum.z += pull.z;
  sum.w += pull.w;
}

}  // namespace pleiad::cpu
