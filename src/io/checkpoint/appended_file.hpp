/// A text file that grows by lines and, after a crash, is truncated to the length in the checkpoint.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/durable.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace pleiad {

class Descriptor;

/// Lines wait in memory and are written in whole pieces. Every failure is a ResourceError that loses nothing:
/// lines that could not be written stay in memory and are tried again with the next call, exactly where the
/// file ends. All functions may be called in any thread.
class AppendedFile {
 public:
  /// Creates an empty file; an existing one is emptied, unless `how` requires a new one. Of `how` the folder
  /// and `only_new` count.
  static AppendedFile create(const std::filesystem::path& file, const AtomicWrite& how = {});
  /// The first `bytes` bytes of an existing file; the rest is cut off. InputError when it is shorter or does
  /// not end a line there.
  static AppendedFile resume(const std::filesystem::path& file, std::uint64_t bytes,
                             const AtomicWrite& how = {});

  AppendedFile(AppendedFile&& other) noexcept;
  AppendedFile& operator=(AppendedFile&& other) noexcept;
  /// Writes waiting lines if possible, without an error: call flush_and_sync() first.
  ~AppendedFile();

  /// Adds one line; `line` itself holds no line break, that is added. A full disk is not reported here but by
  /// the next flush, so that it does not end a run that may still be saved: ResourceError only when 64 MiB
  /// wait to be written.
  void append(std::string_view line);
  /// The bytes of all lines, those that wait included.
  std::uint64_t size() const;
  /// Hands all lines to the system, so that others can read them; the number of bytes that now belong to the
  /// state.
  std::uint64_t flush();
  /// Syncs the written lines to the disk; calls that append meanwhile do not wait for the disk. A file
  /// that was removed meanwhile is written again with all its lines. The name of a new file is made durable
  /// by the sync of its folder, which save_checkpoint does.
  void sync();
  /// Flushes and syncs; returns the bytes that now belong to the state.
  std::uint64_t flush_and_sync();
  const std::filesystem::path& file() const { return file_; }

 private:
  // Both under the mutex.
  void write_waiting();
  void restore_if_removed();
  AppendedFile(std::filesystem::path file, std::shared_ptr<const OpenFolder> folder, int descriptor,
               std::uint64_t written);
  std::filesystem::path file_;
  std::shared_ptr<const OpenFolder>
      folder_;                         ///< that it is in, where it is opened; else the one of that name
  std::unique_ptr<std::mutex> mutex_;  ///< of all that follows
  std::shared_ptr<Descriptor> descriptor_;
  std::uint64_t written_ = 0;  ///< bytes in the file; `waiting_` follows them
  std::string waiting_;
  std::size_t try_at_ = 0;  ///< append tries to write when this many bytes wait
};

}  // namespace pleiad
