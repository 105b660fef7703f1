/// Complete or absent files: temporary name, write, fsync, rename, fsync of the folder; the replaced file can
/// be kept.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"

#include "io/durable/descriptor.hpp"
#include "io/durable/open_folder.hpp"
#include "io/durable/target.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <new>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pleiad {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view temporary_mark = ".tmp.";

std::string temporary_name(const fs::path& file) {
  return file.filename().string() + std::string(temporary_mark) + std::to_string(::getpid());
}

/// Whether an error means that a file system has no hard links.
bool no_links_here(int reason) {
  return reason == EPERM || reason == EOPNOTSUPP || reason == ENOSYS || reason == EMLINK || reason == EXDEV;
}

[[noreturn]] void in_the_way(const fs::path& file) {
  throw ResourceError(
      fmt::format("cannot create '{}': a file of this name is there, and is not replaced", file.string()),
      Error::Code::cannot_write);
}

/// A temporary file in an open folder, even if the folder is renamed. Removed if its use has failed.
struct Temporary {
  int folder;
  std::string name;
  Temporary(int in, const fs::path& file) : folder(in), name(temporary_name(file)) {
    ::unlinkat(folder, name.c_str(), 0);  // of an earlier process that had our id
  }
  ~Temporary() {
    if (!name.empty()) ::unlinkat(folder, name.c_str(), 0);
  }
  void rename_to(const fs::path& file) {
    if (::renameat(folder, name.c_str(), folder, file.filename().c_str()) != 0)
      fail(file, "rename a temporary file to");
    name.clear();
  }
  /// Gives the file its name if nothing has it: by a link, which never replaces anything, and without links
  /// by the system's renaming that does not replace.
  void become(const fs::path& file) {
    const auto last = file.filename();
    if (::linkat(folder, name.c_str(), folder, last.c_str(), 0) == 0) return;
    if (no_links_here(errno) &&
        ::renameat2(folder, name.c_str(), folder, last.c_str(), RENAME_NOREPLACE) == 0)
      return name.clear();
    if (errno == EINVAL || errno == ENOSYS) {
      struct stat status {};
      if (::fstatat(folder, last.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return rename_to(file);
      errno = EEXIST;
    }
    if (errno == EEXIST) in_the_way(file);
    fail(file, "create");
  }
};

/// Replaces the file by link and rename: at every instant `file` exists, and `kept` is the older generation
/// or this one, never missing. Both are in `folder`.
void keep_previous(int folder, const fs::path& file, const fs::path& kept) {
  Temporary second_name(folder, kept);
  const auto name = file.filename();
  if (::linkat(folder, name.c_str(), folder, second_name.name.c_str(), 0) == 0) {
    const std::string leftover = second_name.name;
    second_name.rename_to(kept);
    // When both names are one file already, rename leaves the link behind.
    ::unlinkat(folder, leftover.c_str(), 0);
    return;
  }
  if (errno == ENOENT) return;  // the first generation
  if (!no_links_here(errno)) fail(kept, "keep the previous file as");
  // A moment without `file`, but never one without a whole generation.
  if (::renameat(folder, name.c_str(), folder, kept.filename().c_str()) != 0)
    fail(kept, "keep the previous file as");
}

/// The process in "NAME.tmp.<pid>", or 0 when the name is not of that form; NAME is cut out.
pid_t owner_of_temporary(std::string_view& name) {
  const auto mark = name.rfind(temporary_mark);
  if (mark == std::string_view::npos) return 0;
  const std::string_view digits = name.substr(mark + temporary_mark.size());
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pid);
  if (error != std::errc() || end != digits.data() + digits.size() || pid <= 0) return 0;
  name = name.substr(0, mark);
  return pid;
}

/// A new file in place of `file`, filled by `fill`.
void replace(const fs::path& file, const std::function<void(NewFile&)>& fill, const AtomicWrite& how) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  // Opened before anything is written: a failure here must not come after the rename, and the file is written
  // into this folder, even if another one has its name by then.
  Descriptor opened;
  if (!how.folder) {
    opened = open_file(folder, (how.sync ? O_RDONLY : O_PATH) | O_DIRECTORY);
    if (!opened) how.sync ? fail(folder, "open the folder") : fail(file, "create");
  } else {
    how.folder->need_same();
    if (how.only_new && how.folder->has(file.filename())) in_the_way(file);
  }
  const int directory = how.folder ? how.folder->descriptor() : opened.get();
  Temporary temporary(directory, file);
  Descriptor out = open_file(temporary.name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666, directory);
  if (!out) fail(file, "create");
  NewFile growing(out.get(), file);
  fill(growing);
  if (how.sync) sync(out.get(), file);
  out.close(file);
  if (how.last_check) how.last_check();
  if (how.folder) how.folder->need_same();
  if (!how.previous_kept_as.empty()) keep_previous(directory, file, how.previous_kept_as);
  how.only_new ? temporary.become(file) : temporary.rename_to(file);
  if (how.sync) sync(directory, folder);
}

/// Whether the name is that of an entry in an opened folder, whatever it leads to.
Target place_of(const fs::path& named, const AtomicWrite& how) {
  return how.folder ? Target{.file = named} : target_of(named);
}

}  // namespace

void NewFile::append(std::string_view bytes) {
  const std::uint64_t offset = std::exchange(appended_, appended_ + bytes.size());
  std::string_view rest = bytes;
  write_all(descriptor_, rest, file_);
  begin_writing_back(offset, bytes.size());
}

void NewFile::write_at(std::uint64_t offset, std::string_view bytes) {
  write_all_at(descriptor_, offset, bytes, file_);
  begin_writing_back(offset, bytes.size());
}

/// Starts to write data to the disk before the file is synced.
void NewFile::begin_writing_back(std::uint64_t offset, std::uint64_t size) const {
  constexpr std::uint64_t worth_it = std::uint64_t{1} << 20;
  if (size >= worth_it)
    ::sync_file_range(descriptor_, static_cast<off64_t>(offset), static_cast<off64_t>(size),
                      SYNC_FILE_RANGE_WRITE);
}

fs::path NewFile::name_for_others() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

void write_file_atomically(const fs::path& named, std::string_view content, const AtomicWrite& how) {
  const Target target = place_of(named, how);
  if (target.through) write_through(target, content);
  else
    replace(
        target.file, [&](NewFile& file) { file.append(content); }, how);
}

void write_file_atomically(const fs::path& named, const std::function<void(NewFile&)>& fill,
                           const AtomicWrite& how) {
  const Target target = place_of(named, how);
  if (target.through)
    throw ResourceError(fmt::format("cannot replace '{}': it is no regular file", named.string()),
                        Error::Code::cannot_write);
  replace(target.file, fill, how);
}

Descriptor replaced(const fs::path& file, std::string_view start) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const Descriptor directory = open_file(folder, O_PATH | O_DIRECTORY);
  if (!directory) fail(file, "create");
  Temporary temporary(directory.get(), file);
  Descriptor out = open_file(temporary.name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666, directory.get());
  if (!out) fail(file, "create");
  write_all(out.get(), start, file);
  temporary.rename_to(file);
  return out;
}

std::string read_file(const fs::path& file, std::size_t limit) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("cannot read '{}': {}", file.string(), why));
  };
  // O_NONBLOCK: opening a pipe must not wait for a writer; it changes nothing for a regular file.
  const Descriptor in = open_file(file, O_RDONLY | O_NONBLOCK);
  struct stat status {};
  if (!in || ::fstat(in.get(), &status) != 0) fail_to_read(file);
  if (!S_ISREG(status.st_mode)) refuse("it is not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limit) refuse(fmt::format("it has {} bytes, more than the {} allowed here", size, limit));
  std::string content;
  try {
    content.resize(size);
  } catch (const std::bad_alloc&) {
    throw ResourceError(
        fmt::format("cannot read '{}': its {} bytes do not fit into memory", file.string(), size),
        Error::Code::cannot_write);
  }
  const ssize_t done = read_all(in.get(), content.data(), size);
  if (done < 0) fail_to_read(file);
  content.resize(static_cast<std::size_t>(done));
  return content;
}

std::size_t remove_leftovers(const fs::path& directory, std::span<const std::string_view> prefixes) {
  std::size_t removed = 0;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    const std::string full = entry->path().filename().string();
    std::string_view name = full;
    const pid_t pid = owner_of_temporary(name);
    const bool ours = pid > 0 && std::ranges::any_of(prefixes, [&](auto p) { return name.starts_with(p); });
    std::error_code unknown;
    if (!ours || entry->symlink_status(unknown).type() != fs::file_type::regular) continue;
    const bool dead = pid == ::getpid() || (::kill(pid, 0) != 0 && errno == ESRCH);
    if (dead && ::unlink(entry->path().c_str()) == 0) ++removed;
  }
  return removed;
}

}  // namespace pleiad
