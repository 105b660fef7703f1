/// See convergence_plot.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/convergence_plot.hpp"

#include "io/durable/paths.hpp"
#include "render/gnuplot.hpp"

#include <array>
#include <system_error>

#include <fmt/format.h>

namespace pleiad {
namespace {

using render_detail::quoted;

/// Lines of these columns, which have values above 0 by their logarithms only.
std::string curves(const std::vector<std::pair<std::size_t, std::string>>& columns) {
  constexpr std::array colours{"#c2571a", "#3b5fc0", "#0f8a85", "#8a4fbf", "#b8860b", "#222222"};
  std::string text = "plot ";
  for (std::size_t k = 0; k < columns.size(); ++k)
    text += fmt::format(
        "{}table every ::1 using 1:(abs(${}) > 0 ? abs(${}) : NaN) with lines lw 1.6 lc rgb '{}' title {}",
        k ? ", \\\n     " : "", columns[k].first, columns[k].first, colours[k % colours.size()],
        quoted(columns[k].second));
  return text + "\n";
}

}  // namespace

bool plot_convergence(const ConvergencePlot& plot, const std::filesystem::path& picture, std::string& why) {
  const auto folder = picture.parent_path().empty() ? std::filesystem::path(".") : picture.parent_path();
  const auto name = picture.stem().string();
  std::error_code error;
  const auto near = std::filesystem::proximate(plot.table, folder, error);
  const auto file = error || near.empty() ? absolute_path(plot.table).string() : near.string();
  std::string doubled;  // as gnuplot takes it between single quotes
  for (const char c : name) doubled.append(c == '\'' ? 2 : 1, c);
  const auto script = [&](const std::string& after) {
    std::string s =
        fmt::format("# Makes {0}.png (or .svg) from {1}\ntable = {2}\n", name, file, quoted(file)) +
        render_detail::terminal(doubled, 1200, 1000, after) + render_detail::style +
        "set datafile separator ','\n" + render_detail::key_above +
        "set lmargin screen 0.12; set rmargin screen 0.97; set autoscale xfix\nset multiplot\n"
        "set logscale y; set format y '10^{%T}'\n"
        "set tmargin screen 0.93; set bmargin screen 0.52; unset xlabel; set format x ''\n";
    s += fmt::format("set ylabel {}\n", quoted(plot.energy_axis)) + curves(plot.energies);
    s += fmt::format(
             "set tmargin screen 0.44; set bmargin screen 0.08; set key inside bottom right vertical; set "
             "format x '%g'; set xlabel {}\n"
             "set ylabel 'distance / size'\n",
             quoted("time [" + plot.time_unit + "]")) +
         curves(plot.distances);
    return s + "unset multiplot\n";
  };
  return render_detail::draw(folder, {{name, {".png", ".svg"}, script}}, {}, why);
}

}  // namespace pleiad
