/// Encounters of a simulation of the library: what is found, and how it goes on with other bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "direct/why_not.hpp"
#include "encounters/radii.hpp"
#include "ranks/self.hpp"
#include "sim/encounter_watch.hpp"
#include "sim/lattice.hpp"

#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// The value of this name. InputError, which names the file, for another one.
template <class Value, std::size_t n>
Value named(const std::array<std::string_view, n>& names, std::string_view word, std::string_view what,
            std::string_view where) {
  const auto known = std::ranges::find(names, word);
  if (known == names.end()) throw InputError(fmt::format("{}: '{}' is no {}", where, word, what));
  return static_cast<Value>(known - names.begin());
}

}  // namespace

void Simulation::watch_encounters(const EncounterSettings& settings) {
  if (!settings.active()) check(settings);
  if (method_.lattice) {
    auto facts = lattice_facts_of(method_, gravity_);
    facts.changes_bodies = settings.changes_bodies();
    if (const auto why = why_not(facts)) throw UsageError(*why, Error::Code::unsupported);
  }
  show_steps_to(nullptr);
  encounters_ = settings.active()
                    ? std::make_shared<EncounterWatch>(settings, *this, ranks::or_self(engine_options_.ranks))
                    : nullptr;
  found_.clear();
}

std::optional<EncounterSettings> Simulation::watched_encounters() const {
  return encounters_ ? std::optional(encounters_->settings()) : std::nullopt;
}

void Simulation::look_for_encounters() {
  need_finite();
  auto outcome = encounters_->look(*this);
  if (outcome.changed) {
    auto& changed = *outcome.changed;
    if (reference_energy_)
      *reference_energy_ -=
          changed.lost.energy - pattern_speed_of(gravity_).value_or(0) * changed.lost.angular_momentum.z;
    (void)snapshot();
    const auto now = engine_->describe();
    auto options = engine_options_;
    options.precision = precision_named(now.precision), options.method = now.method, options.why = now.why;
    now_.bodies = std::move(changed.all);
    if (why_not(now.method, {.n = size(), .gravity = gravity_, .precision = options.precision}))
      options.method.reset();
    clock_.next_dt = 0;
    engine_.reset();
    begin(options);
    if (controller_) controller_->bodies_changed(*this);
  }
  stopped_by_ = std::move(outcome.stop);
  found_.insert(found_.end(), outcome.events.begin(), outcome.events.end());
  if (tell_encounter_)
    for (const auto& event : outcome.events) tell_encounter_(event);
}

std::string Simulation::encounters_text() const {
  if (!encounters_) return {};
  const auto s = encounters_->settings();
  return fmt::format("{:a} {:a} {:a} {:a} {} {} {} {} {}\n{}\n{}", s.distance, s.radius, s.density,
                     s.escape_radius, name_of(s.on_approach), name_of(s.on_collision), name_of(s.on_escape),
                     name_of(s.escape_unit), name_of(s.escape_centre), encounters_->counts_text(),
                     encounters_->radii_text());
}

void Simulation::resume_encounters(const std::string& text, std::string_view where) {
  if (text.empty()) return watch_encounters({});
  std::istringstream lines(text);
  std::string settings, counts, radii;
  std::getline(lines, settings), std::getline(lines, counts), std::getline(lines, radii, '\0');
  std::istringstream in(settings);
  EncounterSettings s;
  for (double* number : {&s.distance, &s.radius, &s.density, &s.escape_radius}) {
    std::string word;
    in >> word;
    *number = std::strtod(word.c_str(), nullptr);
  }
  for (Reaction* reaction : {&s.on_approach, &s.on_collision, &s.on_escape}) {
    std::string word;
    in >> word;
    *reaction = named<Reaction>(reaction_names, word, "reaction", where);
  }
  // Older ones end here.
  if (std::string unit, centre; in >> unit >> centre) {
    s.escape_unit = named<EscapeUnit>(escape_unit_names, unit, "escape_unit", where);
    s.escape_centre = named<EscapeCentre>(escape_centre_names, centre, "escape_centre", where);
  }
  encounters::Radii present;
  present.restore(radii, where);
  s.radii = present.stated();
  // Those whose radii were stated may all be gone.
  if (!s.collisions()) s.on_collision = Reaction::record;
  try {
    watch_encounters(s);
  } catch (const UsageError& e) {
    throw InputError(fmt::format("{}: {}", where, e.what()));
  }
  if (encounters_) encounters_->restore(counts, radii);
}

}  // namespace pleiad
