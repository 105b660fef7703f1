/// Streams, in which the device's work is queued, and time measured by the device itself.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace pleiad::cuda {

void* create_stream();
void destroy_stream(void* stream) noexcept;
void* create_event();
void destroy_event(void* event) noexcept;
void record_event(void* event, void* stream);
/// Waits for `end`; the time between the two as the device saw it.
double seconds_between(void* begin, void* end);

/// Keeps memory that is released on the present device in this process from now on: otherwise the memory of
/// an evaluation would return to the driver and back at each wait.
void keep_released_memory();
/// Returns released memory to the driver, for other processes.
void give_back_released_memory() noexcept;

/// A queue of its own, which does not wait for other streams.
class Stream {
 public:
  Stream() : stream_(create_stream()) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { destroy_stream(stream_); }
  void* get() const { return stream_; }

 private:
  void* stream_;
};

/// Seconds that the work queued between start and stop takes on the device.
class Timer {
 public:
  Timer() : begin_(create_event()), end_(create_event()) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() { destroy_event(begin_), destroy_event(end_); }
  void start(void* stream) { record_event(begin_, stream); }
  void stop(void* stream) { record_event(end_, stream); }
  double wait_for_seconds() { return seconds_between(begin_, end_); }

 private:
  void *begin_, *end_;
};

}  // namespace pleiad::cuda
