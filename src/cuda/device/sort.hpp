/// Sorting on the device, by 64-bit keys. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace pleiad::cuda {

/// Keys and values, and as much memory again; none of the four may overlap. Sorting uses all of it.
struct PairsToSort {
  std::uint64_t *keys = nullptr, *more_keys = nullptr;
  std::uint32_t *values = nullptr, *more_values = nullptr;
  std::size_t n = 0;
};

/// Bytes of additional memory for the sort of n pairs.
std::size_t sort_room(std::size_t n);
/// Sorts by the lowest `bits` bits of the keys; equal keys keep their order. `room` has sort_room(n) bytes.
/// Returns whether the sorted pairs are in `more_keys` and `more_values`; they are in `keys` and `values`
/// otherwise.
[[nodiscard]] bool sort_by_key(const PairsToSort& pairs, int bits, void* room, std::size_t room_bytes,
                               void* stream);

}  // namespace pleiad::cuda
