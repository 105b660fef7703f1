#include "control/start.hpp"

#include "control/roughness.hpp"
#include "direct/why_not.hpp"
#include "engine/ranks_sample.hpp"

#include <pleiad/error.hpp>

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::control {
namespace {

/// In single precision the state itself is rounded: at the start this error counts too.
ForceErrors first_errors(Simulation& simulation, const Sample& sample, const EngineOptions& options) {
  if (options.precision != Precision::f32) return simulation.force_errors(sample);
  const auto where = simulation.describe().gpus > 0 ? Device::cuda : Device::cpu;
  return simulation.force_errors(sample,
                                 exact_on(where, ranks::or_self(options.ranks), simulation.snapshot().bodies,
                                          simulation.gravity(), sample.bodies));
}

/// Whether the errors at the start are acceptable.
bool good(const ForceErrors& e, const Limits& limits) {
  if (too_rough(e, limits)) return false;
  // With an accuracy the accuracy parameter was turned, or will be: see AccuracyMonitor.
  return limits.accuracy_asked || !too_loose(e, limits);
}

}  // namespace

AccurateStart accurate_start(EngineOptions options, Snapshot initial, const Gravity& gravity,
                             const Method& method, const Demand& demand, const Settle& settle,
                             const Note& note) {
  options.integrator = method.integrator, options.blocks = method.blocks;
  options.symmetric_steps = method.symmetric_steps;
  std::optional<ForceErrors> before;
  Limits limits;
  std::string nothing_better;      // why, where that is so
  std::vector<std::string> taken;  // notes of better precisions
  Precision rough = options.precision;
  for (;;) {
    try {
      std::vector<std::string> said;  // notes of an engine that is not used are dropped
      std::optional<MeasuredSample> drawn;
      const auto engine =
          settle(options, initial.bodies, drawn, [&](const std::string& text) { said.push_back(text); });
      AccurateStart start{.simulation = Simulation(std::move(initial), gravity, method, engine),
                          .engine = engine,
                          .first = {}};
      auto& [sample, errors] = start.first;
      start.simulation.expect_potentials();  // for the first row of a table
      sample = drawn ? std::move(drawn->sample) : start.simulation.sample();
      errors = drawn ? start.simulation.force_errors(sample, std::move(drawn->exact))
                     : first_errors(start.simulation, sample, options);
      need_separation(errors, start.simulation.gravity().softening.eps);
      limits = limits_of(demand, start.simulation.describe().method.tree.has_value());
      const bool is_good = good(errors, limits), last = options.precision == Precision::f64;
      if (!is_good && last) nothing_better = "double precision is the best there is";
      if (is_good || (!nothing_better.empty() && bearable(errors, limits))) {
        taken.insert(taken.end(), said.begin(), said.end());
        for (const auto& text : taken) note(text);
        if (!is_good)
          note(fmt::format("{} in {} precision, beyond {:g}; the run goes on: {}", words_of(errors),
                           name_of(options.precision), limits.better, nothing_better));
        else if (demand.stated() && too_loose(errors, limits_of({.request = {}}, limits.tree)))
          note(fmt::format("{}: what is stated is kept", words_of(errors)));
        return start;
      }
      if (!nothing_better.empty()) better(options.precision, errors, limits);
      before = errors;
      initial = std::move(start.simulation).take();
    } catch (const UsageError& e) {
      if (!before) throw;
      nothing_better = fmt::format("no better precision can be used: {}", e.what());
      if (!bearable(*before, limits)) refuse(*before, options.precision, limits, nothing_better);
      options.precision = rough;
      taken.pop_back();
      continue;
    }
    rough = std::exchange(options.precision, better(options.precision, *before, limits));
    taken.push_back(fmt::format("{} in {} precision, beyond {:g}: the run takes {}", words_of(*before),
                                name_of(rough), limits.better, name_of(options.precision)));
  }
}

EngineOptions better_engine(EngineOptions options, const Simulation& simulation, const ForceErrors& e,
                            const Limits& limits) {
  const auto now = simulation.describe();
  const auto& method = simulation.method();
  const bool named = options.method.has_value();
  options.precision = better(options.precision, e, limits);
  options.method = now.method;
  options.why = "a better precision";
  const auto why = why_not(now.method, {.n = simulation.size(),
                                        .gravity = simulation.gravity(),
                                        .precision = options.precision,
                                        .integrator = method.integrator});
  if (!why) return options;
  if (now.method.tree || named)
    refuse(e, options.precision, limits, fmt::format("no better precision can be used: {}", *why));
  options.method.reset();
  if (now.gpus > 0) options.backend = "cuda";
  return options;
}

}  // namespace pleiad::control
