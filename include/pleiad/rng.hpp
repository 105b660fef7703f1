/// Counter-based random numbers (Philox4x32-10): the n-th draw of stream s depends on (seed, s, n) only, so
/// the same seed gives the same bodies on every machine and for any number of threads. Source: Salmon et
/// al., SC11 (2011), "Parallel random numbers: as easy as 1, 2, 3".
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace pleiad {

/// Computes one block of Philox4x32-10: four random words for a counter and a key.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

/// Returns the number of a purpose, the hash (FNV-1a) of its name, such as "plummer" or "galaxy/disc". Draws
/// of different purposes are independent, for any seeds and streams.
constexpr std::uint32_t purpose_of(std::string_view name) {
  std::uint32_t hash = 0x811C9DC5;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
  return hash;
}

/// A stream of draws; copy it to fork it. Use one stream per body (stream = index) and one `purpose` per
/// component of a model.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream, std::uint32_t purpose = 0);
  /// 64 random bits.
  std::uint64_t bits();
  /// Uniform in (0, 1): 52 bits, never 0 and never 1.
  double uniform();
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Standard normal (Box-Muller; the same bits on all machines where log and cos round alike).
  double normal();
  /// Uniform on the unit sphere.
  Vec3<double> direction();

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint64_t, 2> block_{};
  int left_ = 0;
};

}  // namespace pleiad
