/// Algorithmic regularisation of a few bodies: steps of any length, in each of which the bodies are one
/// regularised group (src/regular). What it remembers between steps is in the bodies, with their low parts.
/// Where bodies touch that do not go on as two, the group of those that are left makes the rest of the step.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "integrate/group_members.hpp"
#include "integrate/regularised.hpp"
#include "integrate/step_watch.hpp"
#include "integrate/stepper.hpp"
#include "regular/group.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace pleiad {

extern const Integrator integrator_ar_chain;

bool regularises(const Integrator* integrator) { return integrator == &integrator_ar_chain; }

namespace {

/// The relative error of a substep, and with adaptive steps that of eta = 0.02: it grows with the seventh
/// power of eta, as those of Gauss-Radau do.
constexpr double fixed_tolerance = 5e-15;

double tolerance_of(double eta) {
  if (!(eta > 0)) return fixed_tolerance;
  return std::clamp(fixed_tolerance * std::pow(eta / 0.02, 7), fixed_tolerance / 2, 1e-4);
}

class ArChainStepper final : public Stepper {
 public:
  explicit ArChainStepper(DoubleState& state) : state_(state), bodies_(state.particles()) {
    bodies_.low.resize(bodies_.x.size());
  }

  void advance(const StepPlan& plan, std::uint64_t steps) override {
    if (!plan.factors->constant())
      throw UsageError("ar-chain steps bodies in static space only; kdk takes factors that change with time");
    state_.begin_steps();
    for (std::uint64_t k = 0; k < steps; ++k)
      make(plan.time_of(k), plan.time_of(k + 1), plan.dt, tolerance_of(plan.eta), plan.watch);
  }
  /// Steps have no errors of their own: those of substeps are kept in each.
  double suggest_dt(double) override { return std::numeric_limits<double>::infinity(); }

 private:
  using Member = regular::Group::Body;

  void make(double time, double end, double dt, double tolerance, StepWatch* watch) {
    const std::size_t n = bodies_.x.size();
    std::vector<Member> members;
    std::vector<std::uint32_t> numbers(n), into(n);
    for (std::size_t i = 0; i < n; ++i) members.push_back(member(i));
    std::iota(numbers.begin(), numbers.end(), 0U), into = numbers;
    for (double made = 0;;) {
      regular::Group group(members, {.tolerance = tolerance, .terms = state_.pair_terms()}, time + made);
      if (watch != nullptr) group.watch(watched_by(*watch, numbers));
      move(group, dt - made, std::min(time, end), std::max(time, end));
      if (state_.counts_work()) state_.add_work(group.work() / state_.G());
      state_.evaluated(group.evaluations());
      members = group.bodies();
      if (watch != nullptr) tell(*watch, group.met(), numbers, time + made);
      if (!group.stopped()) break;
      made += group.met().back().time;
      part(*watch, group.met().back(), time + made, numbers, members, into);
    }
    for (std::size_t k = 0; k < members.size(); ++k) show(numbers[k], members[k]);
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t at = i;
      while (into[at] != at) at = into[at];
      if (at != i) show(i, members[std::size_t(std::ranges::find(numbers, at) - numbers.begin())]);
    }
    bodies_.time = time + dt;
  }

  /// In external fields, if there are any, between two times.
  void move(regular::Group& group, double dt, double first, double last) const {
    if (!state_.has_fields()) {
      group.advance(dt);
      return;
    }
    // Attempts may look beyond the end of the step, where a track has no place.
    const regular::Surroundings fields{.field = [&](double t, const auto& centre, auto offsets, auto tides) {
      return state_.field_about(std::clamp(t, first, last), centre, offsets, tides);
    }};
    (void)group.advance(dt, fields, {});
  }

  Member member(std::size_t i) const {
    const auto& [x, y, z, m] = bodies_.x[i];
    const auto& v = bodies_.v[i];
    const auto& low = bodies_.low[i];
    return {state_.G() * m,
            {{x, low[0]}, {y, low[1]}, {z, low[2]}},
            {{v.x, low[3]}, {v.y, low[4]}, {v.z, low[5]}}};
  }
  void show(std::size_t i, const Member& member) {
    const auto& [mass, x, v] = member;
    bodies_.x[i] = {x.x.high, x.y.high, x.z.high, bodies_.x[i].m};
    bodies_.v[i] = {v.x.high, v.y.high, v.z.high, 0};
    bodies_.low[i] = {x.x.low, x.y.low, x.z.low, v.x.low, v.y.low, v.z.low};
  }
  static void tell(StepWatch& watch, const std::vector<regular::Group::Met>& met,
                   const std::vector<std::uint32_t>& numbers, double from) {
    for (const auto& one : met) {
      const StepWatch::Moment moment{.pair = {numbers[one.one], numbers[one.other]},
                                     .time = from + one.time,
                                     .at = {{one.x[0], one.v[0]}, {one.x[1], one.v[1]}}};
      if (one.contact) watch.tell_contact(moment);
      else watch.tell_approach(moment);
    }
  }
  /// Leaves those that are left of the members.
  static void part(StepWatch& watch, const regular::Group::Met& contact, double time,
                   std::vector<std::uint32_t>& numbers, std::vector<Member>& members,
                   std::vector<std::uint32_t>& into) {
    std::vector<StepWatch::State> all(into.size());
    for (std::size_t k = 0; k < members.size(); ++k)
      all[numbers[k]] = {regular::rounded(members[k].x), regular::rounded(members[k].v)};
    std::vector<StepWatch::Pair> touching;
    for (const auto& [one, other] : touching_members(watch, numbers, members, {contact.one, contact.other}))
      touching.push_back({numbers[one], numbers[other]});
    const auto changes = watch.part(time, std::move(all), touching);
    for (const auto& change : changes)
      if (change.gone) into[change.body] = change.into;
    leave(changes, numbers, members);
  }

  DoubleState& state_;
  DoubleState::Particles bodies_;
};

std::unique_ptr<Stepper> make_ar_chain(SteppedState& state) {
  return std::make_unique<ArChainStepper>(state.in_doubles(integrator_ar_chain));
}

}  // namespace

extern const Integrator integrator_ar_chain{
    .name = "ar-chain",
    .idea =
        "algorithmic regularisation: a logarithmic Hamiltonian in the coordinates of a chain, extrapolated "
        "(Mikkola & Tanikawa 1999, Mikkola & Merritt 2006); for few bodies that come very close",
    .order = 12,
    .symplectic = false,
    .time_reversible = false,
    .evaluations = 42,
    .needs_doubles = true,
    .on_orbits = true,
    .adapts_by_softening = false,
    .make = make_ar_chain};

}  // namespace pleiad
