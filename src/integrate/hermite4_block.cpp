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
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/body_paths.hpp"
#include "core/threads.hpp"
#include "core/two_sum.hpp"
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
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad {

extern const Integrator integrator_hermite4_block;

namespace {

/// The shortest step is dt 2^-finest: times within dt are whole numbers of it.
constexpr int finest = 40;
constexpr std::uint64_t ticks = std::uint64_t{1} << finest;

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
  void find_start(const StepPlan& plan);
  void set_levels(double dt);
  void step(const StepPlan& plan, std::uint64_t number);
  void correct(std::size_t t, double eta, std::uint64_t end);
  void keep();

  double length_of(int level) const { return std::ldexp(paths_.unit, -level); }
  /// Aarseth's step of a body with acceleration a, jerk j, snap s and crackle c.
  static double step_by(double eta, const Vec3<double>& a, const Vec3<double>& j, const Vec3<double>& s,
                        const Vec3<double>& c) {
    const double jerk = norm(j), snap = norm(s), below = jerk * norm(c) + snap * snap;
    return below > 0 ? std::sqrt(eta * (norm(a) * snap + jerk * jerk) / below) : infinite;
  }

  DoubleState& state_;
  DoubleState::Particles bodies_;
  BodyPaths paths_;                              ///< of the bodies of all ranks
  std::vector<std::size_t> place_;               ///< of each of these bodies, in paths_ and the arrays below
  std::vector<std::array<double, 6>> low_;       ///< of position and velocity at the end of the last step
  std::vector<double> steps_;                    ///< the lengths of the next ones
  std::vector<std::uint8_t> levels_;             ///< of these: dt 2^-level
  std::array<std::size_t, finest + 1> count_{};  ///< bodies of each level
  std::vector<std::uint32_t> active_;
  std::vector<Vec4<double>> a_new_, j_new_;  ///< of the active ones
  bool bodies_current_ = false;
};

/// Takes the bodies of all ranks, and finds the first steps unless they were kept.
void BlockHermiteStepper::need_bodies(const StepPlan& plan) {
  if (std::exchange(bodies_current_, true)) return;
  std::vector<Row> own(bodies_.x.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto& x = bodies_.x[i];
    const auto& v = bodies_.v[i];
    const auto& series = bodies_.series[i];
    own[i] = {x.x, x.y, x.z, v.x, v.y, v.z};
    std::copy_n(bodies_.low[i].begin(), 6, own[i].begin() + 6);
    own[i][12] = state_.G() * x.m;
    // Another scheme has kept its own.
    if (std::all_of(series.begin(), series.begin() + first_kept, [](double c) { return c == 0; }))
      std::copy_n(series.begin() + first_kept, 7, own[i].begin() + 13);
  }
  const auto all = state_.of_all_ranks(own);
  const std::size_t n = all.size();
  paths_.resize(n);
  place_.resize(n), low_.resize(n), steps_.resize(n), levels_.assign(n, 0);
  std::size_t next = 0;
  for (const bool pulls : {true, false}) {
    for (std::size_t i = 0; i < n; ++i)
      if ((all[i][12] > 0) == pulls) place_[i] = next++;
    if (pulls) paths_.pulling = next;
  }
  bool kept = true;
  for (std::size_t i = 0; i < n; ++i) {
    const auto& row = all[i];
    const std::size_t k = place_[i];
    BodyPaths::set(paths_.x, k, {row[0], row[1], row[2]});
    BodyPaths::set(paths_.v, k, {row[3], row[4], row[5]});
    std::copy_n(row.begin() + 6, 6, low_[k].begin());
    paths_.mass[k] = row[12];
    BodyPaths::set(paths_.a, k, {row[13], row[14], row[15]});
    BodyPaths::set(paths_.j, k, {row[16], row[17], row[18]});
    steps_[k] = row[19];
    kept = kept && row[19] > 0;
  }
  if (!kept) find_start(plan);
}

void BlockHermiteStepper::find_start(const StepPlan& plan) {
  const std::size_t n = paths_.bodies;
  paths_.unit = plan.dt;
  std::ranges::fill(paths_.from, 0.0);
  active_.resize(n), a_new_.resize(n), j_new_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    active_[k] = static_cast<std::uint32_t>(k);
    BodyPaths::set(paths_.a, k, {}), BodyPaths::set(paths_.j, k, {});
  }
  state_.evaluate_some(paths_, 0, plan.time_of(0), active_, a_new_, j_new_);
  for (std::size_t k = 0; k < n; ++k)
    BodyPaths::set(paths_.a, k, a_new_[k].xyz()), BodyPaths::set(paths_.j, k, j_new_[k].xyz());
  std::vector<Vec4<double>> snaps(n), crackles(n);
  const bool whole = state_.higher_derivatives(paths_, snaps, crackles);
  for (std::size_t k = 0; k < n; ++k) {
    const auto a = a_new_[k].xyz();
    steps_[k] = step_by(plan.eta, a, j_new_[k].xyz(), snaps[k].xyz(), crackles[k].xyz());
    if (whole) continue;
    // Fields of others have no known ones: a short step, which may soon become longer.
    const double r = norm(BodyPaths::at(paths_.x, k)), speed = norm(BodyPaths::at(paths_.v, k)),
                 fall = std::sqrt(r * norm(a));
    if (fall > 0) steps_[k] = std::min(steps_[k], std::sqrt(plan.eta) / 16 * r / (speed + fall));
  }
}

/// From the lengths of the steps, which another dt may have left.
void BlockHermiteStepper::set_levels(double dt) {
  paths_.unit = dt;
  std::ranges::fill(paths_.from, 0.0);
  count_ = {};
  for (std::size_t k = 0; k < paths_.bodies; ++k) {
    int level = 0;
    while (level < finest && length_of(level) > steps_[k]) ++level;
    levels_[k] = static_cast<std::uint8_t>(level);
    steps_[k] = length_of(level);
    ++count_[std::size_t(level)];
  }
}

/// One step dt: as many blocks as times at which steps end.
void BlockHermiteStepper::step(const StepPlan& plan, std::uint64_t number) {
  const double begin = plan.time_of(number), end = plan.time_of(number + 1);
  for (std::uint64_t now = 0; now < ticks;) {
    int shortest = finest;
    while (shortest > 0 && count_[std::size_t(shortest)] == 0) --shortest;
    const std::uint64_t size = ticks >> shortest;
    now = (now / size + 1) * size;
    const int least = std::max(0, finest - std::countr_zero(now));
    active_.clear();
    for (std::size_t k = 0; k < levels_.size(); ++k)
      if (levels_[k] >= least) active_.push_back(static_cast<std::uint32_t>(k));
    a_new_.resize(active_.size()), j_new_.resize(active_.size());
    const double part = double(now) / double(ticks), time = now == ticks ? end : begin + part * plan.dt;
    state_.evaluate_some(paths_, part, time, active_, a_new_, j_new_);
    for (const auto k : active_) --count_[levels_[k]];
    for_each_index(
        active_.size(), [&](std::size_t t) { correct(t, plan.eta, now); }, 2048);
    for (const auto k : active_) {
      ++count_[levels_[k]];
      paths_.from[k] = part;
      if (!(steps_[k] > 0))
        throw NumericalError(
            fmt::format("the step of a body has shrunk to less than {:g} at time {}: two bodies are too "
                        "close; use softening",
                        length_of(finest), time),
            Error::Code::step_too_small);
    }
  }
  std::ranges::fill(paths_.from, 0.0);
}

/// An active body at the end of its step, with the length of the next one: 0 if none is short enough.
void BlockHermiteStepper::correct(std::size_t t, double eta, std::uint64_t end) {
  const std::size_t k = active_[t];
  const double h = steps_[k];
  const auto a0 = BodyPaths::at(paths_.a, k), j0 = BodyPaths::at(paths_.j, k), a1 = a_new_[t].xyz(),
             j1 = j_new_[t].xyz();
  const auto x0 = BodyPaths::at(paths_.x, k), v0 = BodyPaths::at(paths_.v, k);
  auto& l = low_[k];
  const auto dv = h / 2 * (a0 + a1) + h * h / 12 * (j0 - j1);
  const auto dx = h * (v0 + 0.5 * dv) + h * h / 12 * (a0 - a1) + h * Vec3<double>{l[3], l[4], l[5]};
  BodyPaths::set(paths_.x, k,
                 {two_sum(x0.x, l[0], dx.x), two_sum(x0.y, l[1], dx.y), two_sum(x0.z, l[2], dx.z)});
  BodyPaths::set(paths_.v, k,
                 {two_sum(v0.x, l[3], dv.x), two_sum(v0.y, l[4], dv.y), two_sum(v0.z, l[5], dv.z)});
  BodyPaths::set(paths_.a, k, a1), BodyPaths::set(paths_.j, k, j1);
  // Second and third derivatives at the end of the step, from both ends' values.
  const double d2 = 1 / (h * h), d3 = d2 / h;
  const auto crackle = d3 * (12.0 * (a0 - a1) + 6 * h * (j0 + j1));
  const auto snap = d2 * (-6.0 * (a0 - a1) - h * (4.0 * j0 + 2.0 * j1)) + h * crackle;
  const double wanted = step_by(eta, a1, j1, snap, crackle);
  int level = levels_[k];
  if (level > 0 && wanted >= 2 * h && end % (ticks >> (level - 1)) == 0) --level;
  while (level < finest && length_of(level) > wanted) ++level;
  levels_[k] = static_cast<std::uint8_t>(level);
  steps_[k] = length_of(level) > wanted ? 0 : length_of(level);
}

/// Gives this rank's bodies back.
void BlockHermiteStepper::keep() {
  for (std::size_t i = 0; i < bodies_.x.size(); ++i) {
    const std::size_t k = place_[state_.first_of_rank() + i];
    const auto x = BodyPaths::at(paths_.x, k), v = BodyPaths::at(paths_.v, k), a = BodyPaths::at(paths_.a, k),
               j = BodyPaths::at(paths_.j, k);
    bodies_.x[i] = {x.x, x.y, x.z, bodies_.x[i].m}, bodies_.v[i] = {v.x, v.y, v.z, 0};
    bodies_.low[i] = low_[k];
    auto& series = bodies_.series[i] = {};
    const double kept[] = {a.x, a.y, a.z, j.x, j.y, j.z, steps_[k]};
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
