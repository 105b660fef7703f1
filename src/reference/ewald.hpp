/// The oracle for all images of a periodic box: Ewald's sums as they are written, in long double.
///
/// With s^2 = r^2 + eps^2 the sum of 1 / s over all images, less its mean, is
///
///   sum_n erfc(alpha s_n) / s_n  +  sum_k!=0 A(k) cos(k r)  -  A_0,
///   A(k) = 4 pi / (V k^2) exp(-k^2 / 4 alpha^2) int_0^inf exp(-w - eps^2 / (1 / alpha^2 + 4 w / k^2)) dw,
///   A_0  = pi / (V alpha^2) int_0^1 exp(-(alpha eps)^2 / v) dv,
///
/// from 1 / s = 2 / sqrt(pi) int_0^inf exp(-s^2 t^2) dt, divided at t = alpha, the lower part summed by
/// Poisson's formula. Terms below 1e-20 are left out: erfc(6.6) = 1e-20, exp(-6.8^2) = 1e-20.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace pleiad::reference {

/// Waves of all sources, summed once; the sources must outlive this.
class EwaldSums {
 public:
  using Real = long double;
  EwaldSums(std::span<const Mass<double>> sources, const Softening& softening, const Vec3<double>& length,
            Real splitting);
  /// The pull and the potential at a target that is source `self`, or none of them when that is negative. A
  /// body's own nearest image is left out, and so are those at the same place without softening.
  Vec4<Real> at(const Mass<double>& target, std::ptrdiff_t self) const;

 private:
  struct Wave {
    int a = 0, b = 0, c = 0;
    Vec3<Real> k{};
    Real amplitude = 0;
    std::complex<Real> sum{};
  };
  using Turns = std::vector<std::complex<Real>>;
  Turns turns(Real x, Real length, int most) const;
  void make_waves();
  void add_images(Vec3<Real> d, Real m, bool without_nearest, Vec4<Real>& sum) const;

  std::span<const Mass<double>> sources_;
  Vec3<Real> length_;
  Real eps2_, alpha_, volume_, mass_ = 0, mean_ = 0;
  int most_[3]{};
  std::vector<Wave> waves_;
};

}  // namespace pleiad::reference
