/// The tables of `pleiad plot` that are measured of the bodies at one time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "input_snapshot.hpp"
#include "plot.hpp"
#include "profiles/profiles.hpp"
#include "types_option.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

std::vector<Type> types_of(const Snapshot& s) {
  std::vector<Type> types;
  for (std::size_t t = 0; t < type_names.size(); ++t)
    if (std::ranges::find(s.bodies.type, static_cast<Type>(t)) != s.bodies.type.end())
      types.push_back(static_cast<Type>(t));
  return types;
}

std::string triple_words(Vec3<double> v) { return fmt::format("{},{},{}", v.x, v.y, v.z); }

profiles::Choice choice_of(const PlotArguments& a, const Snapshot& s) {
  profiles::Choice choice{.types = types_in(a.types)};
  if (a.kind == "rotation" && choice.types.empty() &&
      std::ranges::find(s.bodies.type, Type::disc) != s.bodies.type.end())
    choice.types = {Type::disc};
  if (!a.centre.empty()) choice.centre = {a.centre[0], a.centre[1], a.centre[2]};
  if (!a.axis.empty()) choice.axis = {a.axis[0], a.axis[1], a.axis[2]};
  const auto frame = profiles::frame_of(s, choice);
  choice.centre = frame.centre, choice.velocity = frame.velocity, choice.axis = frame.axis;
  return choice;
}

profiles::Bins bins_of(const PlotArguments& a) {
  const bool profile = a.kind == "density" || a.kind == "dispersion";
  profiles::Bins bins{.count = a.bins > 0                ? a.bins
                               : a.kind == "phase-space" ? 0
                                                         : 32,
                      .logarithmic = a.spacing.empty() ? profile : a.spacing == "log"};
  if (!a.range.empty()) {
    bins.low = a.range[0], bins.high = a.range[1];
    if (!(bins.low < bins.high) || (bins.logarithmic && bins.low == 0))
      throw UsageError(
          fmt::format("--range {},{}: the first must be below the second{}", bins.low, bins.high,
                      bins.logarithmic ? ", and above 0 for bins of equal ratios (--spacing log)" : ""));
  }
  return bins;
}

/// The whole choice, then each of its types.
void add_profiles(PlotPage& page, const Snapshot& s, profiles::Choice choice, profiles::Bins bins) {
  page.part_name = "type";
  page.parts.emplace_back(type_words(choice.types), radial_profile(s, choice, bins));
  const auto types = choice.types.empty() ? types_of(s) : choice.types;
  if (types.size() < 2) return;
  const auto& all = page.parts.front().second;
  bins.low = all["radius_low"].front(), bins.high = all["radius_high"].back();
  for (const Type type : types) {
    choice.types = {type};
    page.parts.emplace_back(type_words(choice.types), radial_profile(s, choice, bins));
  }
}

}  // namespace

PlotPage page_of_bodies(const PlotArguments& a, Claims& claims) {
  if (!a.ids.empty()) throw UsageError(fmt::format("pleiad plot {}: --ids is for orbit", a.kind));
  if (a.eps && a.kind != "rotation")
    throw UsageError(fmt::format("pleiad plot {}: --eps is for rotation", a.kind));
  const auto bins = bins_of(a);
  const auto types = types_in(a.types);
  if (a.paths.size() > 1)
    throw UsageError(
        fmt::format("pleiad plot {}: '{}' is one argument too many; only orbit takes several snapshots",
                    a.kind, a.paths[1]));
  const auto [snapshot, name, softening, universe] = input_snapshot(a.paths.front(), a.time, a.units, claims);
  const auto choice = choice_of(a, snapshot);
  PlotPage page{.part_name = {}};
  page.units = snapshot.units, page.logarithmic = bins.logarithmic;
  const double eps = a.eps.value_or(softening);
  if (a.kind == "rotation")
    page.parts.emplace_back(type_words(choice.types), rotation_curve(snapshot, choice, bins, eps));
  else if (a.kind == "phase-space")
    page.parts.emplace_back(type_words(choice.types), phase_space(snapshot, choice, bins, bins.count, 0));
  else add_profiles(page, snapshot, choice, bins);
  page.title = fmt::format("{}, t = {}{}", name, time_in_words(snapshot.time, snapshot.units),
                           choice.types.empty() ? "" : ", " + type_words(choice.types));
  page.comments = {fmt::format("time: {}", snapshot.time),
                   "units: " + snapshot.units.name,
                   "bodies: " + type_words(choice.types),
                   "centre: " + triple_words(*choice.centre),
                   "centre_velocity: " + triple_words(*choice.velocity),
                   "axis: " + triple_words(*choice.axis)};
  if (a.kind == "rotation") page.comments.push_back(fmt::format("softening: {}", eps));
  if (const auto columns = profiles::units_of(page.parts.front().second, snapshot.units); !columns.empty())
    page.comments.push_back("columns: " + columns);
  return page;
}

}  // namespace pleiad::app
