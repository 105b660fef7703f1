/// A snapshot into a file whose ending says the format.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad {
namespace {

Format format_by_ending(const std::filesystem::path& file) {
  const auto ending = file.extension().string();
  if (ending == ".h5") return Format::hdf5;
  std::set<std::string_view> endings;
  for (const auto name : format_names()) {
    const auto format = format_named(name);
    if (ending_of(format) == ending) return format;
    endings.insert(ending_of(format));
  }
  throw UsageError(fmt::format("'{}': the ending of a snapshot says its format: {}", file.string(),
                               fmt::join(endings, ", ")));
}

}  // namespace

void write(const Snapshot& snapshot, const std::filesystem::path& file) {
  write_snapshot(file, snapshot, {.format = format_by_ending(file)});
}

}  // namespace pleiad
