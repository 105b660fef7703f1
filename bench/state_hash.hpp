/// A hash of a state: equal if all bits are equal.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>

#include <bit>
#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace pleiad::bench {

/// FNV-1a, in hexadecimal digits, over the positions and velocities of the bodies that `each(add)` adds.
template <class Each>
std::string hash_of(Each each) {
  std::uint64_t hash = 0xcbf29ce484222325;
  each([&](const Bodies& b) {
    for (const auto* numbers : {&b.x, &b.y, &b.z, &b.vx, &b.vy, &b.vz})
      for (const double x : *numbers)
        for (auto bits = std::bit_cast<std::uint64_t>(x), k = std::uint64_t{0}; k < 8; ++k, bits >>= 8)
          hash = (hash ^ (bits & 0xff)) * 0x100000001b3;
  });
  return fmt::format("{:016x}", hash);
}

}  // namespace pleiad::bench
