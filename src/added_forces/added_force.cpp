/// Added forces by name, and the checks of their parameters.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "added_forces/medium.hpp"
#include "potentials/named_values.hpp"

#include <pleiad/added_force.hpp>
#include <pleiad/error.hpp>
#include <pleiad/gravity.hpp>

#include <added_forces/kinds.hpp>  // written by CMake
#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad {
namespace {

constexpr double light_cm_s = 2.99792458e10;

static_assert([] {
  for (const auto& kind : added::kinds)
    if (kind.parameters.size() > AddedForce::most_parameters) return false;
  return true;
}());

/// Parameters of all kinds; the source only where there is one.
constexpr std::array commons{
    CommonParameter{"on", "the bodies that it acts on: all, massive or massless"},
    CommonParameter{"body", "id of the source; heaviest, if it is not given: the heaviest body"}};

constexpr Described described{.what = "force", .example = "gr-potential c=10000", .its = "the"};

/// The names of all parameters: its own, then the common ones.
std::vector<std::string_view> parameters_of(const AddedForceKind& kind) {
  auto names = names_of(kind.parameters);
  for (const auto& common : commons) names.push_back(common.name);
  if (!added::may_have_source(kind)) names.pop_back();
  return names;
}

ActsOn bodies_named(const AddedForceKind& kind, std::string_view text) {
  for (std::size_t k = 0; k < acts_on_names.size(); ++k)
    if (acts_on_names[k] == text) return static_cast<ActsOn>(k);
  throw UsageError(fmt::format("force '{}': on = '{}' must be one of {}{}", kind.name, text,
                               fmt::join(acts_on_names, ", "), did_you_mean(text, acts_on_names)),
                   Error::Code::unknown_name);
}

std::optional<std::uint64_t> source_named(const AddedForceKind& kind, std::string_view text) {
  if (text == "heaviest") return std::nullopt;
  std::uint64_t id = 0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (failure != std::errc{} || stop != text.data() + text.size())
    throw UsageError(
        fmt::format("force '{}': body = '{}' must be the id of a body, or heaviest", kind.name, text));
  return id;
}

/// What a parameter that is not given is worth where the units say it.
std::optional<double> by_units(int number, std::size_t parameter, const Units& units) {
  const int light = added::with_kind(number, []<class Kind>(Kind) {
    if constexpr (added::Relativistic<Kind>) return Kind::light;
    else return -1;
  });
  if (units.physical && static_cast<int>(parameter) == light) return light_cm_s / units.velocity_cm_s;
  return std::nullopt;
}

/// What no range of one parameter says.
void need_sound(const AddedForce& force) {
  const auto& kind = kind_of(force);
  const auto fault = added::with_kind(force.kind, [&]<class Kind>(Kind) {
    if constexpr (added::Checked<Kind>) return Kind::fault(force.parameters);
    else return added::Fault{};
  });
  if (fault.parameter >= 0) {
    const auto k = static_cast<std::size_t>(fault.parameter);
    throw UsageError(fmt::format("force '{}': {} = {} {}", kind.name, kind.parameters[k].name,
                                 force.parameters[k], fault.text));
  }
  if (!fault.text.empty()) throw UsageError(fmt::format("force '{}'{}", kind.name, fault.text));
  if (added::is_between_pairs(force) && force.on != kind.on)
    throw UsageError(fmt::format("force '{}': on = '{}', but it acts on both bodies of a pair; leave it out",
                                 kind.name, name_of(force.on)));
  if (force.body && !added::has_source(force))
    throw UsageError(fmt::format(
        "force '{}': body = {} is the source of a rotation; add rotation, which is not 0, or leave it out",
        kind_of(force).name, *force.body));
}

/// Whether angular momentum about the z axis is kept.
bool keeps_spin(const AddedForce& force) {
  return added::with_kind(force.kind, [&]<class Kind>(Kind) {
    if constexpr (added::SometimesUpright<Kind>) return Kind::upright(force.parameters);
    else return true;
  });
}

}  // namespace

std::span<const AddedForceKind> added_force_kinds() { return added::kinds; }
std::span<const CommonParameter> common_added_force_parameters() { return commons; }
const AddedForceKind& kind_of(const AddedForce& force) {
  return added::kinds[static_cast<std::size_t>(force.kind)];
}

AddedForce added_force_of(std::string_view text, const Units& units) {
  NamedValues values(described, text);
  AddedForce result;
  result.kind = static_cast<int>(values.kind_among(names_of(added::kinds)));
  const auto& kind = kind_of(result);
  const auto names = parameters_of(kind);
  values.take(names);
  const std::size_t own = kind.parameters.size();
  for (std::size_t k = 0; k < own; ++k)
    result.parameters[k] = values.parameter(k, kind.parameters[k], by_units(result.kind, k, units));
  const auto& on = values.text(own);
  result.on = on ? bodies_named(kind, *on) : kind.on;
  if (names.size() > own + 1)
    if (const auto& body = values.text(own + 1)) result.body = source_named(kind, *body);
  need_sound(result);
  return result;
}

std::string text_of(const AddedForce& force) {
  const auto& kind = kind_of(force);
  std::string text(kind.name);
  for (std::size_t k = 0; k < kind.parameters.size(); ++k)
    text += fmt::format(" {}={}", kind.parameters[k].name, force.parameters[k]);
  if (force.on != kind.on) text += fmt::format(" on={}", name_of(force.on));
  if (force.body) text += fmt::format(" body={}", *force.body);
  return text;
}

std::vector<AddedForce> added_forces_of(std::span<const std::string> texts, const Units& units) {
  std::vector<AddedForce> all;
  for (const auto& text : texts) all.push_back(added_force_of(text, units));
  return all;
}

std::string lines_of(std::span<const AddedForce> forces) {
  std::string lines;
  for (const auto& force : forces) lines += text_of(force) + '\n';
  return lines;
}

std::vector<AddedForce> added_forces_of_lines(const std::string& lines, const Units& units) {
  std::vector<AddedForce> all;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) all.push_back(added_force_of(line, units));
  return all;
}

bool added::may_have_source(const AddedForceKind& kind) {
  const auto found = std::ranges::find(kinds, kind.name, &AddedForceKind::name);
  return with_kind(static_cast<int>(found - kinds.begin()),
                   []<class Kind>(Kind) { return Kind::kind.of_source || SometimesOfSource<Kind>; });
}

bool added::has_source(const AddedForce& force) {
  return with_kind(force.kind, [&]<class Kind>(Kind) {
    if constexpr (SometimesOfSource<Kind>) return Kind::turns_about_source(force.parameters);
    else return Kind::kind.of_source;
  });
}

bool added::is_between_pairs(const AddedForce& force) {
  return with_kind(force.kind, []<class Kind>(Kind) { return BetweenPairs<Kind>; });
}

std::optional<std::size_t> added::medium_of(const AddedForce& force) {
  const int place = with_kind(force.kind, []<class Kind>(Kind) {
    if constexpr (InMedium<Kind>) return Kind::medium;
    else return -1;
  });
  if (place < 0) return std::nullopt;
  return static_cast<std::size_t>(force.parameters[place]) - 1;
}

std::optional<std::string> added::missing_medium(const Gravity& gravity) {
  for (const auto& force : gravity.forces)
    if (const auto medium = medium_of(force); medium && *medium >= gravity.potentials.size())
      return fmt::format("force '{}': potential = {} is not there; gravity.potentials has {}",
                         kind_of(force).name, *medium + 1, gravity.potentials.size());
  return std::nullopt;
}

namespace {

/// Whether the energies of the bodies contain that of the force. Without a reaction the source gives energy
/// to bodies with mass, or takes it.
bool keeps_energy(const AddedForce& force) {
  const auto& kind = kind_of(force);
  return kind.keeps_energy && (kind.reacts || force.on == ActsOn::massless);
}
/// Whether its work is added up where it acts.
bool is_drag(const AddedForce& force) { return kind_of(force).of_velocities && !kind_of(force).keeps_energy; }

/// That of the potentials, if each force keeps what is kept in them.
template <class Keeps>
std::optional<double> pattern_speed_where(const Gravity& gravity, const Keeps& keeps) {
  const auto omega = pattern_speed_of(gravity.potentials);
  for (const auto& force : gravity.forces)
    if (!keeps(force) || (omega != 0 && !is_drag(force) && !keeps_spin(force))) return std::nullopt;
  return omega;
}

}  // namespace

std::optional<double> pattern_speed_of(const Gravity& gravity) {
  return pattern_speed_where(gravity, keeps_energy);
}

bool counts_work(const Gravity& gravity) {
  // An energy that depends on velocities in another way than v^2 / 2 has another work.
  return std::ranges::any_of(gravity.forces, is_drag) &&
         std::ranges::all_of(gravity.forces, [](const AddedForce& force) {
           return is_drag(force) || (keeps_energy(force) && !kind_of(force).of_velocities);
         });
}

std::optional<double> balanced_pattern_speed_of(const Gravity& gravity) {
  if (!counts_work(gravity)) return pattern_speed_of(gravity);
  return pattern_speed_where(gravity,
                             [](const AddedForce& force) { return is_drag(force) || keeps_energy(force); });
}

}  // namespace pleiad
