/// The C interface: simulations.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "library/c.hpp"

#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>

using namespace pleiad;
using namespace pleiad::c;

struct pleiad_simulation {
  Simulation simulation;
};

namespace {

SimulationOptions options_of(const pleiad_simulation_options& o) {
  return {.softening = o.softening,
          .dt = o.dt,
          .accuracy = o.accuracy,
          .integrator = text_or(o.integrator, "kdk"),
          .adaptive = o.adaptive != 0,
          .exact_steps = o.exact_steps != 0,
          .eta = o.eta,
          .precision = precision_or_auto(o.precision),
          .backend = text_or(o.backend, "auto"),
          .kernel = text_or(o.kernel, "auto"),
          .gpus = o.gpus,
          .potentials = potentials_of_lines(text_or(o.potentials, "")),
          .forces = added_forces_of_lines(text_or(o.forces, "")),
          .semi_active = semi_active_of(text_or(o.semi_active, "")),
          .context = {.threads = o.threads, .cache = text_or(o.cache, "")}};
}

}  // namespace

extern "C" {

void pleiad_simulation_defaults(pleiad_simulation_options* options) {
  if (options == nullptr) return;
  const SimulationOptions o;
  *options = {.size = sizeof *options,
              .softening = o.softening,
              .dt = o.dt,
              .accuracy = o.accuracy,
              .integrator = "kdk",
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
              .semi_active = nullptr};
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
  return guarded([&] {
    need(simulation, "simulation");
    simulation->simulation.make_steps(steps);
  });
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
  return status == PLEIAD_OK && !reached ? failed(PLEIAD_STOPPED, "the watch has ended the call") : status;
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
