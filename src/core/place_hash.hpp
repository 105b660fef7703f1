/// Hashes of numbers and places, by which equal ones are found among many.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace pleiad {

/// Another number for every number.
constexpr std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93U;
  bits = (bits ^ bits >> 32) * 0x9e3779b97f4a7c15U;
  return bits ^ bits >> 32;
}

using Place = std::array<double, 3>;

/// Equal for equal places, of which 0 and -0 are one.
inline std::uint64_t hash_of_place(const Place& at) {
  std::uint64_t hash = 0;
  for (const double v : at) hash = mixed(hash ^ std::bit_cast<std::uint64_t>(v + 0.0));
  return hash;
}

}  // namespace pleiad
