/// A simulation from the options of the library: checked, its method found.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "library/planned.hpp"

#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <utility>

#include <fmt/format.h>

namespace pleiad {
namespace {

Gravity gravity_of(const Snapshot& s, const SimulationOptions& o) {
  return {.G = s.G, .softening = {o.softening}, .boundary = s.boundary, .dimension = o.dimension};
}

void need_sound(const Snapshot& s, const SimulationOptions& o) {
  check_law(gravity_of(s, o), o.accuracy);
  if (o.dimension != 2 && o.dimension != 3)
    throw UsageError(fmt::format("dimension = {} must be 2 or 3", o.dimension));
  validate(s.bodies, o.softening, "the bodies");
  if (o.dimension == 2)
    for (std::size_t i = 0; i < s.bodies.size(); ++i)
      if (s.bodies.z[i] != 0 || s.bodies.vz[i] != 0)
        throw InputError(
            fmt::format("the bodies: body {} has z = {}, vz = {}; in two dimensions both must be 0", i,
                        s.bodies.z[i], s.bodies.vz[i]));
}

}  // namespace

Simulation::Simulation(Snapshot initial, const SimulationOptions& o)
    : gravity_(gravity_of(initial, o)),
      method_{
          .integrator = &integrator_named(o.integrator), .dt = o.dt, .adaptive = o.adaptive, .eta = o.eta},
      clock_{.start = initial.time, .time = initial.time},
      now_(std::move(initial)) {
  need_sound(now_, o);
  check(method_, gravity_);
  now_.step = 0;
  const EngineOptions engine{.precision = o.precision,
                             .backend = o.backend,
                             .kernel = o.kernel,
                             .threads = o.context.threads,
                             .gpus = o.gpus,
                             .jerks = method_.integrator->hermite};
  begin(planned_engine(engine, now_.bodies, gravity_, o.accuracy, o.context));
  reference_energy_ = energies().total();
}

}  // namespace pleiad
