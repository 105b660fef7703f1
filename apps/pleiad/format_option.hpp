/// The format of a snapshot that is written: by name, else by the ending of the file.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <filesystem>
#include <string>

#include <fmt/format.h>

namespace pleiad::app {

/// `asked` may be ""; `command` starts the refusal.
inline const Format& format_for(const std::string& file, const std::string& asked, std::string_view command) {
  if (!asked.empty()) return format_named(asked);
  try {
    return format_by_ending(file, fmt::format("; give --format {}", fmt::join(format_names(), "|")));
  } catch (const UsageError& e) {
    throw UsageError(fmt::format("{}: {}", command, e.what()));
  }
}

}  // namespace pleiad::app
