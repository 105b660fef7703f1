/// Exchange of positions and sums between the GPUs of ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/collective.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace pleiad {

/// All calls are collective; pointers are the memory of this rank's GPU, arrays of all bodies unless stated
/// otherwise. The calls queue their work in the exchange's stream. Results do not depend on the kind of
/// exchange, bit for bit. T: float or double.
template <class T>
class RanksExchange {
 public:
  virtual ~RanksExchange() = default;
  /// Each rank gives its own bodies to all others.
  virtual void give_to_all(Mass<T>* bodies) = 0;
  /// Each sum from the rank that has found it, all others having zeros, to that which owns the body: `own`
  /// begins with the first body of this rank.
  virtual void give_to_owners(const Vec4<T>* found, Vec4<T>* own) = 0;
  /// Bytes begins[r] to begins[r + 1] of `data` to rank r; those that come from rank r to `to`, where they
  /// begin at came[r]. All are multiples of eight, and the counts fit.
  virtual void all_to_all(const std::byte* data, std::span<const std::size_t> begins, std::byte* to,
                          std::span<const std::size_t> came) = 0;
  /// Waits until all queued work is done; adds its time to that of the communicator.
  virtual void wait() = 0;
  /// Bytes of GPU and host memory that it keeps.
  virtual std::size_t bytes() const = 0;
  /// "by NCCL 2.28.9", "through the host: ..." with the reason.
  virtual std::string how() const = 0;
};

/// Makes the exchange of the present GPU: by NCCL if all ranks have the same version, a GPU that no other
/// rank uses, and a trial proves that all data arrive; else through the host by messages of the communicator.
/// Collective. `all` and the stream must outlive it.
template <class T>
std::unique_ptr<RanksExchange<T>> make_ranks_exchange(const ranks::Collective& all, void* stream);

}  // namespace pleiad
