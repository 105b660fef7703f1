/// Ranges of keys, and the head of the message of a cell between ranks: the same in host and GPU memory.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstdint>

namespace pleiad::tree {

/// A part of the curve: the keys that a tree has, when others have the rest.
struct KeyRange {
  static constexpr int levels = 21;  ///< three bits of a key for each
  static constexpr std::uint64_t whole = std::uint64_t{1} << 3 * levels;
  std::uint64_t first = 0, end = whole;
  PLEIAD_HD static std::uint64_t width(int level) { return std::uint64_t{1} << 3 * (levels - level); }
  /// Whether the octant of a level that holds this key, one of the range, has keys outside.
  PLEIAD_HD bool cuts(std::uint64_t key, int level) const {
    if (level >= levels) return false;
    const auto begin = key & ~(width(level) - 1);
    return begin < first || begin + width(level) > end;
  }
};

/// A cell, in the numbers of the rank that has it.
struct CellHead {
  std::uint64_t key;  ///< of its first body
  std::uint32_t bodies, children, first_child;
  std::uint32_t first_body;  ///< along the curve, from the rank's first one on
  std::uint32_t level, id;
};

}  // namespace pleiad::tree
