/// A folder for a test, and what a refusal said.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <unistd.h>

namespace pleiad::test {

/// Empty, and removed at the end.
struct Folder {
  std::filesystem::path path;
  Folder() {
    // In memory where that is possible and no other place is asked for: the calls and their faults are the
    // same, and nothing waits for a busy disk.
    const bool memory = ::access("/dev/shm", W_OK) == 0 && std::getenv("TMPDIR") == nullptr;
    std::string name =
        ((memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) /
         "pleiad-test-XXXXXX")
            .string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
};

/// What the exception said; "" when nothing was thrown.
template <class E, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const E& error) {
    return error.what();
  }
  return "";
}

}  // namespace pleiad::test
