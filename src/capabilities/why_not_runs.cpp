/// Refusals of what a run is asked for beside its forces: steps, budgets of errors, a lattice, expanding
/// space, encounters and the loss of mass.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "capabilities/capabilities.hpp"
#include "capabilities/comoving.hpp"
#include "integrate/regularised.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace pleiad {
namespace {

using Reason = std::optional<std::string>;

}  // namespace

Reason why_not(const SteppingFacts& s) {
  if (s.adaptive && s.on_orbits && !regularises(&integrator_named(s.integrator)))
    return fmt::format(
        "time.adaptive with integrator {}: its steps are of one length; leave it out, or use "
        "gauss-radau",
        s.integrator);
  if (s.adaptive && s.in_blocks)
    return fmt::format(
        "time.adaptive with integrator {}: each body has a step of its own, by time.eta, and none is longer "
        "than time.dt; leave time.adaptive out",
        s.integrator);
  if (s.in_blocks && s.blocks.criterion == BlockCriterion::acceleration && !(s.softening > 0))
    return "time.block_criterion = \"acceleration\" needs gravity.softening > 0, because the step is sqrt(2 "
           "eta "
           "softening / |a|); use \"pairs\"";
  const bool of_sets = s.integrator == "block-kdk";
  const BlockSteps groups{
      .groups = s.blocks.groups, .group_radius = s.blocks.group_radius, .slow_down = s.blocks.slow_down};
  if (groups != BlockSteps{} && s.integrator != "hermite4-block")
    return fmt::format(
        "time.groups, group_radius and slow_down are for integrator hermite4-block, not for {}; leave them "
        "out",
        s.integrator);
  if (groups != BlockSteps{} && groups.groups == CloseGroups::off)
    return "time.group_radius and slow_down are those of groups; set time.groups = \"regularised\", or leave "
           "them out";
  if (!(groups.group_radius >= 0 && std::isfinite(groups.group_radius)))
    return fmt::format("time.group_radius = {} must be finite and >= 0 (0: chosen from the bodies)",
                       groups.group_radius);
  const auto neighbours = s.blocks.neighbours;
  if (neighbours != Neighbours::off && s.integrator != "hermite4-block")
    return fmt::format("time.neighbours is for integrator hermite4-block, not for {}; leave it out",
                       s.integrator);
  if (neighbours == Neighbours::on && groups.groups != CloseGroups::off)
    return "time.neighbours = \"on\" with time.groups: the stars near a group have the steps of all others; "
           "use one of them, or \"auto\"";
  auto of_each = groups;
  of_each.neighbours = neighbours;
  if (!of_sets && s.blocks != of_each)
    return fmt::format(
        "time.block_levels, block_criterion and single_step are for integrator block-kdk, not for {}; leave "
        "them out",
        s.integrator);
  if (s.adaptive && s.adapts_by_softening && !(s.softening > 0))
    return fmt::format(
        "time.adaptive with integrator {} needs gravity.softening > 0, because its step is eta "
        "sqrt(softening / |a|); or use hermite4, hermite6 or gauss-radau",
        s.integrator);
  if (s.symmetric_steps && !of_sets && !s.reads_backwards)
    return fmt::format(
        "time.symmetric_steps with integrator {}: its steps do not read the same backwards; use kdk, dkd, "
        "forest-ruth, blanes-moan4, yoshida6, kahan-li8 or block-kdk",
        s.integrator);
  if (s.symmetric_steps && !of_sets && !s.adaptive)
    return "time.symmetric_steps is for steps that change; set time.adaptive = true, or leave it out";
  if (s.particles_limit_step && !s.adaptive && !of_sets)
    return "time.particles_limit_step is for adaptive steps; set time.adaptive = true, or leave it out";
  if (std::ranges::find(corrector_orders, s.corrector) == corrector_orders.end())
    return fmt::format(
        "time.corrector = {}: there are correctors of the orders 3, 5, 7 and 11, and 0 is none", s.corrector);
  if (s.corrector != 0 && !s.takes_corrector)
    return fmt::format(
        "time.corrector = {} is for integrators wisdom-holman and wisdom-holman-jacobi, not for {}; leave it "
        "out",
        s.corrector, s.integrator);
  if (s.damping != 1 && !s.takes_damping)
    return fmt::format("time.damping = {} needs integrator euler; with {} it must be 1", s.damping,
                       s.integrator);
  return {};
}

Reason why_not(const BudgetFacts& b) {
  const auto refused = [&](std::string_view why) { return fmt::format("{} {}", b.key, why); };
  const bool positions = b.key == "time.position_error";
  if (!b.keeps_energy)
    return refused(
        "needs an energy that is kept: leave out fields that change with time and forces that take energy");
  if (b.damped)
    return refused(positions ? "with time.damping: its factor belongs to a step; state time.dt"
                             : "with time.damping: a damped run keeps no energy; leave out one of them");
  if (b.periodic)
    return refused(positions ? "needs open space; state time.dt"
                             : "needs open space: a periodic box has no scale for its energy; state time.dt");
  if (b.adaptive) return refused("chooses the steps itself; leave out time.adaptive");
  if (b.in_blocks)
    return refused(b.key.ends_with("position_error")
                       ? "chooses steps that all bodies share; leave it out, and state the step"
                       : "chooses steps that all bodies share, or those of block-kdk; leave it out, and "
                         "state time.dt");
  if (b.symmetric_steps) return refused("chooses how steps change; leave out time.symmetric_steps");
  if (b.on_orbits)
    return refused(
        "tries steps of all sizes, and steps on Kepler orbits or regularised ones have their own; state "
        "time.dt");
  if (b.reversed) return refused("with time.reverse: steps that change do not lead back; state time.dt");
  if (b.exact_steps)
    return refused(positions ? "chooses the steps itself; leave out time.exact_steps"
                             : "meets all times itself; leave out time.exact_steps");
  if (b.ensemble) return refused("is for runs of one system; state time.dt for an ensemble");
  if (b.encounters)
    return refused(positions
                       ? "is tried without [encounters]; leave out one of them"
                       : "may make steps again, and [encounters] are found once; leave out one of them");
  if (b.counts_steps)
    return refused(
        "may make steps again; leave out output.trajectory_ids and orbits_every, which count steps");
  return {};
}

Reason why_not(const LatticeFacts& l) {
  const auto refused = [](std::string_view why) { return fmt::format("time.lattice {}", why); };
  if (!l.leads_back)
    return refused(
        fmt::format("with integrator {}: its steps do not lead back; use kdk, dkd, forest-ruth, "
                    "blanes-moan4, yoshida6 or kahan-li8",
                    l.integrator));
  if (l.adaptive) return refused("needs steps of one length; leave out time.adaptive");
  if (l.chosen_steps)
    return refused(
        "needs steps of one length; leave out time.energy_error and position_error, and state time.dt");
  if (l.accuracy)
    return refused(
        "needs forces that depend on the bodies alone, and with solver.accuracy their method may change in "
        "the run; name a method with its settings as engine.kernel");
  if (l.single)
    return refused("needs a state in double precision; use engine.precision = \"mixed\" or \"f64\"");
  if (!l.unordered_kernel.empty())
    return refused(
        fmt::format("needs forces of the same bits on the way back, and kernel '{}' adds up in any order; "
                    "use another one",
                    l.unordered_kernel));
  if (l.ensemble) return refused("is for runs of one system; leave it out, or [ensemble]");
  if (l.periodic)
    return refused("needs open space: the sides of a box are no whole numbers of its units; leave out one");
  if (l.turning_frame)
    return refused("takes straight drifts, and in the potential 'hill' they are epicycles; leave out one");
  if (l.moving_fields)
    return refused(
        "needs forces that depend on the bodies alone; leave out potentials that change with time");
  if (l.of_velocities)
    return refused("needs forces of positions; leave out gravity.forces that depend on velocities");
  if (l.user_force)
    return refused("needs forces that depend on the bodies alone, and a force of your own may remember");
  if (l.changes_bodies)
    return refused(
        "needs all bodies on the way back; use encounters.on_collision = \"record\" or \"stop\" and "
        "on_escape likewise");
  return {};
}

Reason why_not(const ComovingFacts& c) {
  const auto refused = [](std::string_view why) { return fmt::format("[cosmology] {}", why); };
  if (!c.splits)
    return refused(
        fmt::format("needs kicks and drifts that all bodies share, which {} does not make; use kdk, dkd, "
                    "forest-ruth, blanes-moan4, yoshida6 or kahan-li8",
                    c.integrator));
  if (c.ensemble) return refused("is for runs of one system; leave it out, or [ensemble]");
  if (c.open) return refused("needs a periodic box; use gravity.boundary = \"periodic\" with gravity.box");
  if (c.nearest)
    return refused("needs the forces of all images, without the mean density; use gravity.images = \"all\"");
  if (c.flat) return refused("needs three dimensions; leave out gravity.dimension = 2");
  if (c.potentials || c.forces)
    return refused("has mutual gravity alone; leave out gravity.potentials and gravity.forces");
  if (c.encounters) return refused("has no encounters of bodies; leave out [encounters]");
  if (c.lattice) return refused("has steps with factors that no lattice has; leave out time.lattice");
  if (c.chosen_steps)
    return refused(
        "keeps no energy that could have an error; leave out time.energy_error and position_error, and state "
        "time.dt in ln a");
  if (c.reversed) return refused("is made forward in time; leave out time.reverse");
  if (c.damped) return refused("is made without damping; leave out time.damping");
  if (c.paths)
    return refused(
        "records no single bodies; leave out output.trajectory_ids and orbits_every, and use "
        "output.snapshot_interval");
  if (c.error_term) return refused("has steps of another energy; leave out output.kdk_error_term");
  if (!c.hdf5)
    return refused("needs snapshots that say their scale factor; use output.snapshot_format = \"hdf5\"");
  if (c.viewed) return refused("has a time that the live view does not show; leave out --live");
  if (c.compared)
    return refused("has energies that converge does not compare; use `pleiad run` with two steps");
  return {};
}

Reason why_not(const EncounterFacts& e) {
  if (e.ensemble) return "[encounters] are found in runs of one system; leave them out, or [ensemble]";
  if (e.periodic) return "[encounters] need open space; leave them out, or gravity.boundary = \"periodic\"";
  if (e.tidal_radius && !e.potentials)
    return "a tidal radius is that in external potentials, and there are none; set gravity.potentials, or "
           "use "
           "encounters.escape_unit = \"half-mass-radius\"";
  if (e.in_blocks && !e.escapes_alone)
    return "approaches and collisions are found on the paths of whole steps, of which the steps of block-kdk "
           "are parts for some bodies; leave encounters.escape_radius alone, or use hermite4-block";
  if (e.own_steps_on_gpus && !e.escapes_alone)
    return "approaches and collisions inside the steps of hermite4-block are found on CPUs; use --backend "
           "cpu, or leave encounters.escape_radius alone";
  if (e.neighbours && !e.escapes_alone)
    return "approaches and collisions inside steps are found on the paths by all pulls, which "
           "time.neighbours = \"on\" divides; use time.neighbours = \"auto\", or leave "
           "encounters.escape_radius alone";
  if (e.removes_from_groups)
    return "a body that vanishes from a regularised group would change the pulls of the group within the "
           "steps of others; use encounters.on_collision = \"merge\", or time.groups = \"off\"";
  if (!e.one_softening)
    return "[encounters] compute pulls and energies with one Plummer softening; leave them out, or "
           "gravity.softening_kernel, softening_by_type and softening_of_bodies";
  if (e.changes_bodies && e.added_forces)
    return "bodies that merge or vanish may be those that gravity.forces come from, whose energies are not "
           "followed; use encounters.on_collision = \"record\" or \"stop\", or leave gravity.forces out";
  if (e.changes_bodies && e.semi_active)
    return "mergers and removals count the energy of all pairs, also of bodies that do not pull each other; "
           "use encounters.on_collision = \"record\" or \"stop\", or leave gravity.semi_active out";
  if (e.changes_bodies && e.hill)
    return "energies lost by mergers and removals are those in a frame at rest; use encounters.on_collision "
           "= "
           "\"record\" or \"stop\", or leave the potential 'hill' out";
  return {};
}

Reason why_not(const MassLossFacts& m) {
  const auto refused = [](std::string_view why) { return fmt::format("stars.mass_loss {}", why); };
  if (m.ensemble) return refused("is for runs of one system; leave it out, or [ensemble]");
  if (m.periodic) return refused("needs open space; leave it out, or gravity.boundary = \"periodic\"");
  if (m.added_forces)
    return refused("counts the energy of mutual gravity and potentials; leave it out, or gravity.forces");
  if (m.hill) return refused("counts the energy in a frame at rest; leave it out, or the potential 'hill'");
  if (m.semi_active)
    return refused("counts the energy of all pairs of bodies; leave it out, or gravity.semi_active");
  if (!m.one_softening)
    return refused(
        "counts the energy with one Plummer softening; leave it out, or gravity.softening_kernel, "
        "softening_by_type and softening_of_bodies");
  if (m.merges)
    return refused(
        "goes by the age of each star, which a merger has not; use encounters.on_collision = \"record\" or "
        "\"stop\"");
  if (m.chosen_steps)
    return refused(
        "changes the energy within the run; leave out time.energy_error and position_error, and state "
        "time.dt");
  if (m.leads_back) return refused("does not lead back; leave out time.lattice and time.reverse");
  if (m.error_term) return refused("changes the masses; leave out output.kdk_error_term");
  return {};
}

}  // namespace pleiad
