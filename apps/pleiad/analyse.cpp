/// `pleiad analyse`: power spectra, groups by friends of friends, their mass function and their links from
/// time to time, and the binaries and the shells of a star cluster. Comoving bodies are measured in comoving
/// units.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "core/print.hpp"
#include "core/text.hpp"
#include "input_snapshot.hpp"
#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"
#include "numbers.hpp"
#include "plot.hpp"
#include "render/profile_plot.hpp"
#include "structure/links.hpp"
#include "structure/measures.hpp"
#include "types_option.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

namespace fs = std::filesystem;

struct AnalyseArguments {
  std::string kind, path, output, units, mass;
  std::vector<std::string> types;
  std::optional<double> time, redshift, box, fraction, distance, overdensity, density;
  std::size_t grid = 0, folds = 0, least = 0, bins = 0;  ///< 0: by default
  bool finds_groups() const { return kind == "groups" || kind == "mass-function"; }
};

/// Options of one kind are refused with the others.
void refuse_others(const AnalyseArguments& a) {
  const auto refuse = [&](bool given, std::string_view option, std::string_view of) {
    if (given && a.kind != of && !(of == "groups" && a.finds_groups()))
      throw UsageError(fmt::format("pleiad analyse {}: {} is for {}", a.kind, option, of));
  };
  refuse(a.fraction.has_value(), "--linking-length", "groups");
  refuse(a.distance.has_value(), "--linking-distance", "groups");
  refuse(a.least > 0, "--min-members", "groups");
  refuse(a.overdensity.has_value(), "--overdensity", "groups");
  refuse(a.density.has_value(), "--density", "groups");
  refuse(a.grid > 0, "--grid", "power");
  refuse(a.folds > 0, "--folds", "power");
  refuse(!a.mass.empty(), "--mass", "mass-function");
  refuse(a.bins > 0, "--bins", "mass-function");
}

/// A table with its comments, "key: value".
struct Analysis {
  profiles::Columns columns;
  std::vector<std::string> comments;
  std::optional<FieldUnits> shown{};  ///< in the plot; by default those of the snapshot
};

/// The bodies that are measured.
struct Measured {
  const Snapshot& snapshot;
  const std::vector<std::size_t>& chosen;
  const std::optional<structure::Comoving>& comoving;
};

/// Comoving bodies in megaparsecs and solar masses per h.
std::optional<FieldUnits> comoving_units(const Measured& m) {
  const auto megaparsec = structure::megaparsec_in(m.snapshot.units);
  if (!m.comoving || !megaparsec) return std::nullopt;
  const auto usual = field_units_of(m.snapshot.units);
  return FieldUnits{1 / *megaparsec, usual.velocity, usual.mass, "Mpc/h", usual.velocity_name, "Msun/h"};
}

std::string csv_of(const Analysis& analysis) {
  std::string text;
  for (const auto& comment : analysis.comments) text += "# " + one_line(comment) + "\n";
  text += profiles::names_of(analysis.columns) + "\n";
  for (std::size_t row = 0; row < analysis.columns.rows(); ++row)
    text += profiles::row_of(analysis.columns, row) + "\n";
  return text;
}

Analysis power_of(const AnalyseArguments& a, const Measured& m) {
  const auto& s = m.snapshot;
  const auto spectrum =
      structure::power_spectrum(s.bodies, m.chosen, s.boundary, {.grid = a.grid, .folds = a.folds});
  const auto shown = comoving_units(m);
  const auto megaparsec = m.comoving ? structure::megaparsec_in(s.units) : std::nullopt;
  Analysis analysis{structure::table_of(spectrum, megaparsec.value_or(1)),
                    {fmt::format("grid: {}", spectrum.grid),
                     "power: mean of V |delta_k|^2, shot noise not subtracted, divided by the window",
                     "modes: wave vectors, of each two opposite ones one"}};
  if (shown) {
    analysis.comments.emplace_back("columns: k in h/Mpc, power and shot_noise in (Mpc/h)^3");
    analysis.shown = FieldUnits{1, 1, 1, shown->length_name, shown->velocity_name, shown->mass_name};
  } else if (s.units.physical) {
    analysis.comments.push_back(fmt::format("columns: k in 1 / ({0}), power and shot_noise in ({0})^3",
                                            profiles::unit_of(profiles::Quantity::length, s.units)));
  }
  return analysis;
}

structure::FoundGroups groups_in(const AnalyseArguments& a, const Measured& m) {
  return structure::find_groups(m.snapshot, m.chosen,
                                {.fraction = a.fraction,
                                 .distance = a.distance,
                                 .least = a.least > 0 ? a.least : 20,
                                 .overdensity = a.overdensity,
                                 .density = a.density,
                                 .comoving = m.comoving});
}

std::vector<std::string> words_of(const structure::CatalogueFacts& facts) {
  std::vector<std::string> words{fmt::format("linking_length: {}", facts.linking_length),
                                 fmt::format("min_members: {}", facts.least)};
  for (const auto& named : facts.densities)
    words.push_back(fmt::format("{}: mean density within {}: {}", named.name, named.radius, named.density));
  return words;
}

Analysis groups_of(const structure::FoundGroups& found, const Measured& m) {
  Analysis analysis{structure::table_of(found), words_of(found.facts), comoving_units(m)};
  if (const auto columns = profiles::units_of(analysis.columns, m.snapshot.units, m.comoving.has_value());
      !columns.empty())
    analysis.comments.push_back("columns: " + columns);
  return analysis;
}

/// Groups by mass. Of comoving bodies in units with a physical scale: in Msun/h and (h/Mpc)^3.
Analysis mass_function_of(const AnalyseArguments& a, const Measured& m) {
  const auto& s = m.snapshot;
  if (!s.boundary.periodic)
    throw UsageError(
        "a mass function is per volume, of a periodic box: --box says that the bodies are in one");
  const auto found = groups_in(a, m);
  const auto shown = comoving_units(m);
  const std::string which = !a.mass.empty() ? a.mass : "members";
  auto masses = structure::masses_of(found, which);
  const double mass = shown ? shown->mass : 1, length = shown ? shown->length : 1;
  for (double& value : masses) value *= mass;
  const auto& l = s.boundary.length;
  const auto bins =
      structure::mass_function(masses, l.x * l.y * l.z * length * length * length, a.bins > 0 ? a.bins : 5);
  Analysis analysis{structure::table_of(bins), words_of(found.facts)};
  analysis.comments.push_back(fmt::format("mass: {}, of {} groups", which, masses.size()));
  analysis.comments.emplace_back(
      "dn_dlogm: groups per volume and decade of mass, with the error of their number; "
      "above: groups per volume of at least mass_low");
  if (shown) {
    analysis.comments.emplace_back("columns: masses in Msun/h, dn_dlogm, error and above in (h/Mpc)^3");
    analysis.shown = FieldUnits{1, 1, 1, shown->length_name, shown->velocity_name, shown->mass_name};
  } else if (s.units.physical) {
    analysis.comments.push_back(fmt::format("columns: masses in {}, dn_dlogm, error and above in 1 / ({})^3",
                                            profiles::unit_of(profiles::Quantity::mass, s.units),
                                            profiles::unit_of(profiles::Quantity::length, s.units)));
  }
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
  return kind == "groups" || kind == "mass-function" ? "there are no groups"
         : kind == "cluster"                         ? "no shell has two objects"
                                                     : "there are no bound systems";
}

/// The catalogues of a run with output.groups, or of a folder, in order of time.
std::vector<structure::GroupMembers> catalogues_in(const std::string& path, Claims& claims) {
  std::error_code unknown;
  const fs::path own = fs::path(path) / "groups",
                 folder = fs::is_directory(own, unknown) ? own : fs::path(path);
  std::vector<fs::path> files;
  if (fs::is_directory(folder, unknown))
    for (const fs::path& entry : entries_of(folder))
      if (entry.extension() == ".hdf5") files.push_back(entry);
  if (files.size() < 2)
    throw UsageError(fmt::format(
        "pleiad analyse links: '{}' has {} catalogues of groups; links are between two or more: name the "
        "directory of a run with output.groups = true, or a folder of files of pleiad analyse groups -o "
        "FILE.hdf5",
        path, files.size()));
  std::ranges::sort(files);
  std::vector<structure::GroupMembers> catalogues;
  for (const auto& file : files)
    claims.reads(file.string()), catalogues.push_back(structure::read_members(file));
  std::ranges::stable_sort(catalogues, {}, &structure::GroupMembers::time);
  for (std::size_t k = 1; k < catalogues.size(); ++k)
    if (catalogues[k].time == catalogues[k - 1].time)
      throw UsageError(
          fmt::format("pleiad analyse links: two catalogues of '{}' are of one time, {}; links are from "
                      "time to time",
                      path, catalogues[k].time));
  return catalogues;
}

void analyse_links(const AnalyseArguments& a) {
  for (const auto& [given, option] : {std::pair{a.time || a.redshift, "--time or --redshift"},
                                      {a.box.has_value(), "--box"},
                                      {!a.types.empty(), "--types"},
                                      {!a.units.empty(), "--units"}})
    if (given)
      throw UsageError(fmt::format(
          "pleiad analyse links: {} is not for links, which are of the members of catalogues", option));
  fs::path beside = a.path;
  if (!beside.has_filename()) beside = beside.parent_path();
  const auto [picture, table] =
      plot_files(a.output.empty() ? beside.string() + "_links.csv" : a.output, beside, a.kind);
  if (!picture.empty())
    throw UsageError("pleiad analyse links: there is no picture of links; name a .csv file, or -");
  Claims claims;
  claims.writes(table.string(), "--output");
  const auto catalogues = catalogues_in(a.path, claims);
  const auto text = fmt::format(
      "# made by: pleiad analyse links {}\n"
      "# shared: members of both groups, each of weight 1; descendant: 1 where no other "
      "later group has more of the earlier one\n"
      "# main_progenitor: 1 where no other earlier group has more of the later one; of equal "
      "ones the smaller id counts\n{}",
      one_line(a.path), structure::table_of_links(catalogues));
  if (table == "-" || is_standard_output(table)) return write_out(text);
  write_file_atomically(table, text);
  print_out("{} catalogues\n{}\n", catalogues.size(), table.string());
}

void analyse(const AnalyseArguments& a) {
  refuse_others(a);
  if (a.kind == "links") return analyse_links(a);
  fs::path beside = a.path;
  if (!beside.has_filename()) beside = beside.parent_path();
  const bool catalogue = a.kind == "groups" && a.output.ends_with(".hdf5");
  const auto files = catalogue ? PlotFiles{"", a.output} : plot_files(a.output, beside, a.kind);
  Claims claims;
  files.claim(claims);
  if (!files.picture.empty()) need_place_of_script(files.picture);
  const bool star_cluster = a.kind == "cluster" || a.kind == "binaries";
  if (star_cluster && a.redshift)
    throw UsageError(
        fmt::format("pleiad analyse {}: --redshift is for power, groups and mass-function", a.kind));
  auto [snapshot, name, eps, universe] =
      star_cluster ? input_snapshot(a.path, a.time, a.units, claims)
                   : comoving_snapshot(a.path, {a.time, a.redshift}, a.units, claims);
  if (a.box) snapshot.boundary = {.periodic = *a.box > 0, .length = {*a.box, *a.box, *a.box}};
  const auto types = types_in(a.types);
  const auto chosen = structure::bodies_of(snapshot.bodies, types);
  const auto comoving = structure::comoving_of(snapshot, universe);
  const Measured measured{snapshot, chosen, comoving};
  const auto made_by = fmt::format("pleiad analyse {} {}", a.kind, a.path);

  Analysis analysis;
  if (a.kind == "groups") {
    auto found = groups_in(a, measured);
    if (catalogue) {
      found.facts.provenance = made_by;
      structure::write_catalogue(files.table, found.groups, found.properties, snapshot, found.facts);
      print_out("{} groups, {} of {} bodies in them\n{}\n", found.groups.size(), found.groups.members.size(),
                chosen.size(), files.table.string());
      return;
    }
    analysis = groups_of(found, measured);
  } else if (a.kind == "mass-function") {
    analysis = mass_function_of(a, measured);
  } else if (a.kind == "power") {
    analysis = power_of(a, measured);
  } else {
    analysis = cluster_of(a, snapshot, chosen);
  }
  std::vector<std::string> first{"made by: " + made_by};
  if (comoving) std::ranges::copy(structure::words_of(*comoving), std::back_inserter(first));
  else first.push_back(fmt::format("time: {}", snapshot.time));
  first.push_back("units: " + snapshot.units.name +
                  (comoving ? ", lengths comoving and per h, masses per h" : ""));
  first.push_back("bodies: " + type_words(types));
  analysis.comments.insert(analysis.comments.begin(), first.begin(), first.end());
  const auto text = csv_of(analysis);
  if (files.table == "-" || is_standard_output(files.table)) return write_out(text);
  write_file_atomically(files.table, text);
  print_out("{}\n", files.table.string());
  if (files.picture.empty()) return;
  const auto when = comoving ? fmt::format("z = {:.4g}", cosmology::redshift_of(comoving->a))
                             : fmt::format("t = {}", time_in_words(snapshot.time, snapshot.units));
  PlotTable table{.file = files.table,
                  .columns = {},
                  .parts = {{.name = type_words(types), .first = 0, .rows = analysis.columns.rows()}},
                  .title = fmt::format("{}, {}", name, when),
                  .units = snapshot.units,
                  .shown = analysis.shown};
  for (const auto& column : analysis.columns.all) table.columns.emplace_back(column.name);
  const bool none = analysis.columns.rows() == 0 ||
                    (a.kind == "cluster" && std::ranges::none_of(analysis.columns["radial_dispersion"],
                                                                 [](double v) { return v > 0; }));
  if (none) return print_out("no picture: {}\n", nothing_of(a.kind));
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
  command.add_option("KIND", a->kind, "power, groups, mass-function, links, cluster or binaries")
      .required()
      .one_of({"power", "groups", "mass-function", "links", "cluster", "binaries"});
  command
      .add_option(
          "PATH", a->path,
          "A snapshot in any format, or the directory of a run, whose last snapshot is taken; for links "
          "that of a run with output.groups, or a folder of catalogues")
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
  command.add_option("--redshift", a->redshift, "The same by redshift, of a run in comoving coordinates")
      .check(number(-1, 1e300, true));
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
  command.add_option(
      "--mass", a->mass,
      "mass-function: members, or a column mass_NAME or NAME_mass of groups, such as 200c, vir "
      "or sphere [members]");
  command.add_option("--bins", a->bins, "mass-function: bins in each decade of mass [5]")
      .transform(whole_number(1, 100));
  command.add_option("--units", a->units,
                     "Units of files that state none: nbody, galactic, cluster, solar, si, cgs");
  command.footer(
      "Examples:\n  pleiad analyse power box.hdf5 --folds 2\n  pleiad analyse groups box.hdf5 -o "
      "groups.hdf5\n  pleiad analyse mass-function run --redshift 1\n  "
      "pleiad analyse links run -o links.csv\n  "
      "pleiad analyse groups clusters.hdf5 --linking-distance 0.1 -o -\n  pleiad analyse binaries "
      "cluster.hdf5\n  pleiad analyse cluster "
      "run -o shells.csv");
  command.callback([a] { analyse(*a); });
}

}  // namespace pleiad::app
