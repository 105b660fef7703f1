/// Work that is queued again and again, recorded once: replaying it costs the host one short call, however
/// many kernels it holds. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace pleiad::cuda {

class Graph {
 public:
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { clear(); }

  /// Records the work that `queue` queues in `stream`; none of it is executed. `queue` must have been called
  /// before, so that its kernels are loaded and need no further queries, must release its allocations, and
  /// must queue the same work at every call. False, with nothing recorded, if part of it cannot be recorded:
  /// managed memory, or waits.
  bool record(void* stream, const std::function<void()>& queue);
  /// Queues the record, which is there.
  void replay(void* stream) const;
  void clear() noexcept;
  bool empty() const { return executable_ == nullptr; }

 private:
  void* executable_ = nullptr;
};

}  // namespace pleiad::cuda
