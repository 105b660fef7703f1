/// See profile_plot.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/profile_plot.hpp"

#include "io/durable/paths.hpp"
#include "render/gnuplot.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace pleiad {
namespace {

namespace fs = std::filesystem;
using render_detail::quoted;

constexpr std::array<std::string_view, 6> kinds{"density",     "rotation", "dispersion",
                                                "phase-space", "orbit",    "evolution"};

/// Line colours, in the order of parts.
constexpr std::array colours{"#222222", "#3b5fc0", "#c2571a", "#0f8a85", "#8a4fbf", "#b8860b", "#7a7a7a"};
const char* colour(std::size_t part) { return colours[part % colours.size()]; }

/// A table while its script is written.
struct Script {
  const PlotTable& table;
  FieldUnits units;

  /// Number of a column, from 1.
  std::size_t column(std::string_view name) const {
    const auto at = std::ranges::find(table.columns, name);
    if (at == table.columns.end())
      throw InputError(fmt::format("{} has no column '{}'", table.file.string(), name));
    return static_cast<std::size_t>(at - table.columns.begin()) + 1;
  }
  bool has_numbers(std::string_view name) const {
    return std::ranges::find(table.without_numbers, name) == table.without_numbers.end();
  }
  /// gnuplot's expression of a column times a factor.
  std::string times(std::string_view name, double factor) const {
    return factor == 1 ? fmt::format("${}", column(name)) : fmt::format("${}*{:.10g}", column(name), factor);
  }
  std::string length(std::string_view name) const { return times(name, units.length); }
  std::string velocity(std::string_view name) const { return times(name, units.velocity); }
  /// The rows of a part, of whose names the first line of the table is left out.
  static std::string rows(const PlotPart& part) {
    return part.rows == 0 ? "every ::1"
                          : fmt::format("every ::{}::{}", part.first + 1, part.first + part.rows);
  }
  static std::string axis(std::string_view what, std::string unit) {
    if (const auto sun = unit.find("Msun"); sun != unit.npos) unit.replace(sun, 4, "M_{sun}");
    return fmt::format("'{} [{}]'", what, unit.empty() ? "N-body units" : unit);
  }
  std::string length_axis(std::string_view what) const { return axis(what, units.length_name); }
  std::string velocity_axis(std::string_view what) const { return axis(what, units.velocity_name); }
};

std::string positive(const std::string& expression) {
  return fmt::format("({0} > 0 ? {0} : NaN)", expression);
}

/// Radii from the first to the last edge, on the spacing of the bins.
std::string radius_axis(const Script& s) {
  return fmt::format("set xlabel {}; set autoscale xfix{}\n", s.length_axis("radius"),
                     s.table.logarithmic ? "; set logscale x" : "; set xrange [0:*]");
}

std::string density(const Script& s) {
  const auto& u = s.units;
  const std::string unit = u.length_name.empty() ? "" : fmt::format("{} / {}^3", u.mass_name, u.length_name);
  const double factor = u.mass / (u.length * u.length * u.length);
  std::string text = radius_axis(s) + fmt::format("set ylabel {}; set logscale y; set format y '10^{{%T}}'\n",
                                                  Script::axis("density", unit));
  text += "# An empty shell has no logarithm and is left out.\nplot ";
  for (std::size_t k = 0; k < s.table.parts.size(); ++k)
    text +=
        fmt::format("{}table {} using ({}):{}:({}) with yerrorlines lc rgb '{}' lw {} pt 7 ps 0.4 title {}",
                    k ? ", \\\n     " : "", Script::rows(s.table.parts[k]), s.length("radius"),
                    positive(s.times("density", factor)), s.times("density_error", factor), colour(k),
                    k == 0 ? 2 : 1.4, quoted(s.table.parts[k].name));
  return text + "\n";
}

std::string rotation(const Script& s) {
  const auto line = [&](std::string_view column, const char* style, std::string_view title) {
    return fmt::format("table every ::1 using ({}):({}) with {} title '{}'", s.length("radius"),
                       s.velocity(column), style, title);
  };
  return radius_axis(s) +
         fmt::format("set ylabel {}; set yrange [*<0:*]; set key inside bottom right vertical\n",
                     s.velocity_axis("velocity")) +
         "plot " + line("circular_velocity", "lines ls 3", "circular, of all bodies in the plane") +
         ", \\\n     " +
         line("spherical_circular_velocity", "lines lc rgb '#999999' lw 1.4 dt 2",
              "circular, of a sphere of the same mass") +
         ", \\\n     " +
         fmt::format("table every ::1 using ({}):({}):({}) with yerrorlines ls 1 pt 7 ps 0.5 title {}\n",
                     s.length("radius"), s.velocity("azimuthal_velocity"),
                     s.velocity("azimuthal_velocity_error"),
                     quoted("mean azimuthal, of " + s.table.parts.front().name));
}

std::string dispersion(const Script& s) {
  const auto rows = Script::rows(s.table.parts.front());
  const auto n = s.column("bodies"), beta = s.column("anisotropy");
  std::string text = "set multiplot\nset lmargin screen 0.12; set rmargin screen 0.97\n";
  text += "set tmargin screen 0.92; set bmargin screen 0.48; set format x ''\n";
  text +=
      s.table.logarithmic ? "set logscale x; set autoscale xfix\n" : "set xrange [0:*]; set autoscale xfix\n";
  text += fmt::format("set ylabel {}; set yrange [0:*]\n", s.velocity_axis("velocity dispersion"));
  text +=
      "# Standard errors of n velocities: sigma / sqrt(2 n), of two components sigma / sqrt(4 n); of beta "
      "(1 - beta) sqrt(3 / n).\n";
  const auto line = [&](std::string_view column, int components, const char* style, std::string_view title) {
    const auto sigma = s.velocity(column);
    return fmt::format(
        "table {} using ({}):({}):({}/sqrt({}*${})) with yerrorlines {} pt 7 ps 0.5 title '{}'", rows,
        s.length("radius"), sigma, sigma, 2 * components, n, style, title);
  };
  text += "plot " + line("radial_dispersion", 1, "ls 1", "radial") + ", \\\n     " +
          line("tangential_dispersion", 2, "ls 2", "tangential, one component") + "\n";
  text += "unset title; unset key; set tmargin screen 0.45; set bmargin screen 0.09; set format x '%g'\n";
  text += fmt::format("set xlabel {}; set ylabel 'anisotropy {{/Symbol b}}'; set yrange [-1:1]\n",
                      s.length_axis("radius"));
  text += fmt::format(
      "plot table {0} using ({1}):{2}:((1-${2})*sqrt(3.0/${3})) with yerrorlines ls 3 pt 7 ps 0.5, 0 with "
      "lines lc rgb "
      "'#888888' dt 2\n",
      rows, s.length("radius"), beta, n);
  return text + "unset multiplot\n";
}

std::string phase_space(const Script& s) {
  std::string text = radius_axis(s) + fmt::format("set ylabel {}\n", s.velocity_axis("radial velocity"));
  text += fmt::format("unset grid; set logscale cb; set format cb '10^{{%T}}'; set cblabel {}\n",
                      Script::axis("mass in a cell", s.units.mass_name));
  text +=
      "set palette defined (0 '#fff7d6', 1 '#f6c65b', 2 '#dd6b3b', 3 '#92254f', 4 '#3a0f4a', 5 '#12061f')\n"
      "set autoscale yfix\n";
  const auto mass = positive(s.times("mass", s.units.mass));
  if (!s.table.logarithmic)
    return text + fmt::format("plot table every ::1 using ({}):({}):{} with image\n", s.length("radius"),
                              s.velocity("radial_velocity"), mass);
  return text + fmt::format(
                    "plot table every ::1 using ({}):({}):({}):({}):({}):({}):{} with boxxyerror fs solid 1 "
                    "noborder lc palette\n",
                    s.length("radius"), s.velocity("radial_velocity"), s.length("radius_low"),
                    s.length("radius_high"), s.velocity("velocity_low"), s.velocity("velocity_high"), mass);
}

std::string orbit(const Script& s) {
  const auto time = time_unit_of(s.table.units, s.table.longest);
  const bool physical = s.table.units.physical;
  const double factor = physical ? s.table.units.time_s() / time.seconds : 1;
  const auto paths = [&](const std::string& across, const std::string& up, bool ends) {
    std::string text = "plot ";
    for (std::size_t k = 0; k < s.table.parts.size(); ++k) {
      const auto& part = s.table.parts[k];
      text += fmt::format(
          "{}table {} using ({}):({}) with {} lc rgb '{}' title {}", k ? ", \\\n     " : "",
          Script::rows(part), across, up, part.sparse ? "points pt 7 ps 0.35" : "lines lw 1.4", colour(k),
          quoted("body " + part.name + (part.sparse ? " (positions, too few for a line)" : "")));
      if (ends)
        text += fmt::format(
            ", \\\n     table every ::{0}::{0} using ({1}):({2}) with points pt 7 ps 1.1 lc rgb "
            "'{3}' notitle",
            part.first + part.rows, across, up, colour(k));
    }
    return text + "\n";
  };
  const auto x = s.length("x"), y = s.length("y"), z = s.length("z");
  const double L = s.units.length;
  const auto r = fmt::format("sqrt(${0}**2 + ${1}**2 + ${2}**2)*{3:.10g}", s.column("x"), s.column("y"),
                             s.column("z"), L);
  std::string text;
  if (!s.table.flat)
    for (const auto& [axis, values] : {std::pair("Y", y), std::pair("Z", z)})
      text += fmt::format("stats table every ::1 using ({}) name '{}' nooutput\n", values, axis);
  text += fmt::format("set multiplot layout 1,{}\nset tmargin 4.5; set bmargin 4\n", s.table.flat ? 2 : 3);
  text += fmt::format("set size ratio -1; set xlabel {}; set ylabel {}\n", s.length_axis("x"),
                      s.length_axis("y"));
  text += paths(x, y, true);
  if (!s.table.flat)
    // The range of y, or more: orbits that are nearly in the plane have room for the numbers of their axis.
    text += fmt::format(
                "unset title; unset key; set ylabel {}\nlow = Y_min < Z_min ? Y_min : Z_min; high = Y_max > "
                "Z_max ? Y_max : Z_max; set yrange [low:high]\n",
                s.length_axis("z")) +
            paths(x, z, true);
  text += fmt::format(
      "unset title; unset key; set size noratio; set autoscale xfix; set xlabel {}; set ylabel {}; set "
      "yrange [0:*]\n",
      Script::axis("time", physical ? std::string(time.name) : ""),
      s.length_axis("distance from the centre"));
  return text + paths(s.times("time", factor), r, false) + "unset multiplot\n";
}

/// "1/kpc", and "h/Mpc" of "Mpc/h"; "" of none.
std::string inverse_of(const std::string& length) {
  if (length.ends_with("/h")) return "h/" + length.substr(0, length.size() - 2);
  return length.empty() ? "" : "1/" + length;
}
/// "kpc^3", "(Mpc/h)^3".
std::string cube_of(const std::string& length) {
  return length.empty() ? "" : fmt::format(fmt::runtime(length.ends_with("/h") ? "({})^3" : "{}^3"), length);
}

std::string power(const Script& s) {
  const auto& u = s.units;
  const double volume = u.length * u.length * u.length;
  const auto k = s.times("k", 1 / u.length), p = positive(s.times("power", volume));
  std::string text = fmt::format("set xlabel {}; set logscale xy; set autoscale xfix\n",
                                 Script::axis("wave number k", inverse_of(u.length_name)));
  text += fmt::format("set ylabel {}; set format y '10^{{%T}}'\n",
                      Script::axis("power spectrum P(k)", cube_of(u.length_name)));
  text += "# The standard deviation of the mean of n modes: P / sqrt(n).\n";
  text += fmt::format(
      "plot table every ::1 using ({0}):({1}):({1}/sqrt(${2})) with yerrorlines ls 1 pt 7 ps 0.4 title {3}, "
      "\\\n     ",
      k, p, s.column("modes"), quoted(s.table.parts.front().name));
  return text +
         fmt::format("table every ::1 using ({}):({}) with lines lc rgb '#888888' dt 2 title 'shot noise'\n",
                     k, s.times("shot_noise", volume));
}

/// Groups per volume and decade of mass.
std::string mass_function(const Script& s) {
  const double volume = s.units.length * s.units.length * s.units.length;
  const auto n = positive(s.times("dn_dlogm", 1 / volume));
  const auto unit = s.units.length_name.empty() ? "" : fmt::format("({})^3", inverse_of(s.units.length_name));
  std::string text = fmt::format("set xlabel {}; set logscale xy; set format xy '10^{{%T}}'\n",
                                 Script::axis("mass M", s.units.mass_name));
  text += fmt::format("set ylabel {}\n", Script::axis("dn / dlog_{10} M", unit));
  text +=
      "# The standard deviation of n groups at random: dn/dlogM / sqrt(n). An empty bin has no logarithm.\n";
  return text +
         fmt::format(
             "plot table every ::1 using ({0}):({1}):({1}/sqrt(${2})) with yerrorbars ls 1 pt 7 ps 0.6 "
             "notitle, \\\n     table every ::1 using ({0}):({1}) with lines ls 1 notitle\n",
             s.times("mass", s.units.mass), n, s.column("groups"));
}

std::string group_masses(const Script& s) {
  std::string text = fmt::format("set xlabel {}; set logscale xy; set autoscale xfix\n",
                                 Script::axis("mass of a group", s.units.mass_name));
  text += "set ylabel 'groups of at least this mass'; set yrange [0.8:*]\n";
  text += "# Groups stand in descending order of their members.\n";
  return text + fmt::format("plot table every ::1 using ({}):($0+1) with steps ls 1 notitle\n",
                            s.times("mass", s.units.mass));
}

/// Semi-major axes and eccentricities of binaries; a hierarchy has another mark.
std::string binaries(const Script& s) {
  const bool stars = s.units.length_name == "pc";  // pairs of stars are shown in au
  constexpr double au_in_pc = 206264.80624709636;
  const double factor = s.units.length * (stars ? au_in_pc : 1);
  std::string text = fmt::format("set xlabel {}; set logscale x; set format x '10^{{%T}}'\n",
                                 Script::axis("semi-major axis", stars ? "au" : s.units.length_name));
  text += "set ylabel 'eccentricity'; set yrange [0:1]\n";
  const auto points = [&](const char* sign, const char* style, std::string_view title) {
    return fmt::format("table every ::1 using ({}):(${} {} 2 ? ${} : NaN) with points {} title '{}'",
                       s.times("semi_major_axis", factor), s.column("stars"), sign, s.column("eccentricity"),
                       style, title);
  };
  return text + "plot " + points("==", "lc rgb '#3b5fc0' pt 7 ps 0.6", "binaries") + ", \\\n     " +
         points(">", "lc rgb '#c2571a' pt 9 ps 1", "orbits about a binary") + "\n";
}

/// Dispersions and mean masses of the shells of a cluster.
std::string cluster(const Script& s) {
  std::string text = "set multiplot\nset lmargin screen 0.12; set rmargin screen 0.97\n";
  text += "set tmargin screen 0.92; set bmargin screen 0.48; set format x ''; set logscale x\n";
  text += fmt::format("set ylabel {}; set yrange [0:*]\n", s.velocity_axis("velocity dispersion"));
  text += "# A shell with less than two objects has no dispersion.\n";
  const auto line = [&](std::string_view column, int components, const char* style, std::string_view title) {
    const auto sigma = s.velocity(column);
    return fmt::format(
        "table every ::1 using ({}):({}):({}/sqrt({}*${})) with yerrorlines {} pt 7 ps 0.5 title '{}'",
        s.length("radius"), sigma, sigma, 2 * components, s.column("objects"), style, title);
  };
  text += "plot " + line("radial_dispersion", 1, "ls 1", "radial") + ", \\\n     " +
          line("tangential_dispersion", 2, "ls 2", "tangential, one component") + "\n";
  text += "unset title; unset key; set tmargin screen 0.45; set bmargin screen 0.09; set format x '%g'\n";
  text += fmt::format("set xlabel {}; set ylabel {}; set yrange [0:*]\n",
                      s.length_axis("radius of the shell"), Script::axis("mean mass", s.units.mass_name));
  text += fmt::format("plot table every ::1 using ({}):({}) with linespoints ls 3 pt 7 ps 0.5\n",
                      s.length("radius"), s.times("mean_mass", s.units.mass));
  return text + "unset multiplot\n";
}

/// Lagrangian radii and the core radius, and below them the core density and the number of binaries.
std::string evolution(const Script& s) {
  const auto unit = time_unit_of(s.table.units, s.table.longest);
  const bool physical = s.table.units.physical;
  const auto time = s.times("time", physical ? s.table.units.time_s() / unit.seconds : 1);
  const auto& u = s.units;
  std::string text = fmt::format(
      "stats table every ::1 using {} name 'B' nooutput\nstats table every ::1 using ({}) name 'T' "
      "nooutput\n",
      s.column("binaries"), time);
  text += "set multiplot\nset lmargin screen 0.1; set rmargin screen 0.9\n";
  text +=
      "set tmargin screen 0.9; set bmargin screen 0.42; set format x ''; set autoscale xfix; set logscale "
      "y\n";
  text += fmt::format("set ylabel {}\n", s.length_axis("radius"));
  // Of few stars the core is not known, and of one no radius: a panel without numbers keeps its axes.
  constexpr std::string_view empty = "set yrange [0.1:1]; unset ytics\n";
  std::string lines;
  const auto radius = [&](std::string_view column, std::string_view style, std::string_view title) {
    if (!s.has_numbers(column)) return;
    lines += fmt::format("{}table every ::1 using ({}):{} with lines {} title '{}'",
                         lines.empty() ? "" : ", \\\n     ", time, positive(s.length(column)), style, title);
  };
  constexpr std::array shades{"#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#08519c", "#08306b"};
  constexpr std::array percent{90, 70, 30, 10, 5, 1};
  for (std::size_t k = 0; k < percent.size(); ++k)
    radius(fmt::format("radius_{}", percent[k]), fmt::format("lc rgb '{}' lw 1.4", shades[k]),
           fmt::format("{} %", percent[k]));
  radius("half_mass_radius", "ls 3", "50 % of the mass");
  radius("core_radius", "ls 1", "core");
  if (lines.empty())
    text += fmt::format("{}plot [T_min:T_max] NaN notitle\nset autoscale y; set ytics nomirror out\n", empty);
  else text += "plot " + lines + "\n";
  const std::string density =
      u.length_name.empty() ? "" : fmt::format("{} / {}^3", u.mass_name, u.length_name);
  text +=
      "unset title; set key inside top left horizontal; set tmargin screen 0.33; set bmargin screen 0.1; set "
      "format x '%g'; set format y "
      "'10^{%T}'\n";
  text += fmt::format(
      "set xlabel {}; set ylabel {}; set y2label 'binaries'; set y2range [0:B_max < 4 ? 4 : 1.05*B_max]; set "
      "y2tics; set border "
      "11\n",
      Script::axis("time", physical ? std::string(unit.name) : ""), Script::axis("core density", density));
  if (s.has_numbers("core_density"))
    text += fmt::format("plot table every ::1 using ({}):{} with lines ls 1 title 'core density', \\\n     ",
                        time, positive(s.times("core_density", u.mass / (u.length * u.length * u.length))));
  else text += fmt::format("{}plot ", empty);
  return text +
         fmt::format(
             "table every ::1 using ({}):(${}) axes x1y2 with steps ls 4 title 'binaries'\nunset multiplot\n",
             time, s.column("binaries"));
}

struct Kind {
  std::string (*script)(const Script&);
  int width, height;
};
Kind kind_of(std::string_view name, bool flat) {
  if (name == "density") return {density, 1100, 800};
  if (name == "rotation") return {rotation, 1100, 800};
  if (name == "dispersion") return {dispersion, 1100, 1000};
  if (name == "phase-space") return {phase_space, 1100, 800};
  if (name == "power") return {power, 1100, 800};
  if (name == "groups") return {group_masses, 1100, 800};
  if (name == "mass-function") return {mass_function, 1100, 800};
  if (name == "binaries") return {binaries, 1100, 800};
  if (name == "cluster") return {cluster, 1100, 1000};
  if (name == "evolution") return {evolution, 1100, 1000};
  return {orbit, flat ? 1400 : 2000, 720};
}

}  // namespace

std::span<const std::string_view> profile_plot_kinds() { return kinds; }

FieldUnits field_units_of(const Units& u) {
  if (!u.physical) return {};
  if (u.name == "si") return {1, 1, 1, "m", "m/s", "kg"};
  if (u.name == "cgs") return {1, 1, 1, "cm", "cm/s", "g"};
  const auto galactic = units_named("galactic"), cluster = units_named("cluster"),
             solar = units_named("solar");
  const std::array<std::pair<const Units*, const char*>, 3> lengths{
      {{&galactic, "kpc"}, {&cluster, "pc"}, {&solar, "au"}}};
  for (const auto& [system, name] : lengths)
    if (u.length_cm >= 0.01 * system->length_cm || system == &solar) {
      // A galactic mass is 1e10 of its own solar masses, which differ from the others in the fourth digit.
      const double sun = system == &galactic ? galactic.mass_g * 1e-10 : cluster.mass_g;
      return {u.length_cm / system->length_cm, u.velocity_cm_s / 1e5, u.mass_g / sun, name, "km/s", "Msun"};
    }
  return {};
}

void need_place_of_script(const fs::path& picture) {
  render_detail::need_own_script(fs::path(picture).replace_extension(".gp"), picture, "# Makes ");
}

bool plot_profile(std::string_view kind, const PlotTable& table, const fs::path& directory,
                  const std::string& name, std::string& why, const Making& how) {
  std::error_code error;
  const fs::path near = fs::proximate(table.file, directory, error);
  const std::string file = error || near.empty() ? absolute_path(table.file).string() : near.string();
  const auto [body, width, height] = kind_of(kind, table.flat);
  std::string doubled;  // as gnuplot takes it between single quotes
  for (const char c : name) doubled.append(c == '\'' ? 2 : 1, c);
  const auto script = [&, body = body, width = width, height = height](const std::string& after) {
    return fmt::format("# Makes {0}.png (or .svg) from {1}\ntable = {2}\n", name, file, quoted(file)) +
           render_detail::terminal(doubled, width, height, after) + render_detail::style +
           "set datafile separator ','\n" + render_detail::key_above +
           fmt::format("set title {} noenhanced tc rgb '#666666'\n", quoted(table.title)) +
           body({table, table.shown ? *table.shown : field_units_of(table.units)});
  };
  return render_detail::draw(directory, {{name, {".png", ".svg"}, script}}, how, why);
}

}  // namespace pleiad
