/// Recognises the directory of a run, and the run's files in it, by its manifest.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace pleiad {

/// The list of a run's files, in its directory, and how the first line of every such list begins.
inline constexpr std::string_view manifest_name = "manifest.txt", manifest_signature = "# Files of this run:";

/// The nearest folder above a file, links followed, that is the directory of a run; none: no folder is.
std::optional<std::filesystem::path> run_above(const std::filesystem::path& file);
/// The names of the files below `directory` that belong to its run, from its manifest, which is one of them.
std::set<std::string> files_of_run(const std::filesystem::path& directory);

}  // namespace pleiad
