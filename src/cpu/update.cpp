#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/update.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include "cpu/update.hpp"

#include <hwy/highway.h>

#ifndef PLEIAD_CPU_UPDATES
#define PLEIAD_CPU_UPDATES
namespace pleiad::cpu {
/// The updates of one instruction set, on bodies as four numbers each.
template <class T>
struct Updates {
  void (*kick)(T* v, const T* sums, std::size_t n, T h);
  void (*drift)(T* x, const T* v, std::size_t n, T h);
  void (*kick_drift)(T* x, T* v, const T* sums, std::size_t n, T hk, T hd);
  void (*kick2_drift)(T* x, T* v, const T* sums, std::size_t n, T hk1, T hk2, T hd);
  bool (*finite)(const T* numbers, std::size_t n);
  void (*wrap)(T* x, std::size_t n, const T* lengths);
};
}  // namespace pleiad::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace pleiad::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

/// Four numbers repeated over a vector, readable from each of the four phases.
template <class T>
struct Pattern {
  HWY_ALIGN T lanes[HWY_MAX_BYTES / sizeof(T) + 4];
  Pattern(T x, T y, T z, T w) {
    const T four[] = {x, y, z, w};
    for (std::size_t l = 0; l < std::size(lanes); ++l) lanes[l] = four[l % 4];
  }
  template <class D>
  auto at(D d, std::size_t k) const {
    return hn::LoadU(d, lanes + k % 4);
  }
};

/// Calls f(d, k) for whole vectors over 4 n numbers, then for single bodies.
template <class T, class F>
HWY_INLINE void for_each_vector(std::size_t n, F f) {
  const hn::ScalableTag<T> wide;
  const hn::CappedTag<T, 4> body;
  std::size_t k = 0;
  for (; k + hn::Lanes(wide) <= 4 * n; k += hn::Lanes(wide)) f(wide, k);
  for (; k < 4 * n; k += hn::Lanes(body)) f(body, k);
}

/// Numbers of kicks and drifts of one pass; x and sums may be null when they take no part.
template <int kicks, bool drifts, class T, class Velocity>
HWY_INLINE void update(T* HWY_RESTRICT x, Velocity* HWY_RESTRICT v, const T* HWY_RESTRICT sums, std::size_t n,
                       T hk1, T hk2, T hd) {
  const Pattern<T> space(1, 1, 1, 0);
  for_each_vector<T>(n, [&](auto d, std::size_t k) HWY_ATTR {
    auto velocity = hn::LoadU(d, v + k);
    if constexpr (kicks > 0) {
      const auto pull = hn::IfThenElseZero(hn::Eq(space.at(d, k), hn::Set(d, T(1))), hn::LoadU(d, sums + k));
      velocity = hn::Add(velocity, hn::Mul(hn::Set(d, hk1), pull));
      if constexpr (kicks > 1) velocity = hn::Add(velocity, hn::Mul(hn::Set(d, hk2), pull));
      hn::StoreU(velocity, d, v + k);
    }
    if constexpr (drifts)
      hn::StoreU(hn::Add(hn::LoadU(d, x + k), hn::Mul(hn::Set(d, hd), velocity)), d, x + k);
  });
}

template <class T>
bool finite(const T* numbers, std::size_t n) {
  const hn::ScalableTag<T> wide;
  auto zero = hn::Zero(wide);  // v - v is 0 if v is finite, else NaN
  T rest = 0;
  for_each_vector<T>(n, [&](auto d, std::size_t k) HWY_ATTR {
    const auto v = hn::LoadU(d, numbers + k);
    const auto difference = hn::Sub(v, v);
    if constexpr (std::is_same_v<decltype(d), hn::ScalableTag<T>>) zero = hn::Add(zero, difference);
    else rest += hn::GetLane(hn::SumOfLanes(d, difference));
  });
  return hn::AllTrue(wide, hn::Eq(zero, hn::Zero(wide))) && rest == 0;
}

/// Lanes that do not wrap have an infinite length.
template <class T>
void wrap_into(T* x, std::size_t n, const T* lengths) {
  const Pattern<T> box(lengths[0], lengths[1], lengths[2], lengths[3]);
  for_each_vector<T>(n, [&](auto d, std::size_t k) HWY_ATTR {
    const auto v = hn::LoadU(d, x + k), length = box.at(d, k), zero = hn::Zero(d);
    const auto endless = hn::Eq(length, hn::Set(d, std::numeric_limits<T>::infinity()));
    const auto inside = hn::Or(endless, hn::And(hn::Ge(v, zero), hn::Lt(v, length)));
    if (hn::AllTrue(d, inside)) return;
    auto w = hn::Sub(v, hn::Mul(length, hn::Floor(hn::Div(v, length))));
    w = hn::Add(w, hn::IfThenElseZero(hn::Lt(w, zero), length));
    w = hn::Sub(
        w, hn::IfThenElseZero(hn::Ge(w, length), length));  // -1e-20 + length rounds to length: that is 0
    hn::StoreU(hn::IfThenElse(inside, v, w), d, x + k);
  });
}

template <class T>
void kick(T* v, const T* sums, std::size_t n, T h) {
  update<1, false>(static_cast<T*>(nullptr), v, sums, n, h, T(0), T(0));
}
template <class T>
void drift(T* x, const T* v, std::size_t n, T h) {
  update<0, true>(x, v, static_cast<const T*>(nullptr), n, T(0), T(0), h);
}
template <class T>
void kick_drift(T* x, T* v, const T* sums, std::size_t n, T hk, T hd) {
  update<1, true>(x, v, sums, n, hk, T(0), hd);
}
template <class T>
void kick2_drift(T* x, T* v, const T* sums, std::size_t n, T hk1, T hk2, T hd) {
  update<2, true>(x, v, sums, n, hk1, hk2, hd);
}
template <class T>
inline constexpr Updates<T> updates{kick<T>,        drift<T>,  kick_drift<T>,
                                    kick2_drift<T>, finite<T>, wrap_into<T>};
const Updates<float>& updates_f32() { return updates<float>; }
const Updates<double>& updates_f64() { return updates<double>; }

}  // namespace
}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pleiad::cpu {
HWY_EXPORT(updates_f32);
HWY_EXPORT(updates_f64);
namespace {
template <class T>
const Updates<T>& updates() {
  if constexpr (std::is_same_v<T, float>) return HWY_DYNAMIC_DISPATCH(updates_f32)();
  else return HWY_DYNAMIC_DISPATCH(updates_f64)();
}
/// Bodies are four numbers each.
template <class T>
T* numbers(std::span<Vec4<T>> bodies) {
  return reinterpret_cast<T*>(bodies.data());
}
template <class T>
const T* numbers(std::span<const Vec4<T>> bodies) {
  return reinterpret_cast<const T*>(bodies.data());
}
template <class T>
T* numbers(std::span<Mass<T>> bodies) {
  return reinterpret_cast<T*>(bodies.data());
}
}  // namespace

template <class T>
void kick(std::span<Vec4<T>> v, std::span<const Vec4<T>> sums, T h) {
  updates<T>().kick(numbers(v), numbers(sums), v.size(), h);
}
template <class T>
void drift(std::span<Mass<T>> x, std::span<const Vec4<T>> v, T h) {
  updates<T>().drift(numbers(x), numbers(v), x.size(), h);
}
template <class T>
void kick_drift(std::span<Mass<T>> x, std::span<Vec4<T>> v, std::span<const Vec4<T>> sums, T hk, T hd) {
  updates<T>().kick_drift(numbers(x), numbers(v), numbers(sums), x.size(), hk, hd);
}
template <class T>
void kick2_drift(std::span<Mass<T>> x, std::span<Vec4<T>> v, std::span<const Vec4<T>> sums, T hk1, T hk2,
                 T hd) {
  updates<T>().kick2_drift(numbers(x), numbers(v), numbers(sums), x.size(), hk1, hk2, hd);
}
template <class T>
bool all_finite(std::span<const Vec4<T>> values) {
  return updates<T>().finite(numbers(values), values.size());
}
template <class T>
bool all_finite(std::span<const Mass<T>> values) {
  return updates<T>().finite(reinterpret_cast<const T*>(values.data()), values.size());
}
template <class T>
void wrap(std::span<Mass<T>> x, const Boundary& boundary) {
  if (!boundary.periodic) return;
  T lengths[4];
  const double axes[] = {boundary.length.x, boundary.length.y, boundary.length.z, 0};
  for (int k = 0; k < 4; ++k) lengths[k] = axes[k] > 0 ? T(axes[k]) : std::numeric_limits<T>::infinity();
  updates<T>().wrap(numbers(x), x.size(), lengths);
}

template void kick(std::span<Vec4<float>>, std::span<const Vec4<float>>, float);
template void kick(std::span<Vec4<double>>, std::span<const Vec4<double>>, double);
template void drift(std::span<Mass<float>>, std::span<const Vec4<float>>, float);
template void drift(std::span<Mass<double>>, std::span<const Vec4<double>>, double);
template void kick_drift(std::span<Mass<float>>, std::span<Vec4<float>>, std::span<const Vec4<float>>, float,
                         float);
template void kick_drift(std::span<Mass<double>>, std::span<Vec4<double>>, std::span<const Vec4<double>>,
                         double, double);
template void kick2_drift(std::span<Mass<float>>, std::span<Vec4<float>>, std::span<const Vec4<float>>, float,
                          float, float);
template void kick2_drift(std::span<Mass<double>>, std::span<Vec4<double>>, std::span<const Vec4<double>>,
                          double, double, double);
template bool all_finite(std::span<const Vec4<float>>);
template bool all_finite(std::span<const Vec4<double>>);
template bool all_finite(std::span<const Mass<float>>);
template bool all_finite(std::span<const Mass<double>>);
template void wrap(std::span<Mass<float>>, const Boundary&);
template void wrap(std::span<Mass<double>>, const Boundary&);
}  // namespace pleiad::cpu
#endif
