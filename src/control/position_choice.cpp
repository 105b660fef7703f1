#include "control/position_choice.hpp"

#include "control/candidates.hpp"
#include "control/position_error.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad::control {
namespace {

/// Trials of the whole run aim at this share of the error, and others at half of it.
constexpr double share_of_positions = 0.25;
/// Times of comparison in a trial.
constexpr std::size_t comparisons = 16;
/// All trials may take a twentieth of the run, or this many seconds; one, of three times the work of its run,
/// half of that.
constexpr double seconds_of_all = 1, share_of_the_run = 0.05, share_of_a_trial = 0.5;
/// The longest trial of a part of a run, and the first one of each scheme, in pair times.
constexpr double longest_part = 1000, scouting = 128;
/// Bodies that are this far off have parted: their error says nothing of the step.
constexpr double parted = 0.1;
/// A power of time beyond which the growth of an error is taken to be exponential.
constexpr double largest_power = 2.5;

/// Errors of a trial at its sixteen times.
struct PositionCourse {
  std::array<double, comparisons> errors{};
  std::array<std::size_t, comparisons> bodies{};
  double length = 0, work = 0;

  double largest_until(std::size_t end, std::size_t begin = 0) const {
    return *std::max_element(errors.begin() + std::ptrdiff_t(begin), errors.begin() + std::ptrdiff_t(end));
  }
  /// Times until the bodies have parted; all, where they do not.
  std::size_t together() const {
    return std::size_t(std::ranges::find_if_not(errors, [](double e) { return e <= parted; }) -
                       errors.begin());
  }
  /// Power of time by which it grows from the first half of that time to the second.
  double power() const {
    const std::size_t end = together(), half = end / 2;
    if (half == 0) return 0;
    const double early = largest_until(half), late = largest_until(end, half);
    return early > 0 && late > 0 ? std::log2(late / early) : 0;
  }
  std::size_t body() const { return bodies[std::size_t(std::ranges::max_element(errors) - errors.begin())]; }
};

/// The same with half the step.
Candidate with_half_step(Candidate c) {
  c.parameter *= c.adaptive && c.integrator->needs_jerks ? 0.25 : 0.5;
  return c;
}

/// A candidate with its last trial.
struct TriedPositions {
  Candidate candidate;
  PositionCourse course;
  double power = 0;  ///< with which the error was extrapolated
};

class PositionSearch {
 public:
  PositionSearch(const Snapshot& own, const AllBodies& all, const Gravity& gravity,
                 const EngineOptions& engine, const PositionDemand& demand,
                 const std::function<void(const std::string&)>& tell)
      : own_(own), all_(all), gravity_(gravity), engine_(engine), demand_(demand), tell_(tell) {
    const Bodies b = all(own.bodies);
    n_ = b.size();
    if (n_ > few_bodies)
      throw UsageError(
          fmt::format("time.position_error is for at most {} bodies, and these are {}: ask for an "
                      "error of the energy, time.energy_error",
                      few_bodies, n_),
          Error::Code::unsupported);
    ids_ = b.id;
    const auto pairs = pair_times(b, gravity.G, gravity.softening.eps);
    const double tau = tau_ = std::min(pairs.shortest, demand.length);
    length_ = std::min(demand.length, std::clamp(pairs.period, long_trial * tau, longest_part * tau));
    longest_ = std::min({tau, demand.longest, length_ / comparisons});
    second_ = evaluations_of_a_second(n_);
    for (auto& c : candidates_of(n_, gravity, pairs, {.error = 0, .only = demand.only}, tau / 2))
      if (c.adaptive || !demand.adaptive) tried_.push_back({.candidate = c, .course = {}});
  }

  PositionChoice chosen() {
    scout();
    for (auto* t : order_) {
      if (best_ != nullptr && compared(t->candidate, aim(*t).work) >= 0.8 * work_of(*best_)) continue;
      approach(*t);
      if (closest_ == nullptr || t->candidate.error < closest_->candidate.error) closest_ = t;
      if (keeps(*t) && (best_ == nullptr || work_of(*t) < work_of(*best_))) best_ = t;
    }
    if (best_ == nullptr) refuse();
    const auto& c = best_->candidate;
    return {.integrator = c.integrator,
            .dt = c.adaptive ? longest_adaptive() : step_of(c, demand_.length),
            .eta = c.adaptive ? c.parameter : 0.02,
            .adaptive = c.adaptive,
            .trial = best_->course.length,
            .predicted = c.error,
            .body = ids_[best_->course.body()],
            .power = best_->power,
            .evaluations = c.work / c.cost,
            .spent = spent_};
  }

 private:
  double longest_adaptive() const { return std::min(demand_.longest, demand_.length / comparisons); }
  /// The step of which a trial has the same whole number between two times of comparison.
  double step_of(const Candidate& c, double length) const {
    const double part = length / comparisons;
    return part / std::max(1.0, std::ceil(part / c.parameter * (1 - 1e-9)));
  }
  double work_of(const TriedPositions& t) const { return compared(t.candidate, t.candidate.work); }
  double target(const TriedPositions& t) const {
    return demand_.error * share_of_positions * (t.course.length < demand_.length ? 0.5 : 1);
  }
  bool keeps(const TriedPositions& t) const {
    return t.course.length > 0 && t.candidate.error <= 2 * target(t);
  }
  Aim aim(const TriedPositions& t, double share = 1) const {
    return aimed(t.candidate, share * target(t), longest_);
  }
  /// Evaluations that all trials may take.
  double most() const {
    const double run = best_ != nullptr ? best_->candidate.work : 0;
    return std::max(seconds_of_all * second_, share_of_the_run * run);
  }
  /// `part`: of the longest adaptive step, too, so that no step of a trial is that of the one beside it.
  Simulation begun(const Candidate& c, double length, double part) const {
    Method m{.integrator = c.integrator, .dt = part * longest_adaptive(), .adaptive = c.adaptive};
    if (c.adaptive) m.eta = c.parameter;
    else m.dt = step_of(c, length);
    return {own_, gravity_, m, engine_};
  }

  /// Errors by the orders of the schemes: of order p, the distance from the run with half the step times
  /// 2^p / (2^p - 1).
  std::optional<PositionCourse> followed(const Candidate& c, double length) {
    try {
      auto own = begun(c, length, 1), finer = begun(with_half_step(c), length, 0.5);
      const double factor = std::exp2(c.integrator->order) / (std::exp2(c.integrator->order) - 1);
      const auto before = own.evaluations(), before_finer = finer.evaluations();
      PositionCourse course{.length = length};
      for (std::size_t k = 0; k < comparisons; ++k) {
        const double time =
            k + 1 == comparisons ? own_.time + length : own_.time + length * double(k + 1) / comparisons;
        own.run_until(time), finer.run_until(time);
        const Bodies here = all_(own.snapshot().bodies);
        const auto e = position_error(here, all_(finer.snapshot().bodies));
        course.errors[k] = factor * e.largest, course.bodies[k] = e.body;
      }
      course.work = double(own.evaluations() - before) * c.cost;
      spent_ += course.work + double(finer.evaluations() - before_finer) * c.cost;
      return course;
    } catch (const NumericalError&) {
      return {};
    }
  }

  /// Makes a trial and sets error and work of the whole run.
  void measure(TriedPositions& t, double length) {
    auto& c = t.candidate;
    tell_(fmt::format("{}: a trial over {:.3g}, and one with half the step", c.text(), length));
    const auto course = followed(c, length);
    c.error = c.work = never, c.trial = length;
    if (!course) return;
    t.course = *course;
    const double late = course->largest_until(comparisons), longer = demand_.length / length;
    // The phase of a body whose energy is bounded drifts at a constant rate, that of others faster and
    // faster.
    t.power = std::max(course->power(), c.integrator->symplectic ? 1.0 : 2.0);
    c.error = t.power <= largest_power ? late * std::pow(longer, t.power)
                                       : late * std::exp2(2 * course->power() * (longer - 1));
    if (longer == 1) c.error = course->largest_until(comparisons, comparisons * 3 / 4), t.power = 0;
    c.work = course->work * longer;
  }

  /// Short trials of all schemes. Where the bodies part even in them, nothing follows from the order of the
  /// scheme: with shorter steps those are tried only where all others have parted, too.
  void scout() {
    const double length = std::min(length_, scouting * tau_);
    std::vector<TriedPositions*> apart;
    for (auto& t : tried_) {
      if (!order_.empty() && spent_ > 0.5 * most()) break;
      try {
        measure(t, length);
      } catch (const UsageError& e) {
        refused_ = e.what();
        continue;
      }
      if (t.course.length > 0 && t.course.largest_until(comparisons) <= parted) order_.push_back(&t);
      else apart.push_back(&t);
    }
    for (int k = 0; k < most_failures && order_.empty(); ++k)
      for (auto* t : apart) {
        if (k > 0 && spent_ > 0.5 * most()) break;
        t->candidate.parameter /= 4, measure(*t, length);
        if (t->course.largest_until(comparisons) <= parted) order_.push_back(t);
      }
    if (order_.empty())
      std::ranges::copy_if(apart, std::back_inserter(order_),
                           [](const auto* t) { return std::isfinite(t->candidate.error); });
    std::ranges::stable_sort(order_, {},
                             [&](const TriedPositions* t) { return compared(t->candidate, aim(*t).work); });
  }

  /// Trials until the error is about the target: of the whole run where that takes no more than a second.
  void approach(TriedPositions& t) {
    auto& c = t.candidate;
    for (int round = 0; round < most_rounds; ++round) {
      const auto [parameter, work] = aim(t, round > 0 ? 0.7 : 1);
      const double length = 3 * work <= share_of_a_trial * most() ? demand_.length : length_;
      const bool same = parameter == c.parameter && length == t.course.length;
      // Far below the target a longer step is tried.
      const bool there = c.error <= 1.5 * target(t) && c.error >= 0.1 * target(t);
      if (same || (round > 0 && length <= t.course.length && there)) return;
      if (best_ != nullptr && compared(c, work) >= work_of(*best_)) return;
      // A search that has found nothing may take twice as long: the run would be refused.
      const double left = (best_ == nullptr ? 2 : 1) * most() - spent_;
      if (3 * work * length / demand_.length > left) {
        too_dear_ = true;
        // A coarser one tells how errors grow.
        if (round == 0 && t.course.length < length_ && 3 * c.work * length_ / demand_.length <= left)
          measure(t, length_);
        return;
      }
      const TriedPositions before = t;
      c.parameter = parameter;
      measure(t, length);
      const bool as_long = length == before.course.length;
      if (!std::isfinite(c.error) || (as_long && keeps(before) && !keeps(t))) {
        t = before;
        return;
      }
      // Steps that are shorter and no better have met rounding.
      const bool no_better =
          parameter < before.candidate.parameter && as_long && !(c.error < 0.7 * before.candidate.error);
      if (no_better && c.error > demand_.error) return;
    }
  }

  [[noreturn]] void refuse() const {
    if (closest_ == nullptr)
      throw UsageError(fmt::format("no integrator could be tried for time.position_error = {:g}{}",
                                   demand_.error, refused_.empty() ? "" : ": " + refused_),
                       Error::Code::unsupported);
    const auto& course = closest_->course;
    std::string until;
    std::size_t right = 0;
    while (right < comparisons && course.errors[right] <= demand_.error) ++right;
    if (right < comparisons)
      until = fmt::format(", and is right to it until t = {:.3g}",
                          own_.time + course.length * double(right) / comparisons);
    const double power = course.power();
    if (power > largest_power)
      until += fmt::format(
          "; the system is chaotic, errors grow by e every {:.2g}: after that only statistics "
          "mean something",
          course.length * double(course.together()) / (2 * comparisons) / (power * std::numbers::ln2));
    if (too_dear_) until += "; finer steps were not tried, since trials of them alone would take long";
    throw UsageError(
        fmt::format(
            "time.position_error = {:g}: no integrator keeps it until t = {:g} in trials over {:.3g}; "
            "the best, {}, would have {:.1e} (body {}){}",
            demand_.error, own_.time + demand_.length, course.length, closest_->candidate.text(),
            closest_->candidate.error, ids_[course.body()], until),
        Error::Code::unsupported);
  }

  const Snapshot& own_;
  const AllBodies& all_;
  const Gravity& gravity_;
  const EngineOptions& engine_;
  const PositionDemand& demand_;
  const std::function<void(const std::string&)>& tell_;
  std::size_t n_ = 0;
  std::vector<std::uint64_t> ids_;
  double tau_ = 0, length_ = 0, longest_ = 0;
  double second_ = 0;  ///< evaluations that take about a second
  double spent_ = 0;
  std::vector<TriedPositions> tried_;
  std::vector<TriedPositions*> order_;
  const TriedPositions* best_ = nullptr;
  const TriedPositions* closest_ = nullptr;
  bool too_dear_ = false;  ///< a trial was left out
  std::string refused_;
};

}  // namespace

PositionChoice choose_positions(const Snapshot& own, const AllBodies& all, const Gravity& gravity,
                                const EngineOptions& engine, const PositionDemand& demand,
                                const std::function<void(const std::string&)>& tell) {
  return PositionSearch(own, all, gravity, engine, demand, tell).chosen();
}

std::string words_of(const PositionChoice& c, double error, double length) {
  const auto tried = c.trial < length
                         ? fmt::format("trial over {:.3g}, from there like t^{:.1f}", c.trial, c.power)
                         : std::string("the whole run was tried");
  return fmt::format(
      "position error {:g} asked: {}, {} ({}; predicted {:.1e} at the end, of body {}; {:.3g} "
      "evaluations; the trials cost {:.3g})",
      error, c.integrator->name,
      c.adaptive ? fmt::format("adaptive, eta {:.3g}", c.eta) : fmt::format("dt {:.3g}", c.dt), tried,
      c.predicted, c.body, c.evaluations, c.spent);
}

Method method_for_positions(Simulation& begun, EngineOptions engine, const PositionDemand& demand,
                            const std::function<void(const std::string&)>& tell,
                            const std::function<void(const std::string&)>& note) {
  engine.method = begun.describe().method;
  const auto quiet = [](const std::string&) {};
  const auto c = choose_positions(
      begun.snapshot(), [](const Bodies& own) { return own; }, begun.gravity(), engine, demand,
      tell ? tell : quiet);
  if (note) note(words_of(c, demand.error, demand.length));
  Method method = begun.method();
  method.integrator = c.integrator, method.dt = c.dt, method.adaptive = c.adaptive;
  if (c.adaptive) method.eta = c.eta;
  return method;
}

}  // namespace pleiad::control
