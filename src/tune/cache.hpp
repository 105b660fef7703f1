/// What was measured before: choices by case in a JSON file of the user's, which any number of processes may
/// read and write.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tune/case.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::tune {

struct Entry {
  Case what;
  std::string choice;  ///< its text
  int gpus = 1;        ///< that it was fastest on
  double step_seconds = 0;
  std::size_t candidates = 0;  ///< that it was the fastest of
};

/// tune.json in $XDG_CACHE_HOME/pleiad or ~/.cache/pleiad; empty when the environment names neither.
std::filesystem::path cache_file();

struct Cache {
  std::vector<Entry> entries;
  std::string note;  ///< why a file that is there was not used, or ""
};
/// Never fails: a file that is not there, or is damaged, or another program version's, is an empty cache.
Cache read_cache(const std::filesystem::path& file);

std::optional<Entry> find(const Cache& cache, const Case& what);

/// Adds entries to the file and returns what it then says of their cases. `replace`: instead of what others
/// have written about them, else that stays. ResourceError when the file cannot be written.
std::vector<Entry> keep(const std::filesystem::path& file, std::vector<Entry> entries, bool replace);

/// ResourceError when a file is there and cannot be removed; false when there is none.
bool clear_cache(const std::filesystem::path& file);

}  // namespace pleiad::tune
