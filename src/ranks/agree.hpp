/// Collective operations of ranks: errors on all ranks, sums in order, and data gathered on the root in
/// chunks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/error.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::ranks {

/// An error that all ranks have agreed on: each ends by itself, and one of them reports it.
struct AgreedError : Error {
  using Error::Error;
};

/// Calls `work` on every rank, and throws AgreedError on all of them when it has failed on some: with the
/// Error of the first one, whose message begins with its rank unless that is 0. Collective; if `work` makes
/// collective calls itself, it must fail on all ranks at the same place or on none, or begin each of them
/// with a call of agree(), which matches that of a rank that has failed before. On one process exceptions are
/// thrown unchanged.
void agree(Communicator& comm, const std::function<void()>& work);

/// The texts of all ranks, in their order.
std::vector<std::string> all_texts(Communicator& comm, std::string_view mine);
/// The first of them that is not empty, if any.
std::string first_text(Communicator& comm, std::string_view mine);

/// The elements of all ranks, by rank, on rank 0; nothing on the others. Collective.
template <class T>
Received<T> gather_to_root(Communicator& comm, std::span<const T> own) {
  std::vector<std::size_t> begins(static_cast<std::size_t>(comm.ranks()) + 1, own.size());
  begins[0] = 0;
  return all_to_all<T>(comm, own, begins);
}

/// Bytes in pieces that are small compared with memory: make(k) returns piece k, valid until the next call.
struct Pieces {
  std::size_t count = 0;
  std::function<std::string_view(std::size_t)> make;
};
/// Sends the pieces of all ranks, in their order, to `use` on rank 0. An exception of `use` is thrown there
/// after all pieces have arrived. Collective.
void gather_in_chunks(Communicator& comm, const Pieces& mine,
                      const std::function<void(std::string_view)>& use);
void gather_in_chunks(Communicator& comm, std::string_view mine,
                      const std::function<void(std::string_view)>& use);

/// Calls `work` on one rank after the other, each with the values that the one before has left; rank 0, which
/// begins, has those of the last one in the end. Collective.
void one_rank_at_a_time(Communicator& comm, std::span<double> values, const std::function<void()>& work);

/// The state_hash of the bodies of all ranks, on every rank.
std::string state_hash(Communicator& comm, const Bodies& own);

}  // namespace pleiad::ranks
