/// Places in memory that all blocks of a grid read: each carries the number of the evaluation that it is for,
/// so that a reader can test whether the place has been written.
///
/// No barrier stands between writer and reader, and no fence: the cost of a body's place is its way to the L2
/// cache and from there. A place is one or two times 16 bytes, three words and the number, each written and
/// read as a whole. Evaluations alternate between two arrays: the writer of one evaluation has read all of
/// the evaluation before, so every block has read all of the one before that.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/barrier.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/steps/place.hpp"

namespace pleiad::cuda {

template <class P>
class Posted {
 public:
  static constexpr unsigned halves = Places<P>::halves;
  static constexpr unsigned bytes = halves * sizeof(Words);  ///< of one place

  /// memory: 2 size places, 0 before the launch. evaluation: from 1.
  __device__ Posted(void* memory, unsigned size, unsigned evaluation)
      : first_(static_cast<Words*>(memory) + (evaluation & 1) * halves * size),
        size_(size),
        evaluation_(evaluation) {}

  /// Half `half` of place i.
  __device__ void post(unsigned i, unsigned half, Vec3<typename P::Position> x) const {
    store_whole(first_ + half * size_ + i, words_of(x, half));
  }
  /// The present content; it must be read again unless it is that of the evaluation.
  struct Read {
    Words half[halves];
  };
  __device__ Read read(unsigned i) const {
    Read r;
#pragma unroll
    for (unsigned h = 0; h < halves; ++h) r.half[h] = load_whole(first_ + h * size_ + i);
    return r;
  }
  __device__ bool has_come(const Read& r) const {
    bool come = r.half[0].of[3] == evaluation_;
    if constexpr (halves > 1) come = come && r.half[1].of[3] == evaluation_;
    return come;
  }
  /// The place of a content that has arrived.
  __device__ static Place<P> place(const Read& r, typename P::Math mass) {
    const auto& a = r.half[0].of;
    if constexpr (std::is_same_v<P, F32>) {
      return {{__uint_as_float(a[0]), __uint_as_float(a[1]), __uint_as_float(a[2]), mass}};
    } else {
      const auto& b = r.half[1].of;
      if constexpr (std::is_same_v<P, F64>)
        return {{double_of(a[0], a[1]), double_of(a[2], b[0]), double_of(b[1], b[2]), mass}};
      else
        return {{__uint_as_float(a[0]), __uint_as_float(a[1]), __uint_as_float(a[2]), mass},
                {__uint_as_float(b[0]), __uint_as_float(b[1]), __uint_as_float(b[2]), 0}};
    }
  }

 private:
  __device__ static double double_of(unsigned low, unsigned high) {
    return __longlong_as_double(static_cast<long long>(static_cast<unsigned long long>(high) << 32 | low));
  }
  __device__ Words words_of(Vec3<typename P::Position> x, unsigned half) const {
    if constexpr (std::is_same_v<P, F32>) {
      return {__float_as_uint(x.x), __float_as_uint(x.y), __float_as_uint(x.z), evaluation_};
    } else if constexpr (std::is_same_v<P, F64>) {
      const auto y = static_cast<unsigned long long>(__double_as_longlong(x.y)),
                 other = static_cast<unsigned long long>(__double_as_longlong(half == 0 ? x.x : x.z));
      const unsigned low = static_cast<unsigned>(other), high = static_cast<unsigned>(other >> 32);
      return half == 0 ? Words{low, high, static_cast<unsigned>(y), evaluation_}
                       : Words{static_cast<unsigned>(y >> 32), low, high, evaluation_};
    } else {
      const auto part = [&](double whole) {
        const double upper = upper_bits(whole);
        return __float_as_uint(static_cast<float>(half == 0 ? upper : whole - upper));
      };
      return {part(x.x), part(x.y), part(x.z), evaluation_};
    }
  }

  Words* first_;
  unsigned size_, evaluation_;
};

}  // namespace pleiad::cuda
