/// ExactSums with the potential in the same sweep, for diagnostics. Of systems with softening, which is at
/// least 2^-12 in the frame: no body's potential exceeds 2^12. Its terms have one sign and cancel nothing, so
/// one window is enough: in units of 2^-50 (double precision: 2^-38, and 2^-85 in a second word) the words
/// sum to less than 2^62.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/direct/pair_sums.hpp"

namespace pleiad::cuda {

/// Words of the pulls, then the word of the potential; of two words the lower one is at the same distance
/// from the upper one as in add_one.
template <class T>
struct ExactDiagnosticSums;

template <>
struct ExactDiagnosticSums<float> : ExactSums<float> {
  static constexpr bool potential = true;
  static constexpr std::size_t pulls = ExactSums<float>::words_per_body, words_per_body = pulls + 1;

  __device__ void add(std::size_t body, float x, float y, float z, float w) const {
    ExactSums<float>::add(body, x, y, z);
    atomicAdd(words + pulls * bodies + body, static_cast<Word>(__float2ll_rn(w * 0x1p50f)));
  }
  static __device__ double total_potential(const DevicePartialSums<Word>& words, std::size_t bodies,
                                           std::size_t body) {
    return 0x1p-50 * static_cast<double>(static_cast<long long>(words[pulls * bodies + body]));
  }
};

template <>
struct ExactDiagnosticSums<double> : ExactSums<double> {
  static constexpr bool potential = true;
  static constexpr std::size_t pulls = ExactSums<double>::words_per_body, words_per_body = pulls + 4;

  __device__ void add(std::size_t body, double x, double y, double z, double w) const {
    ExactSums<double>::add(body, x, y, z);
    add_one(words + pulls * bodies + body, w, 0x1p38);
  }
  static __device__ double total_potential(const DevicePartialSums<Word>& words, std::size_t bodies,
                                           std::size_t body) {
    const auto upper = static_cast<double>(static_cast<long long>(words[pulls * bodies + body])),
               lower = static_cast<double>(static_cast<long long>(words[(pulls + 3) * bodies + body]));
    return 0x1p-38 * (upper + 0x1p-47 * lower);
  }
};

}  // namespace pleiad::cuda
