#include "tune/plans.hpp"

#include "core/threads.hpp"
#include "tree/tree.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::tune {
namespace {

/// Whether the plan still does what is wished, found by one evaluation; nothing when it does not.
std::optional<Plan> checked(const Entry& entry, const Bodies& bodies, const Gravity& gravity,
                            const EngineOptions& options, const SolverRequest& request) {
  std::optional<ForceMethod> method;
  try {
    method = force_method_of(entry.kernel);
  } catch (const Error&) {
    return std::nullopt;  // the file was edited, or another build has written it
  }
  if (!method)
    return Plan{.why = fmt::format("direct sums were faster than trees at {:g} when it was measured",
                                   request.accuracy),
                .seconds = entry.seconds};
  const auto places = places_for_trees(options, gravity);
  if (!method->tree || std::ranges::find(places, place_of(*method)) == places.end() ||
      why_not(*method, bodies.size(), options.precision, gravity))
    return std::nullopt;
  // A rival of no time: one evaluation is enough.
  Trial trial(place_of(*method), bodies, gravity, options.precision);
  const auto tried = trial.run(*method->tree, promised_accuracy(request), 0);
  if (!tried.meets) return std::nullopt;
  return Plan{.method = method,
              .why = error_in_words(tried.errors) + "; chosen earlier, from the cache",
              .tried = {tried},
              .seconds = entry.seconds,
              .sample = trial.sample()};
}

std::optional<Plan> remembered(const Case& what, const Bodies& bodies, const Gravity& gravity,
                               const EngineOptions& options, const SolverRequest& request,
                               const TuningContext& tuning_context) {
  for (const auto& entry : read_cache(tuning_context.cache).entries)
    if (entry.what == what)
      if (auto plan = checked(entry, bodies, gravity, options, request)) return plan;
  return std::nullopt;
}

}  // namespace

Case plan_case_of(Case machine, const Bodies& b, const SolverRequest& request) {
  // Of very many, some tell.
  std::vector<Mass<double>> masses(std::min(b.size(), std::size_t{1} << 20));
  for (std::size_t k = 0; k < masses.size(); ++k) {
    const auto i = static_cast<std::size_t>((double(k) + 0.5) * double(b.size()) / double(masses.size()));
    masses[k] = {b.x[i], b.y[i], b.z[i], b.mass[i]};
  }
  tree::Tree octree;
  tree::build<double>(octree, masses, 48);
  std::array<std::size_t, tree::Tree::deepest + 1> at_level{};
  for (const auto& cell : octree.cells)
    if (cell.leaf()) at_level[std::min<std::size_t>(cell.level, at_level.size() - 1)] += cell.bodies();
  const auto level_of = [&](double part) {
    std::size_t below = 0;
    for (unsigned level = 0; level < at_level.size(); ++level)
      if (below += at_level[level]; double(below) >= part * double(masses.size())) return level;
    return 0U;
  };
  // In quarters of powers of two, as the tuner's cases.
  const double n = b.size() == 0 ? 1 : std::exp2(std::ceil(4 * std::log2(double(b.size()))) / 4);
  machine.n = static_cast<std::size_t>(n);
  machine.masses = Masses::any;  // no tree knows better
  machine.request = text_of(request), machine.half = level_of(0.5), machine.deepest = level_of(0.99);
  return machine;
}

Plan planned(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
             const SolverRequest& request, Tuning tuning, const TuningContext& tuning_context) {
  const Threads threads(options.threads);
  const WithThreads ours(threads);
  if (auto found = plain(bodies, gravity, options, request)) return *found;
  const auto say = [](const auto& listener, const std::string& text) {
    if (listener) listener(text);
  };
  const auto progress = [&](const std::string& text) {
    say(tuning_context.progress, "choosing a solver: " + text);
  };
  const auto what = plan_case_of(case_of(bodies, gravity, options, tuning_context), bodies, request);
  if (tuning != Tuning::off && !(tuning == Tuning::force && tuning_context.measures))
    if (auto found = remembered(what, bodies, gravity, options, request, tuning_context)) return *found;
  if (!tuning_context.measures) {
    auto guess = plan(bodies, gravity, options, request, tuning_context.make, progress, Search::guess);
    guess.why += "; a first guess, the run will search";
    return guess;
  }
  say(tuning_context.begins,
      fmt::format("choosing a solver for {} bodies ({})", bodies.size(), what.request));
  auto found = plan(bodies, gravity, options, request, tuning_context.make, progress);
  if (tuning == Tuning::off) return found;
  try {
    keep(tuning_context.cache,
         {{.what = what,
           .kernel = text_of(found.method),
           .seconds = found.seconds,
           .candidates = found.tried.size()}},
         tuning == Tuning::force ? Others::go : Others::come_first, tuning_context.begins);
  } catch (const ResourceError& e) {
    say(tuning_context.note,
        fmt::format("the solver that was chosen is not remembered, another run may choose another: {}",
                    e.what()));
  }
  return found;
}

}  // namespace pleiad::tune
