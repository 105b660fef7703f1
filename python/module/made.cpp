#include "module/made.hpp"

#include "control/controller.hpp"
#include "control/position_choice.hpp"
#include "io/config/config.hpp"
#include "io/config/encounters.hpp"
#include "io/config/keys.hpp"
#include "run/comoving.hpp"
#include "run/fitting.hpp"
#include "run/group_note.hpp"
#include "run/kernel.hpp"
#include "run/start.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::python {
namespace {

/// Under these names a checkpoint has the settings of engine and solver, and the universe of comoving bodies.
constexpr const char *section = "settings", *universe_section = "universe";

std::vector<std::string> of_engine(const std::vector<std::string>& settings) {
  std::vector<std::string> found;
  for (const auto& setting : settings)
    if (setting.starts_with("engine.") || setting.starts_with("solver.")) found.push_back(setting);
  return found;
}

void apply(Options& o, const std::vector<std::string>& settings) {
  for (const auto& setting : settings) apply_setting(o, setting, "");
}

Options options_of(const std::vector<std::string>& settings) {
  Options o;
  apply(o, settings);
  if (!(o.time.position_error > 0)) o.time.t_end = run::open_end;  // run() sets the end
  return o;
}

/// The universe that comoving bodies come with, and nothing that a run may set of it: they begin at their own
/// redshift, and their end is open.
void take_universe(Options& o, const ComovingUniverse& u) {
  o.cosmology.omega_m = u.omega_m, o.cosmology.omega_lambda = u.omega_lambda;
  o.cosmology.omega_r = u.omega_r, o.cosmology.w0 = u.w0, o.cosmology.wa = u.wa, o.cosmology.h = u.h;
  o.time.t_end = 0;
  run::settle_comoving_box(o);
}

Simulation begun(Options& o, Snapshot initial, const std::optional<ComovingUniverse>& universe,
                 const tune::TuningContext& tuning_context, const control::Note& note) {
  run::settle(o, initial, false, universe);
  const auto gravity = run::gravity_of(o);
  const auto start = [&](Snapshot bodies) {
    return control::accurate_simulation(run::asked_engine(o), std::move(bodies), gravity, run::method_of(o),
                                        run::demand_of(o), tuning_context, note);
  };
  if (auto& t = o.time; t.position_error > 0) {
    if (!(t.t_end > initial.time))
      throw UsageError(fmt::format(
          "time.position_error is the error at time.t_end, which must be after the start, {}: give it too",
          initial.time));
    auto trial = start(initial);
    const auto m = control::method_for_positions(trial, run::engine_without_method_of(o),
                                                 {.error = t.position_error,
                                                  .length = t.t_end - initial.time,
                                                  .longest = t.dt,
                                                  .only = run::stated_integrator(t),
                                                  .adaptive = t.adaptive},
                                                 tuning_context.progress, note);
    t.integrator = m.integrator->name, t.dt = m.dt, t.adaptive = m.adaptive, t.eta = m.eta;
  }
  auto simulation = start(std::move(initial));
  if (const auto close = run::group_note(simulation.snapshot(), gravity, simulation.method())) note(*close);
  if (o.time.reverse) simulation.reverse_velocities();
  (void)simulation.reference_energy();
  if (o.encounters.active()) simulation.watch_encounters(settings_of(o.encounters));
  return simulation;
}

}  // namespace

Simulation made(const std::vector<std::string>& settings, std::optional<Snapshot> given,
                const std::optional<ComovingUniverse>& universe, const tune::TuningContext& tuning_context,
                const control::Note& note) {
  auto o = options_of(settings);
  if (given) o.ic.file = "the bodies";  // the start of messages about them
  if (o.cosmology.active())
    throw UsageError(
        "[cosmology] is for runs: a Simulation takes the universe of its bodies, a Snapshot with `universe`",
        Error::Code::unsupported);
  if (universe) take_universe(o, *universe);
  check(o);
  auto start = given ? run::Start{.initial = std::move(*given), .notes = {}} : run::load(o);
  if (given) run::take_softenings_of_bodies(o, start);
  for (const auto& text : start.notes) note(text);
  return begun(o, std::move(start.initial), universe, tuning_context, note);
}

Simulation made_again(Simulation& now, const std::vector<std::string>& asked,
                      const std::vector<std::string>& change, std::optional<Snapshot> others,
                      const tune::TuningContext& tuning_context, const control::Note& note) {
  auto o = options_of(of_engine(asked));
  const auto& gravity = now.gravity();
  const auto& method = now.method();
  o.ic.file = "the bodies";
  const auto& softening = gravity.softening;
  o.gravity.softening = softening.eps, o.gravity.stated.softening = true;
  o.gravity.softening_kernel = name_of(softening.kernel), o.gravity.softening_rule = name_of(softening.rule);
  // Another softening of all, or of types, takes the place of those that bodies have.
  o.gravity.softening_of_bodies =
      softening.of != SofteningOf::all && std::ranges::none_of(change, [](const std::string& setting) {
        return setting.starts_with("gravity.softening=") || setting.starts_with("gravity.softening_by_type=");
      });
  o.gravity.G = gravity.G, o.gravity.dimension = gravity.dimension;
  for (const auto& potential : gravity.potentials) o.gravity.potentials.push_back(text_of(potential));
  for (const auto& force : gravity.forces) o.gravity.forces.push_back(text_of(force));
  o.gravity.semi_active = text_of(gravity.semi_active);
  o.time.integrator = method.integrator->name, o.time.dt = method.dt, o.time.damping = method.damping;
  o.time.adaptive = method.adaptive, o.time.eta = method.eta, o.time.exact_steps = method.exact_steps;
  o.time.particles_limit_step = method.particles_limit_step;
  o.time.symmetric_steps = method.symmetric_steps;
  o.time.block_levels = method.blocks.levels, o.time.block_criterion = name_of(method.blocks.criterion);
  o.time.single_step = method.blocks.single_step;
  o.time.groups = name_of(method.blocks.groups), o.time.group_radius = method.blocks.group_radius;
  o.time.slow_down = method.blocks.slow_down;
  o.time.neighbours = name_of(method.blocks.neighbours);
  o.time.corrector = method.corrector;
  apply(o, change);
  check(o);
  const bool same_energies =
      !others && semi_active_of(o.gravity.semi_active) == gravity.semi_active &&
      o.gravity.softening == softening.eps && o.gravity.softening_kernel == name_of(softening.kernel) &&
      o.gravity.softening_rule == name_of(softening.rule) && o.gravity.softening_by_type.empty() &&
      o.gravity.softening_of_bodies == (softening.of != SofteningOf::all);
  run::Start start{.initial = others ? std::move(*others) : now.snapshot(), .notes = {}};
  if (!o.gravity.softening_of_bodies) start.initial.bodies.softening.clear();
  auto next = begun(o, std::move(start.initial), std::nullopt, tuning_context, note);
  next.continue_from(now);
  const double added = same_energies ? 0 : next.reference_energy() - now.energies().total();
  next.set_reference_energy(now.reference_energy() + added);
  return next;
}

void keep_settings(Checkpoint& checkpoint, const std::vector<std::string>& asked) {
  checkpoint.extra[section] = fmt::format("{}", fmt::join(of_engine(asked), "\n"));
}

std::vector<std::string> settings_in(const Checkpoint& checkpoint) {
  const auto kept = checkpoint.extra.find(section);
  if (kept == checkpoint.extra.end())
    return {literal_setting("engine.precision", checkpoint.precision),
            literal_setting("engine.kernel", checkpoint.kernel)};
  std::vector<std::string> settings;
  std::istringstream lines(kept->second);
  for (std::string line; std::getline(lines, line);) settings.push_back(line);
  return settings;
}

void keep_universe(Checkpoint& checkpoint, const ComovingUniverse& u) {
  checkpoint.extra[universe_section] = fmt::format("{:a} {:a} {:a} {:a} {:a} {:a} {:a}", u.omega_m, u.omega_b,
                                                   u.omega_lambda, u.omega_r, u.w0, u.wa, u.h);
}

std::optional<ComovingUniverse> universe_in(const Checkpoint& checkpoint, const std::string& origin) {
  const auto kept = checkpoint.extra.find(universe_section);
  if (kept == checkpoint.extra.end()) return std::nullopt;
  ComovingUniverse u;
  std::istringstream in(kept->second);
  for (double* number : {&u.omega_m, &u.omega_b, &u.omega_lambda, &u.omega_r, &u.w0, &u.wa, &u.h}) {
    std::string word;
    in >> word;
    char* end = nullptr;
    *number = std::strtod(word.c_str(), &end);
    if (word.empty() || *end != 0 || !std::isfinite(*number))
      throw InputError(fmt::format("{}: section '{}': it must be seven finite numbers, not '{}'", origin,
                                   universe_section, kept->second));
  }
  return u;
}

int threads_in(const std::vector<std::string>& settings) {
  return options_of(of_engine(settings)).engine.threads;
}

}  // namespace pleiad::python
