/// See process.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/process.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace pleiad::render_detail {
namespace {

using Clock = std::chrono::steady_clock;

struct Descriptor {
  int fd = -1;
  Descriptor() = default;
  explicit Descriptor(int opened) : fd(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  void close() {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
};

/// Settings for the child: its folder, input from a pipe or none, output into a pipe, a process group of its
/// own, default signals.
struct Preparation {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  Preparation(const std::filesystem::path& folder, int input, int output) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    if (input >= 0) posix_spawn_file_actions_adddup2(&actions, input, 0);
    else posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_adddup2(&actions, output, 2);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int s : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) sigaddset(&usual, s);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~Preparation() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;
};

/// The leader of the group of processes that runs now, or 0.
std::atomic<pid_t> running = 0;

/// When the program is to be killed.
struct Limit {
  Clock::time_point deadline;
  const std::function<bool()>& stopped;
  Outcome& outcome;
  /// Whether its time is over, or the caller has requested its end.
  bool over() const {
    if (stopped()) outcome.stopped = true;
    else if (Clock::now() >= deadline) outcome.timed_out = true;
    return outcome.stopped || outcome.timed_out;
  }
};

/// Reads until the program closes its output; false when the limit comes first.
bool read_all(int fd, const Limit& limit, std::string& text) {
  constexpr std::size_t kept = 65536;
  char buffer[4096];
  for (;;) {
    if (limit.over()) return false;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(limit.deadline - Clock::now()).count();
    pollfd wait{fd, POLLIN, 0};
    const int ready = poll(&wait, 1, int(std::clamp<long long>(left, 1, 100)));
    if (ready < 0 && errno != EINTR) return true;
    if (ready <= 0) continue;
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    text.append(buffer, std::size_t(n));
    if (text.size() > 2 * kept) text.erase(0, text.size() - kept);
  }
}

/// Waits for the child until the limit, and for ever once it has been killed.
int wait_for(pid_t child, const Limit& limit, bool killed) {
  int status = 0;
  for (;;) {
    const pid_t done = waitpid(child, &status, killed ? 0 : WNOHANG);
    if (done == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (done < 0 && errno != EINTR) return -1;
    if (!killed && limit.over()) {
      killed = true;
      kill(-child, SIGKILL);
    } else if (!killed) {
      poll(nullptr, 0, 2);
    }
  }
}

/// The last line that is not blank, without the file positions that come before the message.
std::string last_line(const std::string& text) {
  std::size_t end = text.size();
  while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1]))) --end;
  const std::size_t begin = text.rfind('\n', end ? end - 1 : 0);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1));
}

/// The end of a pipe from which a child reads this text; none for an empty one.
Descriptor pipe_with(const std::string& text) {
  int ends[2];
  if (text.empty() || pipe2(ends, O_CLOEXEC) != 0) return Descriptor();
  const Descriptor writing(ends[1]);
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(writing.fd, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) break;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return Descriptor(ends[0]);
}

}  // namespace

std::string Outcome::why(const std::string& program) const {
  if (!started) return program + " cannot be started: " + output;
  if (timed_out) return program + " did not end in time and was stopped";
  if (stopped) return program + " was stopped by a signal";
  const std::string said = last_line(output);
  return program + " ended with status " + std::to_string(status) + (said.empty() ? "" : ": " + said);
}

Outcome run_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                    std::chrono::milliseconds longest, const std::function<bool()>& stopped,
                    const std::string& input) {
  Outcome outcome;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    outcome.output = std::strerror(errno);
    return outcome;
  }
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  std::vector<char*> argv;
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);

  const auto source = pipe_with(input);
  const Preparation prepared(folder, source.fd, writing.fd);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, argv[0], &prepared.actions, &prepared.attributes, argv.data(), environ);
  writing.close();
  if (failed != 0) {
    outcome.output = std::strerror(failed);
    return outcome;
  }
  outcome.started = true;
  running = child;
  const Limit limit{Clock::now() + longest, stopped, outcome};
  const bool killed = !read_all(reading.fd, limit, outcome.output);
  if (killed) kill(-child, SIGKILL);
  outcome.status = wait_for(child, limit, killed);
  running = 0;
  return outcome;
}

void kill_running_program() noexcept {
  if (const pid_t child = running; child > 0) ::kill(-child, SIGKILL);
}

}  // namespace pleiad::render_detail
