/// Hermite's fourth-order scheme: predict, evaluate, correct, evaluate (Makino & Aarseth 1992, PASJ 44, 141).
/// The last evaluation is at the final state, so a resumed run finds the same accelerations and jerks again.
/// Positions and velocities are sums of two doubles: a close pair makes millions of short steps, and in plain
/// doubles their roundings decide the result. Forces see the low parts too, since the difference of two close
/// bodies is where a rounding of their positions weighs most.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/two_sum.hpp"
#include "integrate/stepper.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace pleiad {

extern const Integrator integrator_hermite4;

namespace {

class HermiteStepper final : public Stepper {
 public:
  explicit HermiteStepper(DoubleState& state) : state_(state), bodies_(state.particles()) {
    for (auto* field : {&a_, &j_, &a_new_, &j_new_, &x0_, &v0_, &snap_, &crackle_})
      field->resize(bodies_.x.size());
    bodies_.low.resize(bodies_.x.size());
  }

  void advance(const StepPlan& plan, std::uint64_t steps) override {
    if (!plan.factors->constant())
      throw UsageError("hermite4 steps bodies in static space only; kdk takes factors that change with time");
    state_.begin_steps();
    // Times that nobody asks for are not looked up, which would take longer than a step of few bodies.
    const bool timed = state_.depends_on_time();
    const auto time = [&](std::uint64_t k) { return timed ? plan.time_of(k) : plan.time; };
    for (std::uint64_t k = 0; k < steps; ++k) {
      const double work = step(time(k), time(k + 1), plan.dt);
      if (state_.counts_work()) state_.add_work(work);
    }
  }
  double suggest_dt(double eta) override;
  std::optional<std::span<const Vec4<double>>> accelerations() override {
    need_forces(bodies_.time);
    return a_;
  }

 private:
  void need_forces(double time) {
    if (std::exchange(forces_current_, true)) return;
    state_.evaluate(a_, j_, time);
    if (state_.counts_work()) power_ = state_.power(a_);
  }
  double step(double from, double to, double dt);
  void find_derivatives();
  double first_step();

  DoubleState& state_;
  DoubleState::Particles bodies_;
  std::vector<Vec4<double>> a_, j_, a_new_, j_new_, x0_, v0_;
  std::vector<Vec4<double>> snap_, crackle_;  ///< of the last step, once there was one
  std::vector<std::array<double, 6>> low0_;
  std::array<double, 2> power_{};  ///< of drags at the present state, where their work is counted
  bool forces_current_ = false, history_ = false;
};

/// Returns the work of drags, where it is counted: the integral of their power, as velocities are of
/// accelerations.
double HermiteStepper::step(double from, double to, double dt) {
  need_forces(from);
  const auto& x_ = bodies_.x;
  const auto& v_ = bodies_.v;
  const std::size_t n = x_.size();
  // The state at the beginning of the step, with increments of position and velocity.
  low0_ = bodies_.low;
  const auto set = [&](std::size_t i, const Vec3<double>& dx, const Vec3<double>& dv) {
    const auto &x = x0_[i], &v = v0_[i];
    auto& l = bodies_.low[i] = low0_[i];
    bodies_.x[i] = {two_sum(x.x, l[0], dx.x), two_sum(x.y, l[1], dx.y), two_sum(x.z, l[2], dx.z),
                    bodies_.x[i].m};
    bodies_.v[i] = {two_sum(v.x, l[3], dv.x), two_sum(v.y, l[4], dv.y), two_sum(v.z, l[5], dv.z), 0};
  };
  const auto speed = [&](std::size_t i, double share) {  // contribution of the low part to a displacement
    const auto& l = low0_[i];
    return share * Vec3<double>{l[3], l[4], l[5]};
  };
  for (std::size_t i = 0; i < n; ++i) {
    x0_[i] = {x_[i].x, x_[i].y, x_[i].z, 0}, v0_[i] = v_[i];
    const auto v = v0_[i].xyz(), a = a_[i].xyz(), j = j_[i].xyz();
    set(i, dt * v + dt * dt / 2 * a + dt * dt * dt / 6 * j + speed(i, dt), dt * a + dt * dt / 2 * j);
  }
  // Predicted velocities are less accurate than positions by one order: forces that depend on them need a
  // second correction.
  for (int corrections = state_.depends_on_velocities() ? 2 : 1; corrections > 0; --corrections) {
    state_.evaluate(a_new_, j_new_, to);
    for (std::size_t i = 0; i < n; ++i) {
      const auto a0 = a_[i].xyz(), a1 = a_new_[i].xyz();
      const auto dv = dt / 2 * (a0 + a1) + dt * dt / 12 * (j_[i].xyz() - j_new_[i].xyz());
      set(i, dt * (v0_[i].xyz() + 0.5 * dv) + dt * dt / 12 * (a0 - a1) + speed(i, dt), dv);
    }
  }
  state_.wrap();
  state_.evaluate(a_new_, j_new_, to);
  // Second and third derivatives of the acceleration at the end of the step, from both ends' values (ibid.,
  // eqs 6 and 7).
  const double d2 = 1 / (dt * dt), d3 = d2 / dt;
  const auto derivatives = [&](double a0, double a1, double j0, double j1, double& snap, double& crackle) {
    const double snap0 = (-6 * (a0 - a1) - dt * (4 * j0 + 2 * j1)) * d2;
    crackle = (12 * (a0 - a1) + 6 * dt * (j0 + j1)) * d3;
    snap = snap0 + dt * crackle;
  };
  for (std::size_t i = 0; i < n; ++i) {
    derivatives(a_[i].x, a_new_[i].x, j_[i].x, j_new_[i].x, snap_[i].x, crackle_[i].x);
    derivatives(a_[i].y, a_new_[i].y, j_[i].y, j_new_[i].y, snap_[i].y, crackle_[i].y);
    derivatives(a_[i].z, a_new_[i].z, j_[i].z, j_new_[i].z, snap_[i].z, crackle_[i].z);
  }
  std::swap(a_, a_new_);
  std::swap(j_, j_new_);
  history_ = true;
  if (!state_.counts_work()) return 0;
  const auto before = std::exchange(power_, state_.power(a_));
  return dt / 2 * (before[0] + power_[0]) + dt * dt / 12 * (before[1] - power_[1]);
}

/// A length of the first step from positions, velocities and accelerations alone.
double HermiteStepper::first_step() {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const auto& x = bodies_.x;
  const auto& v = bodies_.v;
  double trial = infinite;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = norm(a_[i].xyz());
    const double speed = norm(v[i].xyz());
    const double r = norm(Vec3<double>{x[i].x, x[i].y, x[i].z}) + 1e-300;
    if (a > 0 && bodies_.decides(i))
      trial = std::min(trial, 1e-4 * std::min(std::sqrt(r / a), r / (speed + std::sqrt(r * a))));
  }
  return state_.min(trial);
}

/// The higher derivatives of a state without a step before it: a short trial step is made and taken back.
void HermiteStepper::find_derivatives() {
  const double trial = first_step();
  if (!std::isfinite(trial)) return;
  const auto x = bodies_.x;
  const auto v = bodies_.v;
  const auto low = bodies_.low;
  const double now = bodies_.time;
  step(now, now + trial, trial);
  bodies_.x = x, bodies_.v = v, bodies_.low = low;
  forces_current_ = false;
  need_forces(now);
}

/// Aarseth's criterion, sqrt(eta (|a| |a2| + |a1|^2) / (|a1| |a3| + |a2|^2)) with the derivatives a1 to a3 of
/// a, of the body with the shortest step (ibid.).
double HermiteStepper::suggest_dt(double eta) {
  need_forces(bodies_.time);
  if (!history_) find_derivatives();
  double least = std::numeric_limits<double>::infinity();
  if (!history_) return least;
  for (std::size_t i = 0; i < bodies_.x.size(); ++i) {
    const double a = norm(a_[i].xyz()), j = norm(j_[i].xyz()), s = norm(snap_[i].xyz()),
                 c = norm(crackle_[i].xyz());
    const double below = j * c + s * s;
    if (below > 0 && bodies_.decides(i)) least = std::min(least, std::sqrt(eta * (a * s + j * j) / below));
  }
  return state_.min(least);
}

std::unique_ptr<Stepper> make_hermite(SteppedState& state) {
  return std::make_unique<HermiteStepper>(state.in_doubles(integrator_hermite4));
}

}  // namespace

extern const Integrator integrator_hermite4{
    .name = "hermite4",
    .idea =
        "Hermite predictor-corrector with the jerk (Makino & Aarseth 1992), one correction "
        "and a fresh evaluation; for "
        "close encounters, best with an adaptive step",
    .order = 4,
    .symplectic = false,
    .time_reversible = false,
    .evaluations = 2,
    .needs_doubles = true,
    .needs_jerks = true,
    .adapts_by_softening = false,
    .make = make_hermite};

}  // namespace pleiad
