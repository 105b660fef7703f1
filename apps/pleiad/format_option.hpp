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
inline Format format_for(const std::string& file, const std::string& asked, std::string_view command) {
  if (!asked.empty()) return format_named(asked);
  const auto ending = std::filesystem::path(file).extension().string();
  if (ending == ".h5") return Format::hdf5;
  for (const auto name : format_names())
    if (ending_of(format_named(name)) == ending) return format_named(name);
  throw UsageError(
      fmt::format("{}: '{}' does not end with .hdf5, .gadget1, .gadget2, .tipsy or .csv; give --format {}",
                  command, file, fmt::join(format_names(), "|")));
}

}  // namespace pleiad::app
