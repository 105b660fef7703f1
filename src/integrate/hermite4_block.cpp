/// Hermite's fourth-order scheme with individual block time steps (Makino & Aarseth 1992, PASJ 44, 141).
///
/// Each body has a step dt 2^-k of its own, by Aarseth's criterion, and ends it at a multiple of it. At each
/// time where some steps end, all bodies with mass are predicted there by position, velocity, acceleration
/// and jerk; accelerations and jerks of the active bodies by all are evaluated once, and correct these
/// bodies alone. A step may become shorter whenever it ends, by any number of levels, and longer by one
/// where its end is a multiple of the longer one. At multiples of dt all steps end, so the bodies there are
/// at one time.
///
/// Accelerations and jerks were evaluated at predicted places and do not follow from the bodies again: they
/// stay with them, with the lengths of their next steps (Bodies::series), so a resumed run goes on with the
/// same bits. The first steps follow from second and third derivatives, which are summed over pairs: those
/// of |a| / |j| are too long for bodies whose jerk is small by chance. Positions and velocities are sums of
/// two doubles, as in hermite4, of which the pulls see the upper ones.
///
/// Bodies that meet are found at the end of the steps of either (BlockPassages), members of groups on their
/// own orbits (CloseGroup). Where two bodies touch that do not go on as two, the steps of all end, and all
/// begin new ones from the bodies that are left; a merger within a group changes nothing outside.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "core/two_sum.hpp"
#include "integrate/block_bodies.hpp"
#include "integrate/block_groups.hpp"
#include "integrate/block_neighbours.hpp"
#include "integrate/block_passages.hpp"
#include "integrate/hermite_step.hpp"
#include "integrate/individual.hpp"
#include "integrate/step_watch.hpp"
#include "integrate/stepper.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad {

extern const Integrator integrator_hermite4_block;

namespace {

constexpr int finest = BlockBodies::finest;
constexpr std::uint64_t ticks = BlockBodies::ticks;

/// Where acceleration, jerk and step are in Bodies::series: behind what other schemes keep there.
constexpr std::size_t first_kept = 12;

constexpr double infinite = std::numeric_limits<double>::infinity();

class BlockHermiteStepper final : public Stepper {
 public:
  explicit BlockHermiteStepper(DoubleState& state) : state_(state), bodies_(state.particles()) {
    bodies_.low.resize(bodies_.x.size()), bodies_.series.resize(bodies_.x.size());
  }

  void advance(const StepPlan& plan, std::uint64_t steps) override {
    if (!plan.factors->constant())
      throw UsageError(
          "hermite4-block steps bodies in static space only; kdk takes factors that change with time");
    state_.begin_steps();
    // Where another one looks, all follows from what was kept, as in a resumed run.
    if (std::exchange(watch_, plan.watch) != plan.watch)
      bodies_current_ = false, groups_.reset(), neighbours_.reset();
    need_bodies(plan);
    set_levels(plan.dt);
    for (std::uint64_t k = 0; k < steps; ++k) step(plan, k);
    keep();
  }
  /// Steps are parts of dt.
  double suggest_dt(double) override { return infinite; }

 private:
  /// A body as ranks tell it: position, velocity, their low parts, mass, acceleration, jerk, step.
  using Row = std::array<double, 20>;

  void need_bodies(const StepPlan& plan);
  void find_start(const StepPlan& plan, double part, double time);
  void set_levels(double dt);
  void step(const StepPlan& plan, std::uint64_t number);
  void evaluate(double part, double time, std::span<const std::uint32_t> chosen,
                std::optional<int> least = {});
  void end_steps(const StepPlan& plan, double part, double time, std::uint64_t now, int least);
  void find_touching(double begin, double part, std::vector<StepWatch::Pair>& touching);
  void part_bodies(const StepPlan& plan, double begin, double part, double time, std::uint64_t now,
                   std::vector<StepWatch::Pair>& touching);
  void part_single(std::span<const StepWatch::Change> changes);
  std::vector<StepWatch::State> states(double part) const;
  void regroup(double part, double time);
  void correct(std::size_t t, double eta, std::uint64_t end);
  void keep();

  /// The body itself, or the one that has absorbed it.
  std::size_t now_at(std::size_t number) const {
    while (into_[number] != number) number = into_[number];
    return number;
  }
  bool is_group(std::size_t place) const { return groups_ && groups_->is_group(place); }
  /// The body at a place; of a group its heaviest member.
  std::uint32_t number_at(std::size_t place) const {
    return groups_ ? groups_->body_at(place) : number_[place];
  }
  /// Within which distance of the body at a place others matter: of a group for approaches alone.
  double reach_of(std::size_t place) const {
    return std::max(watch_->distance() / 2, is_group(place) ? 0.0 : watch_->radius(number_at(place)));
  }
  static bool grouped(const StepPlan& plan) { return plan.blocks.groups == CloseGroups::regularised; }

  DoubleState& state_;
  DoubleState::Particles bodies_;
  BlockBodies all_;  ///< the bodies of all ranks
  BodyPaths& paths_ = all_.paths;
  std::optional<BlockGroups> groups_;
  std::optional<BlockNeighbours> neighbours_;
  std::vector<std::size_t> place_;     ///< of each of these bodies, in all_, without groups
  std::vector<std::uint32_t> number_;  ///< of the body at each place, without groups
  std::vector<std::uint32_t> into_;    ///< of each body: itself, or the one that has absorbed it
  BlockPassages passages_{all_};
  StepWatch* watch_ = nullptr;  ///< of bodies that meet
  BlockPassages::Reach reach_ = [this](std::size_t place) { return reach_of(place); };
  std::vector<std::uint32_t> active_;
  std::vector<Vec4<double>> a_new_, j_new_;  ///< of the active ones
  bool bodies_current_ = false;
};

/// Takes the bodies of all ranks, and finds the first steps unless they were kept.
void BlockHermiteStepper::need_bodies(const StepPlan& plan) {
  if (std::exchange(bodies_current_, true)) return;
  std::vector<Row> own(bodies_.x.size()), labels(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto& x = bodies_.x[i];
    const auto& v = bodies_.v[i];
    const auto& series = bodies_.series[i];
    own[i] = {x.x, x.y, x.z, v.x, v.y, v.z};
    std::copy_n(bodies_.low[i].begin(), 6, own[i].begin() + 6);
    own[i][12] = state_.G() * x.m;
    // Another scheme has kept its own.
    if (!std::all_of(series.begin(), series.begin() + first_kept, [](double c) { return c == 0; })) continue;
    std::copy_n(series.begin() + first_kept, 7, own[i].begin() + 13);
    std::copy_n(series.begin() + first_kept + 7, 2, labels[i].begin());
  }
  const auto all = state_.of_all_ranks(own), of_groups = state_.of_all_ranks(labels);
  const std::size_t n = all.size();
  all_.resize(n);
  place_.resize(n);
  std::size_t next = 0;
  for (const bool pulls : {true, false}) {
    for (std::size_t i = 0; i < n; ++i)
      if ((all[i][12] > 0) == pulls) place_[i] = next++;
    if (pulls) paths_.pulling = next;
  }
  // Who looks inside steps sees the paths by whole pulls.
  const bool divided = plan.watch == nullptr && sums_neighbours(plan.blocks, paths_.pulling);
  bool kept = true;
  std::vector<BlockGroups::Kept> kept_groups(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto& row = all[i];
    const std::size_t k = place_[i];
    BodyPaths::set(paths_.x, k, {row[0], row[1], row[2]});
    BodyPaths::set(paths_.v, k, {row[3], row[4], row[5]});
    std::copy_n(row.begin() + 6, 6, all_.low[k].begin());
    paths_.mass[k] = row[12];
    BodyPaths::set(paths_.a, k, {row[13], row[14], row[15]});
    BodyPaths::set(paths_.j, k, {row[16], row[17], row[18]});
    all_.steps[k] = row[19];
    std::copy_n(row.begin() + 13, 7, kept_groups[i].begin());
    std::copy_n(of_groups[i].begin(), 2, kept_groups[i].begin() + 7);
    // Those of a group do not belong to its members, and beside regular parts there is their step.
    const double label = of_groups[i][0];
    const bool by_this_scheme =
        divided ? label < 0 && of_groups[i][1] > 0 : label == 0 || (label > 0 && grouped(plan));
    kept = kept && row[19] > 0 && by_this_scheme;
  }
  number_.resize(n), into_.resize(n);
  std::iota(into_.begin(), into_.end(), 0U);
  for (std::size_t i = 0; i < n; ++i) number_[place_[i]] = static_cast<std::uint32_t>(i);
  all_.count = {}, all_.count[0] = n;
  const auto terms = state_.pair_terms();
  if (terms && !grouped(plan))
    throw UsageError(
        "force 'post-newtonian-pairs' acts in regularised groups; set time.groups = \"regularised\"");
  if (grouped(plan) && n > 0)
    groups_.emplace(all_, state_, plan.blocks, plan.eta, plan.time_of(0), terms, plan.watch);
  if (kept && groups_) kept = groups_->restore(kept_groups);
  if (divided) neighbours_.emplace(state_, all_, plan.eta);
  if (kept && divided) {
    std::vector<BlockNeighbours::Kept> of_neighbours(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto k = place_[i];
      of_neighbours[k] = {
          {BodyPaths::at(paths_.a, k), BodyPaths::at(paths_.j, k)}, -of_groups[i][0], of_groups[i][1]};
    }
    neighbours_->restore(of_neighbours);
  }
  if (kept) return;
  if (groups_) groups_->find();
  find_start(plan, 0, plan.time_of(0));
  if (neighbours_) neighbours_->find_start(plan.time_of(0));
}

/// Accelerations, jerks and the lengths of the next steps of all bodies at one time, `part` of dt.
void BlockHermiteStepper::find_start(const StepPlan& plan, double part, double time) {
  const std::size_t n = paths_.bodies;
  paths_.unit = plan.dt;
  std::ranges::fill(paths_.from, part);
  active_.clear();
  for (std::size_t k = 0; k < n; ++k) {
    BodyPaths::set(paths_.a, k, {}), BodyPaths::set(paths_.j, k, {});
    if (all_.levels[k] >= 0) active_.push_back(static_cast<std::uint32_t>(k));
  }
  evaluate(part, time, active_);
  for (std::size_t t = 0; t < active_.size(); ++t)
    BodyPaths::set(paths_.a, active_[t], a_new_[t].xyz()),
        BodyPaths::set(paths_.j, active_[t], j_new_[t].xyz());
  std::vector<Vec4<double>> snaps(n), crackles(n);
  const bool whole = state_.higher_derivatives(paths_, snaps, crackles);
  for (const auto k : active_) {
    const auto a = BodyPaths::at(paths_.a, k);
    all_.steps[k] =
        aarseth_step(plan.eta, {a, BodyPaths::at(paths_.j, k)}, {snaps[k].xyz(), crackles[k].xyz()});
    if (whole) continue;
    // Fields of others have no known ones: a short step, which may soon become longer.
    const double r = norm(BodyPaths::at(paths_.x, k)), speed = norm(BodyPaths::at(paths_.v, k)),
                 fall = std::sqrt(r * norm(a));
    if (fall > 0) all_.steps[k] = std::min(all_.steps[k], std::sqrt(plan.eta) / 16 * r / (speed + fall));
  }
}

/// Accelerations and jerks of these bodies, to a_new_ and j_new_. With neighbours: of bodies that end steps
/// of `least` and finer levels; without that, all pulls.
void BlockHermiteStepper::evaluate(double part, double time, std::span<const std::uint32_t> chosen,
                                   std::optional<int> least) {
  a_new_.resize(chosen.size()), j_new_.resize(chosen.size());
  if (neighbours_ && least) neighbours_->evaluate(chosen, *least, part, time, a_new_, j_new_);
  else state_.evaluate_some(paths_, part, time, chosen, a_new_, j_new_);
  paths_.changed.clear(), paths_.all_changed = false;
}

/// From the lengths of the steps, which another dt may have left.
void BlockHermiteStepper::set_levels(double dt) {
  paths_.unit = dt, paths_.all_changed = true;
  std::ranges::fill(paths_.from, 0.0);
  all_.count = {};
  for (std::size_t k = 0; k < paths_.bodies; ++k) {
    const int level = all_.level_for(all_.steps[k], 0);
    all_.levels[k] = static_cast<std::int8_t>(level);
    all_.steps[k] = all_.length_of(level);
    ++all_.count[std::size_t(level)];
  }
  if (neighbours_) neighbours_->set_levels();
}

/// One step dt: as many blocks as times at which steps end.
void BlockHermiteStepper::step(const StepPlan& plan, std::uint64_t number) {
  const double begin = plan.time_of(number), end = plan.time_of(number + 1);
  if (groups_) groups_->begin_step(begin, end);
  if (watch_ != nullptr) passages_.begin(reach_);
  for (std::uint64_t now = 0; now < ticks;) {
    int shortest = finest;
    while (shortest > 0 && all_.count[std::size_t(shortest)] == 0) --shortest;
    const std::uint64_t size = ticks >> shortest;
    now = (now / size + 1) * size;
    const int least = std::max(0, finest - std::countr_zero(now));
    all_.from_level(least, active_);
    const double part = double(now) / double(ticks), time = now == ticks ? end : begin + part * plan.dt;
    std::vector<StepWatch::Pair> touching;
    end_steps(plan, part, time, now, least);
    if (watch_ != nullptr) find_touching(begin, part, touching);
    if (!touching.empty()) part_bodies(plan, begin, part, time, now, touching);
    for (const auto k : active_)
      if (!(all_.steps[k] > 0))
        throw NumericalError(
            fmt::format("the step of a body has shrunk to less than {:g} at time {}: two bodies are too "
                        "close; use softening",
                        all_.length_of(finest), time),
            Error::Code::step_too_small);
    if (groups_) regroup(part, time);
    if (neighbours_) neighbours_->end_regular_steps(now);
  }
  std::ranges::fill(paths_.from, 0.0);
  if (groups_) {
    groups_->end_step();
    if (state_.counts_work()) state_.add_work(groups_->take_work() / state_.G());
  }
  if (neighbours_) neighbours_->end_step();
  paths_.all_changed = true;
}

/// The active bodies end their steps at `part` of dt. `least`: the level of the longest ones that do.
void BlockHermiteStepper::end_steps(const StepPlan& plan, double part, double time, std::uint64_t now,
                                    int least) {
  if (groups_) groups_->advance(active_, part);
  if (watch_ != nullptr) {
    if (groups_) passages_.take(groups_->dissolved(), reach_);
    passages_.keep(active_);
  }
  evaluate(part, time, active_, least);
  for (const auto k : active_) --all_.count[std::size_t(all_.levels[k])];
  for_each_index(
      active_.size(), [&](std::size_t t) { correct(t, plan.eta, now); }, 256);
  for (const auto k : active_) {
    ++all_.count[std::size_t(all_.levels[k])];
    paths_.from[k] = part, paths_.changed.push_back(k);
  }
}

/// Shows the paths of pairs that may meet, of which one has ended a step, to who watches. Adds what touches
/// and does not go on as two.
void BlockHermiteStepper::find_touching(double begin, double part, std::vector<StepWatch::Pair>& touching) {
  for (auto& pair : passages_.find(active_, part)) {
    const std::size_t places[] = {pair.pair.one, pair.pair.other};
    for (std::size_t i = 0; i < 2; ++i)
      if (is_group(places[i])) pair.of_group[i] = paths_.mass[places[i]] / state_.G();
    pair.pair = {number_at(places[0]), number_at(places[1])};
    pair.begin += begin, pair.end += begin;
    if (watch_->look(pair)) touching.push_back(pair.pair);
  }
}

/// Ends the steps of all bodies, makes of those that touch what they are now, and begins new steps of all.
void BlockHermiteStepper::part_bodies(const StepPlan& plan, double begin, double part, double time,
                                      std::uint64_t now, std::vector<StepWatch::Pair>& touching) {
  active_.clear();
  for (std::size_t k = 0; k < paths_.bodies; ++k)
    if (all_.levels[k] >= 0 && paths_.from[k] < part) active_.push_back(static_cast<std::uint32_t>(k));
  end_steps(plan, part, time, now, 0);
  find_touching(begin, part, touching);
  const auto changes = watch_->part(time, states(part), touching);
  if (groups_) groups_->part_single(changes);
  else part_single(changes);
  for (const auto& change : changes)
    if (change.gone) into_[change.body] = change.into;
  paths_.all_changed = true;
  find_start(plan, part, time);
  paths_.all_changed = true;
  const int least = std::max(0, finest - std::countr_zero(now));
  for (const auto k : active_) all_.give(k, all_.level_for(all_.steps[k], least));
  passages_.begin(reach_);
}

/// All bodies at one time, by their numbers.
std::vector<StepWatch::State> BlockHermiteStepper::states(double part) const {
  if (groups_) return groups_->states_at(part);
  std::vector<StepWatch::State> all(place_.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {BodyPaths::at(paths_.x, place_[i]), BodyPaths::at(paths_.v, place_[i])};
  return all;
}

void BlockHermiteStepper::part_single(std::span<const StepWatch::Change> changes) {
  for (const auto& change : changes) {
    const std::size_t k = place_[change.body];
    if (change.gone) {
      paths_.mass[k] = 0;
      for (auto* field : {&paths_.v, &paths_.a, &paths_.j}) BodyPaths::set(*field, k, {});
      all_.give(k, -1);
      paths_.changed.push_back(static_cast<std::uint32_t>(k));
      continue;
    }
    paths_.mass[k] = state_.G() * change.mass;
    BodyPaths::set(paths_.x, k, change.state.x), BodyPaths::set(paths_.v, k, change.state.v);
    all_.low[k] = {};
    paths_.changed.push_back(static_cast<std::uint32_t>(k));
  }
}

/// Forms and divides groups at the end of a block; new bodies begin with the accelerations there.
void BlockHermiteStepper::regroup(double part, double time) {
  const auto& made = groups_->regroup(active_);
  if (!made.empty()) {
    evaluate(part, time, made);
    for (std::size_t t = 0; t < made.size(); ++t) {
      BodyPaths::set(paths_.a, made[t], a_new_[t].xyz()), BodyPaths::set(paths_.j, made[t], j_new_[t].xyz());
      paths_.changed.push_back(made[t]);
    }
    if (watch_ != nullptr) passages_.take(made, reach_);
  }
  groups_->look_around(active_, made);
}

/// An active body at the end of its step, with the length of the next one: 0 if none is short enough.
void BlockHermiteStepper::correct(std::size_t t, double eta, std::uint64_t end) {
  const std::size_t k = active_[t];
  // The length of its level, unless it was made to end earlier.
  const double h = (double(end) / double(ticks) - paths_.from[k]) * paths_.unit;
  const auto a0 = BodyPaths::at(paths_.a, k), j0 = BodyPaths::at(paths_.j, k), a1 = a_new_[t].xyz(),
             j1 = j_new_[t].xyz();
  const auto v0 = BodyPaths::at(paths_.v, k);
  const auto& l = all_.low[k];
  const auto dv = h / 2 * (a0 + a1) + h * h / 12 * (j0 - j1);
  all_.add(k, h * (v0 + 0.5 * dv) + h * h / 12 * (a0 - a1) + h * Vec3<double>{l[3], l[4], l[5]}, dv);
  BodyPaths::set(paths_.a, k, a1), BodyPaths::set(paths_.j, k, j1);
  const double wanted = aarseth_step(eta, {a1, j1}, higher_at_end(h, {a0, j0}, {a1, j1}));
  // No longer than a regular step.
  const int longest = neighbours_ ? neighbours_->level(k) : 0;
  int level = all_.levels[k];
  if (level > longest && wanted >= 2 * all_.length_of(level) && end % (ticks >> (level - 1)) == 0) --level;
  level = all_.level_for(wanted, level);
  all_.levels[k] = static_cast<std::int8_t>(level);
  all_.steps[k] = all_.length_of(level) > wanted ? 0 : all_.length_of(level);
}

/// Gives this rank's bodies back.
void BlockHermiteStepper::keep() {
  for (std::size_t i = 0; i < bodies_.x.size(); ++i) {
    const std::size_t number = state_.first_of_rank() + i;
    auto& series = bodies_.series[i] = {};
    if (groups_) {
      const auto body = groups_->body(number);
      bodies_.x[i] = {body.x.x.high, body.x.y.high, body.x.z.high, bodies_.x[i].m};
      bodies_.v[i] = {body.v.x.high, body.v.y.high, body.v.z.high, 0};
      bodies_.low[i] = {body.x.x.low, body.x.y.low, body.x.z.low, body.v.x.low, body.v.y.low, body.v.z.low};
      std::ranges::copy(groups_->kept(number), series.begin() + first_kept);
      continue;
    }
    const std::size_t k = place_[now_at(number)];
    const auto x = BodyPaths::at(paths_.x, k), v = BodyPaths::at(paths_.v, k), a = BodyPaths::at(paths_.a, k),
               j = BodyPaths::at(paths_.j, k);
    bodies_.x[i] = {x.x, x.y, x.z, bodies_.x[i].m}, bodies_.v[i] = {v.x, v.y, v.z, 0};
    bodies_.low[i] = all_.low[k];
    if (neighbours_) {
      const auto& [regular, step, radius] = neighbours_->kept(k);
      const double kept[] = {regular.a.x, regular.a.y,   regular.a.z, regular.j.x, regular.j.y,
                             regular.j.z, all_.steps[k], -step,       radius};
      std::ranges::copy(kept, series.begin() + first_kept);
      continue;
    }
    const double kept[] = {a.x, a.y, a.z, j.x, j.y, j.z, all_.steps[k]};
    std::ranges::copy(kept, series.begin() + first_kept);
  }
}

std::unique_ptr<Stepper> make_hermite4_block(SteppedState& state) {
  return std::make_unique<BlockHermiteStepper>(state.in_doubles(integrator_hermite4_block));
}

}  // namespace

extern const Integrator integrator_hermite4_block{
    .name = "hermite4-block",
    .idea =
        "Hermite predictor-corrector with the jerk in which each body has a block time step of its own "
        "(Makino & Aarseth 1992), one evaluation a step; for star clusters",
    .order = 4,
    .symplectic = false,
    .time_reversible = false,
    .needs_doubles = true,
    .needs_jerks = true,
    .in_blocks = true,
    .adapts_by_softening = false,
    .make = make_hermite4_block};

}  // namespace pleiad
