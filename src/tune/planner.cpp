#include "tune/planner.hpp"

#include "core/part.hpp"
#include "direct/why_not.hpp"
#include "engine/device.hpp"
#include "engine/ranks_sample.hpp"
#include "engine/rounding.hpp"
#include "ranks/division.hpp"
#include "tree/settings.hpp"
#include "tune/families.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace pleiad::tune {
namespace {

std::string in_words(double seconds) {
  return seconds < 1 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}
std::string in_words(const DirectSums& direct) {
  return in_words(direct.seconds) + (direct.gpus > 1 ? fmt::format(" on {} GPUs", direct.gpus) : "");
}

/// The reason why the best of these missed the accuracy.
std::string why_missed(const std::vector<Measurement>& tried, double accuracy) {
  const auto best =
      std::ranges::min_element(tried, {}, [](const Measurement& t) { return t.errors.p99_high; });
  if (best == tried.end()) return "nothing could be tried";
  const auto& e = best->errors;
  if (e.p99_high <= enough * accuracy)
    return fmt::format("the error of its closest neighbours is {:.2g}", e.closest);
  const char* figure =
      e.p99_low < e.p99_high ? "the upper end of the interval of its smallest error" : "its smallest error";
  return fmt::format(
      "{} is {:.2g}, and a run starts with at most {:.2g}, {:.0f} % of the accuracy, because "
      "the error grows while the bodies move",
      figure, e.p99_high, enough * accuracy, 100 * enough);
}

[[noreturn]] void refuse(const SolverRequest& request, const std::vector<Measurement>& tried,
                         Precision precision) {
  const char* better = precision == Precision::f64 ? "" : ", or use engine.precision = \"f64\"";
  throw UsageError(
      fmt::format("solver.accuracy = {:g} was not reached by {}: {}; increase it{} set fewer keys "
                  "in [solver]{}",
                  request.accuracy, request.solver ? name_of(*request.solver) : "trees",
                  why_missed(tried, request.accuracy), *better == 0 ? ", or" : ",", better),
      Error::Code::unsupported);
}

/// The fastest that was accurate enough, of all trees, of those of other kinds than `unlike`, or of one
/// solver.
const Measurement* fastest(const std::vector<Measurement>& tried, std::string_view unlike = {},
                           std::optional<Solver> solver = {}) {
  const Measurement* best = nullptr;
  for (const auto& t : tried) {
    const auto* tree = t.tree();
    if (!t.meets || tree == nullptr) continue;
    if (pleiad::name_of(*tree) == unlike || (solver && tree->solver != *solver)) continue;
    if (best == nullptr || t.seconds < best->seconds) best = &t;
  }
  return best;
}

/// Barnes-Hut's pulls on two bodies are not equal and opposite, so that momentum and energy drift: it is
/// taken where it is much faster than the fast multipole method, whose pulls between cells are.
Measurement without_drift(const Measurement& best, const std::vector<Measurement>& tried,
                          const SolverRequest& request) {
  constexpr double worth = 1.5;
  if (request.solver || best.tree()->solver != Solver::barnes_hut) return best;
  const auto* fmm = fastest(tried, {}, Solver::fmm);
  return fmm != nullptr && fmm->seconds < worth * best.seconds ? *fmm : best;
}

std::string why_a_tree(const Plan& plan, const Measurement& best, const DirectSums& direct) {
  const auto name = pleiad::name_of(*best.tree());
  std::set<std::string> kinds;
  for (const auto& t : plan.tried) kinds.insert(text_of(t.method));
  const auto* quickest = fastest(plan.tried);  // none where nothing is as accurate as it should be
  const auto* rank = quickest == nullptr                ? "tightest"
                     : quickest->seconds < best.seconds ? "fastest without drift"
                                                        : "fastest";
  auto why = fmt::format("{}, {}, the {} of {} tried; {}", error_in_words(best.errors),
                         in_words(best.seconds), rank, kinds.size(),
                         direct.measured == 0 ? "there are no direct sums to compare with"
                                              : "direct sums take " + in_words(direct));
  if (const auto* other = fastest(plan.tried, name)) {
    why += fmt::format(", {} {}", pleiad::name_of(*other->tree()), in_words(other->seconds));
    if (other->seconds < best.seconds) why += " but lets momentum drift";
  }
  if (best.tree()->solver == Solver::barnes_hut)
    why += fmt::format(
        "; momentum drifts, since {:.0e} of all forces do not cancel: for long runs solver.method = \"fmm\" "
        "may be better",
        best.net);
  return why;
}

/// Measured errors of direct sums as text.
std::string words_of(const ForceErrors& direct) {
  return direct.sample == 0 ? "" : fmt::format(" (force error {:.1e})", direct.p99_high);
}

std::string why_direct(const Plan& plan, const DirectSums& direct, double accuracy) {
  const auto& errors = plan.tried.front().errors;
  if (!plan.tried.front().meets)
    return fmt::format("no tree reaches {:g}, nor do direct sums in this precision{}", accuracy,
                       words_of(errors));
  auto why = fmt::format("direct sums{} take {}; ", words_of(errors), in_words(direct));
  const auto* tree = fastest(plan.tried);
  if (tree == nullptr) return why + fmt::format("no tree is as fast at {:g}", accuracy);
  return why + fmt::format("at {:g} {} takes {}", accuracy, pleiad::name_of(*tree->tree()),
                           in_words(tree->seconds));
}

/// Whether, for direct sums in double precision, only bodies whose pulls cancel have larger errors.
bool nothing_is_better(ForceErrors e, double accuracy) {
  e.p99_high = e.others_p99_high, e.largest = e.others_largest;
  return meet(e, accuracy, true);
}

EngineOptions for_direct_sums(EngineOptions options) {
  options.method.reset(), options.divide_tree = DivideTree::automatic;
  return options;
}

ForceErrors errors_of_direct_sums(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
                                  const MakeEngine& make) {
  const EngineOptions direct = for_direct_sums(options);
  const ranks::Collective all(ranks::or_self(options.ranks), bodies.size());
  const auto sample = collective_sample(all, bodies, sample_size(all.bodies(bodies.size())));
  const auto engine = make(bodies, gravity, direct);
  auto accelerations = engine->sampled_accelerations(sample.bodies);
  accelerations.rounding = collective_rounding(
      all, [&]() -> const Bodies& { return bodies; }, gravity, sample, accelerations.exact);
  return errors_of(accelerations, sample, gravity.G);
}

/// Removes settings that several ranks do not support; UsageError if none is left.
void need_for_ranks(std::vector<TreeSettings>& likely, const Gravity& gravity, Precision precision) {
  std::optional<std::string> why;
  std::erase_if(likely, [&](const TreeSettings& settings) {
    const auto reason = why_not(ForceMethod{.tree = settings},
                                {.gravity = gravity, .precision = precision, .on_ranks = true});
    if (reason) why = reason;
    return reason.has_value();
  });
  if (likely.empty()) throw UsageError(*why, Error::Code::unsupported);
}

/// Trees in one place after the other: the next only where nothing was accurate enough in those before.
std::optional<Measurement> search_places(const Bodies& bodies, const Gravity& gravity,
                                         const EngineOptions& options, const SolverRequest& request,
                                         double direct, const Progress& progress, Search search,
                                         const Budget& budget, Plan& plan) {
  const auto places = places_for_trees(options, gravity);
  auto& ranks = ranks::or_self(options.ranks);
  const auto n = on_all_ranks(ranks, bodies.size());
  for (const auto where : places) {
    const bool last = where == places.back();
    const auto families_for = [&](double net) {
      auto able = families(request, where, options.precision, gravity, n, net);
      if (ranks.ranks() > 1) need_for_ranks(able, gravity, options.precision);
      return able;
    };
    std::vector<TreeSettings> likely;
    try {
      likely = families_for(1);
    } catch (const UsageError&) {
      if (last) throw;
      continue;
    }
    if (progress) progress(fmt::format("a sample of {} bodies", n));
    Trial trial(where, bodies, gravity, options.precision, ranks, options.divide_tree, budget.clock);
    // How tight they must be is known from the sample.
    if (const double net = trial.net(); net < 1) likely = families_for(net);
    std::erase_if(likely, [&](const TreeSettings& settings) { return !trial.can(settings); });
    if (likely.empty()) {
      if (!last) continue;
      throw UsageError(
          fmt::format("the tree of {} bodies must be divided among the GPUs, which {} cannot be; use "
                      "solver.method = \"fmm\"",
                      n, name_of(*request.solver)));
    }
    TreeSearch trees(trial, request, direct, progress, plan.tried, budget);
    auto best = trees.run(likely, search);
    plan.cut_short = plan.cut_short || trees.cut_short();
    if (!best) continue;
    best = without_drift(*best, plan.tried, request);
    if (const auto& settings = *best->tree(); settings.solver == Solver::barnes_hut)
      best->net = trial.net_pull(settings);
    plan.sample = trial.sample();
    return best;
  }
  return std::nullopt;
}

/// Whether only trees can be taken: a GPU has no Ewald sums.
bool trees_alone(const EngineOptions& options, const Gravity& gravity) {
  return gravity.boundary.all_images() && places_for_trees(options, gravity) == std::vector{Device::cuda};
}

/// Whether every rank has a GPU.
bool gpu_here(const EngineOptions& options) {
  return ranks::all(ranks::or_self(options.ranks), why_no_device().empty());
}

}  // namespace

std::string error_in_words(const ForceErrors& e) {
  return fmt::format("force error {:.1e} ({:.1e} to {:.1e}, 99 % of {} bodies)", e.p99, e.p99_low, e.p99_high,
                     e.sample);
}

std::string text_of(const SolverRequest& w) {
  std::string text = fmt::format("accuracy={:g}", w.accuracy);
  const auto add = [&](std::string_view word, const auto& value) {
    if (value) text += fmt::format(" {}={}", word, *value);
  };
  if (w.solver) text += fmt::format(" solver={}", name_of(*w.solver));
  if (w.mac) text += fmt::format(" criterion={}", name_of(*w.mac));
  if (w.structure) text += fmt::format(" structure={}", name_of(*w.structure));
  add("order", w.order), add("leaf", w.leaf_size), add("group", w.group);
  add("theta", w.theta), add("tolerance", w.tolerance);
  return text;
}

std::vector<Device> places_for_trees(const EngineOptions& options, const Gravity& gravity) {
  if (options.backend == "cpu") return {Device::cpu};
  if (options.backend == "cuda" || options.gpus > 1 || options.divide_tree == DivideTree::yes)
    return {Device::cuda};
  const ForceMethod on_gpu{.tree = TreeSettings{.device = Device::cuda}};
  if (!gpu_here(options) ||
      why_not(on_gpu, {.gravity = {.softening = gravity.softening, .boundary = gravity.boundary},
                       .on_ranks = gravity.boundary.periodic && ranks::or_self(options.ranks).ranks() > 1}))
    return {Device::cpu};
  return {Device::cuda, Device::cpu};
}

std::optional<Plan> plain(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
                          const SolverRequest& request) {
  // Fewer are summed directly in a fraction of a millisecond.
  constexpr std::size_t too_few = 2000;
  const auto direct = [](std::string why) { return Plan{.why = std::move(why)}; };
  if (request.solver == Solver::direct) return direct({});
  // Of any settings: only the solver, where it is named, makes a difference.
  const auto solver = request.solver.value_or(Solver::fmm);
  const auto n = on_all_ranks(ranks::or_self(options.ranks), bodies.size());
  std::optional<std::string> why;
  for (const auto where : places_for_trees(options, gravity)) {
    const TreeSettings some{.device = where, .solver = solver, .order = solver == Solver::fmm ? 5 : 2};
    why = why_not(ForceMethod{.tree = some}, {.n = n,
                                              .gravity = gravity,
                                              .precision = options.precision,
                                              .integrator = options.integrator,
                                              .symmetric_steps = options.symmetric_steps,
                                              .pair_steps = in_blocks(options.integrator) &&
                                                            options.blocks.by_pairs(gravity.softening.eps),
                                              .close_groups = options.blocks.groups != CloseGroups::off,
                                              .neighbours = options.blocks.neighbours == Neighbours::on});
    if (!why) break;
  }
  if (request.solver && why) throw UsageError(*why, Error::Code::unsupported);
  if (request.solver) return std::nullopt;
  if (why) return direct(fmt::format("direct sums: {}", obstacle_of(*why)));
  if (n < too_few && !trees_alone(options, gravity))
    return direct("direct sums, which are fastest for so few bodies");
  return std::nullopt;
}

DirectSums time_direct_sums(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
                            const MakeEngine& make, std::size_t most, TimeSource clock) {
  // As many as fill a GPU are too many for a processor.
  const bool may_be_gpu = !gravity.boundary.all_images() &&
                          places_for_trees(options, gravity).front() == Device::cuda && gpu_here(options);
  if (most == 0) most = may_be_gpu ? std::size_t{1} << 18 : std::size_t{1} << 14;
  auto& ranks = ranks::or_self(options.ranks);
  const std::size_t all = on_all_ranks(ranks, bodies.size()), n = std::min(all, most);
  const EngineOptions direct = for_direct_sums(options);
  auto mutual = gravity;
  mutual.potentials.clear(), mutual.forces.clear();
  const auto engine =
      n < all ? make(some_of(bodies, n, ranks), mutual, direct) : make(bodies, mutual, direct);
  const StepPlan step{.integrator = &integrator_named("kdk"), .dt = 1e-30};
  engine->advance(step, 1);
  double best = 1e300, spent = 0;
  for (int k = 0; k < 5 && spent < 0.1; ++k) {
    const double start = clock();
    engine->advance(step, 1);
    engine->finite();
    const double took = slowest(ranks, clock() - start);
    best = std::min(best, took), spent += took;
  }
  const double ratio = double(all) / double(n);
  return {.seconds = best * ratio * ratio, .measured = n, .gpus = engine->describe().gpus};
}

Plan plan(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
          const SolverRequest& request, const MakeEngine& make, const Progress& progress, Search search,
          double evaluations, TimeSource clock) {
  if (auto found = plain(bodies, gravity, options, request)) return *found;
  auto& ranks = ranks::or_self(options.ranks);
  const Budget budget{.began = agreed_seconds(ranks, clock), .evaluations = evaluations, .clock = clock};
  if (progress) progress("direct sums");
  DirectSums direct{.seconds = 1e300};
  try {
    direct = time_direct_sums(bodies, gravity, options, make, 0, clock);
  } catch (const UsageError&) {
    // The choice of the table does not run on every GPU, and there are no Ewald sums on one; a user who names
    // a solver does not depend on it.
    if (!request.solver && !trees_alone(options, gravity)) throw;
  }
  const bool has_direct_sums = direct.measured > 0;
  Plan plan{.seconds = direct.seconds};
  bool exact = has_direct_sums;
  if (!request.solver && has_direct_sums) {
    // If only a part of the bodies was timed, the caller measures the errors.
    const auto errors = direct.measured == on_all_ranks(ranks, bodies.size())
                            ? errors_of_direct_sums(bodies, gravity, options, make)
                            : ForceErrors{};
    exact = meet(errors, request.accuracy, true) ||
            (options.precision == Precision::f64 && nothing_is_better(errors, request.accuracy));
    plan.tried.push_back({.seconds = direct.seconds, .errors = errors, .meets = exact});
  }
  constexpr double never = 1e300;
  const double rival = exact && options.divide_tree != DivideTree::yes ? direct.seconds : never;
  auto best = search_places(bodies, gravity, options, request, rival, progress, search, budget, plan);
  if (best && (request.solver || best->seconds < rival)) {
    plan.method = best->method, plan.seconds = best->seconds;
    plan.why = why_a_tree(plan, *best, direct);
    return plan;
  }
  if (request.solver || !has_direct_sums) refuse(request, plan.tried, options.precision);
  plan.why = why_direct(plan, direct, request.accuracy);
  return plan;
}

}  // namespace pleiad::tune
