/// One run per output directory: an flock that the kernel takes back when the process ends, however it ends.
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

[[noreturn]] void refuse(const fs::path& directory, const std::string& why) {
  throw ResourceError(fmt::format("cannot use the output directory '{}': {}", directory.string(), why));
}

void check_directory(const fs::path& directory) {
  struct stat status {};
  if (::lstat(directory.c_str(), &status) != 0)
    refuse(directory, errno == ENOENT ? "it does not exist" : std::strerror(errno));
  // Whoever can turn the link turns the outputs of a run that is under way.
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

}  // namespace

DirectoryLock::DirectoryLock(const fs::path& directory) {
  // "DIR/" and "DIR/." would look through a symbolic link.
  fs::path name = directory.lexically_normal();
  if (!name.has_filename() && name.has_relative_path()) name = name.parent_path();
  check_directory(name);
  const fs::path file = name / ".lock";
  Descriptor lock = open_file(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
  if (!lock && errno == ELOOP) refuse(name, "its file '.lock' is a symbolic link; remove it");
  if (!lock) refuse(name, fmt::format("its file '.lock' cannot be made ({})", std::strerror(errno)));
  int result = 0;
  do result = ::flock(lock.get(), LOCK_EX | LOCK_NB);
  while (result != 0 && errno == EINTR);
  if (result != 0 && errno == EWOULDBLOCK) {
    char holder[16]{};
    const ssize_t n = read_all(lock.get(), holder, sizeof holder - 1);
    const std::string_view pid(holder, n > 0 ? std::strspn(holder, "0123456789") : 0);
    refuse(name,
           fmt::format("another run is using it{}", pid.empty() ? "" : fmt::format(" (process {})", pid)));
  }
  if (result != 0) refuse(name, fmt::format("it cannot be locked ({})", std::strerror(errno)));
  // Only for the message above: a full disk must not keep anyone from resuming.
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(lock.get(), 0) == 0 && ::write(lock.get(), pid.data(), pid.size()) < 0) errno = 0;
  descriptor_ = lock.release();
}

// The file stays: were it removed, a third process could lock a new one while a second waits on the old.
DirectoryLock::~DirectoryLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace pleiad
