/// The error-controlled MAC between cells.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_TREE_PAIR_ERRORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_TREE_PAIR_ERRORS_INL_H_
#undef PLEIAD_TREE_PAIR_ERRORS_INL_H_
#else
#define PLEIAD_TREE_PAIR_ERRORS_INL_H_
#endif

#include "tree/moments.hpp"
#include "tree/scales.hpp"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <int p>
class PairErrors {
 public:
  using Tests = hn::CappedTag<double, 8>;

  PairErrors(const CellPlaces& up, const Scales& scales, double tolerance)
      : up_(up), scales_(scales), tolerance_(tolerance) {}

  /// Whether the error that cells from `at` on make in cell c, and c in them, is below the tolerance: at most
  ///   W / R^(p+2) (p + 1 - p rho) / (1 - rho)^2,  W = sum_k binomial(p, k) P_k(source) r_target^(p-k),
  /// with rho = (r_A + r_B) / R: the series that is cut off, with what the first term left out really weighs
  /// (Dehnen 2014, equation 12) in place of M (r_A + r_B)^p.
  HWY_INLINE hn::Mask<Tests> allow(std::size_t at, std::uint32_t c, hn::Vec<Tests> R2) const {
    const Tests d;
    const auto& weights = scales_.weights;
    const auto r = hn::LoadU(d, &up_.radius[at]), own = hn::Set(d, up_.radius[c]);
    auto here = hn::LoadU(d, &weights[0][at]), there = hn::Set(d, weights[0][c]);
    for (std::size_t k = 1; k <= p; ++k) {
      here = hn::MulAdd(here, own, hn::LoadU(d, &weights[k][at]));
      there = hn::MulAdd(there, r, hn::Set(d, weights[k][c]));
    }
    const auto distance = hn::Sqrt(R2), gap = hn::Sub(distance, hn::Add(r, own));
    auto power = p % 2 == 0 ? distance : R2;  // R^(p + 1)
    for (int n = 0; n < (p + 1) / 2 - p % 2; ++n) power = hn::Mul(power, R2);
    const auto series = hn::MulAdd(hn::Set(d, double(p)), gap, distance);
    const auto allowed = hn::Div(hn::Mul(hn::Mul(hn::Set(d, tolerance_), power), hn::Mul(gap, gap)), series);
    const auto allowed2 = hn::Mul(allowed, allowed);
    const auto acceleration = hn::Set(d, scales_.least_acceleration[c]), mass = hn::Set(d, weights[0][c]);
    const auto accelerations = hn::LoadU(d, &scales_.least_acceleration[at]),
               masses = hn::LoadU(d, &weights[0][at]);
    return hn::And(below_allowance(here, allowed2, acceleration, hn::Div(masses, R2)),
                   below_allowance(there, allowed2, accelerations, hn::Div(mass, R2)));
  }

 private:
  /// Holds an error against the whole acceleration on the target and the source's own: against their
  /// geometric mean, since against the whole alone, many parts of one distant mass would each be allowed the
  /// error of all; and against a tenth of the whole, since errors that come from one direction do not
  /// average.
  HWY_INLINE static hn::Mask<Tests> below_allowance(hn::Vec<Tests> error, hn::Vec<Tests> allowed2,
                                                    hn::Vec<Tests> whole, hn::Vec<Tests> own) {
    const auto weaker = hn::MulAdd(hn::Set(Tests(), per_share2), own, whole);
    return hn::Le(hn::Mul(hn::Mul(error, error), weaker),
                  hn::Mul(hn::Mul(allowed2, own), hn::Mul(whole, whole)));
  }

  const CellPlaces& up_;
  const Scales& scales_;
  double tolerance_;
};

}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
