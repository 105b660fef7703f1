#include "control/monitor.hpp"

#include "control/roughness.hpp"
#include "control/sample.hpp"
#include "tune/accuracy_parameter.hpp"
#include "tune/families.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <sstream>
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
/// In an expanding space errors fall as structure grows, and a looser tree pays for more checks.
constexpr std::uint64_t interval_in_expansion = 64;
/// A tree is loosened when this part of the accuracy is used.
constexpr double hardly_used = 0.4;

/// Checks of a tree on the same sample: to draw one means to bring all bodies to the host.
constexpr std::uint64_t checks_on_a_sample = 64;

}  // namespace

AccuracyMonitor::AccuracyMonitor(const Simulation& simulation, const Demand& demand, Tell tell, Note note)
    : demand_(demand), tell_(std::move(tell)), note_(std::move(note)) {
  has_engine(simulation);
}

void AccuracyMonitor::has_engine(const Simulation& simulation) {
  const auto engine = simulation.describe();
  tree_ = engine.method.tree.has_value();
  limits_ = limits_of(demand_, tree_);
  // Test particles do not change the steps of the checks, at which the method may change.
  const std::size_t n = simulation.size_on_all_ranks() - engine.test_particles;
  every_ = demand_.check_every > 0 ? demand_.check_every : usual_interval(n, tree_, engine.gpus > 0);
  if (demand_.check_every == 0 && may_loosen(simulation)) every_ = std::min(every_, interval_in_expansion);
}

ForceErrors AccuracyMonitor::measure(Simulation& simulation) {
  if (auto first = std::exchange(first_, {})) {
    sample_ = std::move(first->sample);
    borne_ = too_rough(first->errors, limits_);  // so it started: see accurate_start
    return first->errors;
  }
  const bool regular = simulation.step() % every_ == 0,
             drawn_anew = !tree_ || (regular && simulation.step() / every_ % checks_on_a_sample == 0);
  if (!sample_ || drawn_anew) sample_ = simulation.sample();
  if (!may_loosen(simulation)) return simulation.force_errors(*sample_);
  exact_ = simulation.exact_accelerations(*sample_);
  return simulation.force_errors(*sample_, exact_);
}

/// If all bodies are symmetric, or a tree was corrected, the next check is after one step, then after two,
/// four and so on, until the regular interval is reached.
void AccuracyMonitor::plan_next(const Simulation& simulation, bool corrected) {
  const auto step = simulation.step();
  const bool symmetric = step == 0 && sample_ && sample_->symmetric();
  if (!tree_) pause_ = 0;  // rounding errors of direct sums do not depend on symmetry
  else if (corrected || symmetric) pause_ = 1;
  else if (step != next_ || pause_ == 0) return;
  else pause_ *= 2;
  if (pause_ >= every_) pause_ = 0;
  next_ = pause_ > 0 ? step + pause_ : 0;
}

bool AccuracyMonitor::check(Simulation& simulation, bool may_correct) {
  const auto e = measure(simulation);
  last_ = e, last_step_ = simulation.step();
  if (tell_ && e.measured) tell_(simulation, e);
  const bool rough = too_rough(e, limits_), loose = too_loose(e, limits_);
  // Another method would not lead back.
  if (may_correct && simulation.method().lattice) {
    plan_next(simulation, false);
    if ((rough || loose) && !std::exchange(borne_, true))
      note_(fmt::format("{} at step {}, beyond {:g}; on a lattice the run goes on with its method",
                        words_of(e), simulation.step(), limits_.better));
    return false;
  }
  if (may_correct) {
    const bool tightened = loose && !rough && tighten(simulation, e);
    if (!loose && !rough) loosen(simulation, e);
    plan_next(simulation, tightened);
    return rough || (loose && !tightened);
  }
  if ((rough || loose) && !borne_)
    note_(fmt::format("{} at the end, beyond {:g}: the forces of the last steps are less accurate than this",
                      words_of(e), limits_.better));
  return false;
}

/// False when the accuracy parameter is at its end, or stated.
bool AccuracyMonitor::tighten(Simulation& simulation, const ForceErrors& errors) {
  if (!limits_.accuracy_asked && demand_.stated()) return false;
  const auto now = *simulation.describe().method.tree;
  const auto next = tune::tightened(now, errors.p99_high, limits_.asked);
  if (next == now) return false;
  simulation.retune({.tree = next});
  note_(fmt::format("the force error is {} at step {}, above {:g}: from now on {}", percentile_of(errors),
                    simulation.step(), limits_.better, text_of(next)));
  return true;
}

/// Whether pulls cancel less as the simulation goes on, and the settings of its tree are not stated.
bool AccuracyMonitor::may_loosen(const Simulation& simulation) const {
  return tree_ && simulation.method().space && limits_.accuracy_asked && !demand_.stated() &&
         demand_.tuning != tune::Tuning::off;
}

/// The likeliest order for what is left of the pulls now, at most the present one, and the loosest accuracy
/// parameter that is found to be accurate. All follows from the bodies, never from times.
void AccuracyMonitor::loosen(Simulation& simulation, const ForceErrors& errors) {
  if (exact_.empty() || !(errors.p99_high < hardly_used * limits_.asked)) return;
  const auto engine = simulation.describe();
  const auto now = *engine.method.tree;
  const auto first = tune::replanned(now, demand_.request, simulation.gravity(),
                                     tune::net_of(exact_, *sample_, simulation.gravity().G), errors.p99_high);
  tune::ParameterSearch search(first, limits_.asked);
  std::optional<TreeSettings> best;
  std::optional<ForceErrors> found;
  constexpr int most_trials = 5;
  constexpr double close = 0.6;  // to what is asked for: another trial would gain little
  for (int k = 0; k < most_trials && !search.ended(); ++k) {
    const auto settings = search.settings();
    simulation.retune({.tree = settings});
    const auto e = simulation.force_errors(*sample_, exact_);
    if (!too_rough(e, limits_) && e.p99_high <= tune::enough * limits_.asked) best = settings, found = e;
    if (best == settings && e.p99_high >= close * limits_.asked) break;
    search.found(e.p99_high);
  }
  // Of one order only a looser parameter is faster.
  if (best && best->order == now.order && tune::accuracy_parameter(*best) <= tune::accuracy_parameter(now))
    best.reset();
  simulation.retune({.tree = best.value_or(now)});
  if (!best) return;
  last_ = found;
  note_(fmt::format("the force error is {} at step {}, well below {:g}: from now on {}, with {}",
                    percentile_of(errors), simulation.step(), limits_.asked, text_of(*best),
                    percentile_of(*found)));
}

EngineOptions AccuracyMonitor::take_better_precision(Simulation& simulation, const EngineOptions& options) {
  EngineOptions engine;
  try {
    engine = better_engine(options, simulation, *last_, limits_);
  } catch (const NumericalError&) {
    if (!bearable(*last_, limits_)) throw;
    if (!std::exchange(borne_, true))
      note_(fmt::format("{} at step {}, beyond {:g}; the run goes on, since nothing better can be used",
                        words_of(*last_), simulation.step(), limits_.better));
    return options;
  }
  simulation.go_on_with(engine);
  has_engine(simulation);
  plan_next(simulation, true);
  note_(fmt::format("{} at step {} in {} precision, beyond {:g}: from now on {}", words_of(*last_),
                    simulation.step(), name_of(options.precision), limits_.better,
                    name_of(engine.precision)));
  return engine;
}

std::string AccuracyMonitor::text() const {
  std::string text = pause_ > 0 ? fmt::format("next {} {} ", next_, pause_) : "";
  if (tree_ && sample_) text += text_of(*sample_);
  return text;
}

void AccuracyMonitor::restore(const std::string& text, std::size_t n, std::string_view where) {
  constexpr std::string_view early = "next ";
  std::istringstream in(text);
  if (text.starts_with(early)) {
    std::string word;
    in >> word >> next_ >> pause_;
    if (!in || pause_ == 0) throw InputError(fmt::format("{} has no step of the next check", where));
  }
  std::string sample;
  std::getline(in >> std::ws, sample);
  if (auto drawn = sample_in(sample, n, where)) sample_ = std::move(drawn);
}

}  // namespace pleiad::control
