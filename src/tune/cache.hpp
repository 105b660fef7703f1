/// What was measured before: choices by case, and solvers by accuracy, in a JSON file of the user's, which
/// any number of processes may read and write.
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
  std::string choice;  ///< its text
  int gpus = 1;        ///< that it was fastest on
  double step_seconds = 0;
  std::size_t candidates = 0;  ///< that it was the fastest of
};

/// How forces are found to an accuracy, for bodies of one kind.
struct PlanCase {
  std::string device;  ///< as an engine describes it
  Precision precision = Precision::mixed;
  std::size_t n = 0;     ///< rounded
  std::string wish;      ///< its text
  unsigned half = 0;     ///< level of the leaves that hold the middle body
  unsigned deepest = 0;  ///< and of those that hold all but a hundredth
  bool operator==(const PlanCase&) const = default;
};
struct PlanEntry {
  PlanCase what;
  std::string kernel;  ///< "auto": direct sums
  double seconds = 0;  ///< of one evaluation
};

/// tune.json in $XDG_CACHE_HOME/pleiad or ~/.cache/pleiad, of what these two variables say, null where they
/// are not set; empty when neither names a folder.
std::filesystem::path cache_file(const char* cache_home, const char* home);

struct Cache {
  std::vector<Entry> entries;
  std::vector<PlanEntry> plans;
  std::string note;  ///< why a file that is there was not used, or ""
};
/// Never fails: a file that is not there, or is damaged, or another program version's, is an empty cache.
Cache read_cache(const std::filesystem::path& file);

std::optional<Entry> find(const Cache& cache, const Case& what);

/// Told once before somebody else's lock on the file is waited for, which is given up after a few seconds.
using Waiting = std::function<void(const std::string&)>;

/// Adds entries to the file and returns what it then says of their cases. `replace`: instead of what others
/// have written about them, else that stays. ResourceError when the file cannot be written, or stays locked.
std::vector<Entry> keep(const std::filesystem::path& file, std::vector<Entry> entries, bool replace,
                        const Waiting& waiting = {});

/// Adds a plan, after those of its case that are there. `replace`: instead of them. ResourceError as above.
void keep_plan(const std::filesystem::path& file, const PlanEntry& plan, bool replace,
               const Waiting& waiting = {});

/// ResourceError when a file is there and cannot be removed; false when there is none.
bool clear_cache(const std::filesystem::path& file);

}  // namespace pleiad::tune
