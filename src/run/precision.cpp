#include "run/precision.hpp"

#include "engine/tree_trial.hpp"
#include "run/start.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

[[noreturn]] void refuse(const ForceErrors& e, const Options& o, const std::string& why) {
  throw NumericalError(fmt::format("{} in {} precision, beyond {:g}, and {}", words_of(e), o.engine.precision,
                                   allowed_error(o), why));
}

/// Pulls as they would be without any rounding, summed where the bodies go: a processor beside a GPU takes
/// longer for them than for all else.
std::vector<Vec3<double>> unrounded(Simulation& simulation, std::span<const std::size_t> chosen) {
  const auto& initial = simulation.snapshot().bodies;
  const auto& gravity = simulation.gravity();
  if (simulation.describe().gpus > 0 && !gravity.boundary.periodic) try {
      return make_tree_trial(Device::cuda, initial, gravity, Precision::mixed)->exact(chosen);
    } catch (const ResourceError&) {
      // No room for the unrounded bodies beside the others.
    }
  return exact_accelerations(initial, gravity, chosen);
}

/// In single precision the state itself is rounded: at the start that counts too.
ForceErrors first_errors(Simulation& simulation, const Sample& sample, const Options& o) {
  if (o.engine.precision != name_of(Precision::f32)) return simulation.force_errors(sample);
  return simulation.force_errors(sample, unrounded(simulation, sample.bodies));
}

}  // namespace

double allowed_error(const Options& o) { return o.solver.accuracy > 0 ? o.solver.accuracy : exact_enough; }

bool too_rough(const ForceErrors& e, const Options& o, bool tree) {
  if (!tree) return !meet(e, allowed_error(o), true);
  return gross(e, o.solver.accuracy > 0 ? o.solver.accuracy : tune::usual_accuracy, false);
}

std::string percentile_of(const ForceErrors& e) {
  if (!(e.p99_low < e.p99_high)) return fmt::format("{:.3g}", e.p99);
  return fmt::format("{:.3g} ({:.3g} to {:.3g})", e.p99, e.p99_low, e.p99_high);
}

std::string words_of(const ForceErrors& e) {
  return fmt::format("the force error is {} for 99 % of the bodies, {:.2g} at worst of {}", percentile_of(e),
                     e.largest, e.sample);
}

void need_separation(const ForceErrors& e, double eps) {
  if (!(std::hypot(eps, e.separation) > least_separation))
    throw NumericalError(fmt::format(
        "two bodies are {:g} apart: below {:g} double precision computes no pull; take a larger unit of "
        "length, or softening",
        e.separation, least_separation));
}

bool by_a_tree(const Simulation& simulation) { return simulation.describe().method.tree.has_value(); }

void take_better(Options& o, const ForceErrors& e) {
  switch (precision_named(o.engine.precision)) {
    case Precision::f32:
      o.engine.precision = name_of(Precision::mixed);
      return;
    case Precision::mixed:
      o.engine.precision = name_of(Precision::f64);
      return;
    case Precision::f64:
      break;
  }
  refuse(e, o, "there is no better precision: ask for less, or take solver.method = \"direct\"");
}

AccurateStart accurate_start(Options& o, Snapshot initial, Settling settling,
                             std::vector<std::string>& notes) {
  std::optional<ForceErrors> before;
  for (;;) {
    try {
      std::vector<std::string> said;  // of an engine that is not taken nobody need know
      std::optional<Sample> drawn;
      settling.drawn = &drawn;
      const auto engine = settled_engine(o, initial.bodies, settling, said);
      AccurateStart start{.simulation = Simulation(std::move(initial), gravity_of(o), method_of(o), engine),
                          .engine = engine,
                          .first = {}};
      auto& [sample, errors] = start.first;
      sample = drawn ? std::move(*drawn) : start.simulation.sample();
      errors = first_errors(start.simulation, sample, o);
      need_separation(errors, o.gravity.softening);
      if (!too_rough(errors, o, by_a_tree(start.simulation))) {
        notes.insert(notes.end(), said.begin(), said.end());
        return start;
      }
      before = errors;
      initial = std::move(start.simulation).take();
    } catch (const UsageError& e) {
      if (!before) throw;
      refuse(*before, o, fmt::format("nothing better is left: {}", e.what()));
    }
    const auto rough = o.engine.precision;
    take_better(o, *before);
    notes.push_back(fmt::format("{} in {} precision, beyond {:g}: the run takes {}", words_of(*before), rough,
                                allowed_error(o), o.engine.precision));
  }
}

EngineOptions better_engine(Options& o, const Simulation& simulation, const ForceErrors& e) {
  const auto now = simulation.describe();
  const bool tree = by_a_tree(simulation);
  take_better(o, e);
  auto engine = engine_of(o);
  engine.precision = precision_named(o.engine.precision);
  const bool named = engine.method.has_value();
  engine.method = now.method;
  engine.why = "a better precision";
  const auto why = why_not(now.method, simulation.size(), engine.precision, simulation.gravity());
  if (!why) return engine;
  if (tree || named) refuse(e, o, fmt::format("nothing better is left: {}", *why));
  engine.method.reset();
  if (now.gpus > 0) engine.backend = "cuda";
  return engine;
}

}  // namespace pleiad::run
