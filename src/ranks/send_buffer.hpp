/// Elements for each rank, one rank after the other, as all_to_all takes them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace pleiad::ranks {

template <class T>
struct SendBuffer {
  std::vector<T> elements;
  std::vector<std::size_t> begins;  ///< those of rank r are from begins[r] up to begins[r + 1]
};

/// `make(i)` is element i of n, `owner_of(element)` its rank: a number, or std::optional of one where some
/// have none and are left out. Both are called twice for each. Elements of a rank keep their order.
template <class T, class Make, class OwnerOf>
SendBuffer<T> grouped(int ranks, std::size_t n, const Make& make, const OwnerOf& owner_of) {
  const auto rank_of = [&](const T& element) { return std::optional<int>(owner_of(element)); };
  SendBuffer<T> found{{}, std::vector<std::size_t>(static_cast<std::size_t>(ranks) + 1)};
  for (std::size_t i = 0; i < n; ++i)
    if (const auto rank = rank_of(make(i))) ++found.begins[static_cast<std::size_t>(*rank) + 1];
  std::partial_sum(found.begins.begin(), found.begins.end(), found.begins.begin());
  found.elements.resize(found.begins.back());
  auto next = found.begins;
  for (std::size_t i = 0; i < n; ++i) {
    const T element = make(i);
    if (const auto rank = rank_of(element)) found.elements[next[static_cast<std::size_t>(*rank)]++] = element;
  }
  return found;
}

/// Groups the elements of a span.
template <class T, class OwnerOf>
SendBuffer<T> grouped(int ranks, std::span<const T> elements, const OwnerOf& owner_of) {
  return grouped<T>(
      ranks, elements.size(), [&](std::size_t i) { return elements[i]; }, owner_of);
}

}  // namespace pleiad::ranks
