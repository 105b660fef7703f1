#include "live/timeline.hpp"

#include "io/config/config.hpp"
#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"
#include "io/files/comoving.hpp"
#include "io/files/wanted.hpp"
#include "live/recorded.hpp"
#include "live/recording.hpp"
#include "run/branch.hpp"
#include "run/manifest.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace pleiad::live {
namespace {

namespace fs = std::filesystem;

/// The name of a folder or file, whatever its path ends with.
std::string title_of(const fs::path& path) {
  const auto whole = absolute_path(path);
  return whole.has_filename() ? whole.filename().string() : whole.parent_path().filename().string();
}

void describe(Setting& setting, const Snapshot& snapshot) {
  setting.bodies = snapshot.bodies.size();
  setting.boundary = snapshot.boundary;
  setting.units = snapshot.units;
  setting.files = true;
}

Timeline film_of_one(const fs::path& path, Snapshot snapshot) {
  Timeline timeline;
  timeline.setting.title = title_of(path);
  timeline.setting.list = {{snapshot.time, path.filename().string()}};
  describe(timeline.setting, snapshot);
  timeline.read = [snapshot = std::move(snapshot)](std::size_t) { return snapshot; };
  return timeline;
}

double number_in(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Takes what the configuration of a run says, if it can be read.
void take_config(Setting& setting, const fs::path& config) {
  if (!has_entry(config)) return;
  try {
    const auto gravity = read_config(config.string()).gravity;
    setting.softening = gravity.softening;
    setting.follow = !gravity.potentials.empty() && gravity.boundary != "periodic";
  } catch (const Error&) {
    // The bodies are shown without it.
  }
}

Timeline film_of_run(const fs::path& directory) {
  Timeline timeline;
  std::vector<fs::path> files;
  std::vector<std::pair<double, std::string>> found;
  const auto manifest = run::Manifest::read(directory);
  for (const auto& [name, time] : manifest.files())
    if (name.starts_with("snapshots/") && !time.empty() && has_entry(directory / name))
      found.emplace_back(number_in(time), name);
  std::ranges::sort(found);
  for (const auto& [time, name] : found) {
    timeline.setting.list.push_back({time, fs::path(name).filename().string()});
    files.push_back(directory / name);
  }
  if (files.empty()) timeline = film_of_one(directory, load_checkpoint(directory).checkpoint.snapshot);
  timeline.setting.title = title_of(directory);
  take_config(timeline.setting, directory / "config.toml");
  if (const auto table = directory / "diagnostics.txt"; has_entry(table))
    timeline.rows = rows_in(read_file(table));
  if (files.empty()) {
    timeline.read_comoving = [directory](std::size_t) {
      return run::content_of_run(directory, files::Wanted());
    };
    return timeline;
  }
  timeline.read_comoving = [files](std::size_t k) { return files::read_comoving(files.at(k)); };
  describe(timeline.setting, read_snapshot(files.front()).snapshot);
  timeline.read = [files = std::move(files)](std::size_t k) { return read_snapshot(files.at(k)).snapshot; };
  return timeline;
}

/// Pipes are not read, because that might block.
std::string start_of(const fs::path& file) {
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown))
    throw InputError(fmt::format("cannot read '{}': it is not a regular file", file.string()));
  std::string start(64, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(in.gcount()));
  return start;
}

}  // namespace

std::vector<Diagnostics> rows_in(const std::string& table) {
  constexpr std::size_t columns = 21;
  std::vector<Diagnostics> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    std::array<double, columns> v{};
    std::istringstream words(line);
    std::size_t count = 0;
    for (std::string word; count < columns && words >> word;) v[count++] = number_in(word);
    if (count < columns) continue;
    Diagnostics row;
    row.time = v[0];
    row.step = v[1] >= 0 && v[1] < 1e18 ? static_cast<std::uint64_t>(v[1]) : 0;
    row.energies = {v[2], v[3]};
    row.energy_error = v[5];
    row.momentum = {v[6], v[7], v[8]}, row.angular_momentum = {v[9], v[10], v[11]};
    row.centre.position = {v[12], v[13], v[14]};
    row.virial_ratio = v[15];
    for (std::size_t k = 0; k < row.lagrangian_radii.size(); ++k) row.lagrangian_radii[k] = v[16 + k];
    rows.push_back(row);
  }
  return rows;
}

Timeline timeline_of(const fs::path& path) {
  if (!path_exists(path))
    throw UsageError(
        fmt::format("'{}' does not exist: name the directory of a run, a snapshot, a checkpoint or a "
                    "recording",
                    path.string()),
        Error::Code::missing_file);
  if (is_input_folder(path)) return film_of_run(path);
  const auto start = start_of(path);
  if (RecordReader::is_recording(start)) return recorded_film(path);
  if (path.extension() == ".pleiad")
    return film_of_one(path, decode(read_file(path), "'" + path.string() + "'").snapshot);
  return film_of_one(path, read_snapshot(path).snapshot);
}

}  // namespace pleiad::live
