/// Plots through gnuplot, which is called without a shell; the script holds its data and is kept.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/plot.hpp"

#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"
#include "render/gnuplot.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

using render_detail::quoted;

/// How every script of ours begins.
constexpr std::string_view script_mark = "# Draws ";

/// Colours that stay apart for colour-blind readers (Okabe & Ito).
constexpr std::array<std::string_view, 7> colours{"#000000", "#e69f00", "#56b4e9", "#009e73",
                                                  "#d55e00", "#0072b2", "#cc79a7"};

/// gnuplot's points: disc, triangle, square, diamond, cross. A new one for each round of the colours.
constexpr std::array shapes{7, 9, 5, 13, 2};

std::string data_block(const Series& series, std::string_view name) {
  std::string text = fmt::format("{} << EOD\n", name);
  for (const auto& [x, y] : series.points)
    text += std::isnan(x) ? std::string("\n") : fmt::format("{} {}\n", x, y);
  return text + "EOD\n";
}

/// So many points are a line and no more.
constexpr std::size_t many = 150;

std::string panel_script(const Panel& panel, std::size_t p) {
  std::string blocks, plots;
  for (std::size_t s = 0; s < panel.series.size(); ++s) {
    const auto& series = panel.series[s];
    const auto name = fmt::format("$panel{}_{}", p, s);
    blocks += data_block(series, name);
    plots += fmt::format(
        "{}{} with {} dashtype {} linecolor rgb '{}' linewidth 2 {}title {} "
        "noenhanced",
        plots.empty() ? "" : ", \\\n  ", name, series.points.size() > many ? "lines" : "linespoints",
        series.dashed ? 2 : 1, colours[std::size_t(series.colour) % colours.size()],
        series.points.size() > many
            ? ""
            : fmt::format("pointtype {} pointsize 1 ",
                          shapes[std::size_t(series.colour) / colours.size() % shapes.size()]),
        quoted(series.name));
  }
  if (panel.slope && !panel.series.empty() && !panel.series[0].points.empty()) {
    const auto [x, y] = panel.series[0].points.back();
    plots += fmt::format(
        ", \\\n  {} * (x / {})**{} with lines dashtype 3 linecolor rgb '#808080' linewidth 2 title 'slope "
        "{}'",
        y, x, *panel.slope, *panel.slope);
  }
  return blocks + fmt::format("set title {} noenhanced\nplot {}\n", quoted(panel.title), plots);
}

struct Limits {
  double low = HUGE_VAL, high = 0;
  void include(double x) { low = std::min(low, x), high = std::max(high, x); }
};

/// The limits along axis 0 or 1 of the panels' points that `counts` picks.
template <class Counts>
Limits limits(const Plot& plot, std::size_t axis, Counts counts) {
  Limits found;
  for (const auto& panel : plot.panels)
    if (counts(panel))
      for (const auto& series : panel.series)
        for (const auto& point : series.points) found.include(point[axis]);
  return found;
}

/// A little wider than the points. Panels share the y axis, and the x axis unless they have their own.
std::string ranges(const Plot& plot, const Panel& panel) {
  const auto x = limits(plot, 0, [&](const Panel& other) {
    return panel.x_label.empty() ? other.x_label.empty() : &other == &panel;
  });
  const auto y = limits(plot, 1, [](const Panel&) { return true; });
  if (plot.linear && x.low <= x.high && y.low <= y.high) {
    const double dx = 0.04 * (x.high - x.low), dy = 0.04 * (y.high - y.low);
    return fmt::format("set xlabel {}\nset xrange [{}:{}]\nset yrange [{}:{}]\n",
                       quoted(panel.x_label.empty() ? plot.x_label : panel.x_label), x.low - dx, x.high + dx,
                       y.low - dy, y.high + dy);
  }
  if (!(x.low > 0 && y.low > 0 && x.high > 0))
    throw UsageError("nothing to plot: no row with positive figures");
  const bool named = !plot.categories.empty();
  return fmt::format("set xlabel {}\nset xrange [{}:{}]\nset yrange [{}:{}]\n",
                     quoted(panel.x_label.empty() ? plot.x_label : panel.x_label), named ? 0.5 : x.low / 1.25,
                     named ? double(plot.categories.size()) + 0.5 : x.high * 1.25, y.low / 1.5, y.high * 1.5);
}

/// Names along x, slanted, so that twenty of them have room.
std::string named_axis(const std::vector<std::string>& categories) {
  std::string names;
  for (std::size_t k = 0; k < categories.size(); ++k)
    names += fmt::format("{}{} {}", k == 0 ? "" : ", ", quoted(categories[k]), k + 1);
  return fmt::format(
      "unset logscale x\nset xtics rotate by 40 right noenhanced ({})\nset lmargin 20\nset key bottom right "
      "Left "
      "reverse\n",
      names);
}

}  // namespace

void Panel::add(const std::string& name, double x, double y) {
  auto at = std::find_if(series.begin(), series.end(), [&](const Series& s) { return s.name == name; });
  if (at == series.end())
    at = series.insert(at, {.name = name, .points = {}, .colour = static_cast<int>(series.size())});
  at->points.push_back({x, y});
}

double Plot::category(const std::string& name) {
  auto at = std::find(categories.begin(), categories.end(), name);
  if (at == categories.end()) at = categories.insert(at, name);
  return double(at - categories.begin()) + 1;
}

std::string gnuplot_script(const Plot& plot, const std::string& picture, const std::string& after) {
  const std::size_t panels = plot.panels.size(), rows = panels > 3 ? 2 : 1,
                    columns = (panels + rows - 1) / rows;
  std::size_t lines = 0;
  for (const auto& panel : plot.panels) lines = std::max(lines, panel.series.size());
  // Many lines leave no corner free for their names, which then stand beside or below the curves.
  const bool overflowed = panels == 1 && lines > 6;
  const bool named = !plot.categories.empty();
  const std::size_t width = named        ? 1150
                            : rows > 1   ? 720 * columns
                            : panels > 1 ? 560 * columns
                            : overflowed ? 1100
                                         : 860;
  const std::size_t height = named        ? 780
                             : rows > 1   ? 620 * rows
                             : panels > 1 ? 600 + 16 * lines
                                          : std::max<std::size_t>(620, 22 * lines);
  const auto size = fmt::format("size {},{}", width, height);
  // Numbers of bodies are shown in powers of 4, errors in powers of 10.
  const bool fractions = limits(plot, 0, [](const Panel&) { return true; }).low < 1;
  std::string text = fmt::format(
      "{7}{0}: gnuplot {0}.gp\n"
      "set terminal unknown\n"
      "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {{ set terminal pngcairo {1} font 'sans,11' }} else {{ "
      "set terminal png {1} }}\n"
      "set output {2}\n"
      "{5}set grid\nset key {4}\n"
      "set ylabel {3}\nset format x '{6}'\nset format y '%g'\n",
      std::filesystem::path(picture).stem().string(), size, quoted(picture + after), quoted(plot.y_label),
      overflowed    ? "outside right center vertical Left reverse"
      : panels == 1 ? "bottom right"
                    : "below height 2",
      plot.linear ? std::string() : fmt::format("set logscale x {}\nset logscale y\n", fractions ? 10 : 4),
      plot.linear || fractions ? "%g" : "%.0f", script_mark);
  if (!plot.categories.empty()) text += named_axis(plot.categories);
  text += fmt::format("set multiplot layout {},{} title {} noenhanced\n", rows, columns, quoted(plot.title));
  for (std::size_t p = 0; p < panels; ++p)
    text += ranges(plot, plot.panels[p]) + panel_script(plot.panels[p], p);
  return text + "unset multiplot\n";
}

std::filesystem::path script_of(const std::filesystem::path& picture) {
  if (picture.extension() != ".png")
    throw UsageError("--plot " + picture.string() + ": the name must end in .png");
  auto script = picture;
  script.replace_extension(".gp");
  render_detail::need_own_script(script, picture, script_mark);
  return script;
}

void write_plot(const std::filesystem::path& picture, const Plot& plot) {
  const auto script = script_of(picture);
  const auto folder = picture.has_parent_path() ? picture.parent_path() : std::filesystem::path(".");
  const auto text = [&](const std::string& after) {
    return gnuplot_script(plot, picture.filename().string(), after);
  };
  std::string why;
  if (!render_detail::draw(folder, {{picture.stem().string(), {".png"}, text}}, {}, why))
    throw ResourceError(
        fmt::format("no plot {}: {}; its script is {}", picture.string(), why, script.string()));
}

}  // namespace pleiad::bench
