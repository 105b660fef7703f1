/// A branch of a run: a new run in a directory of its own. It starts from the bodies of the other run's
/// checkpoint, with its configuration and any changes of it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"
#include "io/files/wanted.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace pleiad::run {

struct Branch {
  Options options;         ///< the bodies come from the directory of the other run
  std::string back_to;     ///< on a lattice, with time.reverse: the hash of the run's first state; else ""
  std::string provenance;  ///< "branch of RUN at step 640, t = 5, state HASH": a line for the manifest
};

/// The branch of the run in `directory`, with the settings "section.key=value", one of which is
/// output.directory. The run stays as it is. UsageError for an ensemble, and for a setting that is none;
/// InputError if no checkpoint is whole.
Branch branch_of(const std::filesystem::path& directory, const std::vector<std::string>& settings);

/// Whether a path is the directory of a run that has a checkpoint.
bool holds_checkpoint(const std::filesystem::path& directory);

/// The bodies of the checkpoint of the run in `directory`, written by any number of ranks; those that are
/// wanted. They suggest the softening and the step of the run. InputError if no checkpoint is whole.
FileContent content_of_run(const std::filesystem::path& directory, const files::Wanted& wanted);

}  // namespace pleiad::run
