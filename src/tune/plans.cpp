#include "tune/plans.hpp"

#include "core/threads.hpp"
#include "direct/why_not.hpp"
#include "domain/host_particles.hpp"
#include "engine/softenings.hpp"
#include "ranks/agree.hpp"
#include "ranks/division.hpp"
#include "tree/tree.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::tune {
namespace {

/// Returns the plan of an entry if one evaluation proves that it still meets the request; else nothing.
std::optional<Plan> checked(const Entry& entry, const Bodies& bodies, const Gravity& gravity,
                            const EngineOptions& options, const SolverRequest& request, TimeSource clock) {
  std::optional<ForceMethod> method;
  try {
    method = force_method_of(entry.kernel);
  } catch (const Error&) {
    return std::nullopt;  // the file was edited, or another build has written it
  }
  if (!method && options.divide_tree == DivideTree::yes) return std::nullopt;  // which direct sums have not
  if (!method)
    return Plan{.why = fmt::format("direct sums were faster than trees at {:g} when it was measured",
                                   request.accuracy),
                .seconds = entry.seconds};
  const auto places = places_for_trees(options, gravity);
  auto& ranks = ranks::or_self(options.ranks);
  const auto n = on_all_ranks(ranks, bodies.size());
  if (!method->tree || std::ranges::find(places, place_of(*method)) == places.end() ||
      why_not(*method,
              {.n = n, .gravity = gravity, .precision = options.precision, .on_ranks = ranks.ranks() > 1}))
    return std::nullopt;
  // A rival of no time: one evaluation is enough.
  Trial trial(place_of(*method), bodies, gravity, options.precision, ranks, options.divide_tree, clock);
  if (!trial.can(*method->tree)) return std::nullopt;
  const auto tried = trial.run(*method->tree, promised_accuracy(request), 0);
  if (!tried.meets) return std::nullopt;
  return Plan{.method = method,
              .why = error_in_words(tried.errors) + "; chosen earlier, from the cache",
              .tried = {tried},
              .seconds = entry.seconds,
              .sample = trial.sample()};
}

/// Whether the search of this entry was long enough for a run of this number of evaluations; 0: unknown.
bool long_enough(const Entry& entry, double evaluations) {
  constexpr double alike = 2;
  return entry.evaluations == 0 || (evaluations > 0 && evaluations <= alike * entry.evaluations);
}

/// Entries of a case that hold for a run of this number of evaluations, in the order of the cache. On several
/// ranks rank 0 reads it.
std::vector<Entry> entries_of(const Case& what, const std::filesystem::path& cache, double evaluations,
                              ranks::Communicator& ranks) {
  std::vector<Entry> entries;
  if (ranks.rank() == 0) entries = read_cache(cache).entries;
  std::erase_if(entries,
                [&](const Entry& entry) { return entry.what != what || !long_enough(entry, evaluations); });
  if (ranks.ranks() == 1) return entries;
  std::vector<double> seconds;
  std::string kernels;
  for (const auto& entry : entries) seconds.push_back(entry.seconds), kernels += entry.kernel + '\n';
  seconds = ranks::all_gather<double>(ranks, seconds).data;
  std::istringstream lines(ranks::all_texts(ranks, kernels).front());
  entries.clear();
  for (std::string kernel; std::getline(lines, kernel);)
    entries.push_back({.what = what, .kernel = kernel, .seconds = seconds[entries.size()]});
  return entries;
}

std::optional<Plan> remembered(const Case& what, const Bodies& bodies, const Gravity& gravity,
                               const EngineOptions& options, const SolverRequest& request,
                               const TuningContext& tuning_context) {
  const double evaluations = tuning_context.steps.value_or(0);
  for (const auto& entry : entries_of(what, tuning_context.cache, evaluations, ranks::or_self(options.ranks)))
    if (auto plan = checked(entry, bodies, gravity, options, request, tuning_context.effort.clock))
      return plan;
  return std::nullopt;
}

using Levels = std::array<std::uint64_t, tree::Tree::deepest + 1>;

/// How many bodies are in leaves of each level.
Levels bodies_at_levels(std::span<const Mass<double>> own, ranks::Communicator& ranks) {
  constexpr std::uint32_t leaf_size = 48;
  Levels levels{};
  tree::Tree octree;
  domain::HostParticles<double> particles(ranks, octree);
  particles.take(own, {}, {}, leaf_size);
  if (domain::DomainExchange(ranks, particles).exchange_particles(leaf_size, leaf_size))
    for (const auto& cell : octree.cells)
      if (cell.leaf()) levels[std::min<std::size_t>(cell.level, levels.size() - 1)] += cell.bodies();
  ranks.sum(levels);
  return levels;
}

}  // namespace

Case plan_case_of(Case machine, const Bodies& b, const SolverRequest& request, ranks::Communicator& ranks) {
  // Of very many, some tell.
  const std::size_t all = on_all_ranks(ranks, b.size()), some = std::min(all, std::size_t{1} << 20);
  const std::size_t first = ranks::Division{all, ranks.ranks()}.first(ranks.rank());
  std::vector<Mass<double>> masses;
  for (std::size_t k = 0; k < some; ++k) {
    const auto i = static_cast<std::size_t>((double(k) + 0.5) * double(all) / double(some));
    if (i < first || i - first >= b.size()) continue;
    const auto own = i - first;
    masses.push_back({b.x[own], b.y[own], b.z[own], b.mass[own]});
  }
  const auto at_level = bodies_at_levels(masses, ranks);
  const auto level_of = [&](double part) {
    std::size_t below = 0;
    for (unsigned level = 0; level < at_level.size(); ++level)
      if (below += at_level[level]; double(below) >= part * double(some)) return level;
    return 0U;
  };
  // In quarters of powers of two, as the tuner's cases.
  const double n = all == 0 ? 1 : std::exp2(std::ceil(4 * std::log2(double(all))) / 4);
  machine.n = static_cast<std::size_t>(n);
  machine.masses = Masses::any;  // trees do not depend on it
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
  auto& ranks = ranks::or_self(options.ranks);
  auto what = plan_case_of(case_of(bodies, gravity, options, tuning_context), bodies, request, ranks);
  // Times of splines, and of a tree for each pair of types, are others.
  if (const auto softening = softening_of(bodies, gravity.softening, ranks); !softening.plain())
    what.request += fmt::format(" softening={}{}", name_of(softening.kernel),
                                softening.of == SofteningOf::all ? "" : " of bodies");
  if (tuning != Tuning::off && !(tuning == Tuning::force && tuning_context.measures))
    if (auto found = remembered(what, bodies, gravity, options, request, tuning_context)) return *found;
  const TimeSource clock = tuning_context.effort.clock;
  if (!tuning_context.measures) {
    auto guess =
        plan(bodies, gravity, options, request, tuning_context.make, progress, Search::guess, 0, clock);
    guess.why += "; a first guess, the run will search";
    return guess;
  }
  say(tuning_context.begins,
      fmt::format("choosing a solver for {} bodies ({})", on_all_ranks(ranks, bodies.size()), what.request));
  const double evaluations = tuning_context.steps.value_or(0);
  auto found = plan(bodies, gravity, options, request, tuning_context.make, progress, Search::whole,
                    evaluations, clock);
  // Of several ranks rank 0 remembers.
  if (tuning == Tuning::off || ranks.rank() > 0) return found;
  try {
    keep(tuning_context.cache,
         {{.what = what,
           .kernel = text_of(found.method),
           .seconds = found.seconds,
           .candidates = found.tried.size(),
           .evaluations = found.cut_short ? evaluations : 0}},
         tuning == Tuning::force ? Others::go : Others::come_first, tuning_context.begins);
  } catch (const ResourceError& e) {
    say(tuning_context.note,
        fmt::format("the solver that was chosen is not remembered, another run may choose another: {}",
                    e.what()));
  }
  return found;
}

}  // namespace pleiad::tune
