/// See claims.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/claims.hpp"

#include "io/durable/descriptor.hpp"
#include "io/durable/paths.hpp"
#include "io/durable/run_folder.hpp"
#include "io/durable/target.hpp"

#include <pleiad/error.hpp>

#include <cerrno>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pleiad {
namespace {

namespace fs = std::filesystem;

std::string key(const struct stat& status) { return fmt::format("{}:{}", status.st_dev, status.st_ino); }

/// Key of a regular file; "" for anything else.
std::string key_of_input(const fs::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) ? key(status) : "";
}

Target target_of_output(const fs::path& output) {
  return output == "-" ? Target{.file = output, .through = true, .descriptor = STDOUT_FILENO}
                       : target_of(output);
}

/// Key of an output: that of the existing file; the name of a new one; "" for a device, which any number of
/// outputs may use.
std::string key_of_output(const fs::path& output) {
  const Target target = target_of_output(output);
  struct stat status {};
  const bool there = target.descriptor >= 0 ? ::fstat(target.descriptor, &status) == 0
                                            : ::stat(target.file.c_str(), &status) == 0;
  if (there) return S_ISCHR(status.st_mode) && target.descriptor < 0 ? "" : key(status);
  return real_path(target.file).string();
}

/// Name of an output for messages about a link or a descriptor.
std::string shown(const fs::path& output) {
  return output == "-" ? "the standard output" : "'" + output.string() + "'";
}

/// The name of a redirected stream's file, as far as the system reports it.
fs::path place_of(const Target& target) {
  if (target.descriptor < 0) return target.file;
  std::error_code unknown;
  const auto file = fs::read_symlink(fmt::format("/proc/self/fd/{}", target.descriptor), unknown);
  return unknown || !file.is_absolute() ? fs::path() : file;
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  const auto relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

[[noreturn]] void refuse_read(const fs::path& read, std::string_view as, const std::string& output) {
  throw UsageError(fmt::format("'{}' is read, and {} would write to it as {}; name another file",
                               read.string(), as, output));
}

bool goes_to(int stream, const std::string& which) {
  struct stat status {};
  return ::fstat(stream, &status) == 0 && S_ISREG(status.st_mode) && key(status) == which;
}

/// The standard streams of a command must not be redirected to a file that it reads, nor may the message on
/// this.
void need_other_streams(const fs::path& file, const std::string& which) {
  const bool out = goes_to(STDOUT_FILENO, which), err = goes_to(STDERR_FILENO, which);
  if (!out && !err) return;
  const Descriptor nowhere = open_file("/dev/null", O_WRONLY);
  if (err) ::dup2(out ? nowhere.get() : STDOUT_FILENO, STDERR_FILENO);
  throw UsageError(fmt::format("'{}' is read, and the standard {} goes into it; send that to another file",
                               file.string(), out ? "output" : "error"));
}

}  // namespace

void Claims::reads(const fs::path& file) {
  const auto which = key_of_input(file);
  if (which.empty()) return;
  need_other_streams(file, which);
  if (const auto output = written_.find(which); output != written_.end())
    refuse_read(file, output->second.as, shown(output->second.file));
  read_.emplace(which, file);
}

void Claims::writes(const fs::path& output, std::string_view as, Of folder) {
  if (output.empty()) return;
  const Target target = target_of_output(output);
  const Output claimed{output, std::string(as)};
  const auto which = key_of_output(output);
  if (const auto read = read_.find(which); read != read_.end()) refuse_read(read->second, as, shown(output));
  if (const auto other = written_.find(which); other != written_.end() && !which.empty())
    throw UsageError(
        fmt::format("{} and {} would both write to {}; name two files", other->second.as, as, shown(output)));
  need_no_file_of_run(claimed);
  need_outside(claimed);
  if (folder == Of::there && !target.through) need_folder_of(target.file);
  written_.emplace(which, claimed);
}

void Claims::need_no_file_of_run(const Output& output) {
  const fs::path place = place_of(target_of_output(output.file));
  const auto run = place.empty() ? std::nullopt : run_above(place);
  if (!run) return;
  const auto [known, is_new] = runs_.try_emplace(*run);
  if (is_new) known->second = files_of_run(*run);
  if (known->second.contains(real_path(place).lexically_relative(*run).string()))
    throw UsageError(fmt::format("{}: {} is a file of the run in '{}'; name another file", output.as,
                                 shown(output.file), run->string()));
}

void Claims::owns(const fs::path& folder) {
  owned_.push_back(real_path(folder));
  for (const auto& [which, output] : written_) need_outside(output);
}

void Claims::need_outside(const Output& output) const {
  const fs::path place = place_of(target_of_output(output.file));
  if (place.empty()) return;
  for (const auto& folder : owned_)
    if (lies_in(real_path(place), folder))
      throw UsageError(
          fmt::format("{}: {} lies in the directory of the run, '{}', which holds nothing else; name "
                      "another file",
                      output.as, shown(output.file), folder.string()));
}

std::string Claims::read_as(const fs::path& file) const {
  const auto which = key_of_input(file);
  const auto found = which.empty() ? read_.end() : read_.find(which);
  return found == read_.end() ? "" : found->second.string();
}

}  // namespace pleiad
