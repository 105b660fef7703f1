/// File descriptors, error lines, and the last flush.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include "core/print.hpp"
#include "exit.hpp"

#include <pleiad/error.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace pleiad::app {
namespace {

bool reader_has_gone() {
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

}  // namespace

void prepare_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  // A file beyond the limit of `ulimit -f` is then a failed write like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
      // Standard output is opened for reading on purpose: writing to it still fails, so lost output is still
      // noticed.
      const int opened = ::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY);
      if (opened >= 0 && opened != descriptor) ::close(opened);
    }
}

bool use_colour(std::FILE* stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  return ::isatty(::fileno(stream)) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

void complain_about_usage(std::string_view line) {
  const std::string safe = one_line(line) + '\n';
  write_err(safe);
}

void complain(std::string_view message) {
  if (message.starts_with("pleiad ")) return complain_about_usage(message);
  const bool colour = use_colour(stderr);
  print_err("pleiad: {}error:{} {}\n", colour ? "\033[1;31m" : "", colour ? "\033[0m" : "",
            one_line(message));
}

bool output_failed() { return !std::cout || std::ferror(stdout) != 0; }

int finish_output(int code) {
  std::cout.flush();
  std::fflush(stdout);
  if (!output_failed() || reader_has_gone()) return code;
  complain("standard output could not be written: is the disk full, or was it closed?");
  return code == 0 ? static_cast<int>(Exit::resource) : code;
}

}  // namespace pleiad::app
