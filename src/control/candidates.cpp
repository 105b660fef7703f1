#include "control/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace pleiad::control {

namespace {

/// Microseconds of an evaluation of n bodies in a step: a + b n + c n^2, measured with 3 to 4000 bodies by
/// direct sums in double precision, on a core of an AMD EPYC with AVX2. A choice takes these on every
/// machine, so that it is the same.
struct Microseconds {
  double call = 0, body = 0, pair = 0;
  double of(double n) const {
    constexpr double most_sources = 4096;  // a tree's evaluation of many is not dearer
    return call + n * (body + pair * std::min(n, most_sources));
  }
};
constexpr Microseconds of_forces{0.9, 0.018, 0.00066}, of_jerks{0.06, 0.054, 0.0032},
    of_snaps{0.09, 0.084, 0.0045}, of_doubles{0.48, 0.072, 0.0021};

}  // namespace

double evaluations_of_a_second(std::size_t n) { return 1e6 / of_forces.of(double(n)); }

double cost_of_evaluation(const Integrator& integrator, std::size_t n) {
  const auto& of = integrator.needs_snaps     ? of_snaps
                   : integrator.needs_jerks   ? of_jerks
                   : integrator.needs_doubles ? of_doubles
                                              : of_forces;
  return of.of(double(n)) / of_forces.of(double(n));
}

double BlockPlan::dt(double parameter) const {
  return cheapest_dt(wanted, most_dt, eta(parameter), steps, time);
}

BlockForecast BlockPlan::forecast(double parameter) const {
  return block_forecast(wanted, dt(parameter), eta(parameter), steps, time);
}

double BlockPlan::first() const { return wanted.scale(wanted.power() == 2 ? 0.04 : 0.03); }
double BlockPlan::largest() const { return wanted.scale(largest_block_eta); }

Candidate candidate_of_blocks(BlockPlan plan) {
  const auto& integrator = integrator_named("block-kdk");
  return {.integrator = &integrator,
          .parameter = plan.first(),
          .order = double(integrator.order),
          .blocks = std::make_shared<const BlockPlan>(std::move(plan))};
}

Method Candidate::method(double longest) const {
  if (blocks)
    return {.integrator = integrator,
            .dt = blocks->dt(parameter),
            .adaptive = true,
            .eta = blocks->eta(parameter),
            .equal_steps = true,
            .blocks = blocks->steps};
  Method m{.integrator = integrator, .dt = adaptive ? longest : parameter, .adaptive = true};
  if (adaptive) m.eta = parameter;
  else m.equal_steps = true;
  return m;
}

std::string Candidate::parameter_text() const {
  if (blocks)
    return fmt::format("dt = {:.3g} and eta = {:.3g}", blocks->dt(parameter), blocks->eta(parameter));
  return fmt::format("{} = {:.3g}", adaptive ? "eta" : "dt", parameter);
}

std::string Candidate::text() const { return fmt::format("{} with {}", integrator->name, parameter_text()); }

std::vector<Candidate> candidates_of(std::size_t n, const Gravity& gravity, const PairTimes& pairs,
                                     const CandidateDemand& demand, double step) {
  // Where any two bodies may come close, no step of one length follows them.
  const bool close =
      gravity.softening.eps == 0 && gravity.softening.of == SofteningOf::all && n > 3 && !pairs.dominated;
  const bool many = n > many_bodies;
  const auto may_suit = [&](std::string_view name) {
    if (name == "kdk" || name == "blanes-moan4") return !close;
    if (name == "yoshida6") return !close && (!many || demand.error < 1e-7);
    if (name == "kahan-li8") return !close && n <= few_bodies;
    if (name == "hermite4") return close || !many;
    if (name == "hermite6") return (close || !many) && demand.error < 1e-7;
    return name == "gauss-radau" && n <= few_bodies;
  };
  std::vector<Candidate> all;
  for (const auto* i : integrators()) {
    if (i->on_orbits || i->in_blocks || (demand.only != nullptr ? demand.only != i : !may_suit(i->name)))
      continue;
    Candidate c{.integrator = i, .parameter = step, .order = double(i->order)};
    if (i->splitting.drift.empty()) {
      c.adaptive = true, c.parameter = i->needs_jerks ? 0.02 : 0.05;
      // Hermite's step grows with the square root of eta; Gauss-Radau's errors, of a step, with its seventh
      // power at least.
      c.order = i->needs_jerks ? 0.5 * i->order : 7, c.cost_order = i->needs_jerks ? 0.5 : 1;
    }
    c.cost = cost_of_evaluation(*i, n);
    all.push_back(c);
  }
  std::ranges::stable_sort(all, {}, [](const Candidate& c) { return c.adaptive ? 1e3 : c.work_of_step(); });
  return all;
}

Aim aimed(const Candidate& c, double error, double longest_step) {
  const double ratio = c.error > 0 ? std::pow(error / c.error, 1 / c.order) : 64;
  double parameter = c.parameter * std::clamp(ratio, 1.0 / 64, 64.0);
  parameter = std::min(parameter, c.blocks ? c.blocks->largest() : c.adaptive ? largest_eta : longest_step);
  if (c.blocks) return {parameter, c.work * c.blocks->rate(parameter) / c.blocks->rate(c.parameter)};
  return {parameter, c.work * std::pow(c.parameter / parameter, c.cost_order)};
}

}  // namespace pleiad::control
