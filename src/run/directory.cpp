#include "run/directory.hpp"

#include "io/durable/paths.hpp"

#include <pleiad/config.hpp>
#include <pleiad/durable.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace pleiad::run {

namespace fs = std::filesystem;

std::unique_ptr<DirectoryLock> open_directory(const fs::path& directory, const Request& request) {
  make_folders(directory);
  auto lock = std::make_unique<DirectoryLock>(directory);
  const bool used = path_exists(directory / "config.toml") || path_exists(directory / "checkpoint.pleiad");
  if (!request.resume && used && !request.overwrite)
    throw UsageError(
        fmt::format("'{}' already holds a run; continue it with --resume, replace it with --overwrite, or "
                    "choose another --output",
                    directory.string()));
  constexpr std::array<std::string_view, 9> ours{"ensemble",        "final_states", "member_",
                                                 "checkpoint.",     "config.toml",  "summary.json",
                                                 "diagnostics.txt", "snapshot_",    "frame_"};
  for (const auto& folder : {directory, directory / "snapshots", directory / "pictures"})
    if (is_folder(folder)) remove_leftovers(folder, ours);
  return lock;
}

Resumed open_resumed(const Request& request) {
  if (!is_folder(*request.resume))
    throw ResourceError(fmt::format("--resume: '{}' is not a directory", request.resume->string()));
  if (!path_exists(*request.resume / "checkpoint.pleiad") &&
      !path_exists(*request.resume / "checkpoint.prev.pleiad"))
    throw InputError(
        fmt::format("--resume: there is no checkpoint in '{}'; start the run anew with --overwrite",
                    request.resume->string()));
  const fs::path directory = text_path(*request.resume);
  Resumed resumed;
  resumed.lock = open_directory(directory, request);
  auto loaded = load_checkpoint(directory);
  if (!loaded.warning.empty()) resumed.notes.push_back(loaded.warning);
  resumed.checkpoint = std::move(loaded.checkpoint);
  auto& options = resumed.options = parse_config(resumed.checkpoint.config, loaded.file.string());
  options.output.directory = directory.string();
  const auto allowed = resumable_keys();
  for (const auto& setting : request.resume_settings) {
    const auto key = setting.substr(0, setting.find('='));
    if (std::find(allowed.begin(), allowed.end(), key) == allowed.end())
      throw UsageError(
          fmt::format("--resume cannot change {}: it would no longer be the same run; it can change {}", key,
                      fmt::join(allowed, ", ")));
    apply_setting(options, setting);
  }
  if (const double time = resumed.checkpoint.snapshot.time; options.time.t_end < time)
    throw UsageError(
        fmt::format("time.t_end = {} lies before the checkpoint's time {}", options.time.t_end, time));
  return resumed;
}

}  // namespace pleiad::run
