/// The list of files that a run has written to its directory; --overwrite deletes only these.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/checkpoint/appended_file.hpp"
#include "io/durable/run_folder.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace pleiad {
class OpenFolder;
}

namespace pleiad::run {

/// manifest.txt: its signature, and a line for each file: its name below the directory and, of a file that
/// belongs to a time, that time. A name is entered before its file is made, so that no file of a run is ever
/// unknown.
class Manifest {
 public:
  static constexpr std::string_view name = manifest_name;

  /// Reads the manifest of a directory; no names if there is none. InputError if it is not the manifest of a
  /// run, or a line is not a possible file name of a run, or a name occurs twice.
  static Manifest read(const std::filesystem::path& directory);
  /// The valid names of a text, without the others; none if it is not the manifest of a run. Used to clean up
  /// after versions that checked less.
  static Manifest salvage(std::string_view text);
  /// Whether a text is, or was to become, the manifest of a run.
  static bool is_signed(std::string_view text);

  /// Opens the file for new entries; those that were read stay. ResourceError if it cannot be written.
  void open(const std::shared_ptr<const OpenFolder>& directory);
  /// Enters a line for the user to read.
  void remark(const std::string& text);
  /// Enters a file that belongs to no time; nothing when it is there.
  void add(const std::string& file) { add(file, {}); }
  /// The file of a series, `prefix`NUMBER`ending` with at least `digits` digits, that belongs to `time`: the
  /// one that an earlier attempt has entered for this very time, else a new one with a number above all
  /// others. It is entered unless `may_enter`, called with the name of a new one, throws.
  std::string numbered(
      std::string_view prefix, int digits, std::string_view ending, double time,
      const std::function<void(const std::string&)>& may_enter = [](const std::string&) {});
  /// A name that no file of a series gets: something else has it.
  void avoid(const std::string& file) { avoided_[file] = ""; }

  /// Puts all entries on the disk.
  void sync() { out_->flush_and_sync(); }

  bool empty() const { return files_.empty(); }
  bool has(const std::string& file) const { return files_.contains(file); }
  /// Names below the directory, and their times or "".
  const std::map<std::string, std::string>& files() const { return files_; }

 private:
  /// State of numbered() for one series.
  struct Series {
    std::uint64_t next = 0;
    std::map<std::string, std::string> file_at;  ///< by time
  };
  void add(const std::string& file, const std::string& time);
  Series& series(std::string_view prefix, std::string_view ending);
  template <class Refuse>
  void take(std::string_view text, const Refuse& refuse);

  std::map<std::string, std::string> files_;
  std::map<std::string, std::string> avoided_;  ///< names, as in files_
  std::map<std::string, Series> series_;        ///< by prefix and ending
  std::uint64_t bytes_ = 0;                     ///< of whole lines, as read
  std::optional<AppendedFile> out_;
};

}  // namespace pleiad::run
