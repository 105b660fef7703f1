#include "tune/planner.hpp"

#include "engine/arrays.hpp"

#include <pleiad/choice.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace pleiad::tune {
namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A part of the asked error is left for what the sample does not show and for the bodies' motion.
constexpr double safety = 0.85;

/// Numbers that go with an accuracy, from runs of Plummer spheres and discs of 1e5 and 1e6 bodies: they only
/// make the search short.
struct Guess {
  double accuracy;
  std::array<int, 2> orders;
  double tolerance;
};
constexpr std::array guesses{Guess{3e-3, {3, 4}, 0.5}, Guess{5e-4, {4, 5}, 0.3}, Guess{5e-5, {5, 6}, 0.05},
                             Guess{2e-6, {6, 8}, 3e-3}, Guess{0, {8, 8}, 1e-4}};
const Guess& guess_for(double accuracy) {
  return *std::find_if(guesses.begin(), guesses.end(),
                       [&](const Guess& g) { return accuracy >= g.accuracy; });
}
/// Below this the sums of single precision are heard.
constexpr double needs_double = 3e-6;

/// Tries trees of one precision policy on the bodies.
template <class P>
class Trial {
 public:
  using Real = typename P::Position;
  Trial(const Bodies& bodies, const Gravity& gravity)
      : gravity_(gravity), x_(bodies.size()), sums_(bodies.size()) {
    std::vector<Vec4<Real>> v(bodies.size());
    to_arrays<Real>(bodies, x_, v);
    chosen_ = sample_of(bodies.size(), sample_size(bodies.size()));
    exact_ = exact_accelerations(bodies, gravity, chosen_);
  }
  /// `again`: the second of two evaluations is timed.
  Tried run(const TreeSettings& settings, double accuracy, bool again) {
    const auto solver = make_tree_solver<P>(settings);
    const PairProblem<P> problem{.targets = x_,
                                 .sources = x_,
                                 .sums = sums_,
                                 .softening = gravity_.softening,
                                 .boundary = gravity_.boundary};
    if (again) solver->evaluate(problem);
    const double start = seconds();
    solver->evaluate(problem);
    const double took = seconds() - start;
    std::vector<Vec3<double>> found(chosen_.size());
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      const auto& s = sums_[chosen_[k]];
      found[k] = {gravity_.G * double(s.x), gravity_.G * double(s.y), gravity_.G * double(s.z)};
    }
    const auto errors = errors_of(found, exact_);
    return {.kernel = text_of(settings), .seconds = took, .errors = errors, .meets = errors.p99 <= accuracy};
  }

 private:
  const Gravity& gravity_;
  std::vector<Mass<Real>> x_;
  std::vector<Vec4<typename P::Sum>> sums_;
  std::vector<std::size_t> chosen_;
  std::vector<Vec3<double>> exact_;
};

/// The dial of settings: tolerance or theta.
double& dial(TreeSettings& s) { return s.criterion == Criterion::error ? s.tolerance : s.theta; }
double widest(const TreeSettings& s) { return s.criterion == Criterion::error ? 0.99 : 1; }

/// To three digits: what is chosen can be read, written and repeated.
double rounded(double value) { return std::strtod(fmt::format("{:.3g}", value).c_str(), nullptr); }

/// Turned by the error that was found, if the error went as a power of the dial.
void turn(TreeSettings& s, double found, double wanted, double power) {
  const double by = found > 0 ? std::pow(wanted / found, 1 / power) : 10;
  dial(s) = rounded(std::clamp(dial(s) * std::clamp(by, 0.02, 20.0), 1e-9, widest(s)));
}

/// Tries one order with different dials: the loosest that meets the accuracy, or nothing.
template <class P>
std::optional<Tried> search(Trial<P>& trial, TreeSettings s, double accuracy, bool fixed,
                            double not_slower_than, std::vector<Tried>& tried, const Progress& progress) {
  constexpr int attempts = 5;
  std::optional<Tried> best;
  double power = s.criterion == Criterion::error ? 0.5 : s.order, last_dial = 0, last_error = 0;
  for (int k = 0; k < attempts; ++k) {
    if (progress) progress(text_of(s));
    tried.push_back(trial.run(s, accuracy, k == 0));
    const auto& t = tried.back();
    if (t.meets && (!best || t.seconds < best->seconds)) best = t;
    if (fixed || (t.meets && t.errors.p99 >= 0.6 * accuracy)) break;
    if (!t.meets && t.seconds > 2 * not_slower_than) break;
    if (t.meets && dial(s) >= widest(s)) break;
    if (last_dial > 0 && last_dial != dial(s) && t.errors.p99 > 0)
      power = std::clamp(std::log(t.errors.p99 / last_error) / std::log(dial(s) / last_dial), 0.25 * power,
                         3 * power);
    last_dial = dial(s), last_error = t.errors.p99;
    turn(s, t.errors.p99, safety * accuracy, power);
  }
  return best;
}

/// One evaluation by direct sums of all bodies, from a part of them when they are many.
double direct_seconds(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
                      const auto& make) {
  constexpr std::size_t most = 16384;
  const std::size_t n = std::min(bodies.size(), most);
  Bodies part = bodies;
  part.resize(n);
  EngineOptions direct = options;
  direct.kernel = "auto";
  const auto engine = make(part, gravity, direct);
  const StepPlan step{.integrator = &integrator_named("kdk"), .dt = 1e-30};
  engine->advance(step, 1);
  double best = 1e300;
  for (int k = 0; k < 3; ++k) {
    const double start = seconds();
    engine->advance(step, 1);
    engine->finite();
    best = std::min(best, seconds() - start);
  }
  const double ratio = double(bodies.size()) / double(n);
  return best * ratio * ratio;
}

TreeSettings first_settings(const Wish& wish, Solver solver, int order, double accuracy) {
  TreeSettings s;
  s.solver = solver, s.order = wish.order.value_or(order);
  const bool mutual = solver == Solver::fmm;
  s.criterion = wish.criterion.value_or(wish.theta || !mutual ? Criterion::spheres : Criterion::error);
  s.theta = wish.theta.value_or(0.7);
  const auto& guess = guess_for(accuracy);
  if (s.criterion == Criterion::error) s.tolerance = wish.tolerance.value_or(guess.tolerance);
  if (wish.leaf) s.leaf = *wish.leaf;
  if (wish.group) s.group = *wish.group;
  s.wide = accuracy < needs_double;
  return s;
}

bool dial_fixed(const Wish& wish, const TreeSettings& s) {
  return s.criterion == Criterion::error ? wish.tolerance.has_value() : wish.theta.has_value();
}

template <class P>
Plan plan_trees(const Bodies& bodies, const Gravity& gravity, const Wish& wish, Plan plan, double direct,
                const Progress& progress) {
  Trial<P> trial(bodies, gravity);
  const Solver solver = wish.solver.value_or(Solver::fmm);
  const double accuracy = wish.accuracy > 0 ? wish.accuracy : 1e300;
  std::vector<int> orders;
  if (wish.order) orders = {*wish.order};
  else if (solver == Solver::barnes_hut) orders = {2, 3};
  else
    for (const int p : guess_for(wish.accuracy > 0 ? wish.accuracy : 1e-3).orders) orders.push_back(p);
  orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
  std::optional<Tried> best;
  double limit = direct;
  for (const int order : orders) {
    const auto s = first_settings(wish, solver, order, wish.accuracy > 0 ? wish.accuracy : 1e-3);
    const bool fixed = wish.accuracy == 0 || dial_fixed(wish, s);
    const auto found = search(trial, s, accuracy, fixed, limit, plan.tried, progress);
    if (found && (!best || found->seconds < best->seconds))
      best = found, limit = std::min(limit, found->seconds);
  }
  if (best && !wish.leaf && wish.accuracy > 0) {
    for (const int leaf : {32, 80}) {
      auto s = tree_settings_of(best->kernel);
      s.leaf = leaf;
      if (progress) progress(text_of(s));
      plan.tried.push_back(trial.run(s, accuracy, true));
      if (plan.tried.back().meets && plan.tried.back().seconds < 0.97 * best->seconds)
        best = plan.tried.back();
    }
  }
  if (best && (wish.solver || best->seconds < direct)) {
    plan.kernel = best->kernel;
    plan.why = fmt::format("force error {:.1e} (99 % of {} bodies), {:.3g} ms; direct sums take {:.3g} ms",
                           best->errors.p99, best->errors.sample, 1e3 * best->seconds, 1e3 * direct);
    return plan;
  }
  if (wish.solver)
    throw UsageError(fmt::format(
        "solver.accuracy = {:g} was not reached by {} (best {:.2g}): ask for less, or leave solver.method to "
        "auto",
        wish.accuracy, name_of(solver),
        std::min_element(plan.tried.begin(), plan.tried.end(), [](const Tried& a, const Tried& b) {
          return a.errors.p99 < b.errors.p99;
        })->errors.p99));
  plan.kernel = "auto";
  plan.why = fmt::format("direct sums are exact and take {:.3g} ms; no tree is as fast at {:g}", 1e3 * direct,
                         wish.accuracy);
  return plan;
}

}  // namespace

Plan plan(
    const Bodies& bodies, const Gravity& gravity, const EngineOptions& options, const Wish& wish,
    const std::function<std::unique_ptr<Engine>(const Bodies&, const Gravity&, const EngineOptions&)>& make,
    const Progress& progress) {
  Plan plan{.kernel = "auto", .why = {}, .tried = {}};
  if (wish.solver == Solver::direct) return plan;
  const bool free = !wish.solver;
  if (free) {
    // Fewer are summed directly in a fraction of a millisecond.
    constexpr std::size_t too_few = 2000;
    const auto exact = [&](std::string why) {
      plan.why = std::move(why);
      return plan;
    };
    if (gravity.boundary.periodic) return exact("direct sums, since trees do not know periodic boxes");
    if (options.jerks) return exact("direct sums, since trees give no jerks");
    if (bodies.size() < too_few) return exact("direct sums, which are exact and fastest for so few bodies");
  }
  const double direct = direct_seconds(bodies, gravity, options, make);
  if (free) plan.tried.push_back({.kernel = "auto", .seconds = direct, .errors = {}, .meets = true});
  switch (options.precision) {
    case Precision::f32:
      return plan_trees<F32>(bodies, gravity, wish, std::move(plan), direct, progress);
    case Precision::f64:
      return plan_trees<F64>(bodies, gravity, wish, std::move(plan), direct, progress);
    case Precision::mixed:
      break;
  }
  return plan_trees<Mixed>(bodies, gravity, wish, std::move(plan), direct, progress);
}

TreeSettings tightened(TreeSettings s, double measured, double accuracy) {
  const double before = dial(s);
  turn(s, std::isfinite(measured) ? measured : 10 * accuracy, safety * accuracy,
       s.criterion == Criterion::error ? 0.5 : s.order);
  dial(s) = std::min(dial(s), rounded(0.9 * before));
  return s;
}

}  // namespace pleiad::tune
