/// The directory of a run: claimed before a file in it changes, locked during the run, never shared by two
/// runs, and cleared only of the files in the manifest of an earlier run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/claims.hpp"
#include "io/durable/durable.hpp"
#include "io/durable/open_folder.hpp"
#include "run/manifest.hpp"

#include <pleiad/checkpoint.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::run {

using Paths = std::vector<std::filesystem::path>;

/// The output directory of a run. Until keep() is called, the files of an earlier run that is replaced are
/// only set aside: after a failure they are put back, and the files of the new run are removed.
class RunDirectory {
 public:
  /// Claims the directory for a new run, and makes it if needed. UsageError if it has a run and `overwrite`
  /// is false, if it has files of others with names that the run would use, or if an input of the command is
  /// a file of the run that would be replaced. ResourceError if it cannot be used.
  static RunDirectory claim(const std::filesystem::path& directory, bool overwrite,
                            const Claims& claims = {});
  /// Reopens the directory for a run that continues there.
  static RunDirectory reopen(const std::filesystem::path& directory);
  /// Throws the errors of claim() without changing anything.
  /// Whether a run is there.
  static bool holds_run(const std::filesystem::path& directory);
  /// What claim() would refuse, found by looking alone.
  static void need_claimable(const std::filesystem::path& directory, bool overwrite,
                             const Claims& claims = {});

  /// Whether a process was killed there while it replaced a run: claim() and reopen() clean up after it.
  static bool was_being_replaced(const std::filesystem::path& directory);

  RunDirectory(RunDirectory&&) noexcept = default;
  RunDirectory& operator=(RunDirectory&&) = delete;
  ~RunDirectory();

  /// Absolute.
  const std::filesystem::path& path() const { return path_; }
  /// Path of the file `name` of this run, for reading or writing. ResourceError if the directory is no longer
  /// the one that was claimed, or if something else has this name.
  std::filesystem::path file(const std::string& name);
  /// Path of a file of a series: see Manifest::numbered.
  std::filesystem::path numbered(std::string_view prefix, int digits, std::string_view ending, double time);
  /// Options for writing a file of file() or numbered(): into the open folder, even if its path leads
  /// elsewhere by then; an earlier file is replaced only if it is this run's.
  AtomicWrite how(const std::filesystem::path& file);
  /// Writes a whole file of this run.
  void write(const std::string& name, std::string_view content);
  /// Enters a line into the manifest for the user to read.
  void remark(const std::string& text) { manifest_.remark(text); }
  /// Makes a folder in it, and opens it.
  void make_folder(std::string_view name);
  /// It, open.
  const std::shared_ptr<const OpenFolder>& opened() const { return top_; }
  /// ResourceError when the directory, or a folder in it, is no longer the one that was claimed.
  void need_same() const;
  bool is_same() const { return lock_->is_same(); }

  /// Whether an earlier run is set aside.
  bool replaces() const { return replaces_; }
  /// Completes the start of the new run: the files of the run that it replaces are deleted.
  void keep();
  /// Puts the names of all files on the disk.
  void sync() { manifest_.sync(); }

 private:
  explicit RunDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  void lock();
  void need_new(const std::string& file) const;
  std::shared_ptr<const OpenFolder> folder_of(const std::filesystem::path& name) const;

  std::filesystem::path path_;
  Paths made_;  ///< folders above and in it, in the order they were made
  std::unique_ptr<DirectoryLock> lock_;
  std::shared_ptr<const OpenFolder> top_;
  std::map<std::string, std::shared_ptr<const OpenFolder>> folders_;  ///< in it, by name
  Manifest manifest_;
  std::set<std::string> own_;  ///< files that this run may replace: it has written them before
  bool begun_ = false, kept_ = false, replaces_ = false;
};

}  // namespace pleiad::run
