/// Checkpoints: everything that a run needs to continue bit for bit, in a checksummed container, two
/// generations.
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

/// State of a run between two steps.
struct Checkpoint {
  Snapshot snapshot;  ///< time, step, bodies (exact doubles), units, G, boundary
  double dt = 0;      ///< next step's length in an adaptive run
  double start_time = 0;
  double reference_energy = 0;
  std::uint64_t next_output = 0;  ///< index of the next event of the schedule
  std::string config;             ///< effective configuration, TOML text
  std::string code_version;
  std::string precision, kernel, simd_target;
  std::map<std::string, std::uint64_t>
      appended_files;  ///< file name in the output directory -> bytes that belong to this state
  std::map<std::string, std::string> extra;  ///< anything else, by name
};

/// Serialises to the container (magic, version, sections each with length and XXH3-128, whole-file checksum).
std::string encode(const Checkpoint& checkpoint);
/// Throws InputError naming `origin` and the section when anything at all is not as written: never loads
/// silently.
Checkpoint decode(std::string_view bytes, std::string_view origin);

/// `checkpoint.pleiad` and `checkpoint.prev.pleiad` in a directory.
/// Save: encode, name.tmp.<pid>, write loop, fsync, close, old one linked to .prev, rename, fsync of the
/// directory. ResourceError on any failure; a whole older generation is then still in place and the temporary
/// file removed. A damaged `checkpoint.pleiad` never replaces .prev. `last_check` is called when all but the
/// renaming is done; what it throws leaves both generations as they are.
void save_checkpoint(const std::filesystem::path& directory, const Checkpoint& checkpoint,
                     const std::function<void()>& last_check = {});

struct LoadedCheckpoint {
  Checkpoint checkpoint;
  std::filesystem::path file;
  std::string warning;
};
/// The newest whole generation; `warning` says why an older one was used. InputError when none is whole, or
/// when the newest is whole but of another format version: going back behind it would lose it.
LoadedCheckpoint load_checkpoint(const std::filesystem::path& directory);
/// Removes both generations: a new run must never fall back to the state of an earlier one. ResourceError
/// when that fails.
void remove_checkpoints(const std::filesystem::path& directory);

/// flock on DIRECTORY/.lock for the life of the object; ResourceError when another process has it or it
/// cannot be made: the directory does not exist, is no directory, is a symbolic link, or cannot be written,
/// or has a file of that name that no lock of ours is.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::filesystem::path& directory);
  /// The checks of the directory alone; nothing is made or locked.
  static void need_usable(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;
  /// ResourceError when the directory that was locked no longer has its name, or its lock was removed: what
  /// is written there now might be another run's.
  void need_same() const;
  bool is_same() const;
  /// Removes the file at the end if it was made here: for a directory that is not used after all.
  void remove_at_end() { remove_ = made_; }

 private:
  std::filesystem::path directory_;
  int descriptor_ = -1;
  bool made_ = false, remove_ = false;
};

}  // namespace pleiad
