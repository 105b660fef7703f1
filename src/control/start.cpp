#include "control/start.hpp"

#include "control/roughness.hpp"
#include "engine/ranks_sample.hpp"

#include <pleiad/error.hpp>

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::control {
namespace {

/// In single precision the state itself is rounded: at the start that counts too.
ForceErrors first_errors(Simulation& simulation, const Sample& sample, const EngineOptions& options) {
  if (options.precision != Precision::f32) return simulation.force_errors(sample);
  const auto where = simulation.describe().gpus > 0 ? Device::cuda : Device::cpu;
  return simulation.force_errors(sample, exact_on(where, options.ranks, simulation.snapshot().bodies,
                                                  simulation.gravity(), sample.bodies));
}

}  // namespace

AccurateStart accurate_start(EngineOptions options, Snapshot initial, const Gravity& gravity,
                             const Method& method, double accuracy, const Settle& settle, const Note& note) {
  options.jerks = method.integrator->hermite;
  std::optional<ForceErrors> before;
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
      need_separation(errors, gravity.softening.eps);
      if (!too_rough(errors, accuracy, start.simulation.describe().method.tree.has_value())) {
        for (const auto& text : said) note(text);
        return start;
      }
      before = errors;
      initial = std::move(start.simulation).take();
    } catch (const UsageError& e) {
      if (!before) throw;
      refuse(*before, options.precision, accuracy,
             fmt::format("no better precision can be used: {}", e.what()));
    }
    const auto rough = std::exchange(options.precision, better(options.precision, *before, accuracy));
    note(fmt::format("{} in {} precision, beyond {:g}: the run takes {}", words_of(*before), name_of(rough),
                     allowed_error(accuracy), name_of(options.precision)));
  }
}

EngineOptions better_engine(EngineOptions options, const Simulation& simulation, const ForceErrors& e,
                            double accuracy) {
  const auto now = simulation.describe();
  const auto& method = simulation.method();
  const bool named = options.method.has_value();
  options.precision = better(options.precision, e, accuracy);
  options.method = now.method;
  options.why = "a better precision";
  const auto why = why_not(now.method, simulation.size(), options.precision, simulation.gravity(),
                           method.integrator->hermite);
  if (!why) return options;
  if (now.method.tree || named)
    refuse(e, options.precision, accuracy, fmt::format("no better precision can be used: {}", *why));
  options.method.reset();
  if (now.gpus > 0) options.backend = "cuda";
  return options;
}

}  // namespace pleiad::control
