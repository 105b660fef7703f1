/// Files that are complete or absent: temporary name, sync, rename, sync of the folder.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace pleiad {

class Descriptor;
class OpenFolder;

struct AtomicWrite {
  bool sync = true;  ///< fsync file and folder: survives power loss
  /// If not empty: the file replaced lives on under this name of the same folder.
  std::filesystem::path previous_kept_as{};
  /// called before the old file is changed; an exception leaves it unchanged
  std::function<void()> last_check{};
  /// The opened folder that the file goes into, if not the one that has its name when the call begins. Then
  /// links are not followed: one that has the name of the file is replaced.
  std::shared_ptr<const OpenFolder> folder{};
  bool only_new = false;  ///< ResourceError when there is anything of this name, which stays as it is
};
/// name.tmp.<pid>, write loop (EINTR, short writes), fsync, close, rename, fsync of the folder. ResourceError
/// names the file and the system's reason; the old file is then untouched and the temporary one removed. When
/// only the last step, the sync of the folder, fails, the new file is in place and whole, but might not
/// survive power loss. All this happens in the folder that had the name when the call began: a folder that
/// takes its name later is not touched. Without hard links `previous_kept_as` is made by a rename.
///
/// A symbolic link stays: the file that it names is replaced. Character devices, FIFOs and open descriptors
/// (/dev/null, /dev/stdout, /dev/fd/N) are written into, nothing is replaced and nothing kept; folders, block
/// devices and sockets are refused.
void write_file_atomically(const std::filesystem::path& file, std::string_view content,
                           const AtomicWrite& how = {});

/// A file being written, for content too large for memory. Every failure is a ResourceError.
class NewFile {
 public:
  /// Takes the open file `descriptor`, whose later name is `file`.
  NewFile(int descriptor, std::filesystem::path file) : descriptor_(descriptor), file_(std::move(file)) {}
  /// Appends bytes.
  void append(std::string_view bytes);
  /// Writes bytes `offset` bytes from the beginning.
  void write_at(std::uint64_t offset, std::string_view bytes);
  /// A name by which a library can open it too, until it is whole.
  std::filesystem::path name_for_others() const;

 private:
  void begin_writing_back(std::uint64_t offset, std::uint64_t size) const;
  int descriptor_;
  std::filesystem::path file_;
  std::uint64_t appended_ = 0;
};
/// As write_file_atomically, of a file that `fill` writes. It must be one that can be replaced: see
/// replaceable().
void write_file_atomically(const std::filesystem::path& file, const std::function<void(NewFile&)>& fill,
                           const AtomicWrite& how = {});

/// A new file with these bytes in place of `file`, open for more: as write_file_atomically, but it is whole
/// only when no more is written.
Descriptor replaced(const std::filesystem::path& file, std::string_view start);

/// The file that a name to write to will create or replace, links followed; empty when the name stands for
/// something that is written into. ResourceError as write_file_atomically.
std::filesystem::path replaceable(const std::filesystem::path& file);
/// Whether writing to this name writes to the standard output: /dev/stdout, /dev/fd/1, or a link to them.
bool is_standard_output(const std::filesystem::path& file);

/// The whole file; InputError when it cannot be read or is larger than `limit` bytes.
std::string read_file(const std::filesystem::path& file, std::size_t limit = std::size_t{1} << 40);

/// Removes regular files "NAME.tmp.<pid>" that processes killed while writing have left behind, where NAME
/// starts with one of `prefixes` and no other process <pid> lives. Call it under the DirectoryLock, before
/// anything is written. Returns how many.
std::size_t remove_leftovers(const std::filesystem::path& directory,
                             std::span<const std::string_view> prefixes);

}  // namespace pleiad
