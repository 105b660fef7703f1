/// Powers of separations in pulls with jerks, and sums of lanes, once per instruction set.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_CPU_JERK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_CPU_JERK_INL_H_
#undef PLEIAD_CPU_JERK_INL_H_
#else
#define PLEIAD_CPU_JERK_INL_H_
#endif

#include "cpu/direct/pair-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pleiad::cpu::HWY_NAMESPACE {

HWY_INLINE double sum_of(V<double> v) { return hn::GetLane(hn::SumOfLanes(Tag<double>(), v)); }

struct Powers {
  V<double> cube, square;  ///< m / r^3 and r^-2, 0 of coincident bodies
};
HWY_INLINE Powers inverse_powers(V<double> m, V<double> r2) {
  [[maybe_unused]] constexpr Tag<double> d;
#if HWY_TARGET == HWY_AVX2
  // From roots of floats where r^2 is one: a division and a root of doubles take longer than all the rest. A
  // lane has the same bits whatever is in the others.
  const auto is_float = hn::And(hn::Gt(r2, hn::Set(d, 1e-30)), hn::Lt(r2, hn::Set(d, 1e30)));
  auto y = refined<double>(r2, approximate_rsqrt(r2));
  if (HWY_UNLIKELY(!hn::AllTrue(d, is_float)))
    y = hn::IfThenElse(is_float, y, masked_rsqrt<Mode::careful, double>(r2));
#else
  const auto y = masked_rsqrt<Mode::careful, double>(r2);
#endif
#if HWY_TARGET <= HWY_AVX3
  // With y of 14 bits and e = 1 - r^2 y^2: y^2 / (1 - e), and y^3 (1 - e)^(-3/2), to e^3.
  const auto y2 = hn::Mul(y, y), one = hn::Set(d, 1.0), e = hn::NegMulAdd(r2, y2, one);
  const auto square = hn::Mul(y2, hn::MulAdd(e, hn::MulAdd(e, hn::Add(e, one), one), one));
  const auto inner = hn::MulAdd(e, hn::MulAdd(e, hn::Set(d, 2.1875), hn::Set(d, 1.875)), hn::Set(d, 1.5));
  return {hn::Mul(hn::Mul(hn::Mul(m, y), y2), hn::MulAdd(e, inner, one)), square};
#else
  const auto square = hn::Mul(y, y);
  return {hn::Mul(hn::Mul(m, y), square), square};
#endif
}

/// The sums of a body: acceleration, then jerk.
struct PullAndJerk {
  V<double> ax, ay, az, jx, jy, jz;
};
HWY_INLINE PullAndJerk no_pull() {
  const auto zero = hn::Zero(Tag<double>());
  return {zero, zero, zero, zero, zero, zero};
}
/// Adds the sums of all lanes to six numbers.
HWY_INLINE void add_sums(const PullAndJerk& s, double* HWY_RESTRICT sums) {
  for (const auto sum : {s.ax, s.ay, s.az, s.jx, s.jy, s.jz}) *sums++ += sum_of(sum);
}
/// Adds the pulls of sources at d with velocities u, both relative to the body; `along`: d.u.
HWY_INLINE void add_pull(PullAndJerk& s, const Powers& f, V<double> along, V<double> dx, V<double> dy,
                         V<double> dz, V<double> du, V<double> dv, V<double> dw) {
  const auto rate = hn::Mul(hn::Mul(hn::Set(Tag<double>(), 3.0), along), f.square);
  s.ax = hn::MulAdd(dx, f.cube, s.ax), s.ay = hn::MulAdd(dy, f.cube, s.ay);
  s.az = hn::MulAdd(dz, f.cube, s.az);
  s.jx = hn::MulAdd(hn::NegMulAdd(rate, dx, du), f.cube, s.jx);
  s.jy = hn::MulAdd(hn::NegMulAdd(rate, dy, dv), f.cube, s.jy);
  s.jz = hn::MulAdd(hn::NegMulAdd(rate, dz, dw), f.cube, s.jz);
}

}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
