#include "sim/encounter_watch.hpp"

#include "capabilities/capabilities.hpp"
#include "core/clock.hpp"
#include "core/threads.hpp"
#include "encounters/touching.hpp"
#include "potentials/hill_drift.hpp"
#include "ranks/agree.hpp"
#include "ranks/gather.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <ranges>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace pleiad {
namespace {

using encounters::Kind, encounters::Place;

encounters::Limits limits_of(const EncounterSettings& o) {
  return {.distance = o.distance,
          .contacts = o.collisions(),
          .escapes = {.radius = o.escape_radius, .unit = o.escape_unit, .centre = o.escape_centre},
          .contacts_end = o.on_collision == Reaction::merge || o.on_collision == Reaction::remove,
          .escapes_end = o.on_escape == Reaction::remove};
}

void need_possible(const EncounterSettings& o, const Gravity& gravity, const Method& method) {
  const EncounterFacts facts{.changes_bodies = o.changes_bodies(),
                             .periodic = gravity.boundary.periodic,
                             .added_forces = !gravity.forces.empty(),
                             .hill = std::ranges::any_of(gravity.potentials, potentials::is_hill),
                             .in_blocks = method.integrator->in_blocks,
                             .semi_active = gravity.semi_active.any(),
                             .one_softening = gravity.softening.plain(),
                             .escapes_alone = !(o.distance > 0) && !o.collisions(),
                             .tidal_radius = o.escape_unit == EscapeUnit::tidal_radius,
                             .potentials = !gravity.potentials.empty()};
  if (const auto why = why_not(facts)) throw UsageError(*why, Error::Code::unsupported);
}

/// As an engine in single precision stores it.
Place in_single(const Place& p) {
  const auto rounded = [](Vec3<double> a) {
    return Vec3<double>{double(float(a.x)), double(float(a.y)), double(float(a.z))};
  };
  return {rounded(p.x), rounded(p.v)};
}

/// The values of all ranks, on every rank.
template <class T>
std::vector<T> gathered(ranks::Communicator& ranks, const std::vector<T>& own) {
  return ranks.ranks() == 1 ? own : ranks::all_gather<T>(ranks, std::span<const T>(own)).data;
}

/// Leaves only those that are kept.
template <class T>
void keep(std::vector<T>& values, const std::vector<std::uint8_t>& kept) {
  std::size_t to = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (kept[i] != 0) values[to++] = values[i];
  values.resize(to);
}

}  // namespace

EncounterWatch::EncounterWatch(EncounterSettings settings, Simulation& simulation, ranks::Communicator& ranks)
    : settings_(std::move(settings)),
      ranks_(ranks),
      radii_(settings_.radius, settings_.density, settings_.radii),
      search_(limits_of(settings_), simulation.gravity()) {
  ranks::agree(
      ranks_, [&] { check(settings_), need_possible(settings_, simulation.gravity(), simulation.method()); });
  take_bodies(simulation);
  ranks::agree(ranks_, [&] {
    if (simulation.step() > 0) return;  // stated ones may be gone
    auto ids = matter_.id;
    std::ranges::sort(ids);
    for (const auto& [id, unused] : radii_.stated())
      if (!std::ranges::binary_search(ids, id))
        throw UsageError(fmt::format("encounters.radii: there is no body with id {}; ids go from {} to {}",
                                     id, ids.front(), ids.back()));
  });
}

void EncounterWatch::take_bodies(Simulation& simulation) {
  const auto& bodies = simulation.snapshot().bodies;
  matter_.mass = gathered(ranks_, bodies.mass), matter_.id = gathered(ranks_, bodies.id);
  take_places(simulation);
  take_radii();
}

void EncounterWatch::take_places(Simulation& simulation) {
  const auto& b = simulation.snapshot().bodies;
  const auto fill = [&](std::vector<Place>& places) {
    places.resize(b.size());
    for_each_index(b.size(), [&](std::size_t i) { places[i] = {b.position(i), b.velocity(i)}; });
  };
  if (ranks_.ranks() == 1) {
    fill(matter_.places);
  } else {
    std::vector<Place> own;
    fill(own);
    matter_.places = ranks::all_gather<Place>(ranks_, std::span<const Place>(own)).data;
  }
  time_ = simulation.time();
}

void EncounterWatch::take_radii() {
  matter_.radius.resize(matter_.size());
  for (std::size_t i = 0; i < matter_.size(); ++i)
    matter_.radius[i] = radii_.any() ? radii_.of(matter_.id[i], matter_.mass[i]) : 0;
}

EncounterWatch::Outcome EncounterWatch::look(Simulation& simulation) {
  const double start = seconds();
  std::swap(before_, matter_.places);
  const double begin = time_;
  take_places(simulation);
  const encounters::Step step{.begin = begin, .end = time_, .number = simulation.step(), .from = before_};
  auto found = search_.look(matter_, step);
  Outcome outcome;
  settle_energies(simulation, found);
  react(simulation, found, outcome);
  outcome.events.insert(outcome.events.begin(), found.events.begin(), found.events.end());
  for (const auto& e : outcome.events) ++counts_.events.at(static_cast<std::size_t>(e.kind));
  counts_.seconds += seconds() - start;
  return outcome;
}

/// Finds the energies of escaping bodies: about the centre of their sphere, at the end of the step.
void EncounterWatch::settle_energies(const Simulation& simulation, encounters::Found& found) {
  if (found.escaped.empty()) return;
  const encounters::Ledger now(matter_, simulation.gravity(), time_, simulation.step());
  std::map<std::uint64_t, double> energies;
  for (const auto body : found.escaped) energies[matter_.id[body]] = now.energy_of(body, found.motion);
  for (auto& e : found.events)
    if (e.kind == Kind::escape) e.energy = energies.at(e.id);
}

void EncounterWatch::react(Simulation& simulation, const encounters::Found& found, Outcome& outcome) {
  const auto stops = [&](Kind kind, Reaction reaction, const char* key) {
    const auto event = std::ranges::find(found.events, kind, &encounters::Event::kind);
    if (reaction == Reaction::stop && event != found.events.end() && outcome.stop.empty())
      outcome.stop = fmt::format("{} (encounters.{} = \"stop\")", encounters::words_of(*event), key);
  };
  stops(Kind::approach, settings_.on_approach, "on_approach");
  stops(Kind::collision, settings_.on_collision, "on_collision");
  stops(Kind::escape, settings_.on_escape, "on_escape");
  const bool merges = settings_.on_collision == Reaction::merge,
             removes = settings_.on_collision == Reaction::remove;
  const bool collides = (merges || removes) && !found.touching.empty(),
             leaves = settings_.on_escape == Reaction::remove && !found.escaped.empty();
  if (!collides && !leaves) return;
  encounters::Ledger ledger(matter_, simulation.gravity(), time_, simulation.step());
  if (collides)
    for (const auto& component : components_of(matter_, found.touching)) {
      if (merges) {
        ledger.merge(component);
        continue;
      }
      for (const auto body : component | std::views::drop(1)) ledger.remove(body, component.front());
    }
  if (leaves) {
    // A run without bodies, or without any that pulls, cannot go on.
    auto left = ledger.kept();
    for (const auto body : found.escaped) left[body] = 0;
    const bool field = !simulation.gravity().potentials.empty();
    bool goes_on = false;
    for (std::size_t i = 0; i < left.size(); ++i)
      goes_on = goes_on || (left[i] != 0 && (field || matter_.mass[i] > 0));
    if (goes_on) {
      for (const auto body : found.escaped)
        if (ledger.kept()[body] != 0) ledger.remove(body);
    } else {
      outcome.stop = fmt::format("the escape of all bodies{} at t = {:g}, which stay in the last state",
                                 field ? "" : " with mass", time_);
    }
  }
  if (!ledger.any_gone()) return;
  outcome.events = ledger.events();
  outcome.changed = change(simulation, ledger);
}

/// Takes the bodies that are left as those of the next step.
ChangedBodies EncounterWatch::change(Simulation& simulation, const encounters::Ledger& ledger) {
  const auto& kept = ledger.kept();
  ChangedBodies now{.masses_changed = ledger.masses_changed(), .lost = ledger.lost()};
  counts_.lost += ledger.lost();
  auto all = ranks::bodies_of_all(ranks_, simulation.snapshot().bodies);
  all.series.clear();  // the accelerations have changed at once
  const bool single = simulation.describe().precision == "f32";
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (matter_.mass[i] == 0) now.kept_particles.push_back(kept[i]);
    if (kept[i] == 0) radii_.forget(matter_.id[i]);
    if (kept[i] == 0 || ledger.changed()[i] == 0) continue;
    auto& place = matter_.places[i];
    if (single) place = in_single(place);
    const auto& [x, v] = place;
    all.x[i] = x.x, all.y[i] = x.y, all.z[i] = x.z, all.vx[i] = v.x, all.vy[i] = v.y, all.vz[i] = v.z;
    all.mass[i] = matter_.mass[i];
    if (!all.low.empty()) all.low[i] = {};
    if (radii_.any()) radii_.set(matter_.id[i], matter_.radius[i]);
  }
  for (auto field :
       {&Bodies::mass, &Bodies::x, &Bodies::y, &Bodies::z, &Bodies::vx, &Bodies::vy, &Bodies::vz})
    keep(all.*field, kept);
  keep(all.id, kept), keep(all.type, kept);
  if (!all.low.empty()) keep(all.low, kept);
  keep(matter_.places, kept), keep(matter_.mass, kept), keep(matter_.radius, kept), keep(matter_.id, kept);
  now.all = std::move(all);
  return now;
}

EncounterSettings EncounterWatch::settings() const {
  auto now = settings_;
  now.radii = radii_.stated();
  return now;
}

std::string EncounterWatch::counts_text() const {
  const auto& l = counts_.lost;
  std::string text;
  for (const auto count : counts_.events) text += fmt::format("{} ", count);
  for (const double number : {l.energy, l.angular_momentum.x, l.angular_momentum.y, l.angular_momentum.z})
    text += fmt::format("{:a} ", number);
  return text;
}

void EncounterWatch::restore(const std::string& counts, const std::string& radii) {
  std::istringstream words(counts);
  for (auto& count : counts_.events) words >> count;
  auto& l = counts_.lost;
  for (double* number : {&l.energy, &l.angular_momentum.x, &l.angular_momentum.y, &l.angular_momentum.z}) {
    std::string word;
    words >> word;
    *number = std::strtod(word.c_str(), nullptr);
  }
  if (!words) throw InputError("the checkpoint's encounter_counts are not whole");
  radii_.restore(radii, "the checkpoint's encounter_radii");
  take_radii();
}

}  // namespace pleiad
