#include "control/time_choice.hpp"

#include "control/candidates.hpp"
#include "control/engine.hpp"
#include "ranks/self.hpp"

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
/// Length of trials of many bodies in a short run, in pair times.
constexpr double short_trial = 8;
/// Factor of the least predicted work, beyond which a candidate is not tried again.
constexpr double hopeless = 8;
/// No energy of a sum in double precision has a smaller relative error.
constexpr double least_budget = 1e-15;
/// What a search may cost: this share of the run, or what takes a processor about a second.
constexpr double share_of_run = 0.05;
/// A first trial makes this many steps at least.
constexpr double least_steps = 8;
/// And one of block time steps this many of the longest, each of which has many parts.
constexpr double least_block_steps = 2, block_steps_of_trial = 4;
/// Block time steps end this often in a run, where outputs may be due and longer ones be tried.
constexpr double most_share_of_block = 1.0 / 64;

/// The length of the trials. Few bodies cost nothing: each may go around once.
double length_of_trials(std::size_t n, const PairTimes& pairs, double run) {
  const double tau = std::min(pairs.shortest, run);
  double length = long_trial * tau;
  if (n <= few_bodies) length = std::clamp(pairs.period, length, longest_trial * tau);
  length = std::min(length, run / 4);
  return n > many_bodies ? std::min(length, std::max(run / 40, short_trial * tau)) : length;
}

EngineOptions engine_for(EngineOptions engine, const Integrator& integrator) {
  if (engine.method) engine.method = method_for(*engine.method, integrator);
  return engine;
}

/// Makes trials, and counts their work.
class Trials {
 public:
  struct Limits {
    double length = 0;
    double evaluations = never;  ///< after which a trial ends early, as one of a shorter length
  };
  Trials(const Snapshot& own, const Gravity& gravity, const EngineOptions& engine, double run, double longest)
      : own_(own), gravity_(gravity), engine_(engine), run_(run), longest_(longest) {}

  /// Measures a candidate and sets its error and work for the run.
  void measure(Candidate& c, const Limits& limits) {
    c.error = c.work = never, c.trial = limits.length;
    if (const auto m = made(c, limits)) {
      const double growth = growth_of(c, run_ / m->length);
      c.error = m->worst * growth, c.work = m->work * run_ / m->length, c.trial = m->length;
      jump_ = m->jump;
    }
  }
  double spent() const { return spent_; }  ///< evaluations, by their costs
  double jump() const { return jump_; }    ///< when the error of the last trial came to half of its worst
  double scale() const { return scale_; }  ///< of energies

 private:
  /// Errors of schemes that are not symplectic grow with time; those of block time steps, which are leapfrogs
  /// but for changes of levels, hardly do.
  static double growth_of(const Candidate& c, double times) {
    return c.integrator->symplectic || c.blocks ? 1 : std::max(1.0, times);
  }
  struct Measured {
    double worst = 0, work = 0, length = 0, jump = 0;
  };
  /// Empty where the bodies are lost, or a trial takes too many steps.
  std::optional<Measured> made(const Candidate& c, const Limits& limits) {
    try {
      Simulation s(own_, gravity_, c.method(longest_), engine_for(engine_, *c.integrator));
      const auto before = s.evaluations();
      std::uint64_t looks = 0;
      const auto measured = followed(s, c, limits, looks);
      const double evaluations = double(s.evaluations() - before);
      // Gauss-Radau iterates, and each look at it is one more.
      const double of_steps = c.integrator->order > 8 ? evaluations - double(looks)
                                                      : double(s.step()) * c.integrator->evaluations;
      const double length = s.time() - own_.time;
      const double work = c.blocks ? length * c.blocks->rate(c.parameter) : of_steps * c.cost;
      spent_ += work;
      if (!measured) return {};
      return Measured{.worst = measured->worst, .work = work, .length = length, .jump = measured->jump};
    } catch (const NumericalError&) {
      return {};
    }
  }

  std::optional<Measured> followed(Simulation& s, const Candidate& c, const Limits& limits,
                                   std::uint64_t& looks) {
    const double omega = pattern_speed_of(gravity_).value_or(0);
    s.expect_potentials();
    const auto start = s.totals();
    const double reference = conserved_energy(start, omega);
    scale_ = energy_scale(reference, start.energies);
    const double n = double(s.size_on_all_ranks()), end = own_.time + limits.length;
    const double most_steps = std::clamp(2e9 / (n * n), 2e4, 5e6);
    const double enough =
        std::max(c.blocks ? least_block_steps : least_steps, limits.evaluations / c.work_of_step());
    Measured m;
    double marked = 0;
    for (bool there = false; !there; ++looks) {
      s.expect_potentials();
      there = s.run_towards(end, 1) || double(s.step()) >= enough;
      const double e = std::abs(energy_error(conserved_energy(s.totals(), omega) - reference, scale_));
      if (!(e <= 1) || double(s.step()) > most_steps) return {};
      if (e > 2 * marked) marked = e, m.jump = s.time();
      m.worst = std::max(m.worst, e);
    }
    return m;
  }

  const Snapshot& own_;
  const Gravity& gravity_;
  const EngineOptions& engine_;
  double run_, longest_, spent_ = 0, jump_ = 0, scale_ = 0;
};

/// First a coarse trial of every scheme that may win, then finer ones of the best, as long as they cost
/// little beside the run.
class Search {
 public:
  Search(const Snapshot& own, const Bodies& all, const Gravity& gravity, const EngineOptions& engine,
         const TimeDemand& demand, const std::function<void(const std::string&)>& tell)
      : demand_(demand),
        tell_(tell),
        pairs_(pair_times(all, gravity.G, gravity.softening.eps)),
        length_(length_of_trials(all.size(), pairs_, demand.length)),
        longest_(std::min({pairs_.shortest, demand.length, demand.longest, length_ / 2})),
        longest_adaptive_(std::min(demand.longest, demand.length / 16)),
        target_(share_aimed_at * demand.budget),
        second_(evaluations_of_a_second(all.size())),
        many_(all.size() > few_bodies),
        trials_(own, gravity, engine, demand.length, longest_adaptive_),
        candidates_(candidates_of(all.size(), gravity, pairs_, {.error = demand.budget, .only = demand.only},
                                  std::min(std::min(pairs_.shortest, demand.length) / 2, longest_))) {
    add_blocks(own, gravity, engine);
  }

  TimeChoice chosen() {
    scout();
    refine();
    if (best_ == nullptr) refuse();
    const auto& c = *best_;
    const auto method = c.method(longest_adaptive_);
    return {.integrator = c.integrator,
            .dt = method.dt,
            .eta = method.eta,
            .adaptive = c.adaptive,
            .blocks = method.blocks,
            .forecast = c.blocks ? c.blocks->forecast(c.parameter) : forecast_,
            .trial = c.trial,
            .predicted = c.error,
            .evaluations = c.work / c.cost,
            .spent = trials_.spent(),
            .longest = c.blocks ? c.blocks->most_dt : longest_,
            .rounding = rounding(),
            .pairs = pairs_};
  }

 private:
  /// Block time steps: where they are stated, or where they are forecast to pay.
  void add_blocks(const Snapshot& own, const Gravity& gravity, const EngineOptions& engine) {
    const auto& integrator = integrator_named("block-kdk");
    const bool stated = demand_.only == &integrator;
    const auto kdk = std::ranges::find(candidates_, std::string_view("kdk"),
                                       [](const Candidate& c) { return c.integrator->name; });
    const bool may_suit = many_ && gravity.softening.eps > 0 && demand_.only == nullptr;
    if (!stated && (!may_suit || kdk == candidates_.end())) return;
    const double most_dt = std::min(demand_.longest, most_share_of_block * demand_.length);
    try {
      Simulation s(own, gravity, {.integrator = &integrator, .dt = most_dt, .blocks = demand_.blocks},
                   engine_for(engine, integrator));
      auto plan =
          candidate_of_blocks({.wanted = wanted_steps(s, demand_.blocks, ranks::or_self(engine.ranks)),
                               .steps = demand_.blocks,
                               .time = evaluation_time(s.describe().method),
                               .most_dt = most_dt});
      forecast_ = plan.blocks->forecast(plan.parameter);
      if (!stated && !(forecast_->gain() >= least_gain)) return;
      candidates_.insert(stated ? candidates_.end() : kdk + 1, std::move(plan));
    } catch (const UsageError& e) {
      if (stated) refused_ = e.what();
    }
  }
  /// With the accuracy that was found; those that are stated need not.
  bool pays(const Candidate& c) const {
    return !c.blocks || demand_.only != nullptr || c.blocks->forecast(c.parameter).gain() >= least_gain;
  }
  double length_of_trial(const Candidate& c) const {
    if (!c.blocks) return length_;
    return std::max(length_, block_steps_of_trial * c.blocks->dt(c.parameter));
  }
  double rounding() const { return trials_.scale() > 0 ? pairs_.rounding / trials_.scale() : 0; }
  /// Evaluations that the search may still make.
  double left() const {
    const double run = std::isfinite(least_) ? share_of_run * least_ : 0;
    return std::max(second_, run) - trials_.spent();
  }
  /// No step of a candidate makes the run cheaper than this.
  double least_work(const Candidate& c) const {
    if (c.blocks) return demand_.length * c.blocks->rate(c.blocks->largest());
    return c.adaptive ? 0 : demand_.length / longest_ * c.work_of_step();
  }

  void scout() {
    for (auto& c : candidates_) {
      if (least_work(c) >= 0.8 * least_ || (std::isfinite(least_) && !(left() > 0))) continue;
      tell_(fmt::format("{}: a coarse trial over {:.3g}", c.integrator->name, length_of_trial(c)));
      const Trials::Limits limits{.length = length_of_trial(c), .evaluations = many_ ? left() : never};
      try {
        trials_.measure(c, limits);
        for (int k = 0; k + 1 < most_failures && !std::isfinite(c.error); ++k)
          c.parameter /= 8, trials_.measure(c, limits);
      } catch (const UsageError& e) {
        refused_ = e.what();
        continue;
      }
      if (!std::isfinite(c.error)) continue;
      order_.emplace_back(compared(c, aimed(c, target_, longest_).work), &c);
      least_ = std::min(least_, order_.back().first);
    }
    std::ranges::stable_sort(order_, {}, &std::pair<double, Candidate*>::first);
  }

  void refine() {
    for (const auto& [predicted, c] : order_) {
      if (predicted > hopeless * least_) continue;
      if (best_ != nullptr && predicted >= 0.8 * compared(*best_, best_->work)) continue;
      approach(*c);
      if (closest_ == nullptr || c->error < closest_->error) closest_ = c, jump_ = trials_.jump();
      const bool keeps = c->error <= 0.5 * demand_.budget && pays(*c);
      if (keeps && (best_ == nullptr || compared(*c, c->work) < compared(*best_, best_->work))) best_ = c;
    }
  }

  /// Trials of a candidate until its error is about the target, or the search has cost enough.
  void approach(Candidate& c) {
    for (int round = 0; round < most_rounds; ++round) {
      const auto [parameter, work] = aimed(c, target_ * (round > 0 ? 0.7 : 1), longest_);
      if (parameter == c.parameter || (round > 0 && c.error <= 1.5 * target_)) return;
      if (best_ != nullptr && compared(c, work) >= compared(*best_, best_->work)) return;
      const double length = length_of_trial(c);
      if ((many_ || best_ != nullptr) && work * length / demand_.length > left()) {
        if (many_) extrapolate(c, {parameter, work});
        return;
      }
      const Candidate before = c;
      c.parameter = parameter;
      tell_(fmt::format("{}: a trial with {}", c.integrator->name, c.parameter_text()));
      trials_.measure(c, {.length = length});
      // Too many steps, or a failure: what was found before stands.
      if (!std::isfinite(c.error)) {
        c = before;
        return;
      }
      // Steps that are shorter and no better have met rounding.
      if (!(c.error < 0.7 * before.error) && parameter < before.parameter && c.error > demand_.budget) return;
    }
  }

  /// Where a finer trial would cost too much: by the order of the scheme. The watch of the run sees to the
  /// rest.
  static void extrapolate(Candidate& c, const Aim& aim) {
    c.error *= std::pow(aim.parameter / c.parameter, c.order);
    c.parameter = aim.parameter, c.work = aim.work;
  }

  [[noreturn]] void refuse() const {
    if (closest_ == nullptr)
      throw UsageError(fmt::format("no integrator could be tried for time.energy_error = {:g}{}",
                                   demand_.budget, refused_.empty() ? "" : ": " + refused_),
                       Error::Code::unsupported);
    throw UsageError(
        fmt::format(
            "time.energy_error = {:g}: no integrator keeps it in a trial over {:.3g}; the best, {}, "
            "would have {:.1e}, most of it from t = {:.4g} (rounding of the closest pair at the start: "
            "{:.1e}; the trials made {:.3g} evaluations): ask for {:.0e} or more",
            demand_.budget, length_, closest_->text(), closest_->error, jump_, rounding(), trials_.spent(),
            4 * closest_->error),
        Error::Code::unsupported);
  }

  const TimeDemand& demand_;
  const std::function<void(const std::string&)>& tell_;
  PairTimes pairs_;
  double length_, longest_, longest_adaptive_, target_;
  double second_;  ///< evaluations that take about a second
  bool many_;      ///< bodies whose trials end where they have cost enough
  Trials trials_;
  std::vector<Candidate> candidates_;
  std::vector<std::pair<double, Candidate*>> order_;  ///< by predicted work
  double least_ = never;                              ///< predicted work
  std::optional<BlockForecast> forecast_;             ///< of block time steps, with a usual accuracy
  const Candidate* best_ = nullptr;
  const Candidate* closest_ = nullptr;
  double jump_ = 0;  ///< of the closest
  std::string refused_;
};

}  // namespace

Method TimeChoice::method() const {
  return {.integrator = integrator,
          .dt = dt,
          .adaptive = true,
          .eta = eta,
          .equal_steps = !adaptive,
          .blocks = blocks};
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
  return Search(own, all, gravity, engine, demand, tell).chosen();
}

}  // namespace pleiad::control
