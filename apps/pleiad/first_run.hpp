/// A first run to try: integrator, softening, step and end from the time scales of a snapshot.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/round_down.hpp"

#include <pleiad/files.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace pleiad::app {

struct FirstRun {
  double eps = 0, dt = 0, t_end = 0;  ///< dt: of steps of one length
  /// For bodies that may come as close as they like: an integrator whose steps follow the encounters; "":
  /// steps of one length.
  std::string_view integrator{};
};

/// Few bodies without softening: a thousandth of the shortest orbit of a pair, for two of the longest.
inline FirstRun first_run_of_pairs(const Snapshot& s) {
  const Bodies& b = s.bodies;
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double d = norm(b.position(i) - b.position(j)), mu = s.G * (b.mass[i] + b.mass[j]);
      if (!(mu > 0 && d > 0)) continue;
      const double period = 2 * std::numbers::pi * std::sqrt(d * d * d / mu);
      shortest = std::min(shortest, period);
      if (std::min(b.mass[i], b.mass[j]) > 0 && (i == 0 || j == 0)) longest = std::max(longest, period);
    }
  if (!(longest > 0)) return {.eps = 0, .dt = 0.01, .t_end = 1};
  return {.dt = round_down(shortest / 1000),
          .t_end = round_down(2 * longest),
          .integrator = b.size() > 1 ? "gauss-radau" : ""};
}

/// Many bodies: a quarter of the time to cross the softening length (without it: the mean distance), for ten
/// crossings of the half-mass radius; speeds from W = -0.4 G M^2 / r_half, which holds within 20 % for most
/// clusters and galaxies (Spitzer 1969). Without softening hermite4 follows the encounters of bodies with
/// mass.
inline FirstRun first_run(const Snapshot& s, double eps, double half_mass_radius) {
  double mass = 0;
  std::size_t massive = 0;
  for (const double m : s.bodies.mass) mass += m, massive += m > 0;
  const auto n = static_cast<double>(s.bodies.size());
  if (n <= 64 && eps == 0 && !s.boundary.periodic) return first_run_of_pairs(s);
  const double speed = std::sqrt(0.4 * s.G * mass / half_mass_radius);
  if (!(std::isfinite(speed) && speed > 0)) return {.eps = eps, .dt = 0.01, .t_end = 1};
  const double length = eps > 0 ? eps : half_mass_radius / std::cbrt(n);
  return {.eps = eps,
          .dt = round_down(0.25 * length / speed),
          .t_end = round_down(14 * half_mass_radius / speed),  // 10, rounded to the nearest
          .integrator = eps == 0 && massive > 64 && !s.boundary.periodic ? "hermite4" : ""};
}

/// A word as a shell takes it, between quotes where it needs them.
inline std::string shell_word(const std::string& text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=+,@%-";
  if (text.find_first_not_of(plain) == text.npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + '\'';
}

/// The command to type. It states the units or the periodic box that the format does not.
inline std::string run_line(const std::string& file, const Format& format, const Snapshot& s,
                            const FirstRun& run) {
  const std::string stem = file.substr(0, file.rfind('.'));
  // The longest adaptive step bounds none but the first: the bodies set the others.
  const auto steps = !run.integrator.empty() ? fmt::format("--integrator {} --adaptive --dt {:g}",
                                                           run.integrator, run.t_end / 100)
                                             : fmt::format("--eps {:g} --dt {:g}", run.eps, run.dt);
  std::string line = fmt::format("pleiad run {} {} --t-end {:g} --output {}", shell_word(file), steps,
                                 run.t_end, shell_word(stem + "_run"));
  const bool beside = s.units.physical && !format.units_beside.empty();
  if (!format.assumed_units.empty() && !beside && s.units.name != format.assumed_units) {
    line += " --set units.system=" + s.units.name;
    if (s.units.name == "custom")
      line += fmt::format(" --set units.length_cm={} --set units.mass_g={} --set units.velocity_cm_s={}",
                          s.units.length_cm, s.units.mass_g, s.units.velocity_cm_s);
  }
  if (s.boundary.periodic && !format.kept.box) {
    const auto& l = s.boundary.length;
    line += fmt::format(" --set gravity.boundary=periodic --set 'gravity.box=[{},{},{}]'", l.x, l.y, l.z);
    if (s.boundary.all_images()) line += " --set gravity.images=all";
  }
  const auto zero = [](const std::vector<double>& a) {
    return std::all_of(a.begin(), a.end(), [](double x) { return x == 0; });
  };
  if (s.boundary.periodic && zero(s.bodies.z) && zero(s.bodies.vz)) line += " --set gravity.dimension=2";
  return line;
}

}  // namespace pleiad::app
