/// A number that two states share when all their bits are the same.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/engine.hpp>

#include <bit>
#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace pleiad::bench {

/// Positions and velocities of the engine's bodies, which are like `bodies`: FNV-1a over the doubles, in
/// hexadecimal digits.
inline std::string state_hash(Engine& engine, Bodies bodies) {
  engine.copy_to_host(bodies);
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const auto* numbers : {&bodies.x, &bodies.y, &bodies.z, &bodies.vx, &bodies.vy, &bodies.vz})
    for (const double x : *numbers)
      for (auto bits = std::bit_cast<std::uint64_t>(x), k = std::uint64_t{0}; k < 8; ++k, bits >>= 8)
        hash = (hash ^ (bits & 0xff)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

}  // namespace pleiad::bench
