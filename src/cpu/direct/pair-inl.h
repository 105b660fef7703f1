/// The pull in vectors: the arithmetic that rungs 3 to 5 share, once per instruction set. It restates pull()
/// and minimum_image().
///
/// r^-3 costs three operations on multiply-add ports after the reciprocal square root y of 2^-12 to 2^-14:
/// with s = r^2 y^2 and e = 1 - s, r^-3 = y^3 (1 + 1.5 e + 1.875 e^2 + 2.1875 e^3 + ...), and the series is
/// divided by its leading coefficient, which the sums get back once per row (`cube_factor`). Because e is
/// formed from the rounded y^2, half of that rounding is corrected too.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#if defined(PLEIAD_CPU_PAIR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLEIAD_CPU_PAIR_INL_H_
#undef PLEIAD_CPU_PAIR_INL_H_
#else
#define PLEIAD_CPU_PAIR_INL_H_
#endif

#include "cpu/direct/frame.hpp"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pleiad::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class M>
using Tag = hn::ScalableTag<M>;
template <class M>
using V = hn::Vec<Tag<M>>;

/// Special cases that a loop must handle.
enum class Mode {
  plain,  ///< softening keeps r^-3 finite for every pair: no mask, and the body itself pulls with zero by d =
          ///< 0
  careful,    ///< coincident pairs are masked
  potential,  ///< careful, the body itself left out by index, and the potential summed too
};

/// Vectors of accumulators that fit into the registers in addition to all other values.
inline constexpr int rows_in_registers =
    HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_NEON ? 4 : 2;

/// Whether roots of doubles begin with those of floats: in loops without care for pairs that coincide.
/// Division and root of four doubles keep Zen 3's one divider for 14 cycles, in which its two multiply-add
/// ports do 28 operations; two conversions and a root of 12 bits take 1 of these and 3 of the add ports.
template <class M>
inline constexpr bool roots_of_floats = sizeof(M) == 8 && HWY_TARGET == HWY_AVX2;
/// Lower limit of squared separations as floats: in units in which all bodies are less than 1 apart,
/// softening keeps them above it.
inline constexpr double least_r2_of_floats = 1e-36;

/// An approximation y of r2^-1/2 and how many terms of the series it then takes; terms = 0: y is exact to
/// rounding. Of 12 bits one term leaves at most 1e-6, half a millionth on AMD's processors (rms 1e-7): as
/// much as rounding does.
#if HWY_TARGET <= HWY_AVX3
template <class M>
inline constexpr int series_terms = sizeof(M) == 4 ? 1 : 3;
HWY_INLINE V<double> approximate_rsqrt(V<double> r2) { return V<double>{_mm512_rsqrt14_pd(r2.raw)}; }
HWY_INLINE V<float> approximate_rsqrt(V<float> r2) { return hn::ApproximateReciprocalSqrt(r2); }
#else
/// Highway's emulation of vectors has a root of 9 bits there, as slow as an exact one.
inline constexpr bool has_approximate_root = HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128;
template <class M>
inline constexpr int series_terms = HWY_TARGET == HWY_AVX2                   ? (sizeof(M) == 4 ? 1 : 4)
                                    : sizeof(M) == 4 && has_approximate_root ? 2
                                                                             : 0;
HWY_INLINE V<double> exact_rsqrt(V<double> r2) { return hn::Div(hn::Set(Tag<double>(), 1.0), hn::Sqrt(r2)); }
HWY_INLINE V<double> approximate_rsqrt(V<double> r2) {
#if HWY_TARGET == HWY_AVX2
  const hn::Rebind<float, Tag<double>> narrow;
  return hn::PromoteTo(Tag<double>(), hn::ApproximateReciprocalSqrt(hn::DemoteTo(narrow, r2)));
#else
  return exact_rsqrt(r2);
#endif
}
HWY_INLINE V<float> approximate_rsqrt(V<float> r2) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  return hn::Div(hn::Set(Tag<float>(), 1.0f), hn::Sqrt(r2));
#elif HWY_ARCH_ARM || HWY_ARCH_RVV  // 8 bits, or 7: one Newton step makes 16 of them, or 13
  const auto y = hn::ApproximateReciprocalSqrt(r2);
  return hn::Mul(
      y, hn::NegMulAdd(hn::Mul(r2, hn::Set(Tag<float>(), 0.5f)), hn::Mul(y, y), hn::Set(Tag<float>(), 1.5f)));
#else
  return hn::ApproximateReciprocalSqrt(r2);  // 12 bits
#endif
}
#endif

/// 1 + 1.5 e + 1.875 e^2 + 2.1875 e^3 + c e^4, divided by c, with two products (Knuth, The Art of Computer
/// Programming 2, 4.6.4): t = e + shift, u = t^2 + a, (u + t + b) u + d.
struct Quartic {
  static constexpr double c = 2.4609375, shift = (2.1875 / c - 1) / 4;
  static constexpr double slope = 2 * shift, rest = 1.875 / c - slope * slope - slope;
  static constexpr double inner = 1.5 / c - slope * rest;  ///< of e^2 + slope e + inner
  static constexpr double b_of_e = rest - 2 * inner;
  static constexpr double a = inner - shift * shift, b = b_of_e - shift;
  static constexpr double d = 1 / c - inner * inner - inner * b_of_e;
  /// Its value at e = 0 with these constants.
  static constexpr double leading = ((shift * shift + a) + shift + b) * (shift * shift + a) + d;
};

/// The correction of y^3, divided by `cube_factor`.
template <class M>
HWY_INLINE V<M> cube_correction(V<M> r2, V<M> y2) {
  constexpr Tag<M> d;
  if constexpr (series_terms<M> == 1) {
    return hn::NegMulAdd(r2, y2, hn::Set(d, M(5.0 / 3)));
  } else if constexpr (series_terms<M> == 4) {
    const auto t = hn::NegMulAdd(r2, y2, hn::Set(d, M(1 + Quartic::shift)));
    const auto u = hn::MulAdd(t, t, hn::Set(d, M(Quartic::a)));
    return hn::MulAdd(hn::Add(hn::Add(t, hn::Set(d, M(Quartic::b))), u), u, hn::Set(d, M(Quartic::d)));
  } else {
    const auto e = hn::NegMulAdd(r2, y2, hn::Set(d, M(1)));
    if constexpr (series_terms<M> == 2)
      return hn::MulAdd(e, hn::Add(e, hn::Set(d, M(1.5 / 1.875))), hn::Set(d, M(1 / 1.875)));
    const auto inner = hn::MulAdd(e, hn::Add(e, hn::Set(d, M(1.875 / 2.1875))), hn::Set(d, M(1.5 / 2.1875)));
    return hn::MulAdd(e, inner, hn::Set(d, M(1 / 2.1875)));
  }
}
/// The factor left out above: one over the value that the rounded coefficients give at e = 0.
template <class M>
inline constexpr double cube_factor = series_terms<M> == 0   ? 1.0
                                      : series_terms<M> == 1 ? 1 / (double(M(5.0 / 3)) - 1)
                                      : series_terms<M> == 2 ? 1 / double(M(1 / 1.875))
                                      : series_terms<M> == 3 ? 1 / double(M(1 / 2.1875))
                                                             : 1 / Quartic::leading;

/// y to full precision, for the potential.
template <class M>
HWY_INLINE V<M> refined(V<M> r2, V<M> y) {
  constexpr Tag<M> d;
  if constexpr (series_terms<M> == 0) return y;
  const auto e = hn::NegMulAdd(r2, hn::Mul(y, y), hn::Set(d, M(1)));
  auto series = hn::Set(d, M(0.3125));
  if constexpr (series_terms<M> == 4) series = hn::MulAdd(e, hn::Set(d, M(0.2734375)), series);
  series = hn::MulAdd(e, series, hn::Set(d, M(0.375)));
  series = hn::MulAdd(e, series, hn::Set(d, M(0.5)));
  return hn::MulAdd(hn::Mul(y, e), series, y);
}

/// 1/r to rounding: of a root of 14 bits single precision needs one term.
template <class M>
HWY_INLINE V<M> inverse_distance(V<M> r2) {
  constexpr Tag<M> d;
  const auto y = approximate_rsqrt(r2);
  if constexpr (sizeof(M) == 4 && series_terms<M> == 1)
    return hn::MulAdd(hn::Mul(y, hn::Set(d, M(0.5))), hn::NegMulAdd(r2, hn::Mul(y, y), hn::Set(d, M(1))), y);
  return refined<M>(r2, y);
}

/// The root that a loop takes; where it takes care, coincident pairs get 0.
template <Mode mode, class M>
HWY_INLINE V<M> masked_rsqrt(V<M> r2) {
  if constexpr (mode == Mode::plain) return approximate_rsqrt(r2);
  const auto real = hn::Gt(r2, hn::Set(Tag<M>(), coincident_r2<M>));
#if HWY_TARGET == HWY_AVX2
  if constexpr (roots_of_floats<M>) return hn::IfThenElseZero(real, exact_rsqrt(r2));
#endif
  return hn::IfThenElseZero(real, approximate_rsqrt(r2));
}

/// r^-3 divided by `cube_factor`, times `m`.
template <Mode mode, class M>
HWY_INLINE V<M> times_inverse_cube(V<M> m, V<M> r2) {
  const auto y = masked_rsqrt<mode, M>(r2);
  if constexpr (series_terms<M> == 0) return hn::Mul(hn::Mul(m, y), hn::Mul(y, y));
  const auto y2 = hn::Mul(y, y);
  if constexpr (roots_of_floats<M> && mode != Mode::plain)
    return hn::Mul(hn::Mul(hn::Mul(m, hn::Set(Tag<M>(), M(1 / cube_factor<M>))), y), y2);
  return hn::Mul(hn::Mul(hn::Mul(m, y), y2), cube_correction<M>(r2, y2));
}

/// r^-3 divided by `cube_factor`, times `m`, with the same bits, and m / r as a product of two numbers and
/// `potential_factor`. With one term of the series that costs an addition and the product: 1 + e / 2 is half
/// of the cube's correction plus a constant.
template <class M>
struct PullAndPotential {
  V<M> cube, left, right;
};
template <class M>
inline constexpr bool potential_of_correction = sizeof(M) == 4 && series_terms<M> == 1;
template <class M>
inline constexpr double potential_factor = potential_of_correction<M>
                                               ? 1 / (double(M(5.0 / 3)) - 1 + double(M(4.0 / 3)))
                                               : 1;
template <class M>
HWY_INLINE PullAndPotential<M> pull_and_potential(V<M> m, V<M> r2) {
  constexpr Tag<M> d;
  if constexpr (potential_of_correction<M>) {
    const auto y = approximate_rsqrt(r2), y2 = hn::Mul(y, y), left = hn::Mul(m, y),
               correction = cube_correction<M>(r2, y2);
    return {hn::Mul(hn::Mul(left, y2), correction), left, hn::Add(correction, hn::Set(d, M(4.0 / 3)))};
  } else {
    return {times_inverse_cube<Mode::plain, M>(m, r2), m, inverse_distance<M>(r2)};
  }
}

/// The units of a problem for the loops of this instruction set.
template <class P>
Scale scale_here(const PairProblem<P>& p) {
  return roots_of_floats<typename P::Math> ? scale_of_extent(p) : scale_of(p);
}
/// Whether the loops must take care: softening does not keep the squares in the range of their roots.
template <class P>
bool careful_here(const PairProblem<P>& p, const Scale& scale) {
  if constexpr (roots_of_floats<typename P::Math>) return !(scaled_eps2(p, scale) > least_r2_of_floats);
  return is_careful(p, scale);
}

template <class M>
HWY_INLINE V<M> minimum_image(V<M> separation, M length, M inverse, M half) {
  constexpr Tag<M> d;
  const auto image = hn::Round(hn::Mul(separation, hn::Set(d, inverse)));
  const auto wrapped = hn::NegMulAdd(image, hn::Set(d, length), separation);
  return hn::IfThenZeroElse(hn::Eq(hn::Abs(wrapped), hn::Set(d, half)), wrapped);
}
template <bool periodic, class M>
HWY_INLINE void wrap(V<M>& dx, V<M>& dy, V<M>& dz, const Box<M>& box) {
  if constexpr (periodic) {
    dx = minimum_image<M>(dx, box.length.x, box.inverse.x, box.half.x);
    dy = minimum_image<M>(dy, box.length.y, box.inverse.y, box.half.y);
    dz = minimum_image<M>(dz, box.length.z, box.inverse.z, box.half.z);
  }
}

/// Whether positions are pairs of floats, as in mixed precision.
template <class P>
inline constexpr bool has_rests = std::is_same_v<P, Mixed>;

/// One component of a separation of pairs of floats: the difference of the upper ones is exact where bodies
/// are near each other, and where they are not its rounding is that of the result.
template <bool periodic>
HWY_INLINE V<float> joined(V<float> upper, V<float> rest, float length, float rest_of_length, float inverse,
                           float half) {
  constexpr Tag<float> d;
  if constexpr (!periodic) return hn::Add(upper, rest);
  const auto image = hn::Round(hn::Mul(upper, hn::Set(d, inverse)));
  const auto wrapped = hn::Add(hn::NegMulAdd(image, hn::Set(d, length), upper),
                               hn::NegMulAdd(image, hn::Set(d, rest_of_length), rest));
  return hn::IfThenZeroElse(hn::Eq(hn::Abs(wrapped), hn::Set(d, half)), wrapped);
}

/// Adds the number of lanes of r2 that are too near for pairs of floats to `count`.
HWY_INLINE V<float> count_close(V<float> r2, V<float> count) {
  constexpr Tag<float> d;
  return hn::Add(count, hn::IfThenElseZero(hn::Lt(r2, hn::Set(d, close_r2)), hn::Set(d, 1.0f)));
}

/// Converts bodies to a frame: subtracts the origin in their own precision, wraps, scales, converts;
/// remainders of the positions go to `rests`, if there are any.
template <bool with_rests = false, class T, class M>
void to_frame(const Mass<T>* HWY_RESTRICT in, std::size_t n, const Frame<T>& frame, Mass<M>* HWY_RESTRICT out,
              [[maybe_unused]] Mass<M>* HWY_RESTRICT rests = nullptr) {
  const hn::CappedTag<T, 4> from;
  const hn::Rebind<M, decltype(from)> to;
  for (std::size_t k = 0; k < 4; k += hn::Lanes(from)) {
    const auto origin = hn::Load(from, frame.origin + k), factor = hn::Load(from, frame.factor + k);
    const auto length = hn::Load(from, frame.length + k), inverse = hn::Load(from, frame.inverse + k);
    [[maybe_unused]] const auto coarse = hn::Load(from, frame.coarse + k);
    const T* source = reinterpret_cast<const T*>(in) + k;
    M* target = reinterpret_cast<M*>(out) + k;
    for (std::size_t i = 0; i < 4 * n; i += 4) {
      auto v = hn::Sub(hn::LoadU(from, source + i), origin);
      v = hn::NegMulAdd(hn::Round(hn::Mul(v, inverse)), length, v);
      v = hn::Mul(v, factor);
      if constexpr (sizeof(T) == sizeof(M)) {
        hn::StoreU(v, to, target + i);
      } else if constexpr (!with_rests) {
        hn::StoreU(hn::DemoteTo(to, v), to, target + i);
      } else {
        const auto upper = hn::DemoteTo(to, hn::Sub(hn::Add(v, coarse), coarse));
        hn::StoreU(upper, to, target + i);
        hn::StoreU(hn::DemoteTo(to, hn::Sub(v, hn::PromoteTo(from, upper))), to,
                   reinterpret_cast<M*>(rests) + k + i);
      }
    }
  }
}

}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
