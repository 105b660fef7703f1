/// What `pleiad plot` measures and writes: the tables of its kinds.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/claims.hpp"
#include "profiles/columns.hpp"

#include <pleiad/units.hpp>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pleiad::app {

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
  double longest = 0;              ///< latest time of an orbit
  std::set<std::string> sparse{};  ///< parts that are orbits of places too far apart for a line
};

/// Profiles, rotation and phase space of a snapshot, or of a snapshot of a run.
PlotPage page_of_bodies(const PlotArguments& a, Claims& claims);
/// Paths of bodies from the trajectories or the snapshots of a run, or from several snapshots.
PlotPage page_of_orbits(const PlotArguments& a, Claims& claims);

}  // namespace pleiad::app
