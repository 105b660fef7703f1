/// Earlier measurements, by case, in a JSON file of the user that several processes may read and
/// write.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tune/case.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::tune {

struct Entry {
  Case what;
  std::string kernel;          ///< the method's text; "auto": direct sums
  int gpus = 1;                ///< that it was fastest on
  double seconds = 0;          ///< of one kdk step; with a request, of one evaluation
  std::size_t candidates = 0;  ///< that it was the fastest of
  /// Number of evaluations of the run for which the search was cut short: for a longer run it may take more
  /// time. 0: it was not.
  double evaluations = 0;
};

/// The path of tune.json in $XDG_CACHE_HOME/pleiad or ~/.cache/pleiad, from the values of these two
/// variables, null if they are not set; empty if neither names a folder.
std::filesystem::path cache_file(const char* cache_home, const char* home);

struct Cache {
  std::vector<Entry> entries;
  std::string note;  ///< why a file that is there was not used, or ""
};
/// Never fails: a file that is not there, or is damaged, or another program version's, is an empty cache.
Cache read_cache(const std::filesystem::path& file);

/// The first of a case.
std::optional<Entry> find(const Cache& cache, const Case& what);

/// Called once before a wait for another process's lock on the file, which ends after a few seconds.
using Waiting = std::function<void(const std::string&)>;

/// Treatment of entries of the same case that other processes have written: they stay instead of the new one,
/// or before it, or are removed. An entry whose search was cut short is replaced by one of a longer search in
/// any case.
enum class Others { stay, come_first, go };
/// Adds entries to the file and returns its entries for their cases. ResourceError if the file cannot be
/// written, or stays locked.
std::vector<Entry> keep(const std::filesystem::path& file, std::vector<Entry> entries, Others others,
                        const Waiting& waiting = {});

/// ResourceError when a file is there and cannot be removed; false when there is none.
bool clear_cache(const std::filesystem::path& file);

}  // namespace pleiad::tune
