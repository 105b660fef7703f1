/// A plane wave on a lattice of bodies in a periodic box, and the rate at which it grows.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system.hpp"

#include <pleiad/bodies.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace pleiad::physics {

/// A cubic lattice of mass 1 and side^3 bodies at rest, displaced by A sin(2 pi q) along x.
struct Wave {
  static constexpr int side = 12;
  static constexpr double A = 0.01;
  Bodies bodies;
  std::vector<double> q;
  Wave() {
    for (int i = 0; i < side * side * side; ++i) {
      const double at = (i % side + 0.5) / side;
      q.push_back(at);
      bodies.add(
          1.0 / (side * side * side),
          {at + A * std::sin(2 * pi * at), (i / side % side + 0.5) / side, (i / side / side + 0.5) / side},
          {0, 0, 0});
    }
  }
  /// How much of the wave is in a displacement or a pull along x.
  template <class Of>
  double part(const Of& of) const {
    double sum = 0;
    for (std::size_t i = 0; i < q.size(); ++i) sum += of(i) * std::sin(2 * pi * q[i]);
    return 2 * sum / double(q.size());
  }
  double amplitude(const Bodies& b) const {
    return part([&](std::size_t i) { return b.x[i] - q[i] - std::rint(b.x[i] - q[i]); });
  }
};

/// The rate of growth, squared, over 4 pi G rho, of a wave k along an axis of a cubic lattice of bodies. The
/// linear response of a lattice to a potential of Fourier coefficients 4 pi G / q^2 g(q) is a sum over the
/// lattice's own waves K:
///
///   sum_K ((k + K)_x / |k + K|)^2 g(|k + K|)  -  sum_K!=0 (K_x / |K|)^2 g(|K|),  g(q) = q eps K_1(q eps),
///
/// 1 for a smooth medium, where there is K = 0 only, without softening.
inline double growth_of_lattice(int side, double eps) {
  const auto term = [&](double x, double y, double z) {
    const double q2 = x * x + y * y + z * z, s = std::sqrt(q2) * eps;
    return q2 > 0 && s < 40 ? x * x / q2 * s * std::cyl_bessel_k(1.0, s) : 0;
  };
  const double k = 2 * pi, K = 2 * pi * side;
  const int most = int(40 / (K * eps)) + 1;
  double sum = 0;
  for (int a = -most; a <= most; ++a)
    for (int b = -most; b <= most; ++b)
      for (int c = -most; c <= most; ++c) sum += term(a * K + k, b * K, c * K) - term(a * K, b * K, c * K);
  return sum;
}

}  // namespace pleiad::physics
