/// `pleiad plot`: profiles, rotation curves, phase space, orbits and star clusters, as a table and its plot.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "plot.hpp"

#include "commands.hpp"
#include "core/print.hpp"
#include "core/text.hpp"
#include "io/durable/durable.hpp"
#include "numbers.hpp"
#include "render/profile_plot.hpp"
#include "types_option.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::app {

namespace fs = std::filesystem;

PlotFiles plot_files(const std::string& output, fs::path beside, std::string_view kind) {
  if (output.empty()) {
    const auto picture = fmt::format("{}_{}.png", beside.replace_extension().string(), kind);
    return {picture, fs::path(picture).replace_extension(".csv")};
  }
  if (output == "-" || output.ends_with(".csv")) return {"", output};
  if (!output.ends_with(".png"))
    throw UsageError(
        fmt::format("--output '{}' must be a .png file, or a .csv file or - for the table alone", output));
  return {output, fs::path(output).replace_extension(".csv")};
}

void PlotFiles::claim(Claims& claims) const {
  claims.writes(table, "--output");
  if (picture.empty()) return;
  claims.writes(picture, "--output");
  claims.writes(fs::path(picture).replace_extension(".gp"), "the script of --output");
}

namespace {

std::string csv_of(const PlotPage& page) {
  std::string text;
  for (const auto& comment : page.comments) text += "# " + one_line(comment) + "\n";
  if (!page.part_name.empty()) text += page.part_name + ",";
  text += profiles::names_of(page.parts.front().second) + "\n";
  for (const auto& [name, columns] : page.parts)
    for (std::size_t row = 0; row < columns.rows(); ++row)
      text += (page.part_name.empty() ? "" : name + ",") + profiles::row_of(columns, row) + "\n";
  return text;
}

PlotTable table_of(const PlotPage& page, const fs::path& file) {
  PlotTable table{.file = file,
                  .columns = {},
                  .parts = {},
                  .title = page.title,
                  .units = page.units,
                  .logarithmic = page.logarithmic,
                  .longest = page.longest,
                  .flat = page.flat};
  if (!page.part_name.empty()) table.columns.push_back(page.part_name);
  for (const auto& column : page.parts.front().second.all) {
    table.columns.emplace_back(column.name);
    if (std::ranges::none_of(column.values, [](double x) { return x > 0; }))
      table.without_numbers.emplace_back(column.name);
  }
  std::size_t first = 0;
  for (const auto& [name, columns] : page.parts) {
    table.parts.push_back(
        {.name = name, .first = first, .rows = columns.rows(), .sparse = page.sparse.contains(name)});
    first += columns.rows();
  }
  return table;
}

void plot(const PlotArguments& a) {
  fs::path beside = a.paths.front();
  if (!beside.has_filename()) beside = beside.parent_path();
  const auto files = plot_files(a.output, beside, a.kind);
  Claims claims;
  files.claim(claims);
  if (!files.picture.empty()) need_place_of_script(files.picture);
  auto page = a.kind == "orbit"       ? page_of_orbits(a, claims)
              : a.kind == "evolution" ? page_of_evolution(a, claims)
                                      : page_of_bodies(a, claims);
  page.comments.insert(page.comments.begin(),
                       fmt::format("made by: pleiad plot {} {}", a.kind, fmt::join(a.paths, " ")));
  const auto text = csv_of(page);
  if (files.table == "-" || is_standard_output(files.table)) return write_out(text);
  write_file_atomically(files.table, text);
  print_out("{}\n", files.table.string());
  if (files.picture.empty()) return;
  const auto folder = files.picture.parent_path();
  std::string why;
  if (!plot_profile(a.kind, table_of(page, files.table), folder.empty() ? "." : folder,
                    files.picture.stem().string(), why))
    throw ResourceError("no picture: " + why);
  print_out("{}\n", files.picture.string());
}

}  // namespace

void add_plot(Command app, int&) {
  auto a = std::make_shared<PlotArguments>();
  auto plots = app.add_subcommand("plot",
                                  "Measure and plot a density profile, a rotation curve, velocity "
                                  "dispersions, phase space, orbits or the "
                                  "evolution of a star cluster");
  plots.add_option("KIND", a->kind, "density, rotation, dispersion, phase-space, orbit or evolution")
      .required()
      .one_of({profile_plot_kinds().begin(), profile_plot_kinds().end()});
  plots
      .add_option(
          "PATH", a->paths,
          "A snapshot in any format, or the directory of a run, whose last snapshot is taken; for orbit "
          "the directory of a run, or several snapshots; for evolution the directory of a run with "
          "output.cluster_interval")
      .required();
  plots.add_option(
      "-o,--output", a->output,
      "The picture, a .png file, with its table .csv and its script .gp beside it; or a .csv file, or "
      "-, for the table alone [PATH_KIND.png]");
  plots
      .add_option(
          "--types", a->types,
          fmt::format("Only these types, separated by commas: {} [all; for rotation disc, if there are any]",
                      types_help))
      .delimiter(',');
  plots
      .add_option("--time", a->time,
                  "Time of the snapshot of a run, in its units; the nearest is taken [the last]")
      .check(number());
  plots.add_option("--ids", a->ids, "orbit: ids of the bodies, separated by commas [all, up to 16]")
      .delimiter(',');
  plots
      .add_option(
          "--centre,--center", a->centre,
          "x,y,z [the density centre: the centre of mass of shrinking spheres, each with half the bodies "
          "of the one before, down to a tenth of all; for orbit the origin]")
      .delimiter(',')
      .expected(3)
      .check(number(-1e300, 1e300));
  plots
      .add_option(
          "--axis", a->axis,
          "x,y,z along the axis of rotation [the angular momentum of the inner half of the bodies, of the "
          "disc if there is one]")
      .delimiter(',')
      .expected(3)
      .check(number(-1e300, 1e300));
  plots
      .add_option(
          "--bins", a->bins,
          "Number of bins of radius [32; for phase-space, where it is that of velocity as well, 16 to 100]")
      .transform(whole_number(1, 10000));
  plots.add_option("--range", a->range, "LOW,HIGH: smallest and largest radius [by the bodies]")
      .delimiter(',')
      .expected(2)
      .check(number(0, 1e300));
  plots
      .add_option("--spacing", a->spacing,
                  "Spacing of the bins: log or linear [log for density and dispersion]")
      .one_of({"log", "linear"});
  plots
      .add_option(
          "--eps", a->eps,
          "rotation: softening of the forces [that of the run, or the one that the file suggests, or 0]")
      .check(number(0));
  plots.add_option("--units", a->units,
                   "Units of files that state none: nbody, galactic, cluster, solar, si, cgs");
  plots.footer(
      "Examples:\n  pleiad plot density galaxy.hdf5\n  pleiad plot rotation output --types disc --range 0,15 "
      "-o "
      "curve.png\n  pleiad plot orbit output --ids 1,2\n  pleiad plot evolution "
      "output\nThe table has the units of the snapshot, which it "
      "states; "
      "the plot has kpc, pc or au, km/s and solar masses.");
  plots.callback([a] { plot(*a); });
}

}  // namespace pleiad::app
