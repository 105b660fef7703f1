/// The plot of an ensemble: the results of the systems against the varied parameters or time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "render/gnuplot.hpp"
#include "render/profile_plot.hpp"
#include "render/render.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>

#include <fmt/format.h>

namespace pleiad {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells{""};
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    else if (c == ',' && !quoted) cells.emplace_back();
    else cells.back() += c;
  }
  return cells;
}

/// Properties of ensemble.csv for the script.
struct Facts {
  std::map<std::string, int> column;  ///< from 1
  bool escapes = false, errors = false;
  double last_escaper = 0;
  int operator[](const std::string& name) const {
    const auto found = column.find(name);
    if (found == column.end()) throw InputError("ensemble.csv has no column '" + name + "'");
    return found->second;
  }
};
Facts facts_of(const fs::path& table) {
  std::istringstream in(read_file(table));
  Facts facts;
  std::string line;
  std::getline(in, line);
  const auto names = cells_of(line);
  for (std::size_t i = 0; i < names.size(); ++i) facts.column[names[i]] = static_cast<int>(i) + 1;
  const auto number = [&facts](const std::vector<std::string>& cells, const char* name) {
    const auto at = static_cast<std::size_t>(facts[name]) - 1;
    return at < cells.size() ? std::strtod(cells[at].c_str(), nullptr) : std::nan("");
  };
  while (std::getline(in, line)) {
    const auto cells = cells_of(line);
    facts.escapes |= std::isfinite(number(cells, "escape_time"));
    facts.errors |= number(cells, "worst_energy_error") > 0;
    facts.last_escaper = std::max(facts.last_escaper, number(cells, "escaper"));
  }
  return facts;
}

constexpr const char* table_name = "ensemble.csv";

/// How a column is shown: what gnuplot multiplies it by, and the unit with its brackets.
struct Shown {
  double factor = 1;
  std::string unit;
  std::string of(int column) const { return fmt::format("(${}*{:.10g})", column, factor); }
};
struct ShownUnits {
  Shown time, length;
};
ShownUnits shown_units(const Units& units, double longest_time) {
  const auto field = field_units_of(units);
  const auto bracketed = [](std::string_view unit) {
    return fmt::format(" [{}]", unit.empty() ? "N-body units" : unit);
  };
  if (!units.physical) return {{1, bracketed("")}, {1, bracketed("")}};
  const auto time = time_unit_of(units, longest_time);
  return {{units.time_s() / time.seconds, bracketed(time.name)},
          {field.length, bracketed(field.length_name)}};
}

std::string axis(const char* which, const EnsembleAxis& a) {
  return fmt::format("set {0}label {1} noenhanced{2}\n", which, render_detail::quoted(a.name),
                     a.logarithmic ? fmt::format("; set logscale {}", which) : "");
}

/// `plot` of a coloured map: cells on an even grid, else dots. `colour` is an expression of the columns.
std::string map(const Facts& f, const std::vector<EnsembleAxis>& a, const std::string& colour) {
  const int x = f[a[0].name], y = f[a[1].name];
  if (a[0].step > 0 && a[1].step > 0)
    return fmt::format(
        "plot table every ::1 using {}:{}:({:.9g}):({:.9g}):({}) with boxxyerror fs solid 1 noborder lc "
        "{{0}}\n",
        x, y, 0.51 * a[0].step, 0.51 * a[1].step, colour);
  return fmt::format("plot table every ::1 using {}:{}:({}) with points pt 7 ps 0.5 lc {{0}}\n", x, y,
                     colour);
}
std::string with_colour(std::string plot, const char* kind) {
  return plot.replace(plot.find("{0}"), 3, kind);
}

std::string maps(const Facts& f, const std::vector<EnsembleAxis>& a, const Shown& time) {
  std::string s = axis("x", a[0]) + axis("y", a[1]) + "unset grid; set autoscale fix; set offsets 0,0,0,0\n";
  if (!f.escapes) {
    s += "set cblabel 'log_{10} of the worst |{/Symbol D}E / E|'\n";
    return s + with_colour(map(f, a, fmt::format("${0} > 0 ? log10(${0}) : NaN", f["worst_energy_error"])),
                           "palette");
  }
  s += "set multiplot layout 1,2\nset lmargin screen 0.06; set rmargin screen 0.42\n"
       "set title 'when a body is lost'; set logscale cb\n"
       "set palette defined (0 '#fff7d6', 1 '#f6c65b', 2 '#dd6b3b', 3 '#92254f', 4 '#3a0f4a', 5 '#12061f')\n";
  s += fmt::format("set cblabel 'time{}'\n", time.unit);
  s += with_colour(map(f, a, time.of(f["escape_time"])), "palette");
  s += "set title 'which one (dark: none, grey: failed)'\n";
  // Hues of the first bodies; lighter the earlier they leave.
  s += "unset colorbox; set lmargin screen 0.60; set rmargin screen 0.96\n"
       "hue(k) = k < 0 ? 0x14141f : k == 0 ? 0xd9542b : k == 1 ? 0x3a6fd8 : k == 2 ? 0x2f9e66 : k == 3 ? "
       "0xc9a227 : 0x8a4fbf\n";
  s += fmt::format("good(word) = word eq 'ok' || word eq 'escaped'\n");
  return s +
         with_colour(
             map(f, a, fmt::format("good(strcol({})) ? hue(${}) : 0x9a9a9a", f["status"], f["escaper"])),
             "rgb variable") +
         "unset multiplot\n";
}

std::string upper(const std::string& label) {
  // The same margins, whatever the widths of the labels, and no axis beyond the data.
  return fmt::format(
      "set multiplot layout 2,1\nset lmargin screen 0.12; set rmargin screen 0.97; set autoscale xfix\nset "
      "ylabel "
      "'{}'\n",
      label);
}

std::string against(const Facts& f, const EnsembleAxis& a, const ShownUnits& shown) {
  const int x = f[a.name];
  std::string s = upper(f.escapes ? "time at which a body is lost" + shown.time.unit
                                  : "half-mass radius at the end" + shown.length.unit) +
                  axis("x", a);
  s += fmt::format("plot table every ::1 using {}:{} with points pt 7 ps 0.5 lc rgb '#3b5fc0'\n", x,
                   f.escapes ? shown.time.of(f["escape_time"]) : shown.length.of(f["half_mass_radius"]));
  s += "set ylabel 'worst |{/Symbol D}E / E|'\n";
  if (f.errors) s += "set logscale y; set format y '10^{%T}'\n";
  s += fmt::format(
      "plot table every ::1 using {}:(${} > 0 ? ${} : {}) with points pt 7 ps 0.5 lc rgb '#c2571a'\n", x,
      f["worst_energy_error"], f["worst_energy_error"], f.errors ? "NaN" : "0");
  return s + "unset multiplot\n";
}

std::string distribution(const Facts& f, const ShownUnits& shown) {
  std::string s =
      upper(f.escapes ? "systems that have lost a body" : "half-mass radius" + shown.length.unit) +
      fmt::format("set xlabel 'time{}'\n", shown.time.unit);
  const auto time = shown.time.of(1);
  if (f.escapes) s += fmt::format("plot 'ensemble_times.csv' every ::1 using {}:3 with steps ls 2\n", time);
  else
    s += std::string(render_detail::key_above) +
         fmt::format(
             "plot 'ensemble_times.csv' every ::1 using {0}:{1}:{3} with filledcurves fc rgb '#d5def5' title "
             "'10 to "
             "90 % of the systems', "
             "'' every ::1 using {0}:{2} with lines ls 2 title 'median'\n",
             time, shown.length.of(12), shown.length.of(13), shown.length.of(14));
  // The whole decades about the errors: a part of one might have no number.
  s += "unset key; set autoscale x; set xlabel 'worst |{/Symbol D}E / E|'; set ylabel 'cumulative fraction "
       "of systems'; set "
       "yrange "
       "[0:1]\n";
  if (f.errors) s += "set logscale x; set format x '10^{%T}'\n";
  s += fmt::format("plot table every ::1 using (${0} > 0 ? ${0} : {1}):(1) smooth cnormal with lines ls 1\n",
                   f["worst_energy_error"], f.errors ? "NaN" : "0");
  return s + "unset multiplot\n";
}

}  // namespace

bool plot_ensemble(const fs::path& directory, const std::vector<EnsembleAxis>& axes, const Units& units,
                   double longest_time, std::string& why, const Making& how) {
  const ShownUnits shown = shown_units(units, longest_time);
  const Facts facts = facts_of(directory / table_name);
  const bool flat = axes.size() > 1;
  const auto script = [&](const std::string& after) {
    const std::string begin =
        fmt::format("# Makes ensemble.png (or .svg) from {0}: gnuplot ensemble.gp\ntable = '{0}'\n",
                    table_name) +
        render_detail::terminal("ensemble", flat && facts.escapes ? 1700 : 1100, flat ? 850 : 1000, after) +
        render_detail::style + "set datafile separator ','; unset key\n";
    return begin + (flat           ? maps(facts, axes, shown.time)
                    : axes.empty() ? distribution(facts, shown)
                                   : against(facts, axes.front(), shown));
  };
  return render_detail::draw(directory, {{"ensemble", {".png", ".svg"}, script}}, how, why);
}

}  // namespace pleiad
