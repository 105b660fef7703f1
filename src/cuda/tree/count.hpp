/// Counts the entries of an evaluation's lists. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/images.hpp"

namespace pleiad::cuda::tree {

struct Counts {
  unsigned long long leaves, pairs, m2l, softened_m2l;
};
/// Waits for the numbers.
Counts count_work(const Cells& cells, const Lists& lists, const Images& images, std::uint32_t count,
                  void* stream);
/// Counts the leaves of a part, likewise.
unsigned long long count_leaves(const Cells& cells, std::uint32_t count, void* stream);

}  // namespace pleiad::cuda::tree
