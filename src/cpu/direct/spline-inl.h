/// The spline in vectors, once per instruction set: it restates spline_factors().
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_CPU_SPLINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_CPU_SPLINE_INL_H_
#undef PLEIAD_CPU_SPLINE_INL_H_
#else
#define PLEIAD_CPU_SPLINE_INL_H_
#endif

#include "cpu/direct/pair-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pleiad::cpu::HWY_NAMESPACE {

/// Factors of a pair: pull = m d pull, potential = -m potential, and the change of `pull` is (d.dv) change.
template <class M>
struct PairFactors {
  V<M> pull, potential, change;
};

/// Returns the factors of pairs at the distance 1 / y. y: 0 for bodies at one place, r2 the square of the
/// distance, h2 that of the radius. `change` only if asked for.
template <class M, bool with_change = false>
HWY_INLINE PairFactors<M> spline_factors(V<M> r2, V<M> y, V<M> h2) {
  constexpr Tag<M> d;
  const auto number = [&](double x) HWY_ATTR { return hn::Set(d, M(x)); };
  const auto y2 = hn::Mul(y, y);
  PairFactors<M> f{hn::Mul(y2, y), y, y};
  if constexpr (with_change) f.change = hn::Mul(number(-3), hn::Mul(hn::Mul(y2, y2), y));
  const auto inside = hn::Lt(r2, h2);
  if (hn::AllFalse(d, inside)) return f;
  const auto per_h = hn::Div(number(1), hn::Sqrt(h2)), per_h2 = hn::Mul(per_h, per_h);
  const auto u = hn::Mul(hn::Mul(r2, y), per_h), u2 = hn::Mul(u, u);
  const auto per_u = hn::Mul(y, hn::Mul(h2, per_h)), per_u3 = hn::Mul(per_u, hn::Mul(per_u, per_u));
  const auto near = hn::Lt(u, number(0.5));
  const auto potential_near = hn::NegMulAdd(
      u2, hn::NegMulAdd(u2, hn::NegMulAdd(number(32.0 / 5), u, number(48.0 / 5)), number(16.0 / 3)),
      number(14.0 / 5));
  const auto potential_far = hn::NegMulAdd(
      u2,
      hn::NegMulAdd(u, hn::NegMulAdd(u, hn::NegMulAdd(number(32.0 / 15), u, number(48.0 / 5)), number(16)),
                    number(32.0 / 3)),
      hn::NegMulAdd(number(1.0 / 15), per_u, number(16.0 / 5)));
  const auto pull_near = hn::MulAdd(u2, hn::MulAdd(number(32), u, number(-192.0 / 5)), number(32.0 / 3));
  const auto pull_far =
      hn::NegMulAdd(u, hn::NegMulAdd(u, hn::NegMulAdd(number(32.0 / 3), u, number(192.0 / 5)), number(48)),
                    hn::NegMulAdd(number(1.0 / 15), per_u3, number(64.0 / 3)));
  const auto potential = hn::Mul(hn::IfThenElse(near, potential_near, potential_far), per_h);
  const auto pull = hn::Mul(hn::IfThenElse(near, pull_near, pull_far), hn::Mul(per_h2, per_h));
  f.potential = hn::IfThenElse(inside, potential, f.potential);
  f.pull = hn::IfThenElse(inside, pull, f.pull);
  if constexpr (with_change) {
    const auto change_near = hn::MulAdd(number(96), u, number(-384.0 / 5));
    const auto change_far = hn::Add(hn::MulAdd(hn::Mul(per_u3, number(1.0 / 5)), hn::Mul(per_u, per_u),
                                               hn::NegMulAdd(number(48), per_u, number(384.0 / 5))),
                                    hn::Mul(number(-32), u));
    const auto change =
        hn::Mul(hn::IfThenElse(near, change_near, change_far), hn::Mul(hn::Mul(per_h2, per_h2), per_h));
    f.change = hn::IfThenElse(inside, change, f.change);
  }
  return f;
}

}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
