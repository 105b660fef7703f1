/// Timelines that can be replayed: the snapshots of a run, one snapshot, a checkpoint, a recording.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live/messages.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/files.hpp>
#include <pleiad/snapshot.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace pleiad::live {

struct Timeline {
  Setting setting;  ///< its list has an entry for each time, at least one
  std::vector<Diagnostics> rows{};
  /// The bodies of entry k. InputError where a file is damaged.
  std::function<Snapshot(std::size_t k)> read;
  /// The same for analyses: with its universe where the bodies are comoving. Set for the directory of a run.
  std::function<FileContent(std::size_t k)> read_comoving{};
};

/// The timeline of the directory of a run (its snapshots, or its checkpoint if it has none), of a snapshot in
/// any format, of a checkpoint or of a recording. InputError if there is nothing to show.
Timeline timeline_of(const std::filesystem::path& path);

/// The rows of diagnostics.txt; lines that are none are left out.
std::vector<Diagnostics> rows_in(const std::string& table);

}  // namespace pleiad::live
