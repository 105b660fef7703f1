/// See open_folder.hpp: openat and its kin, which follow no link.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
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

constexpr int no_links = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

/// Linux reports "not a directory" for a link too, if a folder is requested.
[[noreturn]] void refuse(const fs::path& path, int reason, bool is_link) {
  throw ResourceError(fmt::format("cannot use the folder '{}': {}", path.string(),
                                  is_link ? "it is a symbolic link" : std::strerror(reason)),
                      Error::Code::cannot_write);
}

bool is_link(int folder, const char* name) {
  struct stat status {};
  return ::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

}  // namespace

OpenFolder::OpenFolder(fs::path path) : path_(std::move(path)), open_(open_file(path_, no_links)) {
  if (!open_) refuse(path_, errno, is_link(AT_FDCWD, path_.c_str()));
}

std::optional<OpenFolder> OpenFolder::below(const std::string& name) const {
  Descriptor open = open_file(name, no_links, 0, descriptor());
  if (open) return OpenFolder(path_ / name, std::move(open));
  if (errno == ENOENT) return std::nullopt;
  refuse(path_ / name, errno, is_link(descriptor(), name.c_str()));
}

OpenFolder OpenFolder::made_below(const std::string& name) const {
  if (::mkdirat(descriptor(), name.c_str(), 0777) != 0 && errno != EEXIST)
    fail(path_ / name, "make the folder");
  if (auto folder = below(name)) return std::move(*folder);
  errno = ENOENT;
  fail(path_ / name, "make the folder");
}

bool OpenFolder::is_same() const {
  struct stat open {
  }, named{};
  return ::fstat(descriptor(), &open) == 0 && ::lstat(path_.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

void OpenFolder::need_same() const {
  if (!is_same())
    throw ResourceError(
        fmt::format("the folder '{}' was moved, removed or replaced while the run was using it",
                    path_.string()),
        Error::Code::cannot_write);
}

bool OpenFolder::has(const std::string& name) const {
  struct stat status {};
  return ::fstatat(descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

bool OpenFolder::has_folder(const std::string& name) const {
  struct stat status {};
  return ::fstatat(descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode);
}

void OpenFolder::remove(const std::string& name) const {
  if (::unlinkat(descriptor(), name.c_str(), 0) != 0 && errno != ENOENT) fail(path_ / name, "remove");
}

void OpenFolder::remove_if_empty(const std::string& name) const noexcept {
  ::unlinkat(descriptor(), name.c_str(), AT_REMOVEDIR);
}

void OpenFolder::move(const std::string& name, const OpenFolder& to) const {
  if (::renameat(descriptor(), name.c_str(), to.descriptor(), name.c_str()) == 0) return;
  const int reason = errno;
  throw ResourceError(fmt::format("cannot move '{}' to '{}': {}", (path_ / name).string(),
                                  (to.path_ / name).string(), std::strerror(reason)),
                      Error::Code::cannot_write);
}

}  // namespace pleiad
