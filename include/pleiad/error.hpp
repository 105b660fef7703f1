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
  /// The cause, as far as a program can react to it; a hundred codes for each kind. More may be added; the
  /// numbers of those that are here stay. They are those of pleiad_error_code in pleiad.h.
  enum class Code : int {
    invalid_argument = 200,    ///< any usage error without a code of its own
    unknown_name = 201,        ///< no model, kernel, key, unit ... of this name; the message has the nearest
    unsupported = 202,         ///< each setting is valid, but not in this combination
    missing_file = 203,        ///< there is no such file
    invalid_data = 300,        ///< any input error without a code of its own
    damaged_file = 301,        ///< a checksum or a format shows that the file is not as it was written
    other_version = 302,       ///< written by another version of the format
    missing_checkpoint = 303,  ///< the folder has no checkpoint
    unavailable = 400,         ///< any resource error without a code of its own
    out_of_memory = 401,       ///< of the host
    out_of_device_memory = 402,  ///< of a GPU
    no_device = 403,             ///< no GPU that can be used, or fewer than requested
    device_failed = 404,         ///< a kernel or a GPU failed; this process can use the GPU no more
    cannot_write = 405,          ///< disk full, no permission, or no folder
    in_use = 406,                ///< another process holds the directory, port or GPU; later it may be free
    failed = 500,                ///< any numerical error without a code of its own
    not_finite = 501,            ///< positions or velocities became infinite or NaN
    step_too_small = 502,        ///< the adaptive step is lost in the rounding of the time
    inaccurate = 503,            ///< the requested accuracy of forces or energy is not met
  };
  Error(Code code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Code code() const noexcept { return code_; }
  Kind kind() const noexcept { return Kind{static_cast<int>(code_) / 100}; }

 private:
  Code code_;
};

/// An invalid option, key, name or argument.
struct UsageError : Error {
  explicit UsageError(const std::string& message, Code code = Code::invalid_argument)
      : Error(code, message) {}
};
/// Bodies or files that cannot be used.
struct InputError : Error {
  explicit InputError(const std::string& message, Code code = Code::invalid_data) : Error(code, message) {}
};
/// Memory, disk, permission or a device is missing, or fails.
struct ResourceError : Error {
  explicit ResourceError(const std::string& message, Code code = Code::unavailable) : Error(code, message) {}
};
/// The simulation itself has failed: numbers that are not finite, or an adaptive step that became too small.
struct NumericalError : Error {
  explicit NumericalError(const std::string& message, Code code = Code::failed) : Error(code, message) {}
};

/// The name of a code as it is written here: "missing_file".
std::string_view name_of(Error::Code code);

/// The candidate that is a usual synonym of `name` ("cuda" for "gpu"), or else the one closest to it by edit
/// distance; "" if none is close enough to be a likely typo.
std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates);

/// Returns "; did you mean 'x'?" with the nearest candidate, or "" if there is none.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace pleiad
