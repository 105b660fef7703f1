/// What can go wrong, and with which exit code the program then ends.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pleiad {

/// The process exit codes; every refusal is one of them.
enum class Exit : int {
  done = 0,
  usage = 2,      ///< wrong option, key or value
  bad_input = 3,  ///< the data are not usable
  resource = 4,   ///< memory, disk, permission, device
  numerical = 5,  ///< the simulation itself failed
  stopped = 75,   ///< ended early with a valid checkpoint
};

/// One line that says what is wrong, where, and what would be right.
class Error : public std::runtime_error {
 public:
  Error(Exit code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Exit code() const noexcept { return code_; }

 private:
  Exit code_;
};

struct UsageError : Error {
  explicit UsageError(const std::string& message) : Error(Exit::usage, message) {}
};
struct InputError : Error {
  explicit InputError(const std::string& message) : Error(Exit::bad_input, message) {}
};
struct ResourceError : Error {
  explicit ResourceError(const std::string& message) : Error(Exit::resource, message) {}
};
struct NumericalError : Error {
  explicit NumericalError(const std::string& message) : Error(Exit::numerical, message) {}
};

/// The candidate closest to `name` by edit distance, or "" when none is near enough to be a likely typo.
std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates);

/// "; did you mean 'x'?" for the nearest candidate, or "" when there is none.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace pleiad
