/// A shell in a scratch folder: what a command printed, how it ended, and which files it touched.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace pleiad::test {

struct Ended {
  int code = -1;  ///< 128 + signal when killed by one
  std::string out, err;
  std::string changes;  ///< files and folders that came, went or changed, each on a line
};

/// An empty folder that is removed at the end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Runs `command` by bash in the folder; "pleiad" is the program under test. SIGPIPE is at its default, as
  /// in a user's shell.
  Ended run(const std::string& command) const;

 private:
  std::map<std::string, std::string> files() const;
  std::filesystem::path folder_, captured_;
};

}  // namespace pleiad::test
