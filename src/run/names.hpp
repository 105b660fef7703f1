/// The file names of a run, and other files that may have them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/manifest.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace pleiad::run {

/// Files below the directory under names that a run would write, and that no run has entered into the
/// manifest.
std::vector<std::string> strangers_in(const std::filesystem::path& directory, const Manifest& manifest);
/// Removes files that processes left when they were killed while writing, but not through a link.
void remove_temporaries(const std::filesystem::path& directory);

}  // namespace pleiad::run
