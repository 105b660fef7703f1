#include "sim/encounter_watch.hpp"

#include "capabilities/capabilities.hpp"
#include "core/clock.hpp"
#include "core/threads.hpp"
#include "encounters/touching.hpp"
#include "integrate/individual.hpp"
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

void need_possible(const EncounterSettings& o, const Simulation& simulation) {
  const auto& gravity = simulation.gravity();
  const auto& method = simulation.method();
  const EncounterFacts facts{
      .changes_bodies = o.changes_bodies(),
      .periodic = gravity.boundary.periodic,
      .added_forces = !gravity.forces.empty(),
      .hill = std::ranges::any_of(gravity.potentials, potentials::is_hill),
      .in_blocks = method.integrator->in_blocks && !shows_inside(method.integrator),
      .semi_active = gravity.semi_active.any(),
      .one_softening = gravity.softening.plain(),
      .escapes_alone = !(o.distance > 0) && !o.collisions(),
      .own_steps_on_gpus = has_individual_steps(method.integrator) && simulation.describe().gpus > 0,
      .removes_from_groups =
          o.on_collision == Reaction::remove && method.blocks.groups == CloseGroups::regularised,
      .neighbours = method.blocks.neighbours == Neighbours::on,
      .tidal_radius = o.escape_unit == EscapeUnit::tidal_radius,
      .potentials = !gravity.potentials.empty()};
  if (const auto why = why_not(facts)) throw UsageError(*why, Error::Code::unsupported);
}

/// What is left to be found after a step inside which the scheme has looked.
encounters::Limits after_step(encounters::Limits limits, bool inside) {
  if (inside) limits.distance = 0, limits.contacts = false;
  return limits;
}

Place place_of(const StepWatch::State& p) { return {p.x, p.v}; }

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
      limits_(limits_of(settings_)),
      gravity_(simulation.gravity()),
      search_(after_step(limits_, shows_inside(simulation.method().integrator)), gravity_) {
  ranks::agree(ranks_, [&] { check(settings_), need_possible(settings_, simulation); });
  take_bodies(simulation);
  attach(simulation);
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

void EncounterWatch::attach(Simulation& simulation) {
  inside_steps_ = shows_inside(simulation.method().integrator) && (limits_.distance > 0 || limits_.contacts);
  simulation.show_steps_to(inside_steps_ ? this : nullptr);
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
  time_ = simulation.time(), step_ = simulation.step();
}

void EncounterWatch::take_radii() {
  matter_.radius.resize(matter_.size());
  for (std::size_t i = 0; i < matter_.size(); ++i)
    matter_.radius[i] = radii_.any() ? radii_.of(matter_.id[i], matter_.mass[i]) : 0;
}

bool EncounterWatch::look(const Part& part) {
  const auto& [pair, begin, end, from, to, of_group] = part;
  const std::size_t bodies[] = {pair.one, pair.other};
  if (!(matter_.mass[pair.one] > 0 || matter_.mass[pair.other] > 0)) return false;
  const auto one = [&](std::size_t k) {
    const auto i = bodies[k];
    return encounters::TwoBodies::One{matter_.id[i], of_group[k] > 0 ? of_group[k] : matter_.mass[i],
                                      matter_.radius[i], place_of(from[k]), place_of(to[k])};
  };
  const std::size_t first = matter_.id[pair.one] < matter_.id[pair.other] ? 0 : 1;
  auto limits = limits_;
  if (of_group[0] > 0 || of_group[1] > 0) limits.contacts = false;
  return look_at_two({.begin = begin,
                      .end = end,
                      .number = step_ + 1,
                      .starts = step_ == 0 && begin == time_,
                      .one = one(first),
                      .other = one(1 - first)},
                     limits, gravity_, inside_.met);
}

encounters::Event EncounterWatch::event_of(Kind kind, const Moment& moment) const {
  std::size_t bodies[] = {moment.pair.one, moment.pair.other}, first = 0;
  if (matter_.id[bodies[0]] > matter_.id[bodies[1]]) std::swap(bodies[0], bodies[1]), first = 1;
  const auto one = place_of(moment.at[first]), apart = place_of(moment.at[1 - first]) - one;
  auto event = of_two(kind, one, apart, matter_.mass[bodies[0]], matter_.mass[bodies[1]], gravity_);
  event.time = moment.time, event.step = step_ + 1;
  event.id = matter_.id[bodies[0]], event.other = matter_.id[bodies[1]];
  return event;
}

void EncounterWatch::tell_approach(const Moment& moment) {
  auto event = event_of(Kind::approach, moment);
  const auto [at, is_new] =
      inside_.closest.try_emplace(std::minmax(moment.pair.one, moment.pair.other), event);
  if (!is_new && event.distance < at->second.distance) at->second = std::move(event);
}

void EncounterWatch::tell_contact(const Moment& moment) {
  inside_.contacts.try_emplace(std::minmax(moment.pair.one, moment.pair.other),
                               event_of(Kind::collision, moment));
}

std::vector<StepWatch::Change> EncounterWatch::part(double time, std::vector<State> all,
                                                    std::span<const Pair> touching) {
  if (inside_.gone.empty()) {
    inside_.gone.assign(matter_.size(), 0), inside_.changed = inside_.gone;
    inside_.from = matter_.places;
  }
  for (std::size_t i = 0; i < all.size(); ++i) matter_.places[i] = place_of(all[i]);
  std::vector<encounters::Pair> pairs;
  for (const auto& [one, other] : touching) pairs.push_back({one, other});
  encounters::Ledger ledger(matter_, gravity_, time, step_ + 1);
  std::vector<Change> changes;
  for (const auto& component : components_of(matter_, pairs)) {
    if (settings_.on_collision == Reaction::merge) join_beginnings(component);
    part_component(ledger, component);
    const auto stays = component.front();
    if (ledger.changed()[stays] != 0)
      changes.push_back({.body = stays,
                         .mass = matter_.mass[stays],
                         .state = {matter_.places[stays].x, matter_.places[stays].v}});
    for (const auto body : component | std::views::drop(1))
      changes.push_back({.body = body, .gone = true, .into = stays});
  }
  for (const auto& change : changes) {
    if (!change.gone) inside_.changed[change.body] = 1;
    else inside_.gone[change.body] = 1, matter_.mass[change.body] = matter_.radius[change.body] = 0;
  }
  inside_.masses_changed = inside_.masses_changed || ledger.masses_changed();
  inside_.lost += ledger.lost();
  inside_.parts.insert(inside_.parts.end(), ledger.events().begin(), ledger.events().end());
  return changes;
}

/// The body that stays has begun the step at the centre of mass of all of them.
void EncounterWatch::join_beginnings(const encounters::Component& component) {
  const auto stays = component.front();
  const Place first = inside_.from[stays];
  Place sum{};
  double mass = 0;
  for (const auto body : component) {
    const auto apart = inside_.from[body] - first;
    const double m = matter_.mass[body];
    sum.x += m * apart.x, sum.v += m * apart.v, mass += m;
  }
  if (mass > 0) inside_.from[stays] = {first.x + (1 / mass) * sum.x, first.v + (1 / mass) * sum.v};
}

/// Merges what touches, or takes away all but the heaviest.
void EncounterWatch::part_component(encounters::Ledger& ledger,
                                    const encounters::Component& component) const {
  if (settings_.on_collision == Reaction::merge) {
    ledger.merge(component);
    return;
  }
  for (const auto body : component | std::views::drop(1)) ledger.remove(body, component.front());
}

std::function<void()> EncounterWatch::keep_state() {
  return [this, inside = inside_, matter = matter_] { inside_ = inside, matter_ = matter; };
}

/// What was met inside the last step, in the order of its rows.
std::vector<encounters::Event> EncounterWatch::met_inside() {
  auto met = std::move(inside_.met);
  for (const auto* of_pairs : {&inside_.closest, &inside_.contacts})
    for (const auto& [pair, event] : *of_pairs) met.push_back(event);
  std::ranges::sort(met, [](const auto& a, const auto& b) { return encounters::before(a, b); });
  return met;
}

EncounterWatch::Outcome EncounterWatch::look(Simulation& simulation) {
  const double start = seconds();
  std::swap(before_, matter_.places);
  if (!inside_.from.empty()) before_ = std::move(inside_.from);
  const double begin = time_;
  take_places(simulation);
  const encounters::Step step{.begin = begin, .end = time_, .number = simulation.step(), .from = before_};
  auto found = search_.look(matter_, step);
  std::erase_if(found.escaped, [&](std::uint32_t i) { return is_gone(i); });
  for (std::size_t i = 0; i < inside_.gone.size(); ++i)
    if (is_gone(i)) std::erase_if(found.events, [&](const auto& e) { return e.id == matter_.id[i]; });
  Outcome outcome;
  settle_energies(simulation, found);
  if (inside_steps_) {
    const auto met = met_inside();
    found.events.insert(found.events.end(), met.begin(), met.end());
    std::ranges::sort(found.events, [](const auto& a, const auto& b) { return encounters::before(a, b); });
  }
  react(simulation, found, outcome);
  inside_ = {};
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
  const bool collides = limits_.contacts_end && !found.touching.empty(),
             leaves = settings_.on_escape == Reaction::remove && !found.escaped.empty();
  if (!collides && !leaves && inside_.parts.empty()) return;
  encounters::Ledger ledger(matter_, simulation.gravity(), time_, simulation.step());
  if (collides)
    for (const auto& component : components_of(matter_, found.touching)) part_component(ledger, component);
  if (leaves) {
    // A run without bodies, or without any that pulls, cannot go on.
    auto left = ledger.kept();
    for (std::size_t i = 0; i < left.size(); ++i)
      if (is_gone(i)) left[i] = 0;
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
  if (!ledger.any_gone() && inside_.parts.empty()) return;
  outcome.events = inside_.parts;
  outcome.events.insert(outcome.events.end(), ledger.events().begin(), ledger.events().end());
  outcome.changed = change(simulation, ledger);
}

/// Takes the bodies that are left as those of the next step.
ChangedBodies EncounterWatch::change(Simulation& simulation, const encounters::Ledger& ledger) {
  auto kept = ledger.kept();
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (is_gone(i)) kept[i] = 0;
  ChangedBodies now{.masses_changed = inside_.masses_changed || ledger.masses_changed(),
                    .lost = inside_.lost};
  now.lost += ledger.lost();
  counts_.lost += now.lost;
  auto all = ranks::bodies_of_all(ranks_, simulation.snapshot().bodies);
  all.series.clear();  // the accelerations have changed at once
  const bool single = simulation.describe().precision == "f32";
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all.mass[i] == 0) now.kept_particles.push_back(kept[i]);
    if (kept[i] == 0) radii_.forget(matter_.id[i]);
    const bool here = ledger.changed()[i] != 0;
    if (kept[i] == 0 || !(here || (!inside_.changed.empty() && inside_.changed[i] != 0))) continue;
    all.mass[i] = matter_.mass[i];
    if (radii_.any()) radii_.set(matter_.id[i], matter_.radius[i]);
    if (!here) continue;  // the steps have moved it as it is
    auto& place = matter_.places[i];
    if (single) place = in_single(place);
    const auto& [x, v] = place;
    all.x[i] = x.x, all.y[i] = x.y, all.z[i] = x.z, all.vx[i] = v.x, all.vy[i] = v.y, all.vz[i] = v.z;
    if (!all.low.empty()) all.low[i] = {};
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
