/// The sums of symmetric rungs: several blocks add to the same body concurrently, in an undefined order.
/// AtomicSums are floats, whose last bits depend on this order. ExactSums are integers, for which it does not
/// matter.
///
/// ExactSums has no scale to guess and cannot overflow. In the frame (frame.hpp) a system weighs at most 1
/// and is softened by at least least_eps2, so no sum of pulls exceeds 0.385 / eps2 < 2^79 (double precision:
/// 2^119). The range from there down is cut into windows; a tile's sum goes whole into the window of its
/// largest component, as a 64-bit integer of at most 47 bits, so 2^16 tiles may add to a body. The unit of a
/// window is at most 2^-24 of what goes into it (double precision: two words, 2^-56): the rounding of one
/// operation. The lowest window takes everything smaller with a unit of 2^-80 (2^-110): 1e-9 of the mean pull
/// M / R^2 in a system of R = 10^10 eps.
/// Cost: some 10 slots per tile and body beyond the float atomics, in a tile that costs some 5000.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/direct/frame.hpp"
#include "cuda/direct/symmetric_parts.hpp"

#include <cstddef>

namespace pleiad::cuda {

/// The words that several devices have added to, each its own, for the same bodies.
template <class Word>
struct DevicePartialSums {
  const Word* words[most_devices]{};
  unsigned devices = 0;

  /// A sum of integers: the same for any order of additions.
  __device__ Word operator[](std::size_t at) const {
    Word sum = words[0][at];
    // The bound is known at compile time, so that the list stays among the kernel's parameters.
    for (unsigned d = 1; d < most_devices; ++d)
      if (d < devices) sum += words[d][at];
    return sum;
  }
};

/// [component][body]
struct AtomicSums {
  using Word = float;
  static constexpr bool potential = false;
  static constexpr std::size_t words_per_body = 3;
  float* words;
  std::size_t bodies;

  __device__ void add(std::size_t body, float x, float y, float z) const {
    atomicAdd(words + body, x);
    atomicAdd(words + bodies + body, y);
    atomicAdd(words + 2 * bodies + body, z);
  }
  static __device__ Vec3<double> total(const DevicePartialSums<Word>& words, std::size_t bodies,
                                       std::size_t body) {
    return {words[body], words[bodies + body], words[2 * bodies + body]};
  }
};

/// Windows of exponents of two: the `unit` of window 0, and the `width` between consecutive windows.
template <class T>
struct ExactSums;

/// [window][component][body]
template <>
struct ExactSums<float> {
  using Word = unsigned long long;
  static constexpr bool potential = false;
  static constexpr int unit = -80, width = 23, windows = 6;
  static constexpr std::size_t words_per_body = 3 * windows;
  Word* words;
  std::size_t bodies;

  __device__ void add(std::size_t body, float x, float y, float z) const {
    // Exponents as a float's bits have them, 127 too large: of the least number in window 0 that has no
    // rounding there, and of the largest in the last window. Values that are not finite must not index beyond
    // the array; the frame makes them NaN.
    constexpr unsigned begin = 127 + unit + 47 - width, last = begin + windows * width - 1;
    unsigned exponent = __float_as_uint(fmaxf(fmaxf(fabsf(x), fabsf(y)), fabsf(z))) >> 23;
    exponent = exponent < begin ? begin : exponent > last ? last : exponent;
    const unsigned window = (exponent - begin) / width;
    const float scale = __uint_as_float((127 - unit - width * window) << 23);
    Word* at = words + std::size_t{3 * window} * bodies + body;
    atomicAdd(at, static_cast<Word>(__float2ll_rn(x * scale)));
    atomicAdd(at + bodies, static_cast<Word>(__float2ll_rn(y * scale)));
    atomicAdd(at + 2 * bodies, static_cast<Word>(__float2ll_rn(z * scale)));
  }
  /// word(k): the k-th of the body's words_per_body.
  template <class WordOf>
  static __device__ double total_of(const WordOf& word, int component) {
    double sum = 0, size = 0x1p-80;
    for (int window = 0; window < windows; ++window, size *= 0x1p23)
      sum += size * static_cast<double>(static_cast<long long>(word(3 * window + component)));
    return sum;
  }
  static __device__ double total(const DevicePartialSums<Word>& words, std::size_t bodies, std::size_t body,
                                 int component) {
    return total_of([&](int k) { return words[static_cast<std::size_t>(k) * bodies + body]; }, component);
  }
  static __device__ Vec3<double> total(const DevicePartialSums<Word>& words, std::size_t bodies,
                                       std::size_t body) {
    return {total(words, bodies, body, 0), total(words, bodies, body, 1), total(words, bodies, body, 2)};
  }
};

/// [window][upper or lower word][component][body]; the lower word counts in 2^-47 of the upper one's unit.
template <>
struct ExactSums<double> {
  using Word = unsigned long long;
  static constexpr bool potential = false;
  static constexpr int unit = -63, width = 38, windows = 5;
  static constexpr std::size_t words_per_body = 6 * windows;
  Word* words;
  std::size_t bodies;

  /// v in units, and its remainder. Next to 3 * 2^51 a double has steps of one, so a multiply-add rounds as
  /// the conversion to an integer does, which takes four times as long.
  __device__ void add_one(Word* at, double v, double scale) const {
    constexpr double ones = 0x1.8p52;
    const double upper = fma(v, scale, ones), lower = fma(fma(v, scale, ones - upper), 0x1p47, ones);
    const auto word = [&](double counted) {
      return static_cast<Word>(__double_as_longlong(counted) - __double_as_longlong(ones));
    };
    atomicAdd(at, word(upper));
    atomicAdd(at + 3 * bodies, word(lower));
  }
  __device__ void add(std::size_t body, double x, double y, double z) const {
    constexpr unsigned begin = 1023 + unit + 47 - width, last = begin + windows * width - 1;
    auto exponent = static_cast<unsigned>(__double_as_longlong(fmax(fmax(fabs(x), fabs(y)), fabs(z))) >> 52);
    exponent = exponent < begin ? begin : exponent > last ? last : exponent;
    const unsigned window = (exponent - begin) / width;
    const double scale = __longlong_as_double(static_cast<long long>(1023 - unit - width * window) << 52);
    Word* at = words + std::size_t{6 * window} * bodies + body;
    add_one(at, x, scale);
    add_one(at + bodies, y, scale);
    add_one(at + 2 * bodies, z, scale);
  }
  /// word(k): the k-th of the body's words_per_body.
  template <class WordOf>
  static __device__ double total_of(const WordOf& word, int component) {
    double sum = 0, size = 0x1p-63;
    for (int window = 0; window < windows; ++window, size *= 0x1p38) {
      const int k = 6 * window + component;
      const auto upper = static_cast<double>(static_cast<long long>(word(k))),
                 lower = static_cast<double>(static_cast<long long>(word(k + 3)));
      sum += size * (upper + 0x1p-47 * lower);
    }
    return sum;
  }
  static __device__ double total(const DevicePartialSums<Word>& words, std::size_t bodies, std::size_t body,
                                 int component) {
    return total_of([&](int k) { return words[static_cast<std::size_t>(k) * bodies + body]; }, component);
  }
  static __device__ Vec3<double> total(const DevicePartialSums<Word>& words, std::size_t bodies,
                                       std::size_t body) {
    return {total(words, bodies, body, 0), total(words, bodies, body, 1), total(words, bodies, body, 2)};
  }
};

/// The totals of bodies `first` and on, in the problem's units: out[0] is that of `first`. The words are of
/// `bodies` bodies, in the given order or, with `ranks`, along the curve.
template <class P, class Sums>
__global__ void write_totals(DevicePartialSums<typename Sums::Word> words, std::size_t bodies,
                             const Frame* __restrict__ frame, const std::uint32_t* __restrict__ ranks,
                             std::size_t first, std::size_t count, Vec4<typename P::Sum>* __restrict__ out) {
  using S = typename P::Sum;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::size_t body = ranks != nullptr ? ranks[first + i] : first + i;
  const Vec3<double> a = frame->acceleration * Sums::total(words, bodies, body);
  S w = 0;
  if constexpr (Sums::potential)
    w = S(-frame->acceleration * frame->length * Sums::total_potential(words, bodies, body));
  out[i] = {S(a.x), S(a.y), S(a.z), w};
}

}  // namespace pleiad::cuda
