/// The table of `pleiad plot orbit`: paths of bodies from the trajectories or the snapshots of a run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/csv_rows.hpp"
#include "io/durable/paths.hpp"
#include "live/timeline.hpp"
#include "plot.hpp"
#include "render/sparse_path.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_orbits = 16;

/// time, x, y, z, vx, vy, vz of a body, in the order of time.
using Path = std::vector<std::array<double, 7>>;

struct Paths {
  std::map<std::uint64_t, Path> of{};
  Units units{};
  std::string from{};
};

Paths paths_in_table(const fs::path& file) {
  constexpr std::array<std::string_view, 8> columns{"id", "time", "x", "y", "z", "vx", "vy", "vz"};
  Paths paths{.from = file.filename().string()};
  for_csv_rows(file, columns, [&](const CsvRow& cells) {
    std::array<double, 7> row{};
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = cells.number(k + 1);
    paths.of[cells.whole_number(0)].push_back(row);
  });
  return paths;
}

void add_bodies(Paths& paths, const Snapshot& s, const std::vector<std::size_t>& ids,
                const std::string& file) {
  const auto& b = s.bodies;
  if (ids.empty() && b.size() > most_orbits)
    throw UsageError(
        fmt::format("'{}' has {} bodies: name those to follow, as in --ids 0,1", file, b.size()));
  for (std::size_t i = 0; i < b.size(); ++i)
    if (ids.empty() || std::ranges::find(ids, b.id[i]) != ids.end())
      paths.of[b.id[i]].push_back({s.time, b.x[i], b.y[i], b.z[i], b.vx[i], b.vy[i], b.vz[i]});
}

Paths paths_in_run(const std::string& directory, const std::vector<std::size_t>& ids) {
  const auto run = live::timeline_of(directory);
  if (const auto table = fs::path(directory) / "trajectory.csv"; has_entry(table)) {
    auto paths = paths_in_table(table);
    paths.units = run.setting.units;
    if (std::ranges::all_of(ids, [&](std::size_t id) { return paths.of.contains(id); })) return paths;
  }
  Paths paths{.units = run.setting.units, .from = fmt::format("{} snapshots", run.setting.list.size())};
  for (std::size_t k = 0; k < run.setting.list.size(); ++k)
    add_bodies(paths, run.read(k), ids, run.setting.list[k].name);
  return paths;
}

Paths paths_in_files(const PlotArguments& a, Claims& claims) {
  Paths paths{.from = fmt::format("{} snapshots", a.paths.size())};
  for (const auto& file : a.paths) {
    claims.reads(file);
    const auto content =
        read_snapshot(file, a.units.empty() ? std::nullopt : std::optional(units_named(a.units)));
    claims.reads_all(content.files);
    if (&file == &a.paths.front()) paths.units = content.snapshot.units;
    else if (content.snapshot.units != paths.units)
      throw InputError(fmt::format("'{}' has units {}, but '{}' has {}", file, content.snapshot.units.name,
                                   a.paths.front(), paths.units.name));
    add_bodies(paths, content.snapshot, a.ids, file);
  }
  for (auto& [id, path] : paths.of)
    std::ranges::stable_sort(path, {}, [](const auto& row) { return row[0]; });
  return paths;
}

profiles::Columns columns_of(const Path& path, Vec3<double> centre) {
  using Q = profiles::Quantity;
  profiles::Columns columns{{{"time", Q::time},
                             {"x", Q::length},
                             {"y", Q::length},
                             {"z", Q::length},
                             {"vx", Q::velocity},
                             {"vy", Q::velocity},
                             {"vz", Q::velocity}}};
  for (const auto& row : path)
    for (std::size_t k = 0; k < row.size(); ++k)
      columns.all[k].values.push_back(row[k] - (k == 1   ? centre.x
                                                : k == 2 ? centre.y
                                                : k == 3 ? centre.z
                                                         : 0));
  return columns;
}

}  // namespace

PlotPage page_of_orbits(const PlotArguments& a, Claims& claims) {
  if (a.bins > 0 || !a.range.empty() || !a.axis.empty() || !a.types.empty() || !a.spacing.empty() || a.eps ||
      a.time)
    throw UsageError("pleiad plot orbit takes --ids, --centre, --units and --output only");
  const bool of_run = a.paths.size() == 1 && is_input_folder(a.paths.front());
  if (of_run) claims.reads(a.paths.front());
  const auto paths = of_run ? paths_in_run(a.paths.front(), a.ids) : paths_in_files(a, claims);
  for (const auto id : a.ids)
    if (!paths.of.contains(id))
      throw UsageError(fmt::format("--ids: there is no body with id {} in {}", id, paths.from));
  const Vec3<double> centre =
      a.centre.empty() ? Vec3<double>{} : Vec3<double>{a.centre[0], a.centre[1], a.centre[2]};
  PlotPage page{.part_name = "id"};
  page.flat = true;
  std::size_t rows = 0;
  for (const auto& [id, path] : paths.of) {
    if (!a.ids.empty() && std::ranges::find(a.ids, id) == a.ids.end()) continue;
    page.parts.emplace_back(fmt::format("{}", id), columns_of(path, centre));
    std::vector<Vec3<double>> places;
    for (const auto& row : path) {
      page.flat &= row[3] == 0, page.longest = std::max(page.longest, std::abs(row[0]));
      places.push_back({row[1], row[2], row[3]});
    }
    if (render_detail::sparse_path(places)) page.sparse.insert(fmt::format("{}", id));
    rows = std::max(rows, path.size());
  }
  if (rows < 2)
    throw InputError(
        fmt::format("{} has one time only: an orbit needs two, such as those of a run with "
                    "output.trajectory_ids or output.snapshot_interval",
                    paths.from));
  page.units = paths.units;
  auto name = fs::path(a.paths.front()).filename().string();
  page.title = fmt::format("{}: {}", name.empty() ? a.paths.front() : name, paths.from);
  page.comments = {"units: " + paths.units.name,
                   fmt::format("centre: {},{},{}", centre.x, centre.y, centre.z)};
  if (const auto columns = profiles::units_of(page.parts.front().second, paths.units); !columns.empty())
    page.comments.push_back("columns: " + columns);
  return page;
}

}  // namespace pleiad::app
