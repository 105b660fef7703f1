#include "run/names.hpp"

#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"
#include "run/analysis.hpp"

#include <array>
#include <map>
#include <string_view>
#include <system_error>

namespace pleiad::run {
namespace {

namespace fs = std::filesystem;

/// Every file that a run may write, but those of its analyses; * stands for anything.
constexpr std::array<std::string_view, 14> other_names{
    "config.toml",  "summary.json",       "ensemble.csv",   "ensemble.json",      "ensemble_times.csv",
    "ensemble.gp",  "ensemble.png",       "ensemble.svg",   "checkpoint.pleiad",  "checkpoint.prev.pleiad",
    "pleiad.param", "snapshots/member_*", "final_states.*", "checkpoint.*.pleiad"};

struct Name {
  fs::path folder;
  std::string prefix, ending;
  bool series;  ///< else the prefix is all of it
  explicit Name(std::string_view name) : series(name.find('*') != name.npos) {
    const fs::path start(name.substr(0, name.find('*')));
    folder = start.has_parent_path() ? start.parent_path() : ".", prefix = start.filename().string();
    if (series) ending = name.substr(name.find('*') + 1);
  }
};

std::vector<Name> all_names() {
  std::vector<Name> names(other_names.begin(), other_names.end());
  for (const auto* analysis : analyses()) {
    if (!analysis->table.empty()) names.emplace_back(analysis->table);
    for (const auto file : analysis->files) names.emplace_back(file);
  }
  return names;
}

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
  std::vector<std::string> found, in_series;
  for (const auto& name : all_names()) {
    const auto file = (name.folder / name.prefix).lexically_normal().string();
    if (!name.series && !manifest.has(file) && has_entry(directory / file)) found.push_back(file);
    if (!name.series) continue;
    std::error_code error;
    for (fs::directory_iterator entry(directory / name.folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const auto here = entry->path().filename().string();
      const auto member = (name.folder / here).lexically_normal().string();
      if (here.starts_with(name.prefix) && final_name(here).ends_with(name.ending) &&
          !manifest.has(final_name(member)))
        in_series.push_back(member);
    }
  }
  found.insert(found.end(), in_series.begin(), in_series.end());
  return found;
}

void remove_temporaries(const fs::path& directory) {
  const auto names = all_names();
  std::map<fs::path, std::vector<std::string_view>> prefixes;
  for (const auto& name : names) prefixes[name.folder].push_back(name.prefix);
  for (const auto& [folder, ours] : prefixes)
    if (is_real_folder(directory / folder)) remove_leftovers(directory / folder, ours);
}

}  // namespace pleiad::run
