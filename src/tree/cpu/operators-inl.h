/// Numbers as lanes of a vector, and the operators of one order for them: included by each file that is
/// compiled per order and per instruction set, after PLEIAD_TREE_OPERATORS names the generated file.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_TREE_OPERATORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_TREE_OPERATORS_INL_H_
#undef PLEIAD_TREE_OPERATORS_INL_H_
#else
#define PLEIAD_TREE_OPERATORS_INL_H_
#endif

#include "cpu/direct/pair-inl.h"
#include "tree/indices.hpp"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace pleiad::tree::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Names an order for the overloads of its operators.
template <int p>
struct Order {};

template <class M>
struct Lanes {
  using D = hn::ScalableTag<M>;
  hn::Vec<D> v;
  Lanes() = default;
  HWY_INLINE Lanes(hn::Vec<D> w) : v(w) {}
  HWY_INLINE explicit Lanes(double s) : v(hn::Set(D(), M(s))) {}
  HWY_INLINE friend Lanes operator+(Lanes a, Lanes b) { return hn::Add(a.v, b.v); }
  HWY_INLINE friend Lanes operator-(Lanes a, Lanes b) { return hn::Sub(a.v, b.v); }
  HWY_INLINE friend Lanes operator*(Lanes a, Lanes b) { return hn::Mul(a.v, b.v); }
  HWY_INLINE friend Lanes operator-(Lanes a) { return hn::Neg(a.v); }
  HWY_INLINE friend Lanes fma(Lanes a, Lanes b, Lanes c) { return hn::MulAdd(a.v, b.v, c.v); }
  HWY_INLINE friend Lanes inverse_root(Lanes r2) {
    if constexpr (sizeof(M) == 4) {
      // One Newton step on 12 to 14 bits.
      const auto y = cpu::HWY_NAMESPACE::approximate_rsqrt(r2.v);
      const auto half = hn::Mul(hn::Set(D(), M(0.5)), y);
      return hn::MulAdd(half, hn::NegMulAdd(r2.v, hn::Mul(y, y), hn::Set(D(), M(1))), y);
    } else {
      return hn::Div(hn::Set(D(), M(1)), hn::Sqrt(r2.v));
    }
  }
};
HWY_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
HWY_INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
HWY_INLINE float inverse_root(float x) { return 1 / std::sqrt(x); }
HWY_INLINE double inverse_root(double x) { return 1 / std::sqrt(x); }

template <class M>
HWY_INLINE M total(Lanes<M> a) {
  return hn::GetLane(hn::SumOfLanes(typename Lanes<M>::D(), a.v));
}

#define PLEIAD_OPERATOR HWY_INLINE
#define PLEIAD_RESTRICT HWY_RESTRICT
#include PLEIAD_TREE_OPERATORS
#undef PLEIAD_OPERATOR
#undef PLEIAD_RESTRICT

}  // namespace pleiad::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
