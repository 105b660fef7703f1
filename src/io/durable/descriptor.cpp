/// The checked system calls for all files that must not be lost.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/descriptor.hpp"

#include <pleiad/error.hpp>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace pleiad {

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

void Descriptor::close(const std::filesystem::path& file) {
  // Linux frees the descriptor even if close fails: it must never be closed twice. EINTR does not mean that
  // data are lost.
  if (::close(release()) != 0 && errno != EINTR) fail(file, "close");
}

void fail(const std::filesystem::path& file, std::string_view action) {
  const int reason = errno;
  throw ResourceError(fmt::format("cannot {} '{}': {}", action, file.string(), std::strerror(reason)),
                      Error::Code::cannot_write);
}

void fail_to_read(const std::filesystem::path& file) {
  const int reason = errno;
  for (const int lack : {EMFILE, ENFILE, ENOMEM, ENOBUFS})
    if (errno = reason; reason == lack) fail(file, "read");
  throw InputError(fmt::format("cannot read '{}': {}", file.string(), std::strerror(reason)));
}

Descriptor open_file(const std::filesystem::path& file, int flags, mode_t mode, int folder) {
  int fd = -1;
  do fd = ::openat(folder, file.c_str(), flags | O_CLOEXEC, mode);
  while (fd < 0 && errno == EINTR);
  return Descriptor(fd);
}

void write_all(int out, std::string_view& rest, const std::filesystem::path& file) {
  while (!rest.empty()) {
    const ssize_t n = ::write(out, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) {  // a standard output that another program has made non-blocking
      pollfd ready{out, POLLOUT, 0};
      ::poll(&ready, 1, -1);
      continue;
    }
    if (n == 0) errno = ENOSPC;  // nothing taken and no reason given: do not try for ever
    if (n <= 0) fail(file, "write");
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
}

void write_all_at(int out, std::uint64_t offset, std::string_view bytes, const std::filesystem::path& file) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(out, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = ENOSPC;  // as above
    if (n <= 0) fail(file, "write");
    bytes.remove_prefix(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
}

ssize_t read_all(int in, char* buffer, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = ::read(in, buffer + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return static_cast<ssize_t>(done);
}

void sync(int file, const std::filesystem::path& name) {
  int result = 0;
  do result = ::fsync(file);
  while (result != 0 && errno == EINTR);
  if (result != 0 && errno != EINVAL) fail(name, "sync");
}

}  // namespace pleiad
