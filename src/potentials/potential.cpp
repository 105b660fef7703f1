/// External potentials by name, and the checks of their parameters.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "potentials/at_time.hpp"
#include "potentials/hill_drift.hpp"
#include "potentials/kind.hpp"
#include "potentials/named_values.hpp"
#include "potentials/rows.hpp"

#include <pleiad/error.hpp>
#include <pleiad/potential.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <potentials/kinds.hpp>  // written by CMake
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad {
namespace {

/// A common parameter with its place in a potential; each is 0 where it is not given.
struct Common {
  CommonParameter told;
  double& (*of)(Potential& p);
};
constexpr std::array commons{
    Common{{"x", "x of the centre at t = 0"}, [](Potential& p) -> double& { return p.centre.x; }},
    Common{{"y", "y of the centre at t = 0"}, [](Potential& p) -> double& { return p.centre.y; }},
    Common{{"z", "z of the centre at t = 0"}, [](Potential& p) -> double& { return p.centre.z; }},
    Common{{"vx", "velocity of the centre along x"}, [](Potential& p) -> double& { return p.velocity.x; }},
    Common{{"vy", "velocity of the centre along y"}, [](Potential& p) -> double& { return p.velocity.y; }},
    Common{{"vz", "velocity of the centre along z"}, [](Potential& p) -> double& { return p.velocity.z; }},
    Common{{"angle", "angle in radians of its x axis at t = 0, from x towards y"},
           [](Potential& p) -> double& { return p.angle; }},
    Common{{"omega", "pattern speed: its axes turn about z by omega t"},
           [](Potential& p) -> double& { return p.omega; }},
    Common{{"rise_from", "time up to which its strength is 0"},
           [](Potential& p) -> double& { return p.rise_from; }},
    Common{{"rise_to", "time from which it has its full strength"},
           [](Potential& p) -> double& { return p.rise_to; }},
    Common{{"e_fold", "time in which its strength grows by a factor e; negative: falls"},
           [](Potential& p) -> double& { return p.e_fold; }}};
constexpr auto told = [] {
  std::array<CommonParameter, commons.size()> all;
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = commons[k].told;
  return all;
}();

static_assert([] {
  for (const auto& kind : potentials::kinds)
    if (kind.parameters.size() > Potential::most_parameters) return false;
  return true;
}());

constexpr Described described{.what = "potential", .example = "plummer mass=1 scale=2", .its = "its"};

/// Parameters that are no numbers: of all kinds, then of a table.
constexpr std::array<std::string_view, 4> texts{"track", "track_rows", "file", "rows"};

bool tabulated(const PotentialKind& kind) { return kind.name == potentials::Table::kind.name; }

/// The names of all parameters: its own, the common ones, then those of texts.
std::vector<std::string_view> parameters_of(const PotentialKind& kind) {
  auto names = names_of(kind.parameters);
  for (const auto& common : commons) names.push_back(common.told.name);
  names.insert(names.end(), texts.begin(), texts.end());
  if (!tabulated(kind)) names.resize(names.size() - 2);
  return names;
}

/// The table and the track, from files or from texts.
void take_rows(Potential& p, const PotentialKind& kind,
               const std::array<std::optional<std::string>, texts.size()>& given) {
  const auto& [track, track_rows, file, rows] = given;
  const auto one_of_two = [&](const auto& one, const auto& other, std::string_view name,
                              std::string_view other_name) {
    if (one && other)
      throw UsageError(fmt::format("potential '{}' takes {} or {}, not both", kind.name, name, other_name));
  };
  const auto what = [&](const std::optional<std::string>& from, std::string_view name) {
    return fmt::format("potential '{}': {}", kind.name,
                       from ? fmt::format("'{}'", *from) : std::string(name));
  };
  one_of_two(track, track_rows, "track", "track_rows");
  one_of_two(file, rows, "file", "rows");
  std::size_t columns = 7;
  if (track || track_rows) {
    const auto numbers = track ? potentials::rows_of_file(*track, columns)
                               : potentials::numbers_of(*track_rows, what({}, "track_rows"));
    p.track = potentials::completed_track(numbers, columns, what(track, "track_rows"));
  }
  if (!tabulated(kind)) return;
  if (!file && !rows)
    throw UsageError(
        "potential 'table' needs file, with a radius and the mass within it on each line: add file=FILE");
  columns = 2;
  const auto numbers =
      file ? potentials::rows_of_file(*file, columns) : potentials::numbers_of(*rows, what({}, "rows"));
  if (columns != 2)
    throw UsageError(fmt::format("{}: a row must be a radius and the mass within it, not {} numbers",
                                 what(file, "rows"), columns));
  p.table = potentials::completed_table(numbers, what(file, "rows"));
}

/// Hill's frame is that of its own orbit.
void need_no_motion(Potential p, const PotentialKind& kind) {
  for (const auto& common : commons)
    if (common.of(p) != 0 || !p.track.empty())
      throw UsageError(
          fmt::format("potential '{}' takes rate, kappa and nu only: its centre is the origin, and its "
                      "axes are those of the run",
                      kind.name));
}

bool axisymmetric(const Potential& p) {
  return potentials::with_kind(p.kind, [&]<class Kind>(Kind) {
    if constexpr (potentials::SometimesAxisymmetric<Kind>) return Kind::axisymmetric(p.parameters);
    else return true;
  });
}

/// The parameters of a kind with physical dimensions, where the units are physical.
std::optional<std::array<double, Potential::most_parameters>> scales_in(int number, const Units& units) {
  std::array<double, Potential::most_parameters> scales{};
  const bool known = potentials::with_kind(number, [&]<class Kind>(Kind) {
    if constexpr (potentials::Physical<Kind>) Kind::scale(units, scales.data());
    return potentials::Physical<Kind>;
  });
  return known && units.physical ? std::optional(scales) : std::nullopt;
}

}  // namespace

std::span<const PotentialKind> potential_kinds() { return potentials::kinds; }
std::span<const CommonParameter> common_potential_parameters() { return told; }

Potential potential_of(std::string_view text, const Units& units) {
  NamedValues values(described, text);
  Potential result;
  result.kind = static_cast<int>(values.kind_among(names_of(potentials::kinds)));
  const auto& kind = potential_kinds()[static_cast<std::size_t>(result.kind)];
  const auto names = parameters_of(kind);
  values.take(names);
  const std::size_t own = kind.parameters.size(), first_text = own + commons.size();
  const auto scales = scales_in(result.kind, units);
  for (std::size_t k = 0; k < own; ++k)
    result.parameters[k] =
        values.parameter(k, kind.parameters[k], scales ? std::optional((*scales)[k]) : std::nullopt);
  for (std::size_t k = 0; k < commons.size(); ++k) commons[k].of(result) = values.number(own + k).value_or(0);
  std::array<std::optional<std::string>, texts.size()> words_given;
  for (std::size_t k = first_text; k < names.size(); ++k)
    if (const auto& word = values.text(k)) words_given[k - first_text] = std::string(*word);
  take_rows(result, kind, words_given);
  if (potentials::is_hill(result)) need_no_motion(result, kind);
  if (!result.track.empty() && !(result.centre == Vec3<double>{} && result.velocity == Vec3<double>{}))
    throw UsageError(fmt::format(
        "potential '{}': its centre is that of its track; leave out x, y, z, vx, vy and vz", kind.name));
  if (result.rise_from > result.rise_to || (result.rise_from == result.rise_to && result.rise_from != 0))
    throw UsageError(fmt::format("potential '{}': rise_from = {} must be before rise_to = {}", kind.name,
                                 result.rise_from, result.rise_to));
  return result;
}

std::string text_of(const Potential& potential) {
  const auto& kind = potential_kinds()[static_cast<std::size_t>(potential.kind)];
  std::string text(kind.name);
  for (std::size_t k = 0; k < kind.parameters.size(); ++k)
    text += fmt::format(" {}={}", kind.parameters[k].name, potential.parameters[k]);
  auto p = potential;
  for (const auto& common : commons)
    if (const double value = common.of(p); value != 0) text += fmt::format(" {}={}", common.told.name, value);
  if (!p.table.empty()) text += fmt::format(" rows={}", fmt::join(potentials::given_table(p.table), ","));
  if (!p.track.empty()) text += fmt::format(" track_rows={}", fmt::join(p.track, ","));
  return text;
}

bool is_static(const Potential& p) {
  const bool turns = p.omega != 0 && !axisymmetric(p);
  return p.velocity == Vec3<double>{} && p.track.empty() && !turns && !(p.rise_from < p.rise_to) &&
         p.e_fold == 0;
}

void potentials::throw_off_track(const Potential& p, double time) {
  throw UsageError(
      fmt::format("potential '{}': its track is from t = {} to {}; a step needs its centre at t = {}",
                  potential_kinds()[static_cast<std::size_t>(p.kind)].name, p.track.front(),
                  p.track[p.track.size() - 7], time));
}

std::optional<double> pattern_speed_of(std::span<const Potential> all) {
  double omega = 0;
  for (const auto& p : all)
    if (!is_static(p)) omega = p.omega;
  if (omega == 0 && !std::ranges::all_of(all, is_static)) return std::nullopt;
  if (omega == 0) return 0;
  // In the rotating frame each must rest: it rotates, or is symmetric, about the axis.
  for (auto p : all) {
    if (p.centre.x != 0 || p.centre.y != 0 || !(axisymmetric(p) || p.omega == omega)) return std::nullopt;
    p.omega = 0;
    if (!is_static(p)) return std::nullopt;
  }
  return omega;
}

std::vector<Potential> potentials_of(std::span<const std::string> texts, const Units& units) {
  std::vector<Potential> all;
  for (const auto& text : texts) all.push_back(potential_of(text, units));
  return all;
}

std::string lines_of(std::span<const Potential> potentials) {
  std::string lines;
  for (const auto& p : potentials) lines += text_of(p) + '\n';
  return lines;
}

std::vector<Potential> potentials_of_lines(const std::string& lines, const Units& units) {
  std::vector<Potential> all;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) all.push_back(potential_of(line, units));
  return all;
}

}  // namespace pleiad
