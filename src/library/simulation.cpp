/// A simulation from the options of the library: checked, its method found.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "capabilities/capabilities.hpp"
#include "control/controller.hpp"
#include "control/position_choice.hpp"
#include "core/validate.hpp"
#include "direct/usual_precision.hpp"
#include "engine/softenings.hpp"
#include "integrate/individual.hpp"
#include "library/planned.hpp"
#include "sim/lattice.hpp"

#include <pleiad/error.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <optional>
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

Method method_of(const SimulationOptions& o) {
  Method method{.integrator = &integrator_named(o.integrator == "auto" ? "kdk" : o.integrator),
                .dt = o.dt,
                .adaptive = o.adaptive,
                .eta = o.eta == 0 ? usual_eta(o.integrator) : o.eta,
                .exact_steps = o.exact_steps,
                .particles_limit_step = o.particles_limit_step,
                .symmetric_steps = o.symmetric_steps,
                .lattice = o.lattice ? std::optional(LatticeUnits{}) : std::nullopt,
                .blocks = o.blocks,
                .corrector = o.corrector};
  return method;
}

/// What position_error needs.
void need_positions(const Snapshot& s, const SimulationOptions& o) {
  const auto& integrator = *method_of(o).integrator;
  if (!(o.position_error > 0 && std::isfinite(o.position_error)))
    throw UsageError(fmt::format("position_error = {} must be finite and >= 0", o.position_error));
  if (!(o.t_end > s.time && std::isfinite(o.t_end)))
    throw UsageError(fmt::format(
        "t_end = {} must be after the start, {}: position_error is the error at that time", o.t_end, s.time));
  const BudgetFacts facts{.key = "position_error",
                          .on_orbits = integrator.on_orbits,
                          .in_blocks = integrator.in_blocks,
                          .exact_steps = o.exact_steps,
                          .periodic = s.boundary.periodic,
                          .symmetric_steps = o.symmetric_steps};
  if (const auto why = why_not(facts)) throw UsageError(*why, Error::Code::unsupported);
}

/// Without a reference energy.
Simulation made_with(Snapshot initial, const Gravity& gravity, const Method& method,
                     const SimulationOptions& o) {
  check(method, gravity);
  if (o.lattice) {
    auto facts = lattice_facts_of(method, gravity);
    facts.accuracy = o.accuracy > 0, facts.chosen_steps = o.position_error > 0;
    if (const auto why = why_not(facts)) throw UsageError(*why, Error::Code::unsupported);
  }
  const auto named = force_method_of(o.kernel);
  const EngineOptions engine{
      .precision = o.precision.value_or(
          usual_precision(shares_of(initial.bodies.mass), named, gravity, method.integrator).precision),
      .backend = o.backend,
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

/// The method that trials on the bodies choose.
Method chosen(const Snapshot& initial, const Gravity& gravity, Method longest, const SimulationOptions& o) {
  const double length = o.t_end - initial.time;
  if (o.dt == 0) longest.dt = length;
  auto begun = made_with(initial, gravity, longest, o);
  const auto d = begun.describe();
  return control::method_for_positions(
      begun, {.precision = precision_named(d.precision), .threads = o.context.threads, .gpus = o.gpus},
      {.error = o.position_error,
       .length = length,
       .longest = longest.dt,
       .only = o.integrator == "auto" ? nullptr : longest.integrator,
       .adaptive = o.adaptive},
      o.context.progress, o.context.note);
}

Simulation made(Snapshot initial, const SimulationOptions& o) {
  give_softenings(o, initial.bodies);
  need_sound(initial, o);
  auto gravity = gravity_of(initial, o);
  gravity.softening = softening_of(initial.bodies, gravity.softening);
  initial.step = 0;
  auto method = method_of(o);
  if (o.position_error != 0) {
    need_positions(initial, o);
    method = chosen(initial, gravity, method, o);
  }
  return made_with(std::move(initial), gravity, method, o);
}

}  // namespace

Simulation::Simulation(Snapshot initial, const SimulationOptions& options)
    : Simulation(made(std::move(initial), options)) {
  (void)reference_energy();
}

}  // namespace pleiad
