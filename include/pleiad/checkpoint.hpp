/// Checkpoints: everything that a run needs to continue bit for bit, in a checksummed container. A
/// directory has two generations.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/snapshot.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {

/// The state of a run between two steps.
struct Checkpoint {
  Snapshot snapshot;              ///< time, step, bodies (exact doubles), units, G, boundary
  double dt = 0;                  ///< length of the next step in an adaptive run
  double start_time = 0;          ///< time of step 0
  double reference_energy = 0;    ///< total energy that errors refer to
  std::uint64_t next_output = 0;  ///< index of the next event of the schedule
  std::string config;             ///< effective configuration, TOML text
  std::string code_version;
  std::string precision, kernel, simd_target;
  std::map<std::string, std::uint64_t>
      appended_files;  ///< file name in the output directory -> bytes that belong to this state
  std::map<std::string, std::string> extra;  ///< further sections, by name
};

/// Serialises a checkpoint to the container: magic, version, sections with length and XXH3-128, checksum of
/// the file.
std::string encode(const Checkpoint& checkpoint);
/// Reads the container. InputError, with `origin` and the section, if a single bit differs from the data that
/// encode returned: damaged data are never loaded.
Checkpoint decode(std::string_view bytes, std::string_view origin);

/// Writes `checkpoint.pleiad` in an existing directory; the earlier one becomes `checkpoint.prev.pleiad`. The
/// sequence: encode, write name.tmp.<pid>, fsync, close, link the old file to .prev, rename, fsync the
/// directory. Any failure is a ResourceError; a complete older generation is then still in place, and the
/// temporary file is removed. A damaged `checkpoint.pleiad` never replaces .prev. `last_check` is called just
/// before the rename; an exception from it leaves both generations as they are.
void save_checkpoint(const std::filesystem::path& directory, const Checkpoint& checkpoint,
                     const std::function<void()>& last_check = {});

/// A checkpoint, its file, and a warning for the user ("": none).
struct LoadedCheckpoint {
  Checkpoint checkpoint;
  std::filesystem::path file;
  std::string warning;
};
/// Loads the newest complete generation; `warning` states why an older one was used. InputError if none is
/// complete, or if the newest is complete but has another format version: it must not be replaced.
LoadedCheckpoint load_checkpoint(const std::filesystem::path& directory);
/// Removes both generations, because a new run must never continue from an earlier one. ResourceError if
/// this fails.
void remove_checkpoints(const std::filesystem::path& directory);

/// Holds a flock on DIRECTORY/.lock for the lifetime of the object. ResourceError if another process holds
/// it, or if it cannot be made: the directory does not exist, is not a directory, is a symbolic link, is not
/// writable, or has a file of this name that Pleiad did not make.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::filesystem::path& directory);
  /// Checks the directory only; makes and locks nothing.
  static void need_usable(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;
  /// Throws ResourceError if the locked directory was renamed or replaced, or its lock was removed: another
  /// run might now use the name.
  void need_same() const;
  /// Returns whether the lock of this object is still that of the directory.
  bool is_same() const;
  /// Lets the destructor remove the file if this object made it: for a directory that is not used after all.
  void remove_at_end() { remove_ = made_; }

 private:
  std::filesystem::path directory_;
  int descriptor_ = -1;
  bool made_ = false, remove_ = false;
};

}  // namespace pleiad
