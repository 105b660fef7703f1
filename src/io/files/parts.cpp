/// A snapshot in several files: their names, from that of one of them or from their common part.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/parts.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <optional>
#include <system_error>

#include <fmt/format.h>

namespace pleiad::files {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 10 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "snap.3" or "snap.3.hdf5" is part 3 of a set: the texts before and after the number.
struct PartName {
  std::string before, after;
};
std::optional<PartName> part_name(const fs::path& file) {
  std::string before = file.string(), after;
  for (const std::string_view ending : {".hdf5", ".h5"})
    if (before.ends_with(ending)) after = ending, before.resize(before.size() - ending.size());
  const auto dot = before.rfind('.');
  if (dot == std::string::npos || !is_number(std::string_view(before).substr(dot + 1))) return std::nullopt;
  return PartName{before.substr(0, dot), after};
}

}  // namespace

fs::path first_part(const fs::path& file) {
  std::error_code ignored;
  if (fs::exists(file, ignored)) return file;
  for (const std::string_view ending : {".0.hdf5", ".0.h5", ".0"})
    if (fs::path first = file.string() + std::string(ending); fs::exists(first, ignored)) return first;
  return file;
}

std::vector<fs::path> parts_of(const fs::path& file, std::int64_t count) {
  if (count <= 1) return {file};
  const auto name = part_name(file);
  if (!name)
    throw InputError(
        fmt::format("'{}' says that it is one of {} files, but its name does not end with a part's number, "
                    "as in 'name.0'",
                    file.string(), count));
  std::vector<fs::path> parts;
  for (std::int64_t k = 0; k < count; ++k) {
    parts.push_back(fmt::format("{}.{}{}", name->before, k, name->after));
    std::error_code unknown;
    const auto kind = fs::status(parts.back(), unknown).type();
    if (kind != fs::file_type::regular)
      throw InputError(fmt::format("'{}' says that it is one of {} files, but '{}' is {}", file.string(),
                                   count, parts.back().string(),
                                   kind == fs::file_type::not_found ? "not there" : "not a regular file"));
  }
  return parts;
}

}  // namespace pleiad::files
