/// Concurrent streams and a host that runs ahead: marks for which others wait, and a bound on the queued
/// work. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/stream.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace pleiad::cuda {

void* create_mark();
/// Blocks until the work before the mark is done, and throws its failure. May be called in any thread.
void wait_for_mark(void* mark);
/// Makes work that is queued in `stream` after this call begin after the mark.
void hold_for_mark(void* stream, void* mark);

/// A place in a stream. One that was never set counts as passed.
class Mark {
 public:
  Mark() : mark_(create_mark()) {}
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;
  ~Mark() { destroy_event(mark_); }
  /// After all that is queued in `stream` by now.
  void set(void* stream) { record_event(mark_, stream); }
  void wait() const { wait_for_mark(mark_); }
  void hold(void* stream) const { hold_for_mark(stream, mark_); }

 private:
  void* mark_;
};

/// Bounds how far the host runs ahead: at most 2 `most` units of work are queued at a time, so that a stop
/// need not wait for thousands of steps, and a failure is noticed soon.
class Backlog {
 public:
  explicit Backlog(std::uint64_t most) : most_(most) {}
  /// After queueing `units` in `stream`; blocks when the device is too far behind.
  void add(std::uint64_t units, void* stream) {
    queued_ += units;
    if (queued_ < most_) return;
    queued_ = 0;
    marks_[turn_].set(stream);
    turn_ = 1 - turn_;
    marks_[turn_].wait();
  }

 private:
  std::uint64_t most_, queued_ = 0;
  std::size_t turn_ = 0;
  std::array<Mark, 2> marks_;
};

}  // namespace pleiad::cuda
