/// One run per output directory: an flock that the kernel releases when the process ends for any reason.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/descriptor.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/error.hpp>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pleiad {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& directory, const std::string& why,
                         Error::Code code = Error::Code::cannot_write) {
  throw ResourceError(fmt::format("cannot use the output directory '{}': {}", directory.string(), why), code);
}

void check_directory(const fs::path& directory) {
  struct stat status {};
  if (::lstat(directory.c_str(), &status) != 0)
    refuse(directory, errno == ENOENT ? "it does not exist" : std::strerror(errno));
  // A change of the link would redirect the outputs of a run in progress.
  if (S_ISLNK(status.st_mode)) {
    std::error_code error;
    const fs::path target = fs::canonical(directory, error);
    refuse(directory,
           error ? "it is a symbolic link to nowhere"
                 : fmt::format("it is a symbolic link; name its target '{}' instead", target.string()));
  }
  if (!S_ISDIR(status.st_mode)) refuse(directory, "it is not a directory");
  if (::access(directory.c_str(), W_OK | X_OK) != 0)
    refuse(directory, fmt::format("it cannot be written ({})", std::strerror(errno)));
}

/// "DIR/" and "DIR/." would look through a symbolic link.
fs::path plain(const fs::path& directory) {
  const fs::path name = directory.lexically_normal();
  return !name.has_filename() && name.has_relative_path() ? name.parent_path() : name;
}

/// The content of a lock of Pleiad: nothing, or the number of a process.
std::string holder_in(const Descriptor& lock, const fs::path& directory) {
  char text[32]{};
  const ssize_t n = read_all(lock.get(), text, sizeof text - 1);
  const std::string_view all(text, n > 0 ? static_cast<std::size_t>(n) : 0);
  const auto digits = all.substr(0, all.find_first_not_of("0123456789"));
  if (!all.empty() && (digits.empty() || all.substr(digits.size()) != "\n"))
    refuse(directory, "its file '.lock' is not one of Pleiad; remove it or name another directory");
  return std::string(digits);
}

bool same_file(int descriptor, const fs::path& file) {
  struct stat open {
  }, named{};
  return ::fstat(descriptor, &open) == 0 && ::lstat(file.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

}  // namespace

void DirectoryLock::need_usable(const fs::path& directory) { check_directory(plain(directory)); }

DirectoryLock::DirectoryLock(const fs::path& directory) : directory_(plain(directory)) {
  check_directory(directory_);
  const fs::path file = directory_ / ".lock";
  Descriptor lock = open_file(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
  made_ = bool(lock);
  if (!lock) lock = open_file(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
  if (!lock && errno == ELOOP) refuse(directory_, "its file '.lock' is a symbolic link; remove it");
  if (!lock) refuse(directory_, fmt::format("its file '.lock' cannot be made ({})", std::strerror(errno)));
  int result = 0;
  do result = ::flock(lock.get(), LOCK_EX | LOCK_NB);
  while (result != 0 && errno == EINTR);
  const int reason = errno;
  const std::string holder = holder_in(lock, directory_);
  if (result != 0 && reason == EWOULDBLOCK)
    refuse(
        directory_,
        fmt::format("another run is using it{}", holder.empty() ? "" : fmt::format(" (process {})", holder)),
        Error::Code::in_use);
  if (result != 0) refuse(directory_, fmt::format("it cannot be locked ({})", std::strerror(reason)));
  // Its last holder may have removed it between the two calls.
  if (!same_file(lock.get(), file))
    refuse(directory_, "another run is just leaving it; try again", Error::Code::in_use);
  // Only for the message above: a full disk must not keep anyone from resuming.
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(lock.get(), 0) == 0 && ::pwrite(lock.get(), pid.data(), pid.size(), 0) < 0) errno = 0;
  descriptor_ = lock.release();
}

bool DirectoryLock::is_same() const { return same_file(descriptor_, directory_ / ".lock"); }

void DirectoryLock::need_same() const {
  if (!is_same())
    throw ResourceError(
        fmt::format("the output directory '{}' was moved, removed or replaced while the run was using it",
                    directory_.string()));
}

// The file stays after a run, and the next run locks it.
DirectoryLock::~DirectoryLock() {
  if (descriptor_ < 0) return;
  if (remove_ && is_same()) ::unlink((directory_ / ".lock").c_str());
  ::close(descriptor_);
}

}  // namespace pleiad
