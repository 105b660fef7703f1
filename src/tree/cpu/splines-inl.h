/// The MAC of softening splines, for both walks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_TREE_SPLINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_TREE_SPLINES_INL_H_
#undef PLEIAD_TREE_SPLINES_INL_H_
#else
#define PLEIAD_TREE_SPLINES_INL_H_
#endif

#include "tree/splines.hpp"

#include <cstddef>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whether no body of cells from `at` on is within a spline that it has with bodies of which the largest is
/// `own`: centres are at R, and bodies at most `reach` nearer.
HWY_INLINE hn::Mask<hn::CappedTag<double, 8>> outside_splines(const Splines& splines, std::size_t at,
                                                              double own,
                                                              hn::Vec<hn::CappedTag<double, 8>> reach,
                                                              hn::Vec<hn::CappedTag<double, 8>> R2) {
  constexpr hn::CappedTag<double, 8> d;
  const auto a = hn::LoadU(d, &splines.largest[at]), b = hn::Set(d, own);
  const auto radius =
      splines.rule == SofteningRule::max ? hn::Max(a, b) : hn::Sqrt(hn::MulAdd(a, a, hn::Mul(b, b)));
  const auto least = hn::Add(reach, radius);
  return hn::Ge(R2, hn::Mul(least, least));
}

}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
