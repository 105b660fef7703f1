/// The exceptions of Pleiad, a small hierarchy.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pleiad {

/// An error. Its message is one line: the problem, its place and the remedy.
class Error : public std::runtime_error {
 public:
  /// The kind of an error. The numbers are those of pleiad_status in pleiad.h, and the exit codes of the
  /// command.
  enum class Kind : int {
    usage = 2,      ///< wrong option, key or value
    input = 3,      ///< the data are not usable
    resource = 4,   ///< memory, disk, permission, device
    numerical = 5,  ///< the simulation itself failed
  };
  Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  Kind kind() const noexcept { return kind_; }

 private:
  Kind kind_;
};

/// An invalid option, key, name or argument.
struct UsageError : Error {
  explicit UsageError(const std::string& message) : Error(Kind::usage, message) {}
};
/// Bodies or files that cannot be used.
struct InputError : Error {
  explicit InputError(const std::string& message) : Error(Kind::input, message) {}
};
/// Memory, disk, permission or a device is missing, or fails.
struct ResourceError : Error {
  explicit ResourceError(const std::string& message) : Error(Kind::resource, message) {}
};
/// The simulation itself has failed: numbers that are not finite, or an adaptive step that became too small.
struct NumericalError : Error {
  explicit NumericalError(const std::string& message) : Error(Kind::numerical, message) {}
};

/// The candidate closest to `name` by edit distance, or "" if none is close enough to be a likely typo.
std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates);

/// Returns "; did you mean 'x'?" with the nearest candidate, or "" if there is none.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace pleiad
