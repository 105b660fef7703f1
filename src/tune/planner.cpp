#include "tune/planner.hpp"

#include <pleiad/choice.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace pleiad::tune {
namespace {

/// A part of the asked error is left for what the sample does not show and for the bodies' motion: what is
/// aimed at, and what is taken.
constexpr double aim = 0.8, enough = 0.9;

/// Numbers that go with an accuracy, from runs of Plummer spheres and discs of 2e4 to 1e6 bodies: they only
/// make the search short.
struct Guess {
  double accuracy;
  std::array<int, 2> fmm, walk;  ///< orders
  double tolerance;              ///< of the fast multipole method
};
constexpr std::array guesses{Guess{3e-3, {4, 5}, {1, 2}, 0.03}, Guess{5e-4, {5, 6}, {2, 4}, 0.01},
                             Guess{5e-5, {6, 8}, {4, 5}, 1e-3}, Guess{2e-6, {8, 8}, {5, 5}, 1e-4},
                             Guess{0, {8, 8}, {5, 5}, 1e-6}};
const Guess& guess_for(double accuracy) {
  return *std::find_if(guesses.begin(), guesses.end(),
                       [&](const Guess& g) { return accuracy >= g.accuracy; });
}
/// Below this the sums of single precision are heard.
constexpr double needs_double = 3e-6;
/// The accuracy of settings when none was asked for.
constexpr double usual = 1e-3;
/// An evaluation that takes longer is not repeated for what little can be gained.
constexpr double long_evaluation = 0.5;

/// The dial of settings: tolerance or theta.
double& dial(TreeSettings& s) { return s.criterion == Criterion::error ? s.tolerance : s.theta; }
double widest(const TreeSettings& s) { return s.criterion == Criterion::error ? 0.99 : 1; }
/// The error goes about as this power of the dial, or a higher one.
double power_of(const TreeSettings& s) { return s.criterion == Criterion::error ? 0.5 : s.order; }

/// To three digits: what is chosen can be read, written and repeated.
double rounded(double value) { return std::strtod(fmt::format("{:.3g}", value).c_str(), nullptr); }

/// Turned by the error that was found, if the error went as a power of the dial.
void turn(TreeSettings& s, double found, double wanted, double power) {
  const double by = found > 0 ? std::pow(wanted / found, 1 / power) : 10;
  dial(s) = rounded(std::clamp(dial(s) * std::clamp(by, 0.02, 20.0), 1e-9, widest(s)));
}

TreeSettings first_settings(const Wish& wish, Solver solver, int order, double accuracy) {
  TreeSettings s;
  s.solver = solver, s.order = wish.order.value_or(order);
  s.criterion = wish.criterion.value_or(wish.theta ? Criterion::spheres : Criterion::error);
  s.theta = wish.theta.value_or(0.7);
  const double guess =
      solver == Solver::fmm ? guess_for(accuracy).tolerance : rounded(std::min(0.9, 12 * accuracy));
  if (s.criterion == Criterion::error) s.tolerance = wish.tolerance.value_or(guess);
  if (wish.leaf) s.leaf = *wish.leaf;
  if (wish.group) s.group = *wish.group;
  s.wide = accuracy < needs_double;
  return s;
}

std::vector<int> orders_of(const Wish& wish, Solver solver, double accuracy) {
  if (wish.order) return {*wish.order};
  const auto& guess = guess_for(accuracy);
  const auto& [low, high] = solver == Solver::fmm ? guess.fmm : guess.walk;
  return low == high ? std::vector{low} : std::vector{low, high};
}

/// The search for trees of one precision policy.
template <class P>
class TreeSearch {
 public:
  TreeSearch(const Bodies& bodies, const Gravity& gravity, const Wish& wish, double direct,
             const Progress& progress, std::vector<Tried>& tried)
      : trial_(bodies, gravity),
        wish_(wish),
        accuracy_(wish.accuracy > 0 ? wish.accuracy : usual),
        bound_(wish.accuracy > 0 ? enough * wish.accuracy : std::numeric_limits<double>::max()),
        rival_(direct),
        progress_(progress),
        tried_(tried) {}

  /// The fastest that meets the accuracy.
  std::optional<Tried> run(Search search) {
    if (wish_.order && !has(Solver::barnes_hut, *wish_.order))
      need_able({.solver = Solver::fmm, .order = *wish_.order});
    // The likely one first, since those that follow end as soon as they are slower.
    std::vector<Solver> solvers{Solver::barnes_hut, Solver::fmm};
    if (trial_.size() > few) std::swap(solvers[0], solvers[1]);
    if (wish_.solver) solvers = {*wish_.solver};
    else if (search == Search::guess) solvers.resize(1);
    for (const auto solver : solvers) try_solver(solver, search);
    if (search == Search::whole) try_leaves();
    return best_;
  }

 private:
  /// For so many at most, walks were faster than the fast multipole method.
  static constexpr std::size_t few = 100'000;

  void try_solver(Solver solver, Search search) {
    auto orders = orders_of(wish_, solver, accuracy_);
    if (search == Search::guess) orders.resize(1);
    // An order that a named solver does not have is refused; of several it leaves some out.
    if (!wish_.solver) std::erase_if(orders, [&](int order) { return !has(solver, order); });
    for (const int order : orders) try_order(first_settings(wish_, solver, order, accuracy_), search);
    // When nothing was accurate enough, the highest order may be.
    if (constexpr int highest = 8; !best_ && !wish_.order && solver == Solver::fmm && orders.back() < highest)
      try_order(first_settings(wish_, solver, highest, accuracy_), search);
  }
  static bool has(Solver solver, int order) {
    try {
      need_able({.solver = solver, .order = order});
      return true;
    } catch (const UsageError&) {
      return false;
    }
  }
  bool dial_is_set(const TreeSettings& s) const {
    return wish_.accuracy == 0 || (s.criterion == Criterion::error ? wish_.tolerance : wish_.theta);
  }
  const Tried& measure(const TreeSettings& s) {
    if (progress_) progress_(text_of(s));
    tried_.push_back(trial_.run(s, bound_, rival_));
    const auto& t = tried_.back();
    if (t.meets && (!best_ || t.seconds < best_->seconds)) best_ = t, rival_ = std::min(rival_, t.seconds);
    return t;
  }
  /// Different dials, from what is guessed towards the loosest that meets the accuracy.
  void try_order(TreeSettings s, Search search) {
    double power = power_of(s), last_dial = 0, last_error = 0;
    // Near the guess.
    if (s.solver == Solver::fmm && s.criterion == Criterion::error) power = 0.8;
    int attempts = search == Search::guess ? 2 : 5;
    for (int k = 0; k < attempts; ++k) {
      const double rival = rival_;
      const Tried& t = measure(s);
      if (t.seconds > long_evaluation) attempts = std::min(attempts, 3);
      const double close_enough = t.seconds > long_evaluation ? 0.4 : 0.6;
      if (dial_is_set(s) || (t.meets && t.errors.p99 >= close_enough * accuracy_)) break;
      // What is more accurate takes longer still.
      if (!t.meets && !wish_.solver && t.seconds > 1.1 * rival) break;
      if (!t.meets && best_ && t.seconds > 1.1 * best_->seconds) break;
      if (t.meets && (dial(s) >= widest(s) || t.seconds > 3 * rival)) break;
      if (last_dial > 0 && last_dial != dial(s) && t.errors.p99 > 0 && std::isfinite(t.errors.p99))
        power = std::clamp(std::log(t.errors.p99 / last_error) / std::log(dial(s) / last_dial), 0.25 * power,
                           3 * power);
      last_dial = dial(s), last_error = t.errors.p99;
      turn(s, std::isfinite(last_error) ? last_error : 10 * accuracy_, aim * accuracy_, power);
    }
  }
  void try_leaves() {
    if (!best_ || wish_.leaf || wish_.accuracy == 0 || best_->seconds > long_evaluation) return;
    if (!wish_.solver && best_->seconds > 1.5 * rival_) return;  // direct sums win in any case
    const auto before = *best_;
    for (const int leaf : {32, 80}) {
      auto s = tree_settings_of(before.kernel);
      s.leaf = leaf;
      measure(s);
    }
    // A few per cent are noise.
    if (best_->seconds > 0.97 * before.seconds) best_ = before;
  }

  Trial<P> trial_;
  const Wish& wish_;
  double accuracy_, bound_, rival_;
  const Progress& progress_;
  std::vector<Tried>& tried_;
  std::optional<Tried> best_;
};

[[noreturn]] void refuse(const Wish& wish, const std::vector<Tried>& tried) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& t : tried) least = std::min(least, t.errors.p99);
  throw UsageError(
      fmt::format("solver.accuracy = {:g} was not reached by {} (best {:.2g}): ask for less, leave free what "
                  "is set in [solver], or take engine.precision = \"f64\"",
                  wish.accuracy, name_of(*wish.solver), least));
}

template <class P>
Plan plan_trees(const Bodies& bodies, const Gravity& gravity, const Wish& wish, double direct,
                const Progress& progress, Search search) {
  Plan plan{.seconds = direct};
  if (!wish.solver) plan.tried.push_back({.kernel = "auto", .seconds = direct, .errors = {}, .meets = true});
  const auto best = TreeSearch<P>(bodies, gravity, wish, direct, progress, plan.tried).run(search);
  if (best && (wish.solver || best->seconds < direct)) {
    plan.kernel = best->kernel, plan.seconds = best->seconds;
    plan.why = fmt::format("force error {:.1e} (99 % of {} bodies), {:.3g} ms; direct sums take {:.3g} ms",
                           best->errors.p99, best->errors.sample, 1e3 * best->seconds, 1e3 * direct);
    return plan;
  }
  if (wish.solver) refuse(wish, plan.tried);
  plan.why = fmt::format("direct sums are exact and take {:.3g} ms; no tree is as fast at {:g}", 1e3 * direct,
                         wish.accuracy);
  return plan;
}

}  // namespace

std::string text_of(const Wish& w) {
  std::string text = fmt::format("accuracy={:g}", w.accuracy);
  const auto add = [&](std::string_view word, const auto& value) {
    if (value) text += fmt::format(" {}={}", word, *value);
  };
  if (w.solver) text += fmt::format(" solver={}", name_of(*w.solver));
  if (w.criterion) text += fmt::format(" criterion={}", name_of(*w.criterion));
  add("order", w.order), add("leaf", w.leaf), add("group", w.group);
  add("theta", w.theta), add("tolerance", w.tolerance);
  return text;
}

std::optional<Plan> plain(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
                          const Wish& wish) {
  // Fewer are summed directly in a fraction of a millisecond.
  constexpr std::size_t too_few = 2000;
  const auto direct = [](std::string why) { return Plan{.why = std::move(why)}; };
  if (wish.solver == Solver::direct) return direct({});
  if (wish.solver) return std::nullopt;
  if (options.backend == "cuda" || options.gpus > 1) return direct("direct sums, since trees are the CPU's");
  if (gravity.boundary.periodic) return direct("direct sums, since trees do not know periodic boxes");
  if (options.jerks) return direct("direct sums, since trees give no jerks");
  if (bodies.size() < too_few) return direct("direct sums, which are exact and fastest for so few bodies");
  return std::nullopt;
}

double direct_seconds(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
                      const MakeAnyEngine& make) {
  constexpr std::size_t most = 16384;
  const std::size_t n = std::min(bodies.size(), most);
  Bodies part = bodies;
  part.resize(n);
  EngineOptions direct = options;
  direct.kernel = "auto";
  const auto engine = make(part, gravity, direct);
  const StepPlan step{.integrator = &integrator_named("kdk"), .dt = 1e-30};
  engine->advance(step, 1);
  double best = 1e300, spent = 0;
  for (int k = 0; k < 5 && spent < 0.1; ++k) {
    const double start = seconds();
    engine->advance(step, 1);
    engine->finite();
    const double took = seconds() - start;
    best = std::min(best, took), spent += took;
  }
  const double ratio = double(bodies.size()) / double(n);
  return best * ratio * ratio;
}

Plan plan(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options, const Wish& wish,
          const MakeAnyEngine& make, const Progress& progress, Search search) {
  if (auto found = plain(bodies, gravity, options, wish)) return *found;
  const double direct = direct_seconds(bodies, gravity, options, make);
  switch (options.precision) {
    case Precision::f32:
      return plan_trees<F32>(bodies, gravity, wish, direct, progress, search);
    case Precision::f64:
      return plan_trees<F64>(bodies, gravity, wish, direct, progress, search);
    case Precision::mixed:
      break;
  }
  return plan_trees<Mixed>(bodies, gravity, wish, direct, progress, search);
}

TreeSettings tightened(TreeSettings s, double measured, double accuracy) {
  const double before = dial(s);
  turn(s, std::isfinite(measured) ? measured : 10 * accuracy, aim * accuracy, power_of(s));
  dial(s) = std::min(dial(s), rounded(0.9 * before));
  return s;
}

}  // namespace pleiad::tune
