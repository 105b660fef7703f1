/// Counts what an evaluation's lists hold. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/cells.hpp"

namespace pleiad::cuda::tree {

struct Counts {
  unsigned long long leaves, pairs, m2l, softened_m2l;
};
/// Waits for the numbers.
Counts count_work(const Cells& cells, const Lists& lists, std::uint32_t count, void* stream);
/// Those that a part takes, likewise.
unsigned long long count_leaves(const Cells& cells, std::uint32_t count, void* stream);

}  // namespace pleiad::cuda::tree
