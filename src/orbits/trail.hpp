/// The trail of the bodies with mass that test particles of a Wisdom-Holman map follow, in democratic
/// heliocentric coordinates: a row of numbers for the start, and one after each step.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstddef>
#include <vector>

namespace pleiad::orbits {

/// Places in a row, of three numbers each but the last.
namespace row {
inline constexpr unsigned star = 0;         ///< position of the central body
inline constexpr unsigned star_low = 3;     ///< its low part
inline constexpr unsigned drift = 6;        ///< velocity of the barycentre
inline constexpr unsigned star_change = 9;  ///< displacement of the central body in the step before
inline constexpr unsigned first_jump = 12;  ///< of positions relative to it, in the first half of the jump
inline constexpr unsigned jumps = 15;       ///< in both
inline constexpr unsigned sources = 20;     ///< of each body that pulls: relative x, y, z, and G m
PLEIAD_HD constexpr unsigned length(unsigned pulling) { return sources + 4 * pulling; }
}  // namespace row

struct Trail {
  double dt = 0, mu = 0;     ///< length of the steps; G times the mass of the central body
  std::size_t pulling = 0;   ///< bodies that pull
  std::vector<double> rows;  ///< one behind the other
  std::size_t length() const { return row::length(static_cast<unsigned>(pulling)); }
  std::size_t steps() const { return rows.size() / length() - 1; }
};

}  // namespace pleiad::orbits
