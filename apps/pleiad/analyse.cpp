/// `pleiad analyse`: power spectra, groups by friends of friends, and the binaries and the shells of a star
/// cluster.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "core/print.hpp"
#include "core/text.hpp"
#include "input_snapshot.hpp"
#include "io/durable/durable.hpp"
#include "numbers.hpp"
#include "plot.hpp"
#include "render/profile_plot.hpp"
#include "structure/measures.hpp"
#include "types_option.hpp"

#include <pleiad/error.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

namespace fs = std::filesystem;

struct AnalyseArguments {
  std::string kind, path, output, units;
  std::vector<std::string> types;
  std::optional<double> time, box, fraction, distance, overdensity, density;
  std::size_t grid = 0, folds = 0, least = 0;  ///< 0: by default
};

/// Options of one kind are refused with the others.
void refuse_others(const AnalyseArguments& a) {
  const auto refuse = [&](bool given, std::string_view option, std::string_view of) {
    if (given && a.kind != of)
      throw UsageError(fmt::format("pleiad analyse {}: {} is for {}", a.kind, option, of));
  };
  refuse(a.fraction.has_value(), "--linking-length", "groups");
  refuse(a.distance.has_value(), "--linking-distance", "groups");
  refuse(a.least > 0, "--min-members", "groups");
  refuse(a.overdensity.has_value(), "--overdensity", "groups");
  refuse(a.density.has_value(), "--density", "groups");
  refuse(a.grid > 0, "--grid", "power");
  refuse(a.folds > 0, "--folds", "power");
}

/// A table with its comments, "key: value".
struct Analysis {
  profiles::Columns columns;
  std::vector<std::string> comments;
};

std::string csv_of(const Analysis& analysis) {
  std::string text;
  for (const auto& comment : analysis.comments) text += "# " + one_line(comment) + "\n";
  text += profiles::names_of(analysis.columns) + "\n";
  for (std::size_t row = 0; row < analysis.columns.rows(); ++row)
    text += profiles::row_of(analysis.columns, row) + "\n";
  return text;
}

Analysis power_of(const AnalyseArguments& a, const Snapshot& s, const std::vector<std::size_t>& chosen) {
  const auto spectrum =
      structure::power_spectrum(s.bodies, chosen, s.boundary, {.grid = a.grid, .folds = a.folds});
  Analysis analysis{structure::table_of(spectrum),
                    {fmt::format("grid: {}", spectrum.grid),
                     "power: mean of V |delta_k|^2, shot noise not subtracted, divided by the window",
                     "modes: wave vectors, of each two opposite ones one"}};
  if (s.units.physical)
    analysis.comments.push_back(fmt::format("columns: k in 1 / ({0}), power and shot_noise in ({0})^3",
                                            profiles::unit_of(profiles::Quantity::length, s.units)));
  return analysis;
}

Analysis groups_of(const structure::FoundGroups& found, const Snapshot& s) {
  Analysis analysis{structure::table_of(found),
                    {fmt::format("linking_length: {}", found.facts.linking_length),
                     fmt::format("min_members: {}", found.facts.least)}};
  for (const auto& [name, density] : found.facts.densities)
    analysis.comments.push_back(fmt::format("{}: mean density within {}_radius: {}", name,
                                            name == "Density" ? "density" : "sphere", density));
  if (const auto columns = profiles::units_of(analysis.columns, s.units); !columns.empty())
    analysis.comments.push_back("columns: " + columns);
  return analysis;
}

/// The bound systems or the shells of a cluster, with the core in the comments of both.
Analysis cluster_of(const AnalyseArguments& a, const Snapshot& s, const std::vector<std::size_t>& chosen) {
  const auto systems = structure::find_systems(s, chosen);
  const auto c = structure::measure_cluster(s, systems);
  Analysis analysis{a.kind == "binaries" ? structure::table_of(systems, c, s.bodies) : structure::table_of(c),
                    {}};
  for (const auto& [name, value] : structure::notes_of(c)) analysis.comments.push_back(name + ": " + value);
  if (s.units.physical)
    analysis.comments.push_back(
        fmt::format("relaxation time in words: {}", time_in_words(c.relaxation_time, s.units)));
  if (const auto columns = profiles::units_of(analysis.columns, s.units); !columns.empty())
    analysis.comments.push_back("columns: " + columns);
  return analysis;
}

/// Why there is nothing to draw.
std::string_view nothing_of(std::string_view kind) {
  return kind == "groups" ? "there are no groups" : "there are no bound systems";
}

void analyse(const AnalyseArguments& a) {
  refuse_others(a);
  fs::path beside = a.path;
  if (!beside.has_filename()) beside = beside.parent_path();
  const bool catalogue = a.kind == "groups" && a.output.ends_with(".hdf5");
  const auto files = catalogue ? PlotFiles{"", a.output} : plot_files(a.output, beside, a.kind);
  Claims claims;
  files.claim(claims);
  if (!files.picture.empty()) need_place_of_script(files.picture);
  auto [snapshot, name, eps] = input_snapshot(a.path, a.time, a.units, claims);
  if (a.box) snapshot.boundary = {.periodic = *a.box > 0, .length = {*a.box, *a.box, *a.box}};
  const auto types = types_in(a.types);
  const auto chosen = structure::bodies_of(snapshot.bodies, types);
  const auto made_by = fmt::format("pleiad analyse {} {}", a.kind, a.path);

  Analysis analysis;
  if (a.kind == "groups") {
    auto found = structure::find_groups(snapshot, chosen,
                                        {.fraction = a.fraction,
                                         .distance = a.distance,
                                         .least = a.least > 0 ? a.least : 20,
                                         .overdensity = a.overdensity,
                                         .density = a.density});
    if (catalogue) {
      found.facts.provenance = made_by;
      structure::write_catalogue(files.table, found.groups, found.properties, snapshot, found.facts);
      print_out("{} groups, {} of {} bodies in them\n{}\n", found.groups.size(), found.groups.members.size(),
                chosen.size(), files.table.string());
      return;
    }
    analysis = groups_of(found, snapshot);
  } else if (a.kind == "power") {
    analysis = power_of(a, snapshot, chosen);
  } else {
    analysis = cluster_of(a, snapshot, chosen);
  }
  analysis.comments.insert(analysis.comments.begin(),
                           {"made by: " + made_by, fmt::format("time: {}", snapshot.time),
                            "units: " + snapshot.units.name, "bodies: " + type_words(types)});
  const auto text = csv_of(analysis);
  if (files.table == "-" || is_standard_output(files.table)) return write_out(text);
  write_file_atomically(files.table, text);
  print_out("{}\n", files.table.string());
  if (files.picture.empty()) return;
  PlotTable table{.file = files.table,
                  .columns = {},
                  .parts = {{.name = type_words(types), .first = 0, .rows = analysis.columns.rows()}},
                  .title = fmt::format("{}, t = {}", name, time_in_words(snapshot.time, snapshot.units)),
                  .units = snapshot.units};
  for (const auto& column : analysis.columns.all) table.columns.emplace_back(column.name);
  if (analysis.columns.rows() == 0) return print_out("no picture: {}\n", nothing_of(a.kind));
  const auto folder = files.picture.parent_path();
  std::string why;
  if (!plot_profile(a.kind, table, folder.empty() ? "." : folder, files.picture.stem().string(), why))
    throw ResourceError("no picture: " + why);
  print_out("{}\n", files.picture.string());
}

}  // namespace

void add_analyse(Command app, int&) {
  auto a = std::make_shared<AnalyseArguments>();
  auto command =
      app.add_subcommand("analyse", "Measure power spectra and star clusters, find groups and binaries");
  command.add_option("KIND", a->kind, "power, groups, cluster or binaries")
      .required()
      .one_of({"power", "groups", "cluster", "binaries"});
  command
      .add_option("PATH", a->path,
                  "A snapshot in any format, or the directory of a run, whose last snapshot is taken")
      .required();
  command.add_option(
      "-o,--output", a->output,
      "The picture, a .png file, with its table .csv and its script .gp beside it; or a .csv file, or -, for "
      "the "
      "table alone; for groups also a .hdf5 file: a catalogue in GADGET-4's layout [PATH_KIND.png]");
  command
      .add_option("--types", a->types,
                  fmt::format("Only these types, separated by commas: {} [all]", types_help))
      .delimiter(',');
  command
      .add_option("--time", a->time,
                  "Time of the snapshot of a run, in its units; the nearest is taken [the last]")
      .check(number());
  command
      .add_option("--box", a->box,
                  "Side of the periodic cube in which the bodies are; 0: open space [the snapshot's]")
      .check(number(0, 1e300));
  command
      .add_option("--grid", a->grid, "power: cells along each side, even [twice the cube root of the bodies]")
      .transform(whole_number(4, 2048));
  command.add_option("--folds", a->folds, "power: foldings of the box by four, each for smaller scales [0]")
      .transform(whole_number(0, 8));
  command
      .add_option(
          "--linking-length", a->fraction,
          "groups: largest distance of two friends, in mean distances (V / N)^(1/3) of the bodies in the "
          "box [0.2]")
      .check(number(0, 1e300, true));
  command
      .add_option("--linking-distance", a->distance, "groups: the same in the unit of length of the snapshot")
      .check(number(0, 1e300, true));
  command.add_option("--min-members", a->least, "groups: the smallest number of bodies of a group [20]")
      .transform(whole_number(1));
  command
      .add_option(
          "--overdensity", a->overdensity,
          "groups: also the sphere about each centre with this mean density, in mean densities of the box "
          "[200]")
      .check(number(0, 1e300, true));
  command
      .add_option(
          "--density", a->density,
          "groups: also the sphere with this mean density, in the units of the snapshot, such as 200 times "
          "the critical density")
      .check(number(0, 1e300, true));
  command.add_option("--units", a->units,
                     "Units of files that state none: nbody, galactic, cluster, solar, si, cgs");
  command.footer(
      "Examples:\n  pleiad analyse power box.hdf5 --folds 2\n  pleiad analyse groups box.hdf5 -o "
      "groups.hdf5\n  "
      "pleiad analyse groups clusters.hdf5 --linking-distance 0.1 -o -\n  pleiad analyse binaries "
      "cluster.hdf5\n  pleiad analyse cluster "
      "run -o shells.csv");
  command.callback([a] { analyse(*a); });
}

}  // namespace pleiad::app
