/// What the cells of a tree show to distant bodies: what they pull with, and from where on.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/indices.hpp"

#include <cstddef>
#include <vector>

namespace pleiad::tree {

/// Records of all cells, by their number, in numbers M; each in fours, so that vectors can be loaded from
/// several at once. After the last cell comes one that is far from everything and pulls nothing, to fill
/// vectors with.
template <class M>
struct Pulls {
  std::vector<M> hard;         ///< hard_pulls(p) numbers, see the operator `pull`
  std::vector<M> soft;         ///< soft_pulls(p) numbers; empty where nothing is softened
  std::vector<double> reach2;  ///< a cell pulls as a whole beyond this distance, squared
  std::size_t hard_stride = 0, soft_stride = 0;

  static constexpr std::size_t stride_of(int count) { return std::size_t(count + 3) / 4 * 4; }
  void resize(std::size_t cells, int p, bool softened) {
    constexpr std::size_t room = 16;  // vectors are loaded beyond the last cell
    hard_stride = stride_of(hard_pulls(p)), soft_stride = softened ? stride_of(soft_pulls(p)) : 0;
    hard.resize((cells + 1) * hard_stride), soft.resize((cells + 1) * soft_stride);
    reach2.resize(cells + room);
  }
  std::size_t bytes() const {
    return (hard.capacity() + soft.capacity()) * sizeof(M) + reach2.capacity() * sizeof(double);
  }
};

}  // namespace pleiad::tree
