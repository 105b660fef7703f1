/// Ewald's splitting of the pull of all images: a part that falls off with the separation, and waves. Both
/// are smooth in the softening:
///
///   1 / s = 2 / sqrt(pi) int_0^infinity exp(-s^2 t^2) dt,  s^2 = r^2 + eps^2.
///
/// Beyond t = alpha the sum over images is left as it is, and is erfc(alpha s) / s; below it goes over to
/// waves k of the box, of amplitudes
///
///   A_k = 2 pi / V int_0^alpha exp(-k^2 / 4 t^2 - eps^2 t^2) / t^3 dt
///       = 4 pi / (V k^2) exp(-k^2 / 4 alpha^2) int_0^infinity exp(-w - eps^2 / (1 / alpha^2 + 4 w / k^2))
///       dw.
///
/// Without k = 0 the mean of the potential is 0, for which the mean of the first part is to be taken off.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace pleiad::cpu {

/// The two parts for one box, softening and alpha.
class EwaldSplit {
 public:
  EwaldSplit(Vec3<double> length, double eps, double alpha);
  /// A_k of a wave of square k2 > 0; once for each k2.
  double amplitude(double k2);
  /// The mean of erfc(alpha s) / s over all images.
  double mean() const { return mean_; }
  /// erf(alpha s) / s at s = eps: the part of a body's own pull in the waves.
  double own() const { return own_; }
  /// erf(alpha s) / s for any s^2 >= 0.
  double smooth(double s2) const;

 private:
  double alpha_, eps2_, volume_, mean_, own_;
  std::map<double, double> known_;
};

/// Waves up to a greatest k as rows along z: half of all, since those of -k are the same again.
struct EwaldWaves {
  /// Waves (a, b, c) and (a, b, -c) with c from 0 to last; of the row a = b = 0 only the former with c > 0.
  /// Rows have places for a multiple of 8 of them.
  struct Row {
    int a = 0, b = 0, last = 0;
    std::size_t at = 0;
  };
  std::array<int, 3> most{};  ///< of a, |b|, c
  std::vector<Row> rows;
  std::vector<double> amplitude;  ///< of each place, doubled for the other half; 0 where there is no wave
};

/// A whole splitting in which the first part of all images but the nearest is negligible: below `lost` of the
/// pull at half the shortest side, and so are the waves left out.
struct Ewald {
  double cut = 0;     ///< the first part ends at this s, half the shortest side
  double narrow = 0;  ///< alpha cut
  double mean = 0, own = 0;
  EwaldWaves waves;
};
/// Returns the splitting. The last one is cached, because a run requests the same again and again.
std::shared_ptr<const Ewald> ewald_of(Vec3<double> length, double eps, double narrow);

/// UsageError unless the box can be summed over all images: three sides, none above eight times another.
void need_box_for_all_images(const Boundary& boundary);

/// smooth(s^2) = alpha H_0(alpha^2 s^2) and the factor of d in its pull alpha^3 H_1(alpha^2 s^2), H_1 = -2
/// H_0', as polynomials of u = 2 x / narrow^2 - 1 of degree n: coefficients 0 to n.
std::vector<double> smooth_polynomial(int which, double narrow, int n);

}  // namespace pleiad::cpu
