/// The names under which a run writes, and what else may have one of them.
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
/// What processes that were killed while writing have left behind is removed, but not through a link.
void remove_temporaries(const std::filesystem::path& directory);

}  // namespace pleiad::run
