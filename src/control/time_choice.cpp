#include "control/time_choice.hpp"

#include "core/threads.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::control {
namespace {

/// Trials aim at this share of the budget: they may be three times too low, and an interval that begins
/// without an error may have a quarter of it.
constexpr double share_aimed_at = 0.125;
/// Lengths of trials in pair times: what a trial of periodic orbits needs to see the largest error.
constexpr double long_trial = 64, short_trial = 8;
/// The most steps of a trial of n bodies: some seconds.
double most_trial_steps(std::size_t n) { return std::clamp(2e9 / (double(n) * double(n)), 2e4, 5e6); }
constexpr int most_rounds = 4;
/// Factor of the least predicted work, beyond which a candidate is not tried again.
constexpr double hopeless = 8;
/// No energy of a sum in double precision has a smaller relative error.
constexpr double least_budget = 1e-15;

struct Measured {
  double worst = std::numeric_limits<double>::infinity();
  double evaluations = 0, length = 0;  ///< jerks counted twice
  bool failed = true;
};

/// A scheme with its parameter: the step, or eta.
struct Candidate {
  const Integrator* integrator = nullptr;
  bool adaptive = false;
  double parameter = 0;
  double order = 0;                                       ///< of the energy error in the parameter
  double cost_order = 1;                                  ///< by which the work grows with 1 / parameter
  double error = 0;                                       ///< of the run, by the last trial
  double work = std::numeric_limits<double>::infinity();  ///< of the run
  double trial = 0;
};

Method method_of(const Candidate& c, double longest) {
  Method m{.integrator = c.integrator, .dt = c.adaptive ? longest : c.parameter, .adaptive = true};
  if (c.adaptive) m.eta = c.parameter;
  else m.equal_steps = true;
  return m;
}

class Trials {
 public:
  Trials(const Snapshot& own, const Gravity& gravity, const EngineOptions& engine, const TimeDemand& demand,
         double longest)
      : own_(own), gravity_(gravity), engine_(engine), demand_(demand), longest_(longest) {}

  /// Measures a candidate and sets its error and work for the run.
  void measure(Candidate& c, double length) {
    const auto m = made(c, length);
    spent_ += m.evaluations;
    c.trial = length;
    // Errors of schemes that are not symplectic grow with time.
    const double growth = c.integrator->symplectic ? 1 : std::max(1.0, demand_.length / length);
    c.error = m.failed ? std::numeric_limits<double>::infinity() : m.worst * growth;
    c.work = m.failed ? std::numeric_limits<double>::infinity() : m.evaluations * demand_.length / length;
  }
  double spent() const { return spent_; }

 private:
  Measured made(const Candidate& c, double length) {
    Measured m;
    try {
      Simulation s(own_, gravity_, method_of(c, longest_), engine_);
      const double omega = pattern_speed_of(gravity_).value_or(0);
      s.expect_potentials();
      const auto start = s.totals();
      const double reference = conserved_energy(start, omega),
                   scale = energy_scale(reference, start.energies);
      const auto before = s.evaluations();
      const double end = own_.time + length;
      const double most_steps = most_trial_steps(s.size_on_all_ranks());
      double worst = 0, looks = 0;
      for (bool there = false; !there; ++looks) {
        s.expect_potentials();
        there = s.run_towards(end, 1);
        const double e = std::abs(energy_error(conserved_energy(s.totals(), omega) - reference, scale));
        if (!(e <= 1) || double(s.step()) > most_steps) return m;
        worst = std::max(worst, e);
      }
      const double steps = double(s.step());
      const double evaluations = c.integrator->order > 8 ? double(s.evaluations() - before) - looks
                                                         : steps * c.integrator->evaluations;
      return {.worst = worst,
              .evaluations = evaluations * (c.integrator->needs_jerks ? 2 : 1),
              .length = length,
              .failed = false};
    } catch (const NumericalError&) {
      return m;
    }
  }

  const Snapshot& own_;
  const Gravity& gravity_;
  const EngineOptions& engine_;
  const TimeDemand& demand_;
  double longest_, spent_ = 0;
};

std::vector<Candidate> candidates_of(std::size_t n, const Gravity& gravity, const PairTimes& pairs,
                                     const TimeDemand& demand, double step) {
  constexpr std::size_t few = 100;
  std::vector<Candidate> all;
  // Where any two bodies may come close, no step of one length follows them.
  const bool close =
      gravity.softening.eps == 0 && gravity.softening.of == SofteningOf::all && n > 3 && !pairs.dominated;
  const auto consider = [&](const char* name, bool allowed) {
    const auto& i = integrator_named(name);
    if (demand.only == nullptr ? !allowed : demand.only != &i) return;
    Candidate c{.integrator = &i, .parameter = step, .order = double(i.order)};
    if (i.splitting.drift.empty()) {
      c.adaptive = true, c.parameter = i.needs_jerks ? 0.02 : 0.05;
      // Hermite's step grows with the square root of eta, and its errors with the fourth power of the step;
      // Gauss-Radau's, of a step, with its seventh at least.
      c.order = i.needs_jerks ? 2 : 7, c.cost_order = i.needs_jerks ? 0.5 : 1;
    }
    all.push_back(c);
  };
  // Trials of many bodies cost as much as steps of the run: what never wins there is left out.
  const bool many = n > 256;
  for (const char* name : {"kdk", "blanes-moan4"}) consider(name, !close);
  consider("yoshida6", !close && (!many || demand.budget < 1e-7));
  consider("kahan-li8", !close && n <= few);
  consider("dkd", false), consider("euler", false), consider("forest-ruth", false);
  consider("hermite4", close || !many);
  consider("gauss-radau", n <= few);
  return all;
}

/// Parameter and predicted work for an error.
std::pair<double, double> aimed(const Candidate& c, double error, double longest_step) {
  const double ratio = c.error > 0 ? std::pow(error / c.error, 1 / c.order) : 64;
  double parameter = c.parameter * std::clamp(ratio, 1.0 / 64, 64.0);
  parameter = std::min(parameter, c.adaptive ? 0.1 : longest_step);
  return {parameter, c.work * std::pow(c.parameter / parameter, c.cost_order)};
}

/// Work by which candidates are compared: within a fifth a symplectic scheme of equal steps comes first.
double compared(const Candidate& c, double work) { return c.adaptive ? 1.2 * work : work; }

}  // namespace

Method TimeChoice::method() const {
  return {.integrator = integrator, .dt = dt, .adaptive = true, .eta = eta, .equal_steps = !adaptive};
}

PairTimes pair_times(const Bodies& b, double G, double eps, double energy) {
  constexpr std::size_t most = 32768;
  const std::size_t n = b.size(), every = (n + most - 1) / std::max<std::size_t>(most, 1);
  std::vector<PairTimes> of(n);
  for_each_index(every > 0 ? (n + every - 1) / every : 0, [&](std::size_t k) {
    const std::size_t i = k * every;
    auto& mine = of[i];
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i || !(b.mass[i] + b.mass[j] > 0)) continue;
      const auto d = b.position(j) - b.position(i), u = b.velocity(j) - b.velocity(i);
      const double r2 = dot(d, d) + eps * eps, r = std::sqrt(r2), speed = norm(u);
      if (!(r > 0)) continue;
      double time = r * std::sqrt(r / (G * (b.mass[i] + b.mass[j])));
      if (speed > 0) time = std::min(time, r / speed);
      mine.shortest = std::min(mine.shortest, time);
      const double lost = 0x1p-53 * norm(b.position(i)) / r * (G * b.mass[i] * b.mass[j] / r);
      mine.rounding = std::max(mine.rounding, lost);
    }
  });
  PairTimes all;
  double mass = 0, heaviest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    all.shortest = std::min(all.shortest, of[i].shortest),
    all.rounding = std::max(all.rounding, of[i].rounding);
    mass += b.mass[i], heaviest = std::max(heaviest, b.mass[i]);
  }
  all.rounding = energy == 0 ? 0 : all.rounding / std::abs(energy);
  all.dominated = heaviest > mass / 2;
  return all;
}

TimeChoice choose_time(const Snapshot& own, const Bodies& all, const Gravity& gravity,
                       const EngineOptions& engine, const TimeDemand& demand,
                       const std::function<void(const std::string&)>& tell) {
  if (demand.budget < least_budget)
    throw UsageError(
        fmt::format(
            "time.energy_error = {:g}: no integrator keeps it, since energies in double precision are "
            "rounded; ask for {:g} or more",
            demand.budget, least_budget),
        Error::Code::unsupported);
  double energy = 0;
  {
    Simulation s(own, gravity, {.integrator = &integrator_named("kdk"), .dt = demand.length}, engine);
    energy = s.energies().total();
  }
  TimeChoice choice;
  choice.pairs = pair_times(all, gravity.G, gravity.softening.eps, energy);
  const double tau = std::min(choice.pairs.shortest, demand.length);
  const std::size_t n = all.size();
  // Few bodies cost nothing: their trials see whole orbits.
  double length = std::min(long_trial * tau, demand.length / 4);
  if (n > 256) length = std::min(length, std::max(demand.length / 40, short_trial * tau));
  const double longest = std::min({tau, demand.longest, length / 2}), target = share_aimed_at * demand.budget;
  choice.longest = longest;
  const double longest_adaptive = std::min(demand.longest, demand.length / 16);
  Trials trials(own, gravity, engine, demand, longest_adaptive);
  auto candidates = candidates_of(n, gravity, choice.pairs, demand, std::min(tau / 2, longest));
  std::string refused;
  std::vector<std::pair<double, Candidate*>> order;
  for (auto& c : candidates) {
    tell(fmt::format("{}: a coarse trial over {:.3g}", c.integrator->name, length));
    try {
      trials.measure(c, length);
      for (int k = 0; k < 2 && !std::isfinite(c.error); ++k) c.parameter /= 8, trials.measure(c, length);
    } catch (const UsageError& e) {
      refused = e.what();
      continue;
    }
    if (std::isfinite(c.error)) order.emplace_back(compared(c, aimed(c, target, longest).second), &c);
  }
  std::ranges::stable_sort(order, {}, &std::pair<double, Candidate*>::first);
  const Candidate* best = nullptr;
  const Candidate* closest = nullptr;
  for (const auto& [predicted, c] : order) {
    // What is predicted to be far dearer than another will not be the best.
    if (predicted > hopeless * order.front().first) continue;
    if (best != nullptr && predicted >= 0.8 * compared(*best, best->work)) continue;
    for (int round = 0; round < most_rounds; ++round) {
      const auto [parameter, work] = aimed(*c, target * (round > 0 ? 0.7 : 1), longest);
      if (round > 0 && (c->error <= 1.5 * target || parameter == c->parameter)) break;
      if (best != nullptr && compared(*c, work) >= compared(*best, best->work)) break;
      const Candidate before = *c;
      c->parameter = parameter;
      tell(fmt::format("{}: a trial with {} = {:.3g}", c->integrator->name, c->adaptive ? "eta" : "dt",
                       parameter));
      trials.measure(*c, length);
      // Too many steps, or a failure: what was found before stands.
      if (!std::isfinite(c->error)) {
        *c = before;
        break;
      }
      // Steps that are shorter and no better have met rounding.
      if (!(c->error < 0.7 * before.error) && parameter < before.parameter && c->error > demand.budget) break;
    }
    if (closest == nullptr || c->error < closest->error) closest = c;
    const bool keeps = c->error <= 0.5 * demand.budget;
    if (keeps && (best == nullptr || compared(*c, c->work) < compared(*best, best->work))) best = c;
  }
  choice.spent = trials.spent();
  if (best == nullptr)
    throw UsageError(
        closest == nullptr
            ? fmt::format("no integrator could be tried for time.energy_error = {:g}{}", demand.budget,
                          refused.empty() ? "" : ": " + refused)
            : fmt::format("time.energy_error = {:g}: no integrator keeps it in a trial over {:.3g}; the "
                          "best, {} with {} "
                          "= {:.3g}, would have {:.1e} (rounding of the closest pair: {:.1e}): ask for "
                          "{:.0e} or more",
                          demand.budget, length, closest->integrator->name, closest->adaptive ? "eta" : "dt",
                          closest->parameter, closest->error, choice.pairs.rounding, 4 * closest->error),
        Error::Code::unsupported);
  choice.integrator = best->integrator, choice.adaptive = best->adaptive;
  choice.dt = best->adaptive ? longest_adaptive : best->parameter;
  if (best->adaptive) choice.eta = best->parameter;
  choice.trial = best->trial, choice.predicted = best->error, choice.evaluations = best->work;
  return choice;
}

}  // namespace pleiad::control
