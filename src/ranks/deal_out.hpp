/// Sends each of a rank's elements to the rank that looks at it, so that equal ones meet.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pleiad::ranks {

/// The elements with a hash that falls to this rank, in the order of the ranks that made them. `make(i)` is
/// element i of n, `hash_of` its hash. Collective.
template <class T, class Make, class Hash>
std::vector<T> deal_out(Transport& transport, std::size_t n, const Make& make, const Hash& hash_of) {
  const auto ranks = static_cast<std::size_t>(transport.ranks());
  const auto owner_of = [&](const T& element) { return static_cast<std::size_t>(hash_of(element) % ranks); };
  std::vector<std::size_t> begins(ranks + 1);
  for (std::size_t i = 0; i < n; ++i) ++begins[owner_of(make(i)) + 1];
  for (std::size_t r = 1; r < begins.size(); ++r) begins[r] += begins[r - 1];
  std::vector<T> sent(n);
  auto next = begins;
  for (std::size_t i = 0; i < n; ++i) {
    const T element = make(i);
    sent[next[owner_of(element)]++] = element;
  }
  return all_to_all<T>(transport, sent, begins).data;
}

}  // namespace pleiad::ranks
