/// Tables and trajectories: lines appended with checked writes, truncated on resume.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/appended_file.hpp"

#include "io/durable/descriptor.hpp"
#include "io/durable/durable.hpp"
#include "io/durable/open_folder.hpp"

#include <pleiad/error.hpp>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pleiad {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece = std::size_t{1} << 16, most_waiting = std::size_t{1} << 26;

[[noreturn]] void refuse_to_append(const fs::path& file, const std::string& why) {
  throw InputError(fmt::format("cannot continue '{}': {}", file.string(), why));
}

/// Not through a link of its name.
Descriptor open_in(const OpenFolder* folder, const fs::path& file, int flags) {
  if (folder == nullptr) return open_file(file, flags | O_NOFOLLOW);
  folder->need_same();
  return open_file(file.filename(), flags | O_NOFOLLOW, 0666, folder->descriptor());
}

}  // namespace

AppendedFile::AppendedFile(fs::path file, std::shared_ptr<const OpenFolder> folder, int descriptor,
                           std::uint64_t written)
    : file_(std::move(file)),
      folder_(std::move(folder)),
      mutex_(std::make_unique<std::mutex>()),
      descriptor_(std::make_shared<Descriptor>(descriptor)),
      written_(written),
      try_at_(piece) {}

AppendedFile AppendedFile::create(const fs::path& file, const AtomicWrite& how) {
  Descriptor out =
      open_in(how.folder.get(), file, O_RDWR | O_CREAT | O_APPEND | (how.only_new ? O_EXCL : O_TRUNC));
  if (!out) fail(file, "create");
  return {file, how.folder, out.release(), 0};
}

AppendedFile AppendedFile::resume(const fs::path& file, std::uint64_t bytes, const AtomicWrite& how) {
  Descriptor out =
      open_in(how.folder.get(), file, O_RDWR | O_APPEND | O_NONBLOCK | (bytes == 0 ? O_CREAT : 0));
  if (!out && errno == ENOENT && bytes > 0)
    refuse_to_append(file, fmt::format("it is missing; its first {} bytes belong to the checkpoint", bytes));
  if (!out) fail(file, "open");
  struct stat status {};
  if (::fstat(out.get(), &status) != 0) fail(file, "look at");
  if (!S_ISREG(status.st_mode)) refuse_to_append(file, "it is not a regular file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < bytes)
    refuse_to_append(file, fmt::format("it has {} bytes; the checkpoint needs its first {}", size, bytes));
  if (bytes > 0) {
    char last = 0;
    if (::lseek(out.get(), static_cast<off_t>(bytes - 1), SEEK_SET) < 0 || read_all(out.get(), &last, 1) != 1)
      fail(file, "read");
    if (last != '\n')
      refuse_to_append(file,
                       fmt::format("no line ends at byte {}; it was changed after the checkpoint", bytes));
  }
  if (size > bytes && ::ftruncate(out.get(), static_cast<off_t>(bytes)) != 0) fail(file, "truncate");
  return {file, how.folder, out.release(), bytes};
}

AppendedFile::AppendedFile(AppendedFile&& other) noexcept = default;

AppendedFile& AppendedFile::operator=(AppendedFile&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(folder_, other.folder_);
  std::swap(mutex_, other.mutex_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(written_, other.written_);
  std::swap(waiting_, other.waiting_);
  std::swap(try_at_, other.try_at_);
  return *this;
}

AppendedFile::~AppendedFile() {
  if (!descriptor_) return;
  try {
    flush();
  } catch (const std::exception&) {
  }
}

void AppendedFile::append(std::string_view line) {
  const std::lock_guard lock(*mutex_);
  waiting_ += line;
  waiting_ += '\n';
  if (waiting_.size() < try_at_) return;
  try {
    write_waiting();
  } catch (const ResourceError&) {
    if (waiting_.size() >= most_waiting) throw;
  }
  try_at_ = waiting_.size() + piece;  // not at every line while the disk is full
}

void AppendedFile::write_waiting() {
  std::string_view rest = waiting_;
  // Updates also if the write fails half-way: written bytes must not be written twice.
  struct Bookkeeping {
    AppendedFile& file;
    std::string_view& rest;
    ~Bookkeeping() {
      const std::size_t n = file.waiting_.size() - rest.size();
      file.written_ += n;
      file.waiting_.erase(0, n);
    }
  } bookkeeping{*this, rest};
  write_all(descriptor_->get(), rest, file_);
}

std::uint64_t AppendedFile::size() const {
  const std::lock_guard lock(*mutex_);
  return written_ + waiting_.size();
}

std::uint64_t AppendedFile::flush() {
  const std::lock_guard lock(*mutex_);
  write_waiting();
  return written_;
}

void AppendedFile::restore_if_removed() {
  struct stat open {
  }, named{};
  const int here = descriptor_->get();
  if (::fstat(here, &open) != 0) fail(file_, "look at");
  const int seen =
      folder_ ? ::fstatat(folder_->descriptor(), file_.filename().c_str(), &named, AT_SYMLINK_NOFOLLOW)
              : ::lstat(file_.c_str(), &named);
  if (seen == 0 || errno != ENOENT) return;
  std::string content(static_cast<std::size_t>(open.st_size), '\0');
  if (::lseek(here, 0, SEEK_SET) < 0 || read_all(here, content.data(), content.size()) != open.st_size)
    fail(file_, "read what was in");
  AtomicWrite how;
  how.folder = folder_;
  write_file_atomically(file_, content, how);
  Descriptor again = open_in(folder_.get(), file_, O_RDWR | O_APPEND);
  if (!again) fail(file_, "open");
  descriptor_ = std::make_shared<Descriptor>(std::move(again));
}

void AppendedFile::sync() {
  std::shared_ptr<Descriptor> open;
  {
    const std::lock_guard lock(*mutex_);
    restore_if_removed();
    open = descriptor_;
  }
  pleiad::sync(open->get(), file_);
}

std::uint64_t AppendedFile::flush_and_sync() {
  const std::uint64_t bytes = flush();
  sync();
  return bytes;
}

}  // namespace pleiad
