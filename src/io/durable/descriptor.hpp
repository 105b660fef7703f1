/// An open file: an owned descriptor, every call checked, interrupted calls repeated, short writes continued.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/types.h>

namespace pleiad {

/// Owns a file descriptor; -1 is none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  /// Closes without looking: where a failure matters, call close() before.
  ~Descriptor();
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  /// Closes and reports: ResourceError naming `file`.
  void close(const std::filesystem::path& file);
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

/// ResourceError "cannot ACTION 'FILE': " and the system's reason from errno.
[[noreturn]] void fail(const std::filesystem::path& file, std::string_view action);

/// Throws for a file that cannot be read: InputError, or ResourceError if the system lacks descriptors or
/// memory.
[[noreturn]] void fail_to_read(const std::filesystem::path& file);

/// openat(2), always with O_CLOEXEC; an empty Descriptor and errno when it fails. A relative name is looked
/// up in the open folder `folder`, or, without one, where the process works.
Descriptor open_file(const std::filesystem::path& file, int flags, mode_t mode = 0666, int folder = AT_FDCWD);
/// Writes from the front of `rest` and removes the written bytes from it, also if it then throws
/// ResourceError.
void write_all(int out, std::string_view& rest, const std::filesystem::path& file);
/// Writes all `bytes` from `offset` on; ResourceError when not all is written.
void write_all_at(int out, std::uint64_t offset, std::string_view bytes, const std::filesystem::path& file);
/// Fills `buffer` from where the file stands; fewer bytes only at its end; -1 and errno when reading fails.
ssize_t read_all(int in, char* buffer, std::size_t size);
/// fsync(2); a folder whose file system cannot sync folders passes.
void sync(int file, const std::filesystem::path& name);

}  // namespace pleiad
