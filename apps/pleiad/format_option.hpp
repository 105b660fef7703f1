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
  const auto ending = std::filesystem::path(file).extension().string();
  std::string endings;
  for (const Format* format : formats()) {
    if (!ending.empty() && (format->ending == ending || format->other_ending == ending)) return *format;
    if (endings.find(format->ending) == endings.npos)
      endings += fmt::format("{}{}", endings.empty() ? "" : ", ", format->ending);
  }
  throw UsageError(fmt::format("{}: '{}' does not end with one of {}; give --format {}", command, file,
                               endings, fmt::join(format_names(), "|")));
}

}  // namespace pleiad::app
