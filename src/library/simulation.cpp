/// A simulation from the options of the library: checked, its method found.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "control/controller.hpp"
#include "core/validate.hpp"
#include "direct/usual_precision.hpp"
#include "engine/softenings.hpp"
#include "library/planned.hpp"
#include "sim/lattice.hpp"

#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <utility>

#include <fmt/format.h>

namespace pleiad {
namespace {

Gravity gravity_of(const Snapshot& s, const SimulationOptions& o) {
  return {.G = s.G,
          .softening = {.eps = o.softening,
                        .kernel = o.softening_kernel,
                        .rule = o.softening_rule,
                        .of = o.softening_by_type.empty() ? SofteningOf::all : SofteningOf::types},
          .boundary = s.boundary,
          .dimension = o.dimension,
          .potentials = o.potentials,
          .forces = o.forces,
          .semi_active = o.semi_active};
}

void need_sound(const Snapshot& s, const SimulationOptions& o) {
  check_law(gravity_of(s, o), o.accuracy);
  if (o.dimension != 2 && o.dimension != 3)
    throw UsageError(fmt::format("dimension = {} must be 2 or 3", o.dimension));
  need_valid(s.bodies, gravity_of(s, o), "the bodies");
  if (o.dimension == 2) need_flat(s.bodies, "dimension = 2");
}

/// Gives each body the softening of its type.
void give_softenings(const SimulationOptions& o, Bodies& b) {
  if (o.softening_by_type.empty()) return;
  for (const auto& [type, eps] : o.softening_by_type)
    if (!(eps >= 0 && eps <= 1e18))
      throw UsageError(fmt::format("the softening {} of type {} must be finite, >= 0 and at most 1e+18", eps,
                                   type_names[static_cast<std::size_t>(type)]));
  b.softening.resize(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto of_type = o.softening_by_type.find(b.type[i]);
    b.softening[i] = of_type == o.softening_by_type.end() ? o.softening : of_type->second;
  }
}

/// Without a reference energy.
Simulation made(Snapshot initial, const SimulationOptions& o) {
  give_softenings(o, initial.bodies);
  need_sound(initial, o);
  auto gravity = gravity_of(initial, o);
  gravity.softening = softening_of(initial.bodies, gravity.softening);
  const Method method{.integrator = &integrator_named(o.integrator),
                      .dt = o.dt,
                      .adaptive = o.adaptive,
                      .eta = o.eta,
                      .exact_steps = o.exact_steps,
                      .particles_limit_step = o.particles_limit_step,
                      .lattice = o.lattice ? std::optional(LatticeUnits{}) : std::nullopt,
                      .blocks = o.blocks,
                      .corrector = o.corrector};
  check(method, gravity);
  if (o.lattice) {
    auto facts = lattice_facts_of(method, gravity);
    facts.accuracy = o.accuracy > 0;
    if (const auto why = why_not(facts)) throw UsageError(*why, Error::Code::unsupported);
  }
  initial.step = 0;
  const auto named = force_method_of(o.kernel);
  const EngineOptions engine{
      .precision = o.precision.value_or(
          usual_precision(shares_of(initial.bodies.mass), named, gravity, method.integrator).precision),
      .backend = o.lattice && o.backend == "auto" ? "cpu" : o.backend,
      .method = named,
      .threads = o.context.threads,
      .gpus = o.gpus,
      .integrator = method.integrator,
      .blocks = method.blocks};
  if (o.accuracy > 0)
    return control::accurate_simulation(engine, std::move(initial), gravity, method,
                                        demand_of(o.accuracy, o.context), tuning_context_of(o.context),
                                        o.context.note);
  const auto resolved = planned_engine(engine, initial.bodies, gravity, 0, o.context);
  return {std::move(initial), gravity, method, resolved};
}

}  // namespace

Simulation::Simulation(Snapshot initial, const SimulationOptions& options)
    : Simulation(made(std::move(initial), options)) {
  (void)reference_energy();
}

}  // namespace pleiad
