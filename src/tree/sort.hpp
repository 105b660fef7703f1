/// Bodies in the order of their keys.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace pleiad::tree {

/// Sorts keys of at most 63 bits, with their values; equal keys keep their order. The result does not depend
/// on the number of threads.
void sort_by_key(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values);

}  // namespace pleiad::tree
