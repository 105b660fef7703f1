/// Writes a snapshot in the format of the file name's ending.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad {

void write(const Snapshot& snapshot, const std::filesystem::path& file) {
  const Format* format = format_by_ending(file);
  if (format == nullptr)
    throw UsageError(fmt::format("'{}': the ending of a snapshot says its format: {}", file.string(),
                                 fmt::join(format_endings(), ", ")));
  write_snapshot(file, snapshot, {.format = format});
}

}  // namespace pleiad
