#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/direct/frame.cpp"
#include <hwy/foreach_target.h>
// Highway's order: foreach_target first.
#include "cpu/direct/frame.hpp"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pleiad::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

/// A vector holds a number of whole bodies, or a part of one: then all bodies' first parts are looked at,
/// then the second ones.
template <class T>
Bounds<T> bounds(std::span<const Mass<T>> bodies) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d), step = std::max(lanes, std::size_t(4)), numbers = 4 * bodies.size();
  const T* all = reinterpret_cast<const T*>(bodies.data());
  constexpr T infinity = std::numeric_limits<T>::infinity();
  T low[4], high[4];
  for (int k = 0; k < 4; ++k) low[k] = infinity, high[k] = -infinity;
  const auto include = [&](std::size_t k, T least, T greatest) {
    low[k % 4] = std::min(low[k % 4], least);
    high[k % 4] = std::max(high[k % 4], greatest);
  };
  std::size_t whole = 0;
  for (std::size_t k = 0; k < step; k += lanes) {
    auto least = hn::Set(d, infinity), least2 = least, greatest = hn::Neg(least), greatest2 = greatest;
    std::size_t i = k;
    for (; i + step + lanes <= numbers; i += 2 * step) {
      const auto a = hn::LoadU(d, all + i), b = hn::LoadU(d, all + i + step);
      least = hn::Min(least, a), greatest = hn::Max(greatest, a);
      least2 = hn::Min(least2, b), greatest2 = hn::Max(greatest2, b);
    }
    whole = i - k;
    HWY_ALIGN T part[2][hn::MaxLanes(d)];
    hn::Store(hn::Min(least, least2), d, part[0]);
    hn::Store(hn::Max(greatest, greatest2), d, part[1]);
    for (std::size_t l = 0; l < lanes; ++l) include(k + l, part[0][l], part[1][l]);
  }
  for (std::size_t i = whole; i < numbers; ++i) include(i, all[i], all[i]);
  return {.low = {low[0], low[1], low[2], low[3]}, .high = {high[0], high[1], high[2], high[3]}};
}
Bounds<float> bounds_f32(std::span<const Mass<float>> bodies) { return bounds(bodies); }
Bounds<double> bounds_f64(std::span<const Mass<double>> bodies) { return bounds(bodies); }

}  // namespace
}  // namespace pleiad::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pleiad::cpu {
HWY_EXPORT(bounds_f32);
HWY_EXPORT(bounds_f64);
template <>
Bounds<float> bounds_of(std::span<const Mass<float>> bodies) {
  return HWY_DYNAMIC_DISPATCH(bounds_f32)(bodies);
}
template <>
Bounds<double> bounds_of(std::span<const Mass<double>> bodies) {
  return HWY_DYNAMIC_DISPATCH(bounds_f64)(bodies);
}
}  // namespace pleiad::cpu
#endif
