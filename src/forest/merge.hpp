/// The tree that a rank evaluates: its own part and what it knows of the others', in the order of the whole
/// tree, so that its targets meet the same cells in the same order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forest/cells.hpp"
#include "forest/part.hpp"

#include <cstdint>
#include <vector>

namespace pleiad::forest {

/// A part's cell in the merged tree.
struct Origin {
  std::uint32_t cell;  ///< the part's, or a known one
  bool own;
};

/// A cell of others that nobody looks into has one body, at the place of its first and without a number for a
/// mass: a pull by it would not pass unnoticed. Without `bodies` none have places.
template <class M>
std::vector<Origin> merge(const Part& part, const tree::Memory<M>& own, const Known<M>& known, bool bodies,
                          tree::Tree& to, tree::Memory<M>& memory);

}  // namespace pleiad::forest
