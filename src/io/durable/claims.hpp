/// Claims of files: every file that a command writes is registered here, together with every file that it
/// reads.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {

/// Files are identified by device and inode: other spellings, symbolic and hard links, /dev/stdin, /dev/fd/N,
/// /proc/self/fd/N and the redirected standard output are the same file. Inputs and outputs may be registered
/// in any order. No file is changed; standard error is redirected if it would go to a file that is read.
class Claims {
 public:
  /// The command reads this file. UsageError when an output, the standard output or standard error is the
  /// same file.
  void reads(const std::filesystem::path& file);
  template <class Files>
  void reads_all(const Files& files) {
    for (const auto& file : files) reads(file);
  }

  enum class Of { there, made };  ///< whether the folder of an output must be there, or is made if need be
  /// The command writes this file, "-" for the standard output and "" for none; `as` names the option or the
  /// kind of output. UsageError if the file is read, is another output of this command, or belongs to a run.
  /// ResourceError if it cannot be written: its folder does not exist, or it is no file.
  void writes(const std::filesystem::path& output, std::string_view as, Of folder = Of::there);
  /// Claims all files in this folder, the directory of a run. UsageError if another output lies in it.
  void owns(const std::filesystem::path& folder);

  /// The name under which a file is read; "" when it is not.
  std::string read_as(const std::filesystem::path& file) const;

 private:
  struct Output {
    std::filesystem::path file;
    std::string as;
  };
  void need_outside(const Output& output) const;
  void need_no_file_of_run(const Output& output);

  std::map<std::string, std::filesystem::path> read_;  ///< names, by which file it is
  std::map<std::string, Output> written_;
  std::vector<std::filesystem::path> owned_;                          ///< folders
  std::map<std::filesystem::path, std::set<std::string>> runs_ = {};  ///< files of runs, by directory
};

}  // namespace pleiad
