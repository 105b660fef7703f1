/// Gauss-Radau quadrature of order 15 with a step that follows from its own error (Everhart 1985, in Dynamics
/// of Comets, 185; Rein & Spiegel 2015, arXiv:1409.4779; step: Pham, Rein & Spiegel 2024, arXiv:2401.02849).
///
/// In a step the acceleration of each body is a polynomial in time, of degree 7, through its values at eight
/// nodes. Positions at the nodes follow from the polynomial, and the polynomial from the forces there, so a
/// step is iterated until the last coefficient has settled. Each step begins with the polynomial of the one
/// before it, about its own start. Positions and velocities are sums of two doubles, as forces see them.
/// Test particles change neither the iterations nor the length of a step: where they settle later, the
/// polynomials of the others stay as they are in the iterations that follow.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/two_sum.hpp"
#include "integrate/corrector.hpp"
#include "integrate/radau.hpp"
#include "integrate/stepper.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad {

extern const Integrator integrator_gauss_radau;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
/// Iterations end when the change of the last coefficient that is left is below this share of the largest
/// acceleration: velocities change by an eighth of it times dt |a|, which is below their rounding errors.
constexpr double settled = 1e-14;
constexpr int most_iterations = 12;
/// A step is this times eta times the shortest timescale. Its relative error is that of the first term that
/// the polynomial leaves out, (8.75 eta)^7 / 7!: 1e-9 with eta = 0.02, and then far less in the positions.
constexpr double radau_share = 8.75;
/// A step grows at most by this factor, and is made again in parts if it should have been shorter by it.
constexpr double largest_change = 4;

class GaussRadauStepper final : public Stepper {
 public:
  explicit GaussRadauStepper(DoubleState& state) : state_(state), bodies_(state.particles()) {
    const std::size_t n = bodies_.x.size();
    a_.resize(n), a_node_.resize(n);
    for (auto* field : {&a0_, &v0_, &low_v0_, &moved_}) field->resize(3 * n);
    for (auto* set : {&b_, &g_})
      for (auto& coefficient : *set) coefficient.resize(3 * n);
    bodies_.low.resize(n);
    if (corrector::has_map_state(bodies_.series)) bodies_.series.clear();
    bodies_.series.resize(n);
  }

  void advance(const StepPlan& plan, std::uint64_t steps) override {
    if (!plan.factors->constant())
      throw UsageError(
          "gauss-radau steps bodies in static space only; kdk takes factors that change with time");
    state_.begin_steps();
    for (std::uint64_t k = 0; k < steps; ++k) make(plan.time_of(k), plan.dt, plan.eta);
  }
  double suggest_dt(double eta) override;
  std::optional<std::span<const Vec4<double>>> accelerations() override {
    need_forces();
    return a_;
  }

 private:
  using Flat = std::vector<double>;  ///< x, y, z of each body after each other

  void need_forces() {
    if (std::exchange(forces_current_, true)) return;
    state_.evaluate(a_);
    power_ = power();
  }
  /// That of drags in the present state, where their work is counted.
  double power() { return state_.counts_work() ? state_.power({})[0] : 0; }
  void make(double time, double dt, double eta);
  /// Bodies that decide on the iterations, and those that follow.
  enum Part : std::size_t { deciding, following };
  void solve(double time, double dt);
  void begin(double dt);
  int iterate(double time, double dt, Part part, int left);
  template <std::size_t node>
  void visit(double time, double dt, Part part);
  template <std::size_t node>
  void correct(Part part);
  void put_back(double time) {
    bodies_.x = x0_, bodies_.low = low0_;
    put_velocities_back();
    bodies_.time = time;
  }
  void put_velocities_back() {
    if (!v_start_.empty()) bodies_.v = v_start_;
  }
  void move_velocities(double s, double dt);
  void finish(double time, double dt);
  void keep_series(double dt);
  double timescale(double dt) const;
  double first_step() const;

  DoubleState& state_;
  DoubleState::Particles bodies_;
  std::vector<Vec4<double>> a_, a_node_;
  bool forces_current_ = false;                ///< a_ is that of the present state
  double power_ = 0;                           ///< of drags, with a_
  std::array<double, radau::order> powers_{};  ///< at the nodes
  double timescale_ = 0;                       ///< after the last step; 0: there was none
  double last_ = 0;                            ///< length of the last step
  std::vector<Mass<double>> x0_;
  std::vector<std::array<double, 6>> low0_;
  std::vector<Vec4<double>> v_start_;  ///< where forces depend on velocities
  Flat a0_, v0_, low_v0_, moved_;
  std::array<Flat, radau::order> b_, g_;  ///< see radau::Constants, in units of the step
  /// Changes of the last of g_ in an iteration and accelerations, of each part.
  std::array<double, 2> change_{}, largest_{};
};

/// Makes a step of dt: with eta in as many parts as its error needs.
void GaussRadauStepper::make(double time, double dt, double eta) {
  double left = dt, next = dt;
  while (left != 0) {
    // The last two parts share what is left, so that neither is tiny.
    const double part = next >= left ? left : std::min(next, left / 2), at = time + (dt - left);
    solve(at, part);
    if (eta > 0) {
      const double wanted = radau_share * eta * timescale(part);
      if (!(wanted * largest_change >= part)) {
        put_back(at);
        next = std::max(std::min(wanted, part / largest_change), part / 1024);
        if (at + next == at)
          throw NumericalError(fmt::format("the adaptive step has shrunk to {:g} at time {}: two bodies are "
                                           "too close; use softening",
                                           next, at),
                               Error::Code::step_too_small);
        continue;
      }
      next = std::min(wanted, largest_change * part);
    }
    finish(at, part);
    left = part == left ? 0 : left - part;
  }
}

/// Finds the polynomials of a step. The bodies are then at its last node.
void GaussRadauStepper::solve(double time, double dt) {
  bodies_.time = time;
  need_forces();
  begin(dt);
  const int made = iterate(time, dt, deciding, most_iterations);
  if (!bodies_.particles_follow) return;
  if (state_.max(change_[following]) <= settled * state_.max(largest_[following])) return;
  iterate(time, dt, following, most_iterations - made);
}

/// Iterates until this part has settled, at most `left` times. Returns how often.
int GaussRadauStepper::iterate(double time, double dt, Part part, int left) {
  double before = never;
  for (int k = 1; k <= left; ++k) {
    visit<0>(time, dt, part), visit<1>(time, dt, part), visit<2>(time, dt, part), visit<3>(time, dt, part);
    visit<4>(time, dt, part), visit<5>(time, dt, part), visit<6>(time, dt, part);
    const double change = state_.max(change_[part]), limit = settled * state_.max(largest_[part]);
    // Changes fall by about the same factor each time: the next one would be change^2 / before.
    if (change <= limit || (k > 1 && change * change <= limit * before) || (k > 2 && change >= before))
      return k;
    before = change;
  }
  return left;
}

/// Polynomials from the series of the last step.
void GaussRadauStepper::begin(double dt) {
  const auto& c = radau::constants();
  const std::size_t n = bodies_.x.size();
  x0_ = bodies_.x, low0_ = bodies_.low;
  if (state_.depends_on_velocities()) v_start_ = bodies_.v;
  for (std::size_t i = 0; i < n; ++i) {
    const auto &a = a_[i], &v = bodies_.v[i];
    const auto& low = low0_[i];
    a0_[3 * i] = a.x, a0_[3 * i + 1] = a.y, a0_[3 * i + 2] = a.z;
    v0_[3 * i] = v.x, v0_[3 * i + 1] = v.y, v0_[3 * i + 2] = v.z;
    for (std::size_t axis = 0; axis < 3; ++axis) low_v0_[3 * i + axis] = low[3 + axis];
    double power = dt;
    for (std::size_t k = 0; k < radau::order; ++k, power *= dt)
      for (std::size_t axis = 0; axis < 3; ++axis)
        b_[k][3 * i + axis] = bodies_.series[i][3 * k + axis] * power;
  }
  for (std::size_t k = 0; k < radau::order; ++k)
    for (std::size_t i = 0; i < 3 * n; ++i) {
      double sum = 0;
      for (std::size_t m = radau::order; m-- > k;) sum += c.newton[m][k] * b_[m][i];
      g_[k][i] = sum;
    }
}

/// Moves the bodies to a node, and corrects the polynomials by their accelerations there: all, or those of
/// the bodies that follow.
template <std::size_t node>
void GaussRadauStepper::visit(double time, double dt, Part part) {
  const double s = radau::constants().node[node], ahead = s * dt;
  const std::size_t n = bodies_.x.size();
  for (std::size_t i = 0; i < 3 * n; ++i) {
    // The double integral of a0 + b1 s + ... + b7 s^7 is s^2 (a0 / 2 + b1 s / 6 + ... + b7 s^7 / 72).
    double sum = b_[6][i] * (1.0 / 72) * s;
    sum = (sum + b_[5][i] * (1.0 / 56)) * s, sum = (sum + b_[4][i] * (1.0 / 42)) * s;
    sum = (sum + b_[3][i] * (1.0 / 30)) * s, sum = (sum + b_[2][i] * (1.0 / 20)) * s;
    sum = (sum + b_[1][i] * (1.0 / 12)) * s, sum = (sum + b_[0][i] * (1.0 / 6)) * s;
    moved_[i] = ahead * (v0_[i] + (low_v0_[i] + ahead * (a0_[i] * 0.5 + sum)));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto& x = x0_[i];
    auto& low = bodies_.low[i] = low0_[i];
    bodies_.x[i] = {two_sum(x.x, low[0], moved_[3 * i]), two_sum(x.y, low[1], moved_[3 * i + 1]),
                    two_sum(x.z, low[2], moved_[3 * i + 2]), x.m};
  }
  bodies_.time = time + ahead;
  if (!v_start_.empty()) move_velocities(s, dt);
  state_.evaluate(a_node_);
  powers_[node] = power();
  for (std::size_t i = 0; i < n; ++i)
    moved_[3 * i] = a_node_[i].x, moved_[3 * i + 1] = a_node_[i].y, moved_[3 * i + 2] = a_node_[i].z;
  correct<node>(part);
}

/// Velocities at a share s of the step, for forces that depend on them.
void GaussRadauStepper::move_velocities(double s, double dt) {
  const auto velocity = [&](std::size_t at) {
    double sum = 0;
    for (std::size_t k = radau::order; k-- > 0;) sum = (sum + b_[k][at] / double(k + 2)) * s;
    return v0_[at] + (low_v0_[at] + s * dt * (a0_[at] + sum));
  };
  for (std::size_t i = 0; i < x0_.size(); ++i)
    bodies_.v[i] = {velocity(3 * i), velocity(3 * i + 1), velocity(3 * i + 2), 0};
}

/// Adds to the polynomials what the accelerations at a node, in moved_, differ from theirs (divided
/// differences).
template <std::size_t node>
void GaussRadauStepper::correct(Part part) {
  const auto& c = radau::constants();
  std::array<double, 2> change{}, largest{};
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    const Part of = bodies_.decides(i / 3) ? deciding : following;
    if (of < part) continue;
    double g = (moved_[i] - a0_[i]) * c.inverse[node][0];
    for (std::size_t k = 0; k < node; ++k) g = (g - g_[k][i]) * c.inverse[node][k + 1];
    const double d = g - g_[node][i];
    g_[node][i] = g;
    for (std::size_t k = 0; k <= node; ++k) b_[k][i] += c.power[node][k] * d;
    if constexpr (node + 1 == radau::order)
      change[of] = std::max(change[of], std::abs(d)),
      largest[of] = std::max(largest[of], std::abs(moved_[i]));
  }
  if constexpr (node + 1 == radau::order) change_ = change, largest_ = largest;
}

/// Moves the bodies to the end of the step.
void GaussRadauStepper::finish(double time, double dt) {
  put_velocities_back();
  for (std::size_t i = 0; i < x0_.size(); ++i) {
    auto& low = bodies_.low[i] = low0_[i];
    const auto end = [&](std::size_t axis, double& x, double& v) {
      const std::size_t at = 3 * i + axis;
      double dx = 0, dv = 0;
      for (std::size_t k = radau::order; k-- > 0;) {
        dx += b_[k][at] / double((k + 2) * (k + 3));
        dv += b_[k][at] / double(k + 2);
      }
      x = two_sum(x, low[axis], dt * (low_v0_[at] + dt * (a0_[at] / 2 + dx)));
      x = two_sum(x, low[axis], dt * v0_[at]);
      v = two_sum(v, low[3 + axis], dt * dv);
      v = two_sum(v, low[3 + axis], dt * a0_[at]);
    };
    auto x = x0_[i];
    auto& v = bodies_.v[i];
    end(0, x.x, v.x), end(1, x.y, v.y), end(2, x.z, v.z);
    bodies_.x[i] = x;
  }
  bodies_.time = time + dt;
  if (state_.counts_work()) state_.add_work(dt * radau::mean(power_, powers_));
  timescale_ = timescale(dt), last_ = dt;
  keep_series(dt);
  state_.wrap();
  forces_current_ = false;
}

/// Keeps the polynomials of a step as series in time about its end.
void GaussRadauStepper::keep_series(double dt) {
  for (std::size_t at = 0; at < a0_.size(); ++at) {
    double power = 1 / dt;
    for (std::size_t k = 0; k < radau::order; ++k, power /= dt) {
      double sum = 0, binomial = 1;  // (m + 1 over k + 1)
      for (std::size_t m = k; m < radau::order; ++m) {
        sum += binomial * b_[m][at];
        binomial = binomial * double(m + 2) / double(m + 1 - k);
      }
      bodies_.series[at / 3][3 * k + at % 3] = sum * power;
    }
  }
}

/// The shortest time in which the acceleration of a body changes, from its first two derivatives at the end
/// of the step; 0 if a body has no finite ones. Where an acceleration goes through 0, a hundredth of what the
/// jerk changes it by in its own time stands for it: a criterion of relative errors would end there.
double GaussRadauStepper::timescale(double dt) const {
  double least = never;
  for (std::size_t i = 0; i < x0_.size(); ++i) {
    if (!bodies_.decides(i)) continue;
    double acceleration = 0, jerk = 0, snap = 0, crackle = 0;  // squares, in units of the step
    for (std::size_t at = 3 * i; at < 3 * i + 3; ++at) {
      double a = a0_[at], j = 0, s = 0, c = 0;
      for (std::size_t k = 0; k < radau::order; ++k) {
        const double b = b_[k][at];
        a += b, j += double(k + 1) * b, s += double(k * (k + 1)) * b;
        if (k > 1) c += double((k - 1) * k * (k + 1)) * b;
      }
      acceleration += a * a, jerk += j * j, snap += s * s, crackle += c * c;
    }
    if (!std::isfinite(acceleration + jerk + snap + crackle)) return state_.min(0);
    if (const double below = snap + std::sqrt(jerk * crackle); below > 0)
      acceleration += 0.01 * 2 * jerk * jerk / below;
    const double square = 2 * acceleration / (jerk + std::sqrt(acceleration * snap));
    if (square > 0) least = std::min(least, square);
  }
  return state_.min(dt * std::sqrt(least));
}

/// A small share of the shortest time in which a body moves or falls by the extent of the system; infinite
/// without accelerations.
double GaussRadauStepper::first_step() const {
  double extent = 0, shortest = never;
  for (const auto axis : {&Mass<double>::x, &Mass<double>::y, &Mass<double>::z}) {
    double low = never, high = -never;
    for (std::size_t i = 0; i < bodies_.x.size(); ++i)
      if (const auto& x = bodies_.x[i]; bodies_.decides(i))
        low = std::min(low, x.*axis), high = std::max(high, x.*axis);
    extent = std::max(extent, state_.max(high) - state_.min(low));
  }
  for (std::size_t i = 0; i < a_.size(); ++i) {
    const double a = norm(a_[i].xyz()), fall = std::sqrt(extent * a);
    if (a > 0 && bodies_.decides(i))
      shortest = std::min(shortest, extent / (norm(bodies_.v[i].xyz()) + fall));
  }
  return 1e-4 * state_.min(shortest);
}

double GaussRadauStepper::suggest_dt(double eta) {
  if (timescale_ > 0) return std::min(radau_share * eta * timescale_, largest_change * last_);
  need_forces();
  const double time = bodies_.time, trial = first_step();
  if (!(trial > 0 && std::isfinite(trial))) return never;
  solve(time, trial);
  const double found = timescale(trial);
  put_back(time);
  return radau_share * eta * found;
}

std::unique_ptr<Stepper> make_gauss_radau(SteppedState& state) {
  return std::make_unique<GaussRadauStepper>(state.in_doubles(integrator_gauss_radau));
}

}  // namespace

extern const Integrator integrator_gauss_radau{
    .name = "gauss-radau",
    .idea =
        "implicit Gauss-Radau quadrature (Everhart 1985, Rein & Spiegel 2015), to rounding errors with "
        "an adaptive step; for planets and close encounters of few bodies",
    .order = 15,
    .symplectic = false,
    .time_reversible = false,
    .evaluations = 15,
    .needs_doubles = true,
    .adapts_by_softening = false,
    .make = make_gauss_radau};

}  // namespace pleiad
