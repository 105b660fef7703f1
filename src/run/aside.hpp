/// The files of a run that is being replaced: set aside, put back or deleted, never through a link.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/open_folder.hpp"
#include "run/manifest.hpp"

#include <filesystem>

namespace pleiad::run {

/// Refuses files of a manifest that cannot be moved: InputError for a name that is a folder's, ResourceError
/// for one below a link. Nothing is moved before all are looked at.
void need_movable(const OpenFolder& directory, const Manifest& manifest);
/// The manifest goes first: while there is none, the files in the directory belong to the run that is set
/// aside. UsageError if something else has the name of the folder.
void set_aside(const OpenFolder& directory, const Manifest& manifest);
/// Puts the files that are set aside back; files at their places are replaced.
void put_back(const OpenFolder& directory);
/// Deletes the run that was set aside.
void delete_aside(const OpenFolder& directory);
/// Removes the files of a manifest, the folders that become empty, and last the manifest, which exists as
/// long as any file does.
void remove_listed(const OpenFolder& directory, const Manifest& manifest);
/// Cleans up after a process that was killed while it replaced a run: the new run is kept if it has a
/// checkpoint. Files that no run can have made are ignored.
void recover(const OpenFolder& directory);
/// Whether there is anything to be put in order.
bool is_aside(const std::filesystem::path& directory);

}  // namespace pleiad::run
