/// File system queries that fail with our exceptions: the path, the reason, a kind.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pleiad {

/// Whether the name exists, after links. ResourceError if that cannot be determined: a loop of links, a name
/// that is too long, a folder that may not be searched.
bool path_exists(const std::filesystem::path& path);
/// Whether its folder has an entry of this name, even if it is a broken link; false if that cannot be
/// determined.
bool has_entry(const std::filesystem::path& path);
/// The path with all links followed, as far as it exists; the path itself if that fails.
std::filesystem::path real_path(const std::filesystem::path& path);
/// ResourceError when a file of this name cannot be made since its folder is not there, is no folder, or
/// cannot be written.
void need_folder_of(const std::filesystem::path& file);
/// Whether it is a folder; ResourceError as for path_exists().
bool is_folder(const std::filesystem::path& path);
/// Whether an input is a folder. Throws nothing: of a path that cannot be looked at its reader says why.
bool is_input_folder(const std::filesystem::path& path);
/// Makes the folder and those above it; ResourceError when it cannot be made or is something else.
void make_folders(const std::filesystem::path& folder);
/// The path from the root of the file system, without "." and ".."; ResourceError if the working folder does
/// not exist any more.
std::filesystem::path absolute_path(const std::filesystem::path& path);
/// absolute_path() as text that the configuration and the summary can hold; UsageError when it is not UTF-8.
std::string text_path(const std::filesystem::path& path);
/// Entries of a folder, sorted by name; ResourceError if it cannot be read.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);
/// Removes a file or a folder with all in it, if it is there; ResourceError when something stays.
void remove_tree(const std::filesystem::path& path);

}  // namespace pleiad
