/// The table of `pleiad plot evolution`: radii, core and binaries of a star cluster from cluster.csv of a
/// run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"
#include "live/timeline.hpp"
#include "plot.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

namespace fs = std::filesystem;

profiles::Columns empty_columns() {
  using Q = profiles::Quantity;
  return {{{"time", Q::time},
           {"stars"},
           {"binaries"},
           {"hierarchies"},
           {"core_radius", Q::length},
           {"core_density", Q::density},
           {"half_mass_radius", Q::length},
           {"radius_1", Q::length},
           {"radius_2", Q::length},
           {"radius_5", Q::length},
           {"radius_10", Q::length},
           {"radius_20", Q::length},
           {"radius_30", Q::length},
           {"radius_50", Q::length},
           {"radius_70", Q::length},
           {"radius_90", Q::length}}};
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line)
    if (c == ',') cells.emplace_back();
    else if (c != '\r') cells.back() += c;
  return cells;
}

/// The columns that are drawn, by their names in the first line.
profiles::Columns columns_in(const fs::path& file) {
  auto columns = empty_columns();
  std::istringstream in(read_file(file));
  std::vector<std::string> names;
  std::vector<std::size_t> places;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const auto cells = cells_of(line);
    if (names.empty()) {
      names = cells;
      for (const auto& column : columns.all) {
        const auto at = std::ranges::find(names, column.name);
        if (at == names.end())
          throw InputError(fmt::format("{} has no column '{}'", file.string(), column.name));
        places.push_back(static_cast<std::size_t>(at - names.begin()));
      }
      continue;
    }
    const auto refuse = [&](std::string_view why) {
      throw InputError(fmt::format("{}: line {} {}", file.string(), number, why));
    };
    if (cells.size() != names.size())
      refuse(fmt::format("has {} cells, the first line {} names", cells.size(), names.size()));
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto& cell = cells[places[k]];
      double value = 0;
      const auto* const end = cell.data() + cell.size();
      if (const auto [next, error] = std::from_chars(cell.data(), end, value);
          error != std::errc{} || next != end)
        refuse(fmt::format("has '{}' as {}, which is no number", cell, columns.all[k].name));
      columns.all[k].values.push_back(value);
    }
  }
  return columns;
}

}  // namespace

PlotPage page_of_evolution(const PlotArguments& a, Claims& claims) {
  if (a.bins > 0 || !a.range.empty() || !a.axis.empty() || !a.types.empty() || !a.spacing.empty() || a.eps ||
      a.time || !a.ids.empty() || !a.centre.empty() || !a.units.empty())
    throw UsageError("pleiad plot evolution takes --output only");
  if (a.paths.size() != 1 || !is_input_folder(a.paths.front()))
    throw UsageError("pleiad plot evolution takes the directory of one run, with output.cluster_interval");
  const fs::path run = a.paths.front(), table = run / "cluster.csv";
  if (!has_entry(table))
    throw InputError(fmt::format("'{}' has no cluster.csv, which a run writes with output.cluster_interval",
                                 run.string()));
  claims.reads(run);
  PlotPage page;
  page.parts.emplace_back("", columns_in(table));
  const auto& columns = page.parts.front().second;
  if (columns.rows() < 2)
    throw InputError(fmt::format("{} has {} of the two times that a plot needs", table.string(),
                                 columns.rows() == 0 ? "none" : "one"));
  page.longest = std::ranges::max(columns["time"]);
  page.units = live::timeline_of(run).setting.units;
  page.title =
      fmt::format("{}: {} stars",
                  run.filename().empty() ? run.parent_path().filename().string() : run.filename().string(),
                  columns["stars"].front());
  page.comments = {"units: " + page.units.name};
  if (const auto units = profiles::units_of(columns, page.units); !units.empty())
    page.comments.push_back("columns: " + units);
  return page;
}

}  // namespace pleiad::app
