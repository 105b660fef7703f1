/// Sorting on the device, by 64-bit keys. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace pleiad::cuda {

/// Keys and values before and after; none of the four may overlap.
struct SortedPairs {
  const std::uint64_t* keys = nullptr;
  std::uint64_t* sorted_keys = nullptr;
  const std::uint32_t* values = nullptr;
  std::uint32_t* sorted_values = nullptr;
  std::size_t n = 0;
};

/// Bytes that sorting n pairs needs beside them.
std::size_t sort_room(std::size_t n);
/// By the lowest `bits` bits of the keys; equal keys keep their order. `room` has sort_room(n) bytes.
void sort_by_key(const SortedPairs& pairs, int bits, void* room, std::size_t room_bytes, void* stream);

}  // namespace pleiad::cuda
