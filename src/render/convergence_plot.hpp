/// The plot of a convergence study: energy errors, and distances of states, over time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace pleiad {

/// A table with a first line of names after its comments, and its columns, numbered from 1, with the names of
/// their lines.
struct ConvergencePlot {
  std::filesystem::path table;
  std::string energy_axis, time_unit;
  std::vector<std::pair<std::size_t, std::string>> energies, distances;
};

/// Makes `picture`, a .png file, with its script .gp beside it. False, with `why`, if gnuplot is missing or
/// fails; the script is then written all the same.
bool plot_convergence(const ConvergencePlot& plot, const std::filesystem::path& picture, std::string& why);

}  // namespace pleiad
