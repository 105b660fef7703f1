/// Plots of the diagnostics table: a complete gnuplot script next to its picture.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "io/durable/paths.hpp"
#include "render/gnuplot.hpp"
#include "render/render.hpp"

#include <pleiad/error.hpp>
#include <pleiad/units.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
namespace {

namespace fs = std::filesystem;

/// Properties of the table for a script.
struct Table {
  std::map<std::string, int> column;     ///< name -> number, from 1
  std::map<std::string, bool> positive;  ///< whether a column has anything that a logarithm can show
  std::string units = "nbody";
  double last = 0;  ///< the last time
  double last_virial_ratio = 0;
  std::string error = "|{/Symbol D}E / E|";  ///< what the energy error is
  bool in_field = false;                     ///< energies include those in external potentials
  std::size_t rows = 0;
};

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> w;
  for (std::string s; in >> s;) w.push_back(s);
  return w;
}

/// The header is the last comment that begins with "time"; InputError when a column that is to be plotted is
/// missing.
Table read_table(const fs::path& file) {
  Table table;
  std::istringstream in(read_file(file));
  std::vector<std::string> names, last_row;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) {
      const auto w = words(line.substr(1));
      if (w.size() >= 2 && w[0] == "units:") table.units = w[1];
      if (w.size() > 3 && w[0] == "energy_error:")
        table.error = w[3] == "largest"  ? "|{/Symbol D}E| / max(T, |W|)"
                      : w[3] == "parts," ? "|{/Symbol D}E| / (T + |W|)"
                      : w[3] == "Jacobi" ? "|{/Symbol D}E_J / E_J|"
                                         : "|{/Symbol D}E / E| by the external field";
      if (!w.empty() && w[0] == "external_potentials:") table.in_field = true;
      if (!w.empty() && w[0] == "time") names = w;
      continue;
    }
    const auto w = words(line);
    if (w.empty()) continue;
    ++table.rows;
    table.last = std::strtod(w[0].c_str(), nullptr);
    last_row = w;
    for (std::size_t k = 0; k < std::min(w.size(), names.size()); ++k)
      table.positive[names[k]] |= std::abs(std::strtod(w[k].c_str(), nullptr)) > 0;
  }
  for (std::size_t k = 0; k < names.size(); ++k) table.column[names[k]] = int(k) + 1;
  if (const auto k = table.column.find("virial_ratio"); k != table.column.end())
    if (const auto at = std::size_t(k->second) - 1; at < last_row.size())
      table.last_virial_ratio = std::strtod(last_row[at].c_str(), nullptr);
  for (const char* needed : {"time", "kinetic", "potential", "total", "energy_error", "virial_ratio", "r10",
                             "r25", "r50", "r75", "r90"})
    if (!table.column.contains(needed))
      throw InputError(file.string() + " has no column '" + needed +
                       "': a comment line must name the columns, beginning with 'time'");
  if (table.rows == 0) throw InputError(file.string() + " has no rows to plot");
  return table;
}

/// The units of the axes, in gnuplot's enhanced text.
struct AxisUnits {
  std::string length, energy;
};
AxisUnits axis_units(const std::string& system) {
  static const std::map<std::string, AxisUnits> known{{"galactic", {"kpc", "10^{10} M_{sun} (km/s)^2"}},
                                                      {"cluster", {"pc", "M_{sun} (km/s)^2"}},
                                                      {"solar", {"au", "M_{sun} (au 2{/Symbol p} / yr)^2"}},
                                                      {"si", {"m", "J"}},
                                                      {"cgs", {"cm", "erg"}},
                                                      {"nbody", {"N-body units", "N-body units"}}};
  const auto found = known.find(system);
  return found != known.end() ? found->second : AxisUnits{"units of the run", "units of the run"};
}

/// The axis of time: gnuplot's expression for it, and its label.
struct TimeAxis {
  std::string value, label;
};
TimeAxis time_axis(const Table& t) {
  const auto column = t.column.at("time");
  const auto names = unit_system_names();
  const bool known = std::ranges::find(names, t.units) != names.end();
  const auto units = known ? units_named(t.units) : Units{};
  if (!units.physical)
    return {fmt::to_string(column), known ? "time [N-body units]" : "time [units of the run]"};
  const auto unit = time_unit_of(units, t.last);
  return {fmt::format("(${}*{:.10g})", column, units.time_s() / unit.seconds),
          fmt::format("time [{}]", unit.name)};
}

/// Terminal, style and two panels, one above the other on a common time axis.
std::string preamble(const std::string& name, const std::string& table, const std::string& after) {
  return fmt::format("# Makes {0}.png (or .svg) from {1}: gnuplot {0}.gp\ntable = {1}\n", name,
                     render_detail::quoted(table)) +
         render_detail::terminal(name, 1200, 1000, after) + render_detail::style + render_detail::key_above +
         "set lmargin screen 0.12; set rmargin screen 0.97\n"
         "set autoscale xfix\n"
         "set multiplot\n";
}

constexpr const char* upper_panel =
    "set tmargin screen 0.93; set bmargin screen 0.48; unset xlabel; set format x ''\n";
constexpr const char* lower_panel =
    "set tmargin screen 0.45; set bmargin screen 0.09; set format x '%g'; unset logscale y; set autoscale "
    "y; unset key\n";

std::string energy_script(const Table& t, const std::string& table, const std::string& after) {
  const AxisUnits u = axis_units(t.units);
  const auto [time, time_label] = time_axis(t);
  const auto c = [&](const char* name) { return t.column.at(name); };
  std::string s = preamble("energy", table, after) + upper_panel;
  s += fmt::format("set ylabel 'energy [{}]'; set format y '%g'\n", u.energy);
  s += fmt::format(
      "plot table using {0}:{1} with lines ls 1 title 'kinetic T', '' using {0}:{2} with lines ls 2 title "
      "'potential W{4}', '' using {0}:{3} with lines ls 3 title 'total E'\n",
      time, c("kinetic"), c("potential"), c("total"), t.in_field ? ", external potentials included" : "");
  s += lower_panel;
  s += fmt::format("set xlabel '{}'\n", time_label);
  if (t.positive.at("energy_error")) {
    s += fmt::format("set ylabel '{}'; set logscale y; set format y '10^{{%T}}'\n", t.error);
    s += "# An error of exactly 0 has no logarithm and is left out.\n";
    s += fmt::format(
        "plot table using {0}:(abs(${1}) > 0 ? abs(${1}) : 1/0) with linespoints ls 3 pt 7 ps 0.35\n", time,
        c("energy_error"));
  } else {
    s += "set ylabel '{/Symbol D}E / E'; set format y '%g'; set yrange [-1e-16:1e-16]\n";
    s += fmt::format("plot table using {0}:{1} with lines ls 3\n", time, c("energy_error"));
  }
  return s + "unset multiplot\n";
}

std::string radii_script(const Table& t, const std::string& table, const std::string& after) {
  const AxisUnits u = axis_units(t.units);
  const auto [time, time_label] = time_axis(t);
  const auto c = [&](const char* name) { return t.column.at(name); };
  std::string s = preamble("radii", table, after) + upper_panel;
  constexpr std::array names{"r90", "r75", "r50", "r25", "r10"};
  const bool log = std::any_of(names.begin(), names.end(), [&](const char* n) { return t.positive.at(n); });
  s += fmt::format("set ylabel 'Lagrangian radius [{}]'; set format y '%g'{}\n", u.length,
                   log ? "; set logscale y" : "");
  s += "plot ";
  for (std::size_t k = 0; k < names.size(); ++k)
    s += fmt::format("{}{} using {}:({} > 0 ? {} : {}) with lines ls {} title '{} %'", k ? ", " : "",
                     k ? "''" : "table", time, fmt::format("${}", c(names[k])),
                     fmt::format("${}", c(names[k])), log ? "1/0" : "0", k + 1, names[k] + 1);
  s += std::string("\n") + lower_panel;
  s += fmt::format(
      "set xlabel '{}'; set ylabel 'virial ratio T / |W|{}'; set format y '%g'; set yrange [0:*]\n",
      time_label, t.in_field ? " of the bodies alone" : "");
  s += fmt::format(
      "set label 'equilibrium' at graph 0.99, first 0.5 right offset 0, {2} tc rgb '#888888'\n"
      "plot table using {0}:{1} with lines ls 3, 0.5 with lines lc rgb '#888888' dt 2\n",
      time, c("virial_ratio"), t.last_virial_ratio > 0.5 ? -0.7 : 0.7);
  return s + "unset multiplot\n";
}

}  // namespace

std::function<bool(std::string& why, const Making& how)> begin_diagnostics_plots(
    const fs::path& table_file, const fs::path& directory, const std::function<bool()>& stopped) {
  const Table table = read_table(table_file);
  std::error_code error;
  const fs::path near = fs::proximate(table_file, directory, error);
  const std::string name = error || near.empty() ? absolute_path(table_file).string() : near.string();
  const auto drawing = [&](const char* plot, const auto& script) {
    return render_detail::Drawing{
        plot, {".png", ".svg"}, [=](const std::string& after) { return script(table, name, after); }};
  };
  auto gnuplot = std::make_shared<render_detail::Gnuplot>(
      directory, std::vector{drawing("energy", energy_script), drawing("radii", radii_script)}, stopped);
  return [gnuplot = std::move(gnuplot)](std::string& why, const Making& how) {
    return gnuplot->finish(how, why);
  };
}

bool plot_diagnostics(const fs::path& table_file, const fs::path& directory, std::string& why,
                      const Making& how) {
  return begin_diagnostics_plots(table_file, directory, how.stopped)(why, how);
}

}  // namespace pleiad
