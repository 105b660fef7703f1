/// Refusal of outputs that would replace an input, under any name.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>

namespace pleiad::app {

/// The regular files that a command reads, known by device and inode: other spellings, symbolic and hard
/// links are the same file.
class Inputs {
 public:
  explicit Inputs(const std::vector<std::string>& files) {
    for (const auto& file : files)
      if (struct stat status{}; is_regular(file, status)) names_.emplace(key(status), file);
  }

  /// UsageError when `output` is one of the files; `what` it is, for the message: "its picture", say.
  void refuse(const std::filesystem::path& output, const std::string& what) const {
    struct stat status {};
    if (!is_regular(output, status)) return;
    if (const auto found = names_.find(key(status)); found != names_.end())
      throw UsageError(fmt::format("'{}' is read and would be replaced by {}, '{}'; name another file",
                                   found->second, what, output.string()));
  }

 private:
  using Key = std::pair<dev_t, ino_t>;
  static Key key(const struct stat& status) { return {status.st_dev, status.st_ino}; }
  static bool is_regular(const std::filesystem::path& file, struct stat& status) {
    return ::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  }

  std::map<Key, std::string> names_;
};

}  // namespace pleiad::app
