/// Bash with redirected output, and a look at the folder before and after.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/shell.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

namespace pleiad::test {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Scratch::Scratch() {
  static std::atomic<int> count = 0;
  folder_ = fs::temp_directory_path() /
            ("pleiad_cli_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
  captured_ = folder_.string() + ".captured";
  fs::create_directories(folder_);
  fs::create_directories(captured_);
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  fs::remove_all(captured_, ignored);
}

std::map<std::string, std::string> Scratch::files() const {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    const bool small = entry.is_regular_file() && entry.file_size() < (1U << 20);
    all[fs::relative(entry.path(), folder_).string()] = small ? content_of(entry.path()) : "";
  }
  return all;
}

Ended Scratch::run(const std::string& command) const {
  const auto before = files();
  const std::string out = captured_ / "out", err = captured_ / "err";
  const std::string script = "cd '" + folder_.string() +
                             "' && PLEIAD='" PLEIAD_PROGRAM "'; pleiad() { \"$PLEIAD\" \"$@\"; }\n" + command;
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    std::signal(SIGPIPE, SIG_DFL);
    if (std::freopen("/dev/null", "r", stdin) == nullptr ||
        std::freopen(out.c_str(), "w", stdout) == nullptr ||
        std::freopen(err.c_str(), "w", stderr) == nullptr)
      ::_exit(126);
    ::execlp("bash", "bash", "-c", script.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  Ended ended{
      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content_of(out), content_of(err), {}};
  const auto after = files();
  for (const auto& [name, content] : after)
    if (!before.contains(name)) ended.changes += "+ " + name + "\n";
    else if (before.at(name) != content) ended.changes += "~ " + name + "\n";
  for (const auto& [name, content] : before)
    if (!after.contains(name)) ended.changes += "- " + name + "\n";
  return ended;
}

}  // namespace pleiad::test
