/// Valid values of single keys, and valid combinations of keys.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/check.hpp"

#include "capabilities/capabilities.hpp"
#include "core/text.hpp"
#include "integrate/step_watch.hpp"
#include "io/config/block_steps.hpp"
#include "io/config/config.hpp"
#include "io/config/encounters.hpp"
#include "io/config/softening.hpp"
#include "io/config/universe.hpp"
#include "io/durable/paths.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

namespace pleiad {
namespace config {
namespace {

struct Checking {
  const Key& key;
  std::string_view where;

  void operator()(const bool*) const {}
  void operator()(const std::string* value) const {
    if (const auto choices = key.range.choices)
      if (std::ranges::find(choices(), *value) == choices().end())
        throw UsageError(fmt::format("{}{}.{} must be {}, not '{}'{}", where, key.section, key.name,
                                     range_of(key), shown(*value), did_you_mean(*value, choices())));
    if (!is_text(*value))
      throw UsageError(
          fmt::format("{}{}.{} must be UTF-8 text, not '{}'", where, key.section, key.name, shown(*value)));
  }
  template <class T>
  void operator()(const T* value) const {
    if (!key.range.admits(static_cast<double>(*value))) refuse_value(key, fmt::format("{}", *value), where);
  }
  template <class T>
  void operator()(const std::vector<T>* values) const {
    for (const T& value : *values) (*this)(&value);
  }
};

/// Groups of rules; each throws on the first that is broken.
[[noreturn]] void refuse(const std::string& message) { throw UsageError(message); }

void check_start(const Options& o) {
  if (o.ic.file.empty() == o.ic.model.empty())
    refuse(o.ic.file.empty()
               ? "no bodies to start from: set initial_conditions.file or initial_conditions.model"
               : "initial_conditions.file and initial_conditions.model exclude each other");
  if (o.ic.model.empty() && !o.ic.parameters.empty())
    refuse("initial_conditions.parameters needs initial_conditions.model");
  for (const auto& [name, numbers] :
       {std::pair("position", &o.ic.position), std::pair("velocity", &o.ic.velocity)})
    if (!numbers->empty() && numbers->size() != 3)
      refuse(fmt::format("initial_conditions.{} must have 3 numbers, x, y and z, not {}", name,
                         numbers->size()));
  const auto& u = o.units;
  const std::array scales{u.length_cm, u.mass_g, u.velocity_cm_s};
  const bool custom = u.system == "custom";
  if (custom && !std::ranges::all_of(scales, [](double s) { return s > 0; }))
    refuse("units.system = \"custom\" needs units.length_cm, units.mass_g and units.velocity_cm_s, each > 0");
  if (!custom && std::ranges::any_of(scales, [](double s) { return s != 0; }))
    refuse(fmt::format(
        "units.length_cm, mass_g and velocity_cm_s are for units.system = \"custom\", not \"{}\"", u.system));
}

void check_space(const Options& o) {
  const std::size_t sides = o.gravity.box.size();
  const bool flat = o.gravity.dimension == 2;
  if (sides > 3 || (sides == 2 && !flat))
    refuse(fmt::format("gravity.box must have {} sides, or one for all, not {}", flat ? "2" : "3", sides));
  if (sides != 0 && o.gravity.boundary == "open")
    refuse("gravity.box needs gravity.boundary = \"periodic\", not \"open\"");
  if (o.gravity.images != "auto" && o.gravity.boundary == "open")
    refuse("gravity.images needs gravity.boundary = \"periodic\", not \"open\"");
  // Units that are still unknown may be physical.
  Units units;
  units.physical = o.units.system != "nbody";
  const auto need = [](const char* key, const auto& read) {
    try {
      (void)read();
    } catch (const UsageError& e) {
      refuse(fmt::format("{}: {}", key, e.what()));
    }
  };
  (void)softenings_of_types(o.gravity);
  if (o.gravity.softening_of_bodies && (!o.gravity.softening_by_type.empty() || o.ic.file.empty()))
    refuse(o.ic.file.empty()
               ? "gravity.softening_of_bodies needs initial_conditions.file: a model gives bodies none"
               : "gravity.softening_of_bodies and softening_by_type exclude each other");
  const bool own = o.gravity.softening_of_bodies || !o.gravity.softening_by_type.empty();
  const bool other = o.gravity.softening_kernel != "plummer" || o.gravity.softening_rule != "max";
  if (o.ensemble.active() && (own || other))
    refuse(
        "ensembles have one Plummer softening: leave out gravity.softening_kernel, softening_rule, "
        "softening_by_type and softening_of_bodies");
  need("gravity.semi_active", [&] { return semi_active_of(o.gravity.semi_active); });
  if (o.ensemble.active() && !o.gravity.semi_active.empty())
    refuse("gravity.semi_active is for runs of one system; leave it out, or [ensemble]");
  need("gravity.potentials", [&] { return potentials_of(o.gravity.potentials, units); });
  need("gravity.forces", [&] { return added_forces_of(o.gravity.forces, units); });
}

/// Which types there are, and what a file says of its bodies, is not known yet.
double largest_softening(const Options& o) {
  const double unknown = 1;
  return o.gravity.softening_of_bodies ? unknown : std::ranges::max(softenings_of_types(o.gravity));
}

void check_lattice(const Options& o) {
  const auto& t = o.time;
  if (!t.lattice_units.empty() && t.lattice_units.size() != 2)
    refuse(fmt::format("time.lattice_units must have 2 numbers, of length and velocity, not {}",
                       t.lattice_units.size()));
  const auto& integrator = integrator_named(t.integrator);
  const LatticeFacts facts{.integrator = integrator.name,
                           .leads_back = reads_backwards(integrator),
                           .adaptive = t.adaptive,
                           .chosen_steps = t.chooses_step(),
                           .accuracy = o.solver.accuracy > 0,
                           .single = o.engine.precision == "f32",
                           .ensemble = o.ensemble.active(),
                           .periodic = o.gravity.boundary == "periodic",
                           .changes_bodies = o.encounters.changes_bodies()};
  if (const auto why = why_not(facts)) refuse(*why);
}

void check_time(const Options& o) {
  const auto& t = o.time;
  // A file may suggest the step of a single run: run::load takes it, or refuses.
  const bool by_file =
      t.dt == 0 && (t.chooses_step() || !o.ic.file.empty() || o.cosmology.active()) && !o.ensemble.active();
  if (!(t.dt > 0) && !by_file) refuse(fmt::format("time.dt must be > 0, not {}: set the time step", t.dt));
  const auto& integrator = integrator_named(t.integrator);
  const SteppingFacts steps{.integrator = integrator.name,
                            .adapts_by_softening = integrator.adapts_by_softening,
                            .takes_damping = integrator.takes_damping,
                            .on_orbits = integrator.on_orbits,
                            .in_blocks = integrator.in_blocks,
                            .takes_corrector = integrator.takes_corrector,
                            .adaptive = t.adaptive,
                            .particles_limit_step = t.particles_limit_step,
                            .reads_backwards = reads_backwards(integrator),
                            .symmetric_steps = t.symmetric_steps,
                            .corrector = t.corrector,
                            .damping = t.damping,
                            .softening = largest_softening(o),
                            .blocks = blocks_of(t)};
  if (const auto why = why_not(steps)) refuse(*why);
  if (t.energy_error > 0 && t.energy_error_rate > 0)
    refuse(
        "time.energy_error and time.energy_error_rate both give the error of the energy: set only one of "
        "them");
  BudgetFacts budget{.on_orbits = integrator.on_orbits,
                     .in_blocks = integrator.in_blocks && (t.position_error > 0 || integrator.needs_doubles),
                     .damped = t.damping != 1,
                     .reversed = t.reverse,
                     .exact_steps = t.exact_steps,
                     .periodic = o.gravity.boundary == "periodic",
                     .ensemble = o.ensemble.active(),
                     .encounters = o.encounters.active(),
                     .symmetric_steps = t.symmetric_steps};
  if (t.position_error > 0) {
    if (t.has_budget())
      refuse(
          "time.energy_error and time.position_error both choose the step: set only one of them, and the "
          "other is measured by `pleiad converge`");
    budget.key = "time.position_error";
  } else {
    budget.adaptive = t.adaptive;
    budget.counts_steps = !o.output.trajectory_ids.empty() || o.output.orbits_every > 0;
  }
  if (t.chooses_step())
    if (const auto why = why_not(budget)) refuse(*why);
  if (!t.lattice && !t.lattice_units.empty()) refuse("time.lattice_units needs time.lattice = true");
  if (t.lattice) check_lattice(o);
  if (t.reverse && t.adaptive)
    refuse(
        t.symmetric_steps
            ? "time.reverse and time.adaptive exclude each other: a snapshot does not tell the step that led "
              "to "
              "it, which is the first one back"
            : "time.reverse and time.adaptive exclude each other: an adaptive step is not time-reversible");
  if (t.symmetric_steps && o.ensemble.active())
    refuse("time.symmetric_steps is for runs of one system; leave it out, or [ensemble]");
  if (t.reverse && integrator.in_blocks && !t.symmetric_steps)
    refuse(fmt::format("time.reverse with integrator {}: steps of bodies are not time-reversible; use kdk",
                       integrator.name));
  if (t.reverse && t.damping != 1)
    refuse("time.reverse needs time.damping = 1: a damped run is not time-reversible");
}

/// Checks the solver's keys: combinations that no solver supports.
void check_mac(const Options::Solver& s) {
  if (s.theta != 0 && (s.mac == "error" || s.tolerance != 0))
    refuse(
        "solver.theta belongs to the criteria spheres, sides and classic, solver.tolerance to error: set "
        "only one of them");
  if (s.tolerance != 0 && s.mac != "error" && s.mac != "auto")
    refuse(fmt::format("solver.tolerance needs solver.mac = \"error\", not \"{}\"", s.mac));
  if (s.method == "barnes-hut") return;
  if (s.mac == "sides" || s.mac == "classic")
    refuse(fmt::format("solver.mac = \"{0}\" needs solver.method = \"barnes-hut\"; fmm has spheres and error",
                       s.mac));
  if (s.group_size != 0) refuse("solver.group_size needs solver.method = \"barnes-hut\"");
}

void check_solver(const Options& o) {
  const auto& s = o.solver;
  const bool named = s.method == "barnes-hut" || s.method == "fmm";
  const bool trees = named || (s.method == "auto" && s.accuracy > 0);
  const bool settings = s.order != 0 || s.mac != "auto" || s.theta != 0 || s.tolerance != 0 ||
                        s.leaf_size != 0 || s.group_size != 0 || s.structure != "octree";
  if (settings && !trees)
    refuse(
        "solver.structure, order, mac, theta, tolerance, leaf_size and group_size need a tree: set "
        "solver.accuracy, or solver.method = \"fmm\" or \"barnes-hut\"");
  check_mac(s);
  if (!trees) return;
  if (o.engine.kernel != "auto" && (named || settings))
    refuse("[solver] and engine.kernel both choose the force method: leave one of them to auto");
  if (o.ensemble.active()) refuse("ensembles use direct sums: leave out solver.accuracy and solver.method");
}

void check_encounters(const Options& o) {
  const auto& e = o.encounters;
  pleiad::check(settings_of(e));
  if (!e.active()) return;
  const auto& potentials = o.gravity.potentials;
  const auto turns = [](const std::string& text) { return text == "hill" || text.starts_with("hill "); };
  const auto lengths = softenings_of_types(o.gravity);
  const bool one_length = !o.gravity.softening_of_bodies &&
                          std::ranges::adjacent_find(lengths, std::ranges::not_equal_to()) == lengths.end();
  const auto& integrator = integrator_named(o.time.integrator);
  const EncounterFacts facts{
      .changes_bodies = e.changes_bodies(),
      .periodic = o.gravity.boundary == "periodic",
      .ensemble = o.ensemble.active(),
      .added_forces = !o.gravity.forces.empty(),
      .hill = std::ranges::any_of(potentials, turns),
      .in_blocks = integrator.in_blocks && !shows_inside(&integrator),
      .semi_active = !o.gravity.semi_active.empty(),
      .one_softening = one_length && (o.gravity.softening_kernel == "plummer" || lengths[0] == 0),
      .escapes_alone = !(e.distance > 0) && !e.collisions(),
      .removes_from_groups = e.on_collision == "remove" && o.time.groups == name_of(CloseGroups::regularised),
      .neighbours = o.time.neighbours == name_of(Neighbours::on),
      .tidal_radius = e.escape_unit == name_of(EscapeUnit::tidal_radius),
      .potentials = !potentials.empty()};
  if (const auto why = why_not(facts)) refuse(*why);
}

void check_stars(const Options& o) {
  const auto& s = o.stars;
  if (!s.active()) {
    if (s.mass_loss_interval > 0)
      refuse("stars.mass_loss_interval needs stars.mass_loss_file: a table of initial mass, age and mass");
    return;
  }
  if (!s.mass_loss_file.empty() && !s.mass_loss.empty())
    refuse("stars.mass_loss_file and stars.mass_loss are both a table of mass loss: set only one of them");
  if (!(s.mass_loss_interval > 0))
    refuse("stars.mass_loss_interval must be > 0: the time between new masses of the stars");
  const auto turns = [](const std::string& text) { return text == "hill" || text.starts_with("hill "); };
  const MassLossFacts facts{
      .periodic = o.gravity.boundary == "periodic",
      .ensemble = o.ensemble.active(),
      .added_forces = !o.gravity.forces.empty(),
      .hill = std::ranges::any_of(o.gravity.potentials, turns),
      .semi_active = !o.gravity.semi_active.empty(),
      .merges = o.encounters.on_collision == "merge" || o.encounters.on_collision == "remove",
      .chosen_steps = o.time.chooses_step(),
      .leads_back = o.time.lattice || o.time.reverse,
      .error_term = o.output.kdk_error_term};
  if (const auto why = why_not(facts)) refuse(*why);
}

void check_output(const Options& o) {
  const auto& out = o.output;
  if (out.directory.empty())
    refuse("output.directory is empty: it must name a directory, \".\" for the current one");
  // Found now, when nothing has been computed yet.
  for (const auto& name : {out.directory, o.ic.file})
    if (!name.empty()) (void)text_path(name);
  const auto& times = out.snapshot_times;
  if (std::ranges::adjacent_find(times, [](double a, double b) { return !(a < b); }) != times.end())
    refuse("output.snapshot_times must be strictly increasing");
  if (!times.empty() && !(times.back() <= o.time.t_end))
    refuse(fmt::format("output.snapshot_times has {}, which is after time.t_end = {}", times.back(),
                       o.time.t_end));
  if (out.cluster_interval > 0 && o.gravity.boundary == "periodic")
    refuse("output.cluster_interval: a star cluster is in open space; leave it out, or gravity.boundary");
  if (out.movie && !out.pictures) refuse("output.movie needs output.pictures = true");
  if (out.print_trajectory && out.trajectory_ids.empty())
    refuse("output.print_trajectory needs output.trajectory_ids");
  if (out.orbits_about.size() > 1)
    refuse(fmt::format("output.orbits_about has {} ids; it must be one, or [] for the origin",
                       out.orbits_about.size()));
  if (out.orbits_every == 0 && (!out.orbits_about.empty() || out.orbits_radius > 0))
    refuse("output.orbits_about and orbits_radius need output.orbits_every: steps between two samples");
}

/// Power spectra and groups of the run.
void check_structure(const Options& o) {
  const auto& out = o.output;
  const auto& times = out.analysis_times;
  const auto& z = out.analysis_redshifts;
  if (!out.power_spectra && !out.groups) {
    if (out.analysis_interval > 0 || !times.empty() || !z.empty())
      refuse(
          "output.analysis_interval, analysis_times and analysis_redshifts need output.power_spectra or "
          "groups");
    return;
  }
  if (o.ensemble.active())
    refuse("ensembles have no power spectra and groups: leave out output.power_spectra and output.groups");
  if (o.gravity.dimension == 2)
    refuse(
        "output.power_spectra and groups are of three dimensions: leave them out where gravity.dimension = "
        "2");
  if (out.power_grid != 0 && (out.power_grid < 4 || out.power_grid % 2 != 0))
    refuse(fmt::format("output.power_grid must be even, from 4 on, not {}", out.power_grid));
  if (o.cosmology.active() && !times.empty())
    refuse("output.analysis_times: with [cosmology] these are output.analysis_redshifts");
  if (!o.cosmology.active() && !z.empty())
    refuse("output.analysis_redshifts needs [cosmology]: set cosmology.omega_m");
  if (std::ranges::adjacent_find(times, [](double a, double b) { return !(a < b); }) != times.end())
    refuse("output.analysis_times must be strictly increasing");
  if (!times.empty() && !(times.back() <= o.time.t_end))
    refuse(fmt::format("output.analysis_times has {}, which is after time.t_end = {}", times.back(),
                       o.time.t_end));
  if (std::ranges::adjacent_find(z, [](double a, double b) { return !(a > b); }) != z.end())
    refuse("output.analysis_redshifts must be strictly decreasing");
  if (!z.empty() && !(z.back() >= o.time.end_redshift))
    refuse(fmt::format("output.analysis_redshifts has {}, which is after time.end_redshift = {}", z.back(),
                       o.time.end_redshift));
}

void check_light_cone(const Options& o) {
  const auto& z = o.output.light_cone_redshifts;
  if (z.empty()) return;
  if (!o.cosmology.active()) refuse("output.light_cone_redshifts needs [cosmology]: set cosmology.omega_m");
  if (z.size() < 2)
    refuse("output.light_cone_redshifts has one redshift; it must have two or more, the edges of the shells");
  if (std::ranges::adjacent_find(z, [](double a, double b) { return !(a > b); }) != z.end())
    refuse("output.light_cone_redshifts must be strictly decreasing");
  if (!(z.back() >= o.time.end_redshift))
    refuse(fmt::format("output.light_cone_redshifts has {}, which is after time.end_redshift = {}", z.back(),
                       o.time.end_redshift));
}

void check_ensemble(const Options& o) {
  const auto& e = o.ensemble;
  if (!e.active()) {
    if (!(e == Options::Ensemble{})) refuse("the keys of [ensemble] need ensemble.count or ensemble.vary");
    return;
  }
  const auto& out = o.output;
  if (out.movie || out.picture_interval > 0)
    refuse("ensembles have no pictures: leave out output.movie and output.picture_interval");
  if (!out.trajectory_ids.empty())
    refuse(
        "ensembles record no trajectories: leave out output.trajectory_ids; ensemble.save writes snapshots "
        "of chosen systems");
  if (out.cluster_interval > 0)
    refuse("ensembles look at no star clusters: leave out output.cluster_interval");
  if (out.orbits_every > 0) refuse("ensembles record no orbits: leave out output.orbits_every");
  if ((out.snapshot_interval > 0 || !out.snapshot_times.empty()) && e.save.empty())
    refuse("output.snapshot_interval and snapshot_times need ensemble.save: the systems to write");
  if (o.checkpoint.every_steps > 0)
    refuse("checkpoint.every_steps is not for ensembles; use checkpoint.interval_seconds");
}

}  // namespace

void refuse_value(const Key& key, std::string_view value, std::string_view where) {
  const std::string range = range_of(key);
  const bool several = type_of(key).starts_with("list");
  throw UsageError(fmt::format("{}{}{}.{} must be {}, not {}", where, several ? "the values of " : "",
                               key.section, key.name, range.empty() ? "finite" : range, value));
}

void check_value(const Key& key, const Options& options, std::string_view where) {
  if (value_of(key, options) == value_of(key, Options{})) return;
  Options copy = options;
  std::visit(Checking{key, where}, key.at(copy));
}

}  // namespace config

void check(const Options& options) {
  for (const auto& key : config::keys()) config::check_value(key, options, "");
  config::check_start(options);
  config::check_space(options);
  config::check_time(options);
  config::check_universe(options);
  config::check_solver(options);
  config::check_encounters(options);
  config::check_stars(options);
  config::check_output(options);
  config::check_structure(options);
  config::check_light_cone(options);
  config::check_ensemble(options);
}

}  // namespace pleiad
