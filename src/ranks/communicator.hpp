/// Messages between the ranks of a run. All calls are collective: every rank makes them in the same order,
/// from one thread.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/room.hpp"

#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace pleiad::ranks {

/// Data that a rank has received, in the order of the sending ranks; begins[r] is where that of rank r
/// begins, begins[ranks()] is the end.
template <class T>
struct Received {
  std::vector<T> data;
  std::vector<std::size_t> begins;
  std::span<const T> of(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return std::span(data).subspan(begins[r], begins[r + 1] - begins[r]);
  }
};

/// Data that a rank has sent, and the time that it has spent in calls of the communicator.
struct Traffic {
  /// Sent to other ranks. A broadcast and a gather count each receiver, however they are implemented.
  std::uint64_t bytes = 0, messages = 0;
  double seconds = 0;
};

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  virtual void barrier() = 0;
  /// Allocates memory for `bytes` bytes that have been received; called once.
  using Room = std::function<std::byte*(std::size_t bytes)>;
  /// Sends the bytes [begins[r], begins[r + 1]) of `data` to rank r; begins has ranks() + 1 entries. Returns
  /// where the data of each rank begin in the received bytes, and the end.
  virtual std::vector<std::size_t> all_to_all(std::span<const std::byte> data,
                                              std::span<const std::size_t> begins, const Room& room) = 0;
  /// Gathers the bytes of all ranks, in their order, on all ranks; their numbers may differ. Returns as
  /// all_to_all.
  virtual std::vector<std::size_t> all_gather(std::span<const std::byte> mine, const Room& room) = 0;
  /// Starts to send `data` of rank `root` to the `data` of all others, which must have as many bytes. The
  /// returned function waits for it, and must be called once; until then the data must not be accessed; other
  /// calls may be made.
  virtual std::function<void()> begin_broadcast(std::span<std::byte> data, int root) = 0;
  /// Replaces values by their sums over all ranks, element by element; all ranks must pass as many. Integers
  /// only: sums of floating-point numbers would depend on the order of the ranks.
  virtual void sum(std::span<std::uint64_t> values) = 0;
  /// Replaces values by their maxima over all ranks; no value is NaN.
  virtual void max(std::span<double> values) = 0;
  const Traffic& traffic() const { return traffic_; }
  /// Adds messages that ranks have exchanged in another way.
  void add(const Traffic& other) {
    traffic_.bytes += other.bytes, traffic_.messages += other.messages, traffic_.seconds += other.seconds;
  }
  /// Cache slot with the lifetime of the communicator.
  std::any& kept() { return kept_; }

 protected:
  Traffic traffic_;

 private:
  std::any kept_;
};

// Typed forms; T is trivially copyable.

/// receive(room): one of the two calls above.
template <class T, class Receive>
Received<T> received(const Receive& receive) {
  static_assert(std::is_trivially_copyable_v<T>);
  Received<T> typed;
  typed.begins = receive([&](std::size_t bytes) {
    resize_at_once(typed.data, bytes / sizeof(T));
    return reinterpret_cast<std::byte*>(typed.data.data());
  });
  for (auto& begin : typed.begins) begin /= sizeof(T);
  return typed;
}

/// `begins` counts elements.
template <class T>
Received<T> all_to_all(Communicator& comm, std::span<const T> data, std::span<const std::size_t> begins) {
  std::vector<std::size_t> in_bytes(begins.begin(), begins.end());
  for (auto& begin : in_bytes) begin *= sizeof(T);
  return received<T>(
      [&](const Communicator::Room& room) { return comm.all_to_all(std::as_bytes(data), in_bytes, room); });
}

template <class T>
Received<T> all_gather(Communicator& comm, std::span<const T> mine) {
  return received<T>(
      [&](const Communicator::Room& room) { return comm.all_gather(std::as_bytes(mine), room); });
}

/// One value of each rank, in their order.
template <class T>
std::vector<T> all_gather(Communicator& comm, const T& mine) {
  return all_gather<T>(comm, std::span<const T>(&mine, 1)).data;
}

template <class T>
std::function<void()> begin_broadcast(Communicator& comm, std::span<T> data, int root) {
  static_assert(std::is_trivially_copyable_v<T>);
  return comm.begin_broadcast(std::as_writable_bytes(data), root);
}

inline std::uint64_t sum(Communicator& comm, std::uint64_t value) {
  comm.sum({&value, 1});
  return value;
}
inline double max(Communicator& comm, double value) {
  comm.max({&value, 1});
  return value;
}
/// Whether it is true on every rank.
inline bool all(Communicator& comm, bool mine) { return sum(comm, mine ? 0 : 1) == 0; }

}  // namespace pleiad::ranks
