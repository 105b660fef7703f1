/// Hermite's sixth-order scheme: predict, evaluate, correct, evaluate, with accelerations, jerks and snaps
/// (Nitadori & Makino 2008, New Astronomy 13, 498).
///
/// A snap needs the accelerations of both bodies of a pair: at the end of a step those that are predicted,
/// then those of the first evaluation. The predictor has the crackle, too, of the polynomial through both
/// ends of the step before. Snap and crackle of the present state do not follow from it alone: they stay with
/// the bodies as the series of their accelerations (Bodies::series), so a resumed run goes on with the same
/// bits. Positions and velocities are sums of two doubles, as in the fourth-order scheme.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/two_sum.hpp"
#include "integrate/corrector.hpp"
#include "integrate/stepper.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

namespace pleiad {

extern const Integrator integrator_hermite6;

namespace {

class Hermite6Stepper final : public Stepper {
 public:
  explicit Hermite6Stepper(DoubleState& state) : state_(state), bodies_(state.particles()) {
    const std::size_t n = bodies_.x.size();
    for (auto* field : {&a_, &j_, &s_, &c_, &a_new_, &j_new_, &s_new_, &known_, &x0_, &v0_}) field->resize(n);
    if (corrector::has_map_state(bodies_.series)) bodies_.series.clear();
    bodies_.low.resize(n), bodies_.series.resize(n);
  }

  void advance(const StepPlan& plan, std::uint64_t steps) override {
    if (!plan.factors->constant())
      throw UsageError("hermite6 steps bodies in static space only; kdk takes factors that change with time");
    state_.begin_steps();
    for (std::uint64_t k = 0; k < steps; ++k) step(plan.dt);
  }
  double suggest_dt(double eta) override;
  std::optional<std::span<const Vec4<double>>> accelerations() override {
    need_forces();
    return a_;
  }

 private:
  void need_forces();
  void step(double dt);
  void keep_series();
  double first_step();

  DoubleState& state_;
  DoubleState::Particles bodies_;
  std::vector<Vec4<double>> a_, j_, s_, c_;  ///< the acceleration and its derivatives
  std::vector<Vec4<double>> a_new_, j_new_, s_new_, known_, x0_, v0_;
  std::vector<std::array<double, 6>> low0_;
  bool forces_current_ = false, has_crackle_ = false;
};

/// Those of the present state. Snap and crackle come from the series of the step before; without one the
/// snap is computed, and the crackle is 0: that of a single step does not change the order.
void Hermite6Stepper::need_forces() {
  if (std::exchange(forces_current_, true)) return;
  double any = 0;
  for (std::size_t i = 0; i < s_.size(); ++i) {
    const auto& c = bodies_.series[i];
    s_[i] = {2 * c[3], 2 * c[4], 2 * c[5], 0}, c_[i] = {6 * c[6], 6 * c[7], 6 * c[8], 0};
    for (std::size_t k = 0; k < 9; ++k) any = std::max(any, std::abs(c[k]));
  }
  has_crackle_ = state_.max(any) > 0;
  std::ranges::fill(known_, Vec4<double>{});
  state_.evaluate(known_, a_, j_, s_new_);
  if (has_crackle_) return;
  known_ = a_;
  state_.evaluate(known_, a_, j_, s_);
}

void Hermite6Stepper::step(double dt) {
  need_forces();
  const std::size_t n = bodies_.x.size();
  // The state at the beginning of the step, with increments of position and velocity.
  low0_ = bodies_.low;
  const auto set = [&](std::size_t i, const Vec3<double>& dx, const Vec3<double>& dv) {
    const auto &x = x0_[i], &v = v0_[i];
    auto& l = bodies_.low[i] = low0_[i];
    bodies_.x[i] = {two_sum(x.x, l[0], dx.x), two_sum(x.y, l[1], dx.y), two_sum(x.z, l[2], dx.z),
                    bodies_.x[i].m};
    bodies_.v[i] = {two_sum(v.x, l[3], dv.x), two_sum(v.y, l[4], dv.y), two_sum(v.z, l[5], dv.z), 0};
  };
  const auto of_low = [&](std::size_t i) {  // contribution of the low part of the velocity to a displacement
    const auto& l = low0_[i];
    return dt * Vec3<double>{l[3], l[4], l[5]};
  };
  for (std::size_t i = 0; i < n; ++i) {
    const auto& x = bodies_.x[i];
    x0_[i] = {x.x, x.y, x.z, 0}, v0_[i] = bodies_.v[i];
    const auto v = v0_[i].xyz(), a = a_[i].xyz(), j = j_[i].xyz(), s = s_[i].xyz(), c = c_[i].xyz();
    const auto da = dt * (j + dt / 2 * (s + dt / 3 * c));
    const auto dv = dt * (a + dt / 2 * (j + dt / 3 * (s + dt / 4 * c)));
    set(i, dt * (v + dt / 2 * (a + dt / 3 * (j + dt / 4 * (s + dt / 5 * c)))) + of_low(i), dv);
    known_[i] = {a.x + da.x, a.y + da.y, a.z + da.z, 0};
  }
  state_.evaluate(known_, a_new_, j_new_, s_new_);
  for (std::size_t i = 0; i < n; ++i) {
    const auto a0 = a_[i].xyz(), a1 = a_new_[i].xyz(), j0 = j_[i].xyz(), j1 = j_new_[i].xyz();
    const auto s0 = s_[i].xyz(), s1 = s_new_[i].xyz();
    const auto dv = dt / 2 * (a0 + a1) + dt * dt / 10 * (j0 - j1) + dt * dt * dt / 120 * (s0 + s1);
    set(i,
        dt * (v0_[i].xyz() + 0.5 * dv) + dt * dt / 10 * (a0 - a1) + dt * dt * dt / 120 * (j0 + j1) +
            of_low(i),
        dv);
  }
  state_.wrap();
  std::swap(known_, a_new_);
  state_.evaluate(known_, a_new_, j_new_, s_new_);
  // The third derivative, at the end of the step, of the polynomial of degree 5 through both ends' values.
  const double d1 = dt, d2 = dt * dt, d3 = d2 * dt;
  for (std::size_t i = 0; i < n; ++i) {
    const auto c = (60.0 / d3) * (a_new_[i].xyz() - a_[i].xyz()) -
                   (12 * d1 / d3) * (2.0 * j_[i].xyz() + 3.0 * j_new_[i].xyz()) +
                   (3 * d2 / d3) * (3.0 * s_new_[i].xyz() - s_[i].xyz());
    c_[i] = {c.x, c.y, c.z, 0};
  }
  std::swap(a_, a_new_), std::swap(j_, j_new_), std::swap(s_, s_new_);
  keep_series();
  has_crackle_ = true;
}

/// Keeps snap and crackle with the bodies, from where a resumed run takes them: they are what is kept.
void Hermite6Stepper::keep_series() {
  for (std::size_t i = 0; i < c_.size(); ++i) {
    auto& series = bodies_.series[i];
    series = {j_[i].x,     j_[i].y,     j_[i].z,     s_[i].x / 2, s_[i].y / 2,
              s_[i].z / 2, c_[i].x / 6, c_[i].y / 6, c_[i].z / 6};
    c_[i] = {6 * series[6], 6 * series[7], 6 * series[8], 0};
  }
}

/// A length of a first step from positions, velocities and accelerations alone.
double Hermite6Stepper::first_step() {
  double trial = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < bodies_.x.size(); ++i) {
    const auto& x = bodies_.x[i];
    const double a = norm(a_[i].xyz()), speed = norm(bodies_.v[i].xyz());
    const double r = norm(Vec3<double>{x.x, x.y, x.z}) + 1e-300;
    if (a > 0 && bodies_.decides(i))
      trial = std::min(trial, 1e-4 * std::min(std::sqrt(r / a), r / (speed + std::sqrt(r * a))));
  }
  return state_.min(trial);
}

/// Aarseth's criterion, as that of the fourth-order scheme, so that eta means the same: sqrt(eta (|a| |s| +
/// |j|^2) / (|j| |c| + |s|^2)) of the body with the shortest step. The crackle of a state without a step
/// before it is that of a short trial step, which is taken back.
double Hermite6Stepper::suggest_dt(double eta) {
  need_forces();
  if (!has_crackle_) {
    const double trial = first_step();
    if (!std::isfinite(trial)) return trial;
    const auto x = bodies_.x;
    const auto v = bodies_.v;
    const auto low = bodies_.low;
    const auto a = a_, j = j_, s = s_;
    step(trial);
    bodies_.x = x, bodies_.v = v, bodies_.low = low;
    a_ = a, j_ = j, s_ = s;
    keep_series();
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < bodies_.x.size(); ++i) {
    const double a = norm(a_[i].xyz()), j = norm(j_[i].xyz()), s = norm(s_[i].xyz()), c = norm(c_[i].xyz());
    const double below = j * c + s * s;
    if (below > 0 && bodies_.decides(i)) least = std::min(least, std::sqrt(eta * (a * s + j * j) / below));
  }
  return state_.min(least);
}

std::unique_ptr<Stepper> make_hermite6(SteppedState& state) {
  return std::make_unique<Hermite6Stepper>(state.in_doubles(integrator_hermite6));
}

}  // namespace

extern const Integrator integrator_hermite6{
    .name = "hermite6",
    .idea =
        "Hermite predictor-corrector with jerk and snap (Nitadori & Makino 2008), one correction and a fresh "
        "evaluation; for clusters of point masses at errors far below those of hermite4",
    .order = 6,
    .symplectic = false,
    .time_reversible = false,
    .evaluations = 2,
    .needs_doubles = true,
    .needs_jerks = true,
    .needs_snaps = true,
    .adapts_by_softening = false,
    .make = make_hermite6};

}  // namespace pleiad
