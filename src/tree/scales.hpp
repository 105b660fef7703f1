/// Scales of cells for the error-controlled MAC: the power of their multipoles, and the acceleration of their
/// bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pleiad::tree {

/// 1 over the square of the part of the whole acceleration that counts in the error-controlled MAC: a tenth.
/// On Plummer spheres a third to a thirtieth gave the same errors at the same cost, where no limit gave more.
constexpr double per_share2 = 100;

/// The number of bodies up to which those of a cell count as equally accelerated, for `n` bodies in all: a
/// 512th, and never fewer than 16; from 131072 bodies on 256, and of half a million and more a 2048th, where
/// errors showed no difference between this and every leaf.
PLEIAD_HD constexpr std::uint32_t feel_the_same(std::uint32_t n) {
  if (n > 2048 * 256) return n / 2048;
  return n > 512 * 256 ? 256 : n > 512 * 16 ? n / 512 : 16;
}

/// Scales of the cells, in the tree's units; empty unless the MAC needs them.
struct Scales {
  /// weights[k][cell] = binomial(p, k) P_k, for k = 0 to p: see measure_powers.
  std::vector<std::vector<double>> weights;
  std::vector<double> least_acceleration;  ///< on any of the cell's leaves, roughly

  void resize(std::size_t cells, int order) {
    constexpr std::size_t room = 16;  // vectors are loaded beyond the last cell
    weights.resize(std::size_t(order) + 1);
    for (auto& w : weights) w.resize(cells + room);
    least_acceleration.resize(cells + room);
  }
  std::size_t bytes() const { return (weights.size() + 1) * least_acceleration.capacity() * sizeof(double); }
};

}  // namespace pleiad::tree
