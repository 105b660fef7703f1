#include "run/names.hpp"

#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"

#include <array>
#include <string_view>
#include <system_error>

namespace pleiad::run {
namespace {

namespace fs = std::filesystem;

/// Every file that a run may write under a fixed name.
constexpr std::array<std::string_view, 22> fixed_names{"config.toml",        "summary.json",
                                                       "diagnostics.txt",    "trajectory.csv",
                                                       "accuracy.txt",       "energy.gp",
                                                       "energy.png",         "energy.svg",
                                                       "radii.gp",           "radii.png",
                                                       "radii.svg",          "movie.mp4",
                                                       "ensemble.csv",       "ensemble.json",
                                                       "ensemble_times.csv", "ensemble.gp",
                                                       "ensemble.png",       "ensemble.svg",
                                                       "checkpoint.pleiad",  "checkpoint.prev.pleiad",
                                                       "pleiad.param",       "snapshots/pleiad.param"};

struct Series {
  const char *folder, *prefix, *ending;
};
constexpr std::array<Series, 5> series{{{"snapshots", "snapshot_", ""},
                                        {"snapshots", "member_", ""},
                                        {"pictures", "frame_", ""},
                                        {".", "final_states.", ""},
                                        {".", "checkpoint.", ".pleiad"}}};

/// The final name of a file that a killed process was writing under a temporary one; for any other file its
/// own name.
std::string final_name(const std::string& name) {
  constexpr std::string_view mark = ".tmp.";
  const auto at = name.rfind(mark);
  const bool temporary =
      at != name.npos && name.find_first_not_of("0123456789", at + mark.size()) == name.npos;
  return temporary ? name.substr(0, at) : name;
}

bool is_real_folder(const fs::path& folder) {
  std::error_code unknown;
  return fs::is_directory(fs::symlink_status(folder, unknown));
}

}  // namespace

std::vector<std::string> strangers_in(const fs::path& directory, const Manifest& manifest) {
  std::vector<std::string> found;
  for (const auto name : fixed_names)
    if (const std::string file(name); !manifest.has(file) && has_entry(directory / file))
      found.push_back(file);
  for (const auto& [folder, prefix, ending] : series) {
    std::error_code error;
    for (fs::directory_iterator entry(directory / folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const auto name = entry->path().filename().string();
      const auto file = (fs::path(folder) / name).lexically_normal().string();
      if (name.starts_with(prefix) && final_name(name).ends_with(ending) && !manifest.has(final_name(file)))
        found.push_back(file);
    }
  }
  return found;
}

void remove_temporaries(const fs::path& directory) {
  constexpr std::array<std::string_view, 13> ours{
      "ensemble",     "final_states",    "member_",   "checkpoint.", "config.toml",
      "summary.json", "diagnostics.txt", "snapshot_", "frame_",      "pleiad.param",
      "energy.",      "radii.",          "movie.mp4"};
  for (const char* folder : {".", "snapshots", "pictures"})
    if (is_real_folder(directory / folder)) remove_leftovers(directory / folder, ours);
}

}  // namespace pleiad::run
