/// A program as a user starts it: what it prints, how it ends, within a minute.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

namespace pleiad::test {

/// How it ended.
struct ProgramEnd {
  int code = -1;  ///< 128 + signal when killed by one, as by SIGALRM after a minute
  std::string out, err;
};

/// One that runs; what it prints goes to files in `folder`.
class Program {
 public:
  using Environment = std::map<std::string, std::string>;
  Program(const std::vector<std::string>& words, const Environment& environment,
          const std::filesystem::path& folder);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  /// Kills it when nobody has waited for it.
  ~Program();
  void signal(int number) const;
  ProgramEnd wait();

 private:
  std::filesystem::path out_, err_;
  pid_t child_ = -1;
};

inline ProgramEnd run_program(const std::vector<std::string>& words, const Program::Environment& environment,
                              const std::filesystem::path& folder) {
  return Program(words, environment, folder).wait();
}

}  // namespace pleiad::test
