/// Progress on stderr: one line that rewrites itself, only when a person looks at it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace pleiad::run {

/// The line: how much is done, how fast, how long it will take.
class Bar {
 public:
  struct State {
    double time = 0, interactions = 0;  ///< ordered pairs since the start
    std::string before, after;          ///< more to say, before the rate and at the end
  };
  Bar(double start_time, double t_end, bool visible)
      : start_time_(start_time), t_end_(t_end), visible_(visible) {}
  ~Bar() { clear(); }
  Bar(const Bar&) = delete;
  Bar& operator=(const Bar&) = delete;
  /// Redraws at most ten times a second, and asks for the state only then.
  template <class GetState>
  void update(const GetState& state) {
    if (visible_ && Clock::now() - last_ >= std::chrono::milliseconds(100)) draw(state());
  }
  /// Removes the line, so that something else can be printed.
  void clear();
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  void draw(const State& state);
  double start_time_, t_end_;
  bool visible_, drawn_ = false;
  Clock::time_point start_ = Clock::now(), last_{};
};

/// "1:02:03", "4:05", "12 s".
std::string duration(double seconds);
/// "7.12 G", "350 M", "12 k".
std::string metric(double value);

}  // namespace pleiad::run
