/// The C interface: simulations.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "library/c.hpp"

#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <limits>
#include <map>

using namespace pleiad;
using namespace pleiad::c;

struct pleiad_simulation {
  Simulation simulation;
};

namespace {

std::map<Type, double> by_type(const double* softenings) {
  std::map<Type, double> found;
  for (std::size_t k = 0; softenings != nullptr && k < type_names.size(); ++k)
    found[static_cast<Type>(k)] = softenings[k];
  return found;
}

SimulationOptions options_of(const pleiad_simulation_options& o) {
  return {.softening = o.softening,
          .softening_kernel =
              named<SofteningKernel>(softening_kernel_names, o.softening_kernel, "softening_kernel"),
          .softening_rule = named<SofteningRule>(softening_rule_names, o.softening_rule, "softening_rule"),
          .softening_by_type = by_type(o.softening_by_type),
          .dt = o.dt,
          .accuracy = o.accuracy,
          .integrator = text_or(o.integrator, "auto"),
          .adaptive = o.adaptive != 0,
          .exact_steps = o.exact_steps != 0,
          .symmetric_steps = o.symmetric_steps != 0,
          .eta = o.eta,
          .blocks = {.levels = o.block_levels,
                     .criterion =
                         named<BlockCriterion>(block_criterion_names, o.block_criterion, "block_criterion"),
                     .single_step = o.single_step != 0,
                     .groups = named<CloseGroups>(close_groups_names, o.groups, "groups"),
                     .group_radius = o.group_radius,
                     .slow_down = o.slow_down != 0},
          .corrector = o.corrector,
          .position_error = o.position_error,
          .t_end = o.t_end,
          .precision = precision_or_auto(o.precision),
          .backend = text_or(o.backend, "auto"),
          .kernel = text_or(o.kernel, "auto"),
          .gpus = o.gpus,
          .potentials = potentials_of_lines(text_or(o.potentials, "")),
          .forces = added_forces_of_lines(text_or(o.forces, "")),
          .semi_active = semi_active_of(text_or(o.semi_active, "")),
          .context = {.threads = o.threads, .cache = text_or(o.cache, "")}};
}

/// PLEIAD_STOPPED where an encounter has ended the last call that made steps.
pleiad_status stopped_or_ok(const pleiad_simulation& s) {
  const auto& why = s.simulation.stopped_by();
  return why.empty() ? PLEIAD_OK : failed(PLEIAD_STOPPED, why.c_str());
}

Reaction reaction_named(const char* name) { return named<Reaction>(reaction_names, name, "a reaction"); }
EncounterSettings settings_of(const pleiad_encounter_settings& s) {
  EncounterSettings settings{
      .distance = s.distance,
      .radius = s.radius,
      .density = s.density,
      .escape_radius = s.escape_radius,
      .escape_unit = named<EscapeUnit>(escape_unit_names, s.escape_unit, "escape_unit"),
      .escape_centre = named<EscapeCentre>(escape_centre_names, s.escape_centre, "escape_centre"),
      .on_approach = reaction_named(s.on_approach),
      .on_collision = reaction_named(s.on_collision),
      .on_escape = reaction_named(s.on_escape)};
  if (s.own_radii > 0) need(s.ids, "ids"), need(s.radii, "radii");
  for (std::size_t k = 0; k < s.own_radii; ++k)
    if (!settings.radii.try_emplace(s.ids[k], s.radii[k]).second)
      throw UsageError(fmt::format("radii of body {} are there twice", s.ids[k]));
  return settings;
}
pleiad_encounter encounter_of(const Encounter& e) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto& l = e.angular_momentum_lost;
  const bool lost = e.energy_lost.has_value();
  return {.kind = static_cast<pleiad_encounter_kind>(e.kind),
          .time = e.time,
          .step = e.step,
          .id = e.id,
          .other = e.other.value_or(e.id),
          .mass = e.mass,
          .other_mass = e.other ? e.other_mass : none,
          .distance = e.distance,
          .speed = e.speed,
          .position = {e.x.x, e.x.y, e.x.z},
          .velocity = {e.v.x, e.v.y, e.v.z},
          .energy = e.energy.value_or(none),
          .energy_lost = e.energy_lost.value_or(none),
          .angular_momentum_lost = {lost ? l.x : none, lost ? l.y : none, lost ? l.z : none}};
}

}  // namespace

extern "C" {

void pleiad_encounter_defaults(pleiad_encounter_settings* settings) {
  if (settings == nullptr) return;
  *settings = {.size = sizeof *settings,
               .distance = 0,
               .radius = 0,
               .density = 0,
               .escape_radius = 0,
               .on_approach = "record",
               .on_collision = "record",
               .on_escape = "record",
               .ids = nullptr,
               .radii = nullptr,
               .own_radii = 0,
               .escape_unit = "length",
               .escape_centre = "auto"};
}
pleiad_status pleiad_simulation_watch_encounters(pleiad_simulation* simulation,
                                                 const pleiad_encounter_settings* settings) {
  return guarded([&] {
    need(simulation, "simulation");
    simulation->simulation.watch_encounters(settings_of(complete(settings, pleiad_encounter_defaults)));
  });
}
pleiad_status pleiad_simulation_encounters(pleiad_simulation* simulation, size_t first,
                                           pleiad_encounter* encounters, size_t capacity, size_t* count) {
  return guarded([&] {
    need(simulation, "simulation"), need(count, "count");
    if (capacity > 0) need(encounters, "encounters");
    const auto& all = simulation->simulation.encounters();
    for (std::size_t k = 0; k < capacity && first < all.size() && k < all.size() - first; ++k)
      encounters[k] = encounter_of(all[first + k]);
    *count = all.size();
  });
}

void pleiad_simulation_defaults(pleiad_simulation_options* options) {
  if (options == nullptr) return;
  const SimulationOptions o;
  *options = {.size = sizeof *options,
              .softening = o.softening,
              .dt = o.dt,
              .accuracy = o.accuracy,
              .integrator = "auto",
              .adaptive = 0,
              .eta = o.eta,
              .precision = "auto",
              .backend = "auto",
              .kernel = "auto",
              .gpus = o.gpus,
              .threads = 0,
              .cache = nullptr,
              .potentials = nullptr,
              .exact_steps = 0,
              .forces = nullptr,
              .semi_active = nullptr,
              .softening_kernel = "plummer",
              .softening_rule = "max",
              .softening_by_type = nullptr,
              .block_levels = o.blocks.levels,
              .block_criterion = "auto",
              .single_step = 0,
              .corrector = 0,
              .position_error = 0,
              .t_end = 0,
              .symmetric_steps = 0,
              .groups = "off",
              .group_radius = 0,
              .slow_down = 1};
}

pleiad_status pleiad_simulation_new(const pleiad_bodies* start, const pleiad_simulation_options* options,
                                    pleiad_simulation** simulation) {
  return guarded([&] {
    need(start, "start"), need(simulation, "simulation");
    const auto o = options_of(complete(options, pleiad_simulation_defaults));
    *simulation = new pleiad_simulation{Simulation(start->snapshot, o)};
  });
}

pleiad_status pleiad_simulation_step(pleiad_simulation* simulation, uint64_t steps) {
  const auto status = guarded([&] {
    need(simulation, "simulation");
    simulation->simulation.make_steps(steps);
  });
  return status == PLEIAD_OK ? stopped_or_ok(*simulation) : status;
}
pleiad_status pleiad_simulation_run_until(pleiad_simulation* simulation, double time, pleiad_watch watch,
                                          void* user) {
  bool reached = true;
  const auto status = guarded([&] {
    need(simulation, "simulation");
    Watch each;
    if (watch != nullptr) each = [&](const RunProgress& p) { return watch(p.time, p.step, user) != 0; };
    reached = simulation->simulation.run_until(time, each);
  });
  if (status != PLEIAD_OK) return status;
  if (const auto stopped = stopped_or_ok(*simulation); stopped != PLEIAD_OK) return stopped;
  return reached ? status : failed(PLEIAD_STOPPED, "the watch has ended the call");
}
double pleiad_simulation_time(const pleiad_simulation* s) { return s == nullptr ? 0 : s->simulation.time(); }
uint64_t pleiad_simulation_steps(const pleiad_simulation* s) {
  return s == nullptr ? 0 : s->simulation.step();
}
size_t pleiad_simulation_count(const pleiad_simulation* s) { return s == nullptr ? 0 : s->simulation.size(); }

pleiad_status pleiad_simulation_copy(pleiad_simulation* simulation, double* positions, double* velocities) {
  return guarded([&] {
    need(simulation, "simulation");
    const auto& b = simulation->simulation.snapshot().bodies;
    copy_triples(b.x, b.y, b.z, positions);
    copy_triples(b.vx, b.vy, b.vz, velocities);
  });
}
pleiad_status pleiad_simulation_accelerations(pleiad_simulation* simulation, double* accelerations,
                                              double* potentials) {
  return guarded([&] {
    need(simulation, "simulation");
    const auto s = simulation->simulation.snapshot_with_fields();
    copy_triples(s.ax, s.ay, s.az, accelerations);
    if (potentials != nullptr) std::ranges::copy(s.potential, potentials);
  });
}
pleiad_status pleiad_simulation_energy(pleiad_simulation* simulation, double* kinetic, double* potential,
                                       double* error) {
  return guarded([&] {
    need(simulation, "simulation");
    auto& s = simulation->simulation;
    const double reference = s.reference_energy(), omega = pattern_speed_of(s.gravity()).value_or(0);
    const auto d = diagnose(s.totals(), s.time(), s.step(), reference, omega, s.energy_scale());
    if (kinetic != nullptr) *kinetic = d.energies.kinetic;
    if (potential != nullptr) *potential = d.energies.potential;
    if (error != nullptr) *error = d.energy_error;
  });
}
pleiad_status pleiad_simulation_bodies(pleiad_simulation* simulation, pleiad_bodies** bodies) {
  return guarded([&] {
    need(simulation, "simulation"), need(bodies, "bodies");
    *bodies = new pleiad_bodies{simulation->simulation.snapshot()};
  });
}
pleiad_status pleiad_simulation_save(pleiad_simulation* simulation, const char* folder) {
  return guarded([&] {
    need(simulation, "simulation"), need(folder, "folder");
    save(simulation->simulation, folder);
  });
}
pleiad_status pleiad_simulation_load(const char* folder, int threads, pleiad_simulation** simulation) {
  return guarded([&] {
    need(folder, "folder"), need(simulation, "simulation");
    *simulation = new pleiad_simulation{load(folder, {.threads = threads})};
  });
}
void pleiad_simulation_free(pleiad_simulation* simulation) { delete simulation; }

}  // extern "C"
