/// The table of `pleiad plot evolution`: radii, core and binaries of a star cluster from cluster.csv of a
/// run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/csv_rows.hpp"
#include "io/durable/paths.hpp"
#include "live/timeline.hpp"
#include "plot.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
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

/// The columns that are drawn.
profiles::Columns columns_in(const fs::path& file) {
  auto columns = empty_columns();
  std::vector<std::string_view> names;
  for (const auto& column : columns.all) names.push_back(column.name);
  for_csv_rows(file, names, [&](const CsvRow& row) {
    for (std::size_t k = 0; k < names.size(); ++k) columns.all[k].values.push_back(row.number(k));
  });
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
