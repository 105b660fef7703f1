/// Sends each of a rank's elements to the rank that looks at it, so that equal ones meet.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"
#include "ranks/send_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pleiad::ranks {

/// The elements with a hash that falls to this rank, in the order of the ranks that made them. `make(i)` is
/// element i of n, `hash_of` its hash. Collective.
template <class T, class Make, class Hash>
std::vector<T> send_by_hash(Communicator& comm, std::size_t n, const Make& make, const Hash& hash_of) {
  const auto ranks = static_cast<std::size_t>(comm.ranks());
  const auto sent = grouped<T>(comm.ranks(), n, make,
                               [&](const T& element) { return static_cast<int>(hash_of(element) % ranks); });
  return all_to_all<T>(comm, sent.elements, sent.begins).data;
}

}  // namespace pleiad::ranks
