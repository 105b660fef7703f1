/// Bits of a coordinate, ready to be interleaved with those of two others; for the processor and for GPUs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstdint>

namespace pleiad::tree {

/// Every third bit of the result is one of the lowest 21 of x.
PLEIAD_HD constexpr std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  x = (x | x << 2) & 0x1249249249249249;
  return x;
}

}  // namespace pleiad::tree
