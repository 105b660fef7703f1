/// The folder of a run: locked while it runs, never shared by two runs, and what a continued run finds in it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/run.hpp"

#include <pleiad/checkpoint.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace pleiad::run {

/// Makes the folder if need be and locks it; UsageError when a new run would meet an earlier one in it.
std::unique_ptr<DirectoryLock> open_directory(const std::filesystem::path& directory, const Request& request);

/// A run that goes on: its options with what may be changed on the way.
struct Resumed {
  std::unique_ptr<DirectoryLock> lock;
  Checkpoint checkpoint;
  Options options;
  std::vector<std::string> notes;
};
Resumed open_resumed(const Request& request);

}  // namespace pleiad::run
