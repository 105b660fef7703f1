/// Multipole records of the cells of a tree for distant bodies, with the distance from which they hold.
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
struct M2PRecords {
  std::vector<M> newtonian;    ///< m2p_numbers(p) numbers, see the operator `m2p_record`
  std::vector<M> softened;     ///< softened_m2p_numbers(p) numbers; empty where nothing is softened
  std::vector<double> reach2;  ///< a cell pulls as a whole beyond this distance, squared
  std::size_t newtonian_stride = 0, softened_stride = 0;

  static constexpr std::size_t stride_of(int count) { return std::size_t(count + 3) / 4 * 4; }
  void resize(std::size_t cells, int p, bool with_softening) {
    constexpr std::size_t room = 16;  // vectors are loaded beyond the last cell
    newtonian_stride = stride_of(m2p_numbers(p)),
    softened_stride = with_softening ? stride_of(softened_m2p_numbers(p)) : 0;
    newtonian.resize((cells + 1) * newtonian_stride), softened.resize((cells + 1) * softened_stride);
    reach2.resize(cells + room);
  }
  std::size_t bytes() const {
    return (newtonian.capacity() + softened.capacity()) * sizeof(M) + reach2.capacity() * sizeof(double);
  }
};

}  // namespace pleiad::tree
