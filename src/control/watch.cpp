#include "control/watch.hpp"

#include "control/roughness.hpp"
#include "tune/dial.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace pleiad::control {
namespace {

/// Rounding grows slowly, and steps of few bodies are short: a check takes at most a hundredth of the time of
/// the steps before it. A look at a tree takes about a fiftieth: see sample_size.
std::uint64_t usual_interval(std::size_t n, bool tree, bool on_gpu) {
  constexpr std::uint64_t shortest = 1024, longest = 16384, product = std::uint64_t{1} << 24;
  if (tree) return on_gpu ? 256 : 128;
  return std::clamp(product / std::max<std::uint64_t>(n, 1), shortest, longest);
}
/// Checks of a tree on the same sample: to draw one means to bring all bodies to the host.
constexpr std::uint64_t checks_on_a_sample = 64;

}  // namespace

AccuracyWatch::AccuracyWatch(const Simulation& simulation, const Demand& demand, Tell tell, Note note)
    : accuracy_(demand.request.accuracy),
      check_every_(demand.check_every),
      tell_(std::move(tell)),
      note_(std::move(note)) {
  has_engine(simulation);
}

void AccuracyWatch::has_engine(const Simulation& simulation) {
  const auto engine = simulation.describe();
  tree_ = engine.method.tree.has_value();
  every_ = check_every_ > 0 ? check_every_
                            : usual_interval(simulation.size_on_all_ranks(), tree_, engine.gpus > 0);
}

ForceErrors AccuracyWatch::measure(Simulation& simulation) {
  if (auto first = std::exchange(first_, {})) {
    sample_ = std::move(first->sample);
    return first->errors;
  }
  const bool drawn_anew = !tree_ || (due(simulation) && simulation.step() / every_ % checks_on_a_sample == 0);
  if (!sample_ || drawn_anew) sample_ = simulation.sample();
  return simulation.force_errors(*sample_);
}

bool AccuracyWatch::check(Simulation& simulation, bool may_correct) {
  const auto e = measure(simulation);
  last_ = e, last_step_ = simulation.step();
  if (tell_) tell_(simulation, e);
  const bool rough = too_rough(e, accuracy_, tree_);
  const bool loose = tree_ && accuracy_ > 0 && !(e.p99_high <= accuracy_);
  if (may_correct) return rough || (loose && !tighten(simulation, e));
  if (rough || loose)
    note_(fmt::format("{} at the end, beyond {:g}: the forces of the last steps are less accurate than this",
                      words_of(e), allowed_error(accuracy_)));
  return false;
}

/// False when the dial is at its end.
bool AccuracyWatch::tighten(Simulation& simulation, const ForceErrors& errors) {
  const auto now = *simulation.describe().method.tree;
  const auto next = tune::tightened(now, errors.p99_high, accuracy_);
  if (next == now) return false;
  simulation.retune({.tree = next});
  note_(fmt::format("the force error is {} at step {}, above {:g}: from now on {}", percentile_of(errors),
                    simulation.step(), accuracy_, text_of(next)));
  return true;
}

EngineOptions AccuracyWatch::take_better_precision(Simulation& simulation, const EngineOptions& options) {
  const auto engine = better_engine(options, simulation, *last_, accuracy_);
  simulation.go_on_with(engine);
  has_engine(simulation);
  note_(fmt::format("{} at step {} in {} precision, beyond {:g}: from now on {}", words_of(*last_),
                    simulation.step(), name_of(options.precision), allowed_error(accuracy_),
                    name_of(engine.precision)));
  return engine;
}

}  // namespace pleiad::control
