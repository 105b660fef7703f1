/// Refinement next to dense regions: leaves there must be small although they have few bodies.
///
/// A few bodies in a wide leaf have no field that could be expanded over them, and all bodies close to the
/// leaf are summed for each of them: when it borders on the core of a cluster, all of the cluster. So a cell
/// is divided while it touches a cube of its size with a dense region in it. Since the cubes around a dense
/// region's cube were divided for the same reason, cells of the next level lie at all its sides.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::tree {

/// Every cube with twice as many bodies holds a dense region, none with fewer: in a million bodies of a King
/// cluster in a halo, the longest P2P list falls from a million to 1900 (4 leaves: 1880, 16: 2500).
PLEIAD_HD constexpr std::uint64_t dense_count(std::uint32_t leaf_size) {
  return std::uint64_t{8} * leaf_size;
}

/// The prefix of the octant next to the octant `prefix` of a level: `k`, from 0 to 26, counts a block of 3^3
/// octants, whose middle is 13. False at the end of the root.
PLEIAD_HD constexpr bool beside(std::uint64_t prefix, int level, int k, std::uint64_t& other) {
  constexpr std::uint64_t every_third = 0x1249249249249249;
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - 3 * level);
  other = 0;
  for (int axis = 0; axis < 3; ++axis, k /= 3) {
    const std::uint64_t mask = every_third << axis & all, at = prefix & mask;
    const int step = k % 3 - 1;
    if ((step < 0 && at == 0) || (step > 0 && at == mask)) return false;
    // Carries pass through the bits of the other axes, which are set, and borrows through those that are not.
    other |= (step > 0 ? (at | ~mask) + 1 : step < 0 ? at - 1 : at) & mask;
  }
  return true;
}

/// An octant next to that of a dense region, and its level.
struct NearDense {
  std::uint64_t first_key = 0;
  std::uint64_t level = 0;
};
/// Octants next to dense regions, from keys one dense region apart along the curve: an octant with two
/// consecutive keys has a dense region. With `before`, octants of the first key belong to earlier samples.
std::vector<NearDense> octants_near_dense(std::span<const std::uint64_t> samples, bool before);
/// Raises the levels of the octant's bodies among these sorted keys, if they are no more than a leaf holds.
void raise_levels(std::span<const std::uint64_t> keys, const NearDense& octant, std::uint32_t leaf_size,
                  std::span<std::uint8_t> levels);

/// For each of the sorted keys (63 bits, three for each level from the highest on): the deepest level on
/// which its octant touches one with a dense region; 0 if there is none. Not set for octants with more bodies
/// than a leaf, which are divided anyway. The same for any number of threads.
std::vector<std::uint8_t> levels_near_dense(std::span<const std::uint64_t> keys, std::uint32_t leaf_size);

}  // namespace pleiad::tree
