/// Runs another program, without a shell and with a time limit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace pleiad::render_detail {

/// Result of a program. `output` is its text on stdout and stderr (the last 64 KiB).
struct Outcome {
  bool started = false, timed_out = false, stopped = false;
  int status = -1;  ///< exit status; 128 + signal when a signal ended it
  std::string output;
  bool good() const { return started && !timed_out && !stopped && status == 0; }
  /// One line for the user: why it was not good.
  std::string why(const std::string& program) const;
};
/// Runs arguments[0], found on PATH, in `folder`; stdin has `input`, of at most 32 KiB, which a pipe holds.
/// It is killed, with all it started, when the limit is over, or soon after `stopped` is true.
Outcome run_program(
    const std::vector<std::string>& arguments, const std::filesystem::path& folder,
    std::chrono::milliseconds limit, const std::function<bool()>& stopped = [] { return false; },
    const std::string& input = "");
/// Kills the running program with all its children: for a signal handler that ends the process.
void kill_running_program() noexcept;

}  // namespace pleiad::render_detail
