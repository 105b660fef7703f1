/// Plots through gnuplot: log-log curves, or tracks in linear axes, up to three panels side by side and more
/// in two rows, with the line of slope 2 where theory asks for one; or one panel over categories.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::bench {

struct Series {
  std::string name;
  std::vector<std::array<double, 2>> points;
  int colour = 0;  ///< the same in all panels for what belongs together
  bool dashed = false;
};

struct Panel {
  std::string title;
  std::vector<Series> series = {};
  /// A line y ~ x^slope through the last point of the first series.
  std::optional<double> slope = {};
  /// Of a panel with an x axis of its own; empty: the plot's, with the limits of all such panels.
  std::string x_label = {};

  /// A point of the series of that name, which is made with the next colour when it is new.
  void add(const std::string& name, double x, double y);
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<Panel> panels;
  bool linear = false;  ///< else both axes are logarithmic; a point that is NaN breaks the line
  /// When there are any: x is not a number but one of these, counted from 1, and its axis is not logarithmic.
  std::vector<std::string> categories = {};

  /// The x of a category, which comes last when it is new.
  double category(const std::string& name);
};

/// The gnuplot program that draws `plot` into `picture`, data included; `after` stands after that name.
std::string gnuplot_script(const Plot& plot, const std::string& picture, const std::string& after = "");
/// Where the script of a picture is kept: FILE.gp beside FILE.png. UsageError when the name does not end in
/// .png, or something else than a script of ours is there.
std::filesystem::path script_of(const std::filesystem::path& picture);

/// Writes FILE.gp beside FILE.png and runs gnuplot on it. UsageError when the name does not end in .png;
/// ResourceError when gnuplot is not there or fails: the script is kept in any case, so that it can be run
/// elsewhere.
void write_plot(const std::filesystem::path& picture, const Plot& plot);

}  // namespace pleiad::bench
