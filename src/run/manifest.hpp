/// The list of files that a run has written to its directory; --overwrite deletes only these.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/checkpoint/appended_file.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace pleiad::run {

/// manifest.txt: a line for each file, its name below the directory and, of a file that belongs to a time,
/// that time. A name is entered before its file is made, so that no file of a run is ever unknown.
class Manifest {
 public:
  static constexpr std::string_view name = "manifest.txt";

  /// What the directory's manifest says; no names when there is none. InputError for a name that leads out of
  /// the directory.
  static Manifest read(const std::filesystem::path& directory);

  /// Opens the file for new entries; what was read stays. ResourceError when it cannot be written.
  void open(const std::filesystem::path& directory);
  /// Enters a file that belongs to no time; nothing when it is there.
  void add(const std::string& file) { add(file, {}); }
  /// The file of a series, `prefix`NUMBER`ending` with at least `digits` digits, that belongs to `time`: the
  /// one that an earlier attempt has entered for this very time, else a new one with a number above all
  /// others.
  std::string numbered(std::string_view prefix, int digits, std::string_view ending, double time);

  /// Puts all entries on the disk.
  void sync() { out_->flush_and_sync(); }

  bool empty() const { return files_.empty(); }
  bool has(const std::string& file) const { return files_.contains(file); }
  /// Names below the directory, and their times or "".
  const std::map<std::string, std::string>& files() const { return files_; }

 private:
  /// What numbered() knows of one series.
  struct Series {
    std::uint64_t next = 0;
    std::map<std::string, std::string> file_at;  ///< by time
  };
  void add(const std::string& file, const std::string& time);
  Series& series(std::string_view prefix, std::string_view ending);

  std::map<std::string, std::string> files_;
  std::map<std::string, Series> series_;  ///< by prefix and ending
  std::uint64_t bytes_ = 0;               ///< of whole lines, as read
  std::optional<AppendedFile> out_;
};

}  // namespace pleiad::run
