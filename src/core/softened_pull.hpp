/// The pair formula where softening is a spline, or differs from pair to pair: pull() for one softening of
/// all pairs is in pleiad/kernel/pull.hpp.
///
/// The spline's potential is -G m W(r / h) / h with h = 2.8 eps, for the kernel of J. J. Monaghan and J. C.
/// Lattanzio (Astronomy and Astrophysics 149, 135, 1985), as V. Springel, Monthly Notices of the Royal
/// Astronomical Society 364, 1105 (2005) states it. Below it is W and w(u) = W'(u) / u:
///
///     u < 1/2:      14/5 - 16/3 u^2 + 48/5 u^4 - 32/5 u^5
///     1/2 <= u < 1: 16/5 - 1/(15 u) - 32/3 u^2 + 16 u^3 - 48/5 u^4 + 32/15 u^5
///     1 <= u:       1/u
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/kernel/pull.hpp>

#include <algorithm>
#include <cmath>

namespace pleiad {

/// eps^2 of a pair from the softenings of its bodies.
template <class M>
M pair_eps2(SofteningRule rule, M a, M b) {
  return rule == SofteningRule::max ? std::max(a, b) * std::max(a, b) : a * a + b * b;
}

/// W(u) and -W'(u) / u of the spline for u < 1: potential and pull of a unit mass are -W / h and d w / h^3.
template <class M>
struct SplineFactors {
  M potential, pull;
};
template <class M>
SplineFactors<M> spline_factors(M u) {
  const M u2 = u * u;
  if (u < M(0.5))
    return {M(14) / 5 - u2 * (M(16) / 3 - u2 * (M(48) / 5 - M(32) / 5 * u)),
            M(32) / 3 + u2 * (M(32) * u - M(192) / 5)};
  return {M(16) / 5 - 1 / (15 * u) - u2 * (M(32) / 3 - u * (16 - u * (M(48) / 5 - M(32) / 15 * u))),
          M(64) / 3 - 1 / (15 * u * u2) - u * (48 - u * (M(192) / 5 - M(32) / 3 * u))};
}

/// pull() with this kernel and the softening of the pair, eps2 >= 0.
template <class M>
Vec4<M> softened_pull(Vec3<M> d, M m, M eps2, SofteningKernel kernel) {
  if (kernel == SofteningKernel::plummer) return pull(d, m, eps2);
  const M r2 = d.x * d.x + d.y * d.y + d.z * d.z;
  const M h2 = M(spline_radius) * M(spline_radius) * eps2;
  if (!(r2 < h2)) return pull(d, m, M(0));
  using std::sqrt;
  const M h = sqrt(h2);
  const auto f = spline_factors(sqrt(r2) / h);
  const M of_pull = m * f.pull / (h2 * h);
  return {d.x * of_pull, d.y * of_pull, d.z * of_pull, -m * f.potential / h};
}

}  // namespace pleiad
