/// Resolves links, names of open descriptors, devices and FIFOs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/target.hpp"

#include "io/durable/descriptor.hpp"
#include "io/durable/durable.hpp"

#include <pleiad/error.hpp>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pleiad {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // as the Linux kernel
constexpr std::chrono::seconds patience{10};

[[noreturn]] void refuse(const fs::path& file, std::string_view what) {
  throw ResourceError(fmt::format("cannot write '{}': it is {}; a regular file, a FIFO, a character device "
                                  "or /dev/stdout would be right",
                                  file.string(), what),
                      Error::Code::cannot_write);
}

/// N of /dev/fd/N, /proc/self/fd/N, /dev/stdout, ...; -1 for any other name.
int descriptor_named(const fs::path& file) {
  std::error_code failed;
  const std::string name = fs::absolute(file, failed).lexically_normal().string();
  if (name == "/dev/stdin") return STDIN_FILENO;
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string& folder :
       {std::string("/dev/fd/"), std::string("/proc/self/fd/"), std::string("/proc/thread-self/fd/"),
        fmt::format("/proc/{}/fd/", ::getpid())}) {
    if (!name.starts_with(folder)) continue;
    int number = -1;
    const char* last = name.data() + name.size();
    const auto [end, error] = std::from_chars(name.data() + folder.size(), last, number);
    if (error == std::errc() && end == last) return number;
  }
  return -1;
}

/// Opening a FIFO for writing waits for a reader: this wait has an end.
Descriptor open_fifo(const fs::path& file) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (true) {
    Descriptor out = open_file(file, O_WRONLY | O_NONBLOCK | O_NOCTTY);
    if (out) {
      if (::fcntl(out.get(), F_SETFL, 0) != 0) fail(file, "write");
      return out;
    }
    if (errno != ENXIO) fail(file, "open");
    if (std::chrono::steady_clock::now() > until)
      throw ResourceError(
          fmt::format("cannot write '{}': no program has opened this FIFO for reading within {} s",
                      file.string(), patience.count()),
          Error::Code::cannot_write);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace

Target target_of(const fs::path& named) {
  fs::path file = named;
  for (int links = 0; links <= most_links; ++links) {
    if (const int n = descriptor_named(file); n >= 0)
      return {.file = named, .through = true, .descriptor = n};
    struct stat status {};
    // A path that cannot be examined is left to the attempt to create it, which reports the reason.
    if (::lstat(file.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return {.file = file};
    if (S_ISDIR(status.st_mode)) refuse(named, "a folder");
    if (S_ISBLK(status.st_mode)) refuse(named, "a block device");
    if (S_ISSOCK(status.st_mode)) refuse(named, "a socket");
    if (!S_ISLNK(status.st_mode)) return {.file = file, .through = true};
    std::error_code failed;
    const fs::path next = fs::read_symlink(file, failed);
    if (failed) fail(named, "follow the link");
    file = next.is_absolute() ? next : file.parent_path() / next;
  }
  errno = ELOOP;
  fail(named, "write");
}

Descriptor opened_through(const Target& target) {
  if (target.descriptor >= 0) {
    if (target.descriptor == STDOUT_FILENO) std::fflush(stdout);  // earlier text stays before it
    Descriptor same(::fcntl(target.descriptor, F_DUPFD_CLOEXEC, 0));
    if (!same) fail(target.file, "open");
    return same;
  }
  struct stat status {};
  if (::stat(target.file.c_str(), &status) != 0) fail(target.file, "write");
  Descriptor out =
      S_ISFIFO(status.st_mode) ? open_fifo(target.file) : open_file(target.file, O_WRONLY | O_NOCTTY);
  if (!out) fail(target.file, "open");
  return out;
}

void write_through(const Target& target, std::string_view content) {
  Descriptor out = opened_through(target);
  write_all(out.get(), content, target.file);
  out.close(target.file);
}

bool is_standard_output(const fs::path& file) {
  return !file.empty() && file != "-" && target_of(file).descriptor == STDOUT_FILENO;
}

fs::path replaceable(const fs::path& file) {
  auto target = target_of(file);
  return target.through ? fs::path() : std::move(target.file);
}

}  // namespace pleiad
