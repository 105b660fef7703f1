/// Plots of profiles, rotation curves, phase space, orbits and star clusters: gnuplot scripts next to their
/// CSV tables.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/render.hpp"

#include <pleiad/units.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pleiad {

/// How a unit system is shown to people: factors from its own units, and the names of the shown ones (""
/// without a physical scale).
struct FieldUnits {
  double length = 1, velocity = 1, mass = 1;
  std::string length_name, velocity_name, mass_name;
};

/// A part of the table that is drawn as a line of its own: a type of bodies, or the id of one.
struct PlotPart {
  std::string name;
  std::size_t first = 0, rows = 0;  ///< its rows, counted from the one after the names of the columns
  bool sparse = false;              ///< an orbit of places too far apart for a line: see sparse_path.hpp
};

/// A table of src/profiles, as CSV with a first line of names after its comments.
struct PlotTable {
  std::filesystem::path file;
  std::vector<std::string> columns;  ///< names, in order
  std::vector<PlotPart> parts;
  std::string title;
  Units units;                        ///< of the table; axes are in kpc, pc or au, km/s and solar masses
  bool logarithmic = false;           ///< spacing of its radii
  double longest = 0;                 ///< latest time in it
  bool flat = false;                  ///< an orbit with z = 0
  std::optional<FieldUnits> shown{};  ///< in place of those that follow from `units`
  /// Columns without a positive number, which a logarithmic axis cannot show.
  std::vector<std::string> without_numbers{};
};

/// The kinds of plots of `pleiad plot`: "density", "rotation", "dispersion", "phase-space", "orbit",
/// "evolution". Those of `pleiad analyse` are "power", "groups", "mass-function", "cluster" and "binaries".
std::span<const std::string_view> profile_plot_kinds();

/// UsageError unless the script of a picture may be written: its place is free, or has an earlier one.
void need_place_of_script(const std::filesystem::path& picture);
/// Makes NAME.png and NAME.gp in `directory`. False, with `why`, if gnuplot is missing or fails; the script
/// is then written all the same.
bool plot_profile(std::string_view kind, const PlotTable& table, const std::filesystem::path& directory,
                  const std::string& name, std::string& why, const Making& how = {});

/// kpc, pc or au for astronomical units, the largest of which the unit of length is at least a hundredth,
/// with km/s and solar masses; "si" and "cgs" as they are.
FieldUnits field_units_of(const Units& units);

}  // namespace pleiad
