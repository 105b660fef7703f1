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
/// The manifest goes first: while there is none, what is in the directory belongs to the one that is set
/// aside. UsageError where something else has the place.
void set_aside(const OpenFolder& directory, const Manifest& manifest);
/// Puts what is set aside back; what has taken the places is replaced.
void put_back(const OpenFolder& directory);
/// The run that was set aside is no longer wanted.
void delete_aside(const OpenFolder& directory);
/// The files of a manifest, the folders that they leave empty, and last the manifest: as long as anything is
/// left it says so.
void remove_listed(const OpenFolder& directory, const Manifest& manifest);
/// Puts in order what a process left that was killed while it replaced a run: the new one stands once it has
/// a checkpoint. What no run can have made is passed over.
void recover(const OpenFolder& directory);
/// Whether there is anything to be put in order.
bool is_aside(const std::filesystem::path& directory);

}  // namespace pleiad::run
