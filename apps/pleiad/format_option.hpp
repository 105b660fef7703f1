/// The format of an output snapshot: by name, or by the ending of the file name.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <string>

#include <fmt/format.h>

namespace pleiad::app {

/// The format `asked`, or if that is "" the one of the file name; `command` is the first word of an error.
inline const Format& format_for(const std::string& file, const std::string& asked, std::string_view command) {
  if (!asked.empty()) return format_named(asked);
  if (const Format* format = format_by_ending(file)) return *format;
  throw UsageError(fmt::format("{}: '{}' does not end with one of {}; give --format {}", command, file,
                               fmt::join(format_endings(), ", "), fmt::join(format_names(), "|")));
}

}  // namespace pleiad::app
