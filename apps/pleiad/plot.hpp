/// What `pleiad plot` measures and writes: the tables of its kinds.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/claims.hpp"
#include "profiles/columns.hpp"

#include <pleiad/units.hpp>

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pleiad::app {

/// The picture, "" for none, and the table, "-" for the standard output.
struct PlotFiles {
  std::filesystem::path picture, table;
  /// Says that they will be written, and the script of the picture.
  void claim(Claims& claims) const;
};
/// The files that --output names: a .png file and the table of its name, or a table alone. "": beside an
/// input, INPUT_KIND.png. UsageError for another name.
PlotFiles plot_files(const std::string& output, std::filesystem::path beside, std::string_view kind);

struct PlotArguments {
  std::string kind, output, spacing, units;
  std::vector<std::string> paths, types;
  std::vector<double> centre, axis, range;
  std::vector<std::size_t> ids;
  std::optional<double> time, eps;
  int bins = 0;
};

/// A table, in parts that have the same columns: types of bodies, or single bodies.
struct PlotPage {
  std::string part_name;  ///< of the column that names the parts; "": there is one part, without a name
  std::vector<std::pair<std::string, profiles::Columns>> parts{};
  std::vector<std::string> comments{};  ///< "key: value"
  std::string title{};
  Units units{};
  bool logarithmic = false, flat = false;
  double longest = 0;              ///< latest time of an orbit or a run
  std::set<std::string> sparse{};  ///< parts that are orbits of places too far apart for a line
};

/// Profiles, rotation and phase space of a snapshot, or of a snapshot of a run.
PlotPage page_of_bodies(const PlotArguments& a, Claims& claims);
/// Paths of bodies from the trajectories or the snapshots of a run, or from several snapshots.
PlotPage page_of_orbits(const PlotArguments& a, Claims& claims);
/// Lagrangian radii, core and binaries of a star cluster against time, from a run with
/// output.cluster_interval.
PlotPage page_of_evolution(const PlotArguments& a, Claims& claims);

}  // namespace pleiad::app
