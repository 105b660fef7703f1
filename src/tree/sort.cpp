/// A radix sort by 9 bits at a time, least significant first: every pass counts digits in blocks, which gives
/// the destination of the keys of each block.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tree/sort.hpp"

#include "core/room.hpp"
#include "core/threads.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace pleiad::tree {
namespace {

constexpr unsigned digit_bits = 9, digits = 1u << digit_bits, sorted_bits = 63;
constexpr std::size_t sorted_at_once = 65536;
using Counts = std::array<std::uint32_t, digits>;

}  // namespace

void sort_by_key(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values) {
  const std::size_t n = keys.size(), blocks = (n + sorted_at_once - 1) / sorted_at_once;
  Unwritten<std::uint64_t> other_keys(n);
  Unwritten<std::uint32_t> other_values(n);
  std::uint64_t *from_keys = keys.data(), *to_keys = other_keys.data();
  std::uint32_t *from_values = values.data(), *to_values = other_values.data();
  std::vector<Counts> counts(blocks);
  for (unsigned shift = 0; shift < sorted_bits; shift += digit_bits) {
    const auto digit = [shift](std::uint64_t key) { return std::size_t(key >> shift & (digits - 1)); };
    parallel_for(blocks, [&](std::size_t b) {
      counts[b].fill(0);
      for (std::size_t i = b * sorted_at_once; i < std::min(n, (b + 1) * sorted_at_once); ++i)
        ++counts[b][digit(from_keys[i])];
    });
    std::uint32_t place = 0;
    bool one_digit = false;
    for (std::size_t d = 0; d < digits; ++d) {
      const std::uint32_t before = place;
      for (auto& count : counts) place += std::exchange(count[d], place);
      one_digit = one_digit || place - before == n;
    }
    if (one_digit) continue;
    parallel_for(blocks, [&](std::size_t b) {
      for (std::size_t i = b * sorted_at_once; i < std::min(n, (b + 1) * sorted_at_once); ++i) {
        const std::uint32_t to = counts[b][digit(from_keys[i])]++;
        to_keys[to] = from_keys[i], to_values[to] = from_values[i];
      }
    });
    std::swap(from_keys, to_keys), std::swap(from_values, to_values);
  }
  if (from_keys == keys.data()) return;
  copy_at_once<std::uint64_t>(other_keys.span(), keys.data());
  copy_at_once<std::uint32_t>(other_values.span(), values.data());
}

}  // namespace pleiad::tree
