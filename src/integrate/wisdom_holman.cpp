/// Wisdom-Holman maps for planets: each body moves on its Kepler orbit about the central one, and the pulls
/// of the others are kicks (Wisdom & Holman 1991, Astronomical Journal 102, 1528).
///
/// Two splittings. Democratic heliocentric coordinates are positions relative to the central body and
/// barycentric velocities; the motion of the central body is a jump of all positions (Duncan, Levison & Lee
/// 1998, Astronomical Journal 116, 2067). Jacobi coordinates are relative to the centre of mass of the bodies
/// before each one, in the order of the snapshot; their splitting is more accurate where planets are far
/// apart.
///
/// The state is that of the bodies, positions and velocities as sums of two doubles. Each step computes its
/// coordinates anew and adds the changes, so a resumed run goes on with the same bits, and rounding errors
/// are those of the changes. Only bodies with mass pull; those without do not change a bit of the others, and
/// may be carried elsewhere (orbit_particles.hpp).
/// Semi-active bodies pull those that pull all others alone; in the motion of the barycentre all count.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "integrate/wisdom_holman.hpp"

#include "core/two_sum.hpp"
#include "integrate/orbit_map.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace pleiad {

extern const Integrator integrator_wisdom_holman;
extern const Integrator integrator_wisdom_holman_jacobi;

namespace {

using orbits::Columns;

}  // namespace

/// Steps of a trail: enough that particles are read and written seldom, and few enough that the bodies with
/// mass are soon ready with the first.
constexpr std::size_t followed_at_once = 128;

WisdomHolmanStepper::WisdomHolmanStepper(DoubleState& state, bool jacobi, OrbitParticles* carried)
    : state_(state), carried_(carried), jacobi_(jacobi) {
  const auto bodies = state_.particles();
  bodies.low.resize(bodies.x.size());
  const auto heaviest = std::ranges::max_element(bodies.x, {}, &Mass<double>::m);
  star_ = std::size_t(heaviest - bodies.x.begin());
  if (!bodies.semi_active.empty() && bodies.semi_active[star_] != 0)
    throw UsageError(
        "gravity.semi_active: the heaviest body is one, and Wisdom-Holman needs its pulls; leave it out");
  for (std::size_t i = 0; i < bodies.x.size(); ++i)
    if (i != star_ && (carried_ == nullptr || bodies.x[i].m > 0)) body_.push_back(i);
  if (carried_ != nullptr) carried_->forget();
  n_ = body_.size(), size_ = orbits::padded(std::max<std::size_t>(n_, 1));
  for (auto* columns : {&x_.high, &x_.low, &v_.high, &v_.low, &q_, &u_, &a_, &dq_, &du_, &kicked_})
    for (auto& column : *columns) column.assign(size_, 0);
  // What pads the columns is at rest, and not at the centre.
  q_[0].assign(size_, 1), x_.high[0].assign(size_, 1);
  set_masses(bodies.x, bodies.semi_active);
}

void WisdomHolmanStepper::advance(const StepPlan& plan, std::uint64_t steps) {
  if (!plan.factors->constant())
    throw UsageError(
        "Wisdom-Holman steps bodies in static space only; kdk takes factors that change with time");
  state_.begin_steps();
  enter(plan.corrector > 0 ? corrector::Map{plan.corrector, plan.dt} : corrector::Map{});
  load();
  if (!forces_current_) find_pulls();
  else if (jacobi_) to_jacobi(q_);
  if (carried_ != nullptr) load_particles();
  if (state_.has_added_forces()) step_with_added_forces(plan, steps);
  else
    for (std::uint64_t k = 0; k < steps; ++k) {
      step(plan.dt);
      if (carried_ == nullptr) continue;
      add_row();
      if (k + 1 == steps || trail_.steps() == followed_at_once) let_follow(plan.dt);
    }
  if (carried_ != nullptr) carried_->wait();
  forces_current_ = true;
  state_.evaluated(steps);
  store();
}

void WisdomHolmanStepper::set_masses(const std::vector<Mass<double>>& bodies,
                                     std::span<const std::uint8_t> semi_active) {
  G_ = state_.G(), star_mass_ = bodies[star_].m;
  mu_.assign(size_, 0), mass_.assign(size_, 0);
  double within = star_mass_;
  for (std::size_t k = 0; k < n_; ++k) {
    mass_[k] = bodies[body_[k]].m;
    mass_within_.push_back(within += mass_[k]);
    mu_[k] = G_ * (jacobi_ ? within : star_mass_);
    if (!(mass_[k] > 0)) continue;
    massive_.push_back(k);
    const bool alone = !semi_active.empty() && semi_active[body_[k]] != 0;
    (alone ? semi_active_ : pulling_).push_back(k);
  }
  // What pads these columns is away from all bodies, at any place.
  for (auto* columns : {&pulled_x_, &pulled_a_})
    for (auto& column : *columns) column.assign(orbits::padded(std::max<std::size_t>(pulling_.size(), 1)), 0);
}

void WisdomHolmanStepper::load() {
  const auto bodies = state_.particles();
  const auto take = [&](std::size_t i, const auto& set) {
    const auto& x = bodies.x[i];
    const auto& v = bodies.v[i];
    const auto& low = bodies.low[i];
    const Triple xs{x.x, x.y, x.z}, vs{v.x, v.y, v.z};
    for (std::size_t c = 0; c < 3; ++c) set(c, xs[c], low[c], vs[c], low[3 + c]);
  };
  take(star_, [&](std::size_t c, double x, double x_low, double v, double v_low) {
    star_x_[c] = x, star_x_low_[c] = x_low, star_v_[c] = v, star_v_low_[c] = v_low;
  });
  for (std::size_t k = 0; k < n_; ++k)
    take(body_[k], [&](std::size_t c, double x, double x_low, double v, double v_low) {
      x_.high[c][k] = x, x_.low[c][k] = x_low, v_.high[c][k] = v, v_.low[c][k] = v_low;
    });
  find_coordinates(), find_velocities();
}

void WisdomHolmanStepper::load_particles() {
  if (!carried_->loaded()) {
    const auto bodies = state_.particles();
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < bodies.x.size(); ++i)
      if (i != star_ && !(bodies.x[i].m > 0)) numbers.push_back(i);
    carried_->load(bodies, numbers);
  }
  trail_.pulling = pulling_.size();
  trail_.rows.clear();
  add_row();
}

/// The present state to the trail.
void WisdomHolmanStepper::add_row() {
  const std::size_t first = trail_.rows.size();
  trail_.rows.resize(first + trail_.length());
  auto* const values = trail_.rows.data() + first;
  const auto put = [values](std::size_t place, const Triple& three) {
    std::ranges::copy(three, values + place);
  };
  namespace row = orbits::row;
  put(row::star, star_x_), put(row::star_low, star_x_low_), put(row::drift, drift_);
  put(row::star_change, star_change_), put(row::first_jump, first_jump_);
  put(row::jumps, jumps_);
  auto* source = values + row::sources;
  for (const auto k : pulling_) {
    for (std::size_t c = 0; c < 3; ++c) *source++ = q_[c][k];
    *source++ = G_ * mass_[k];
  }
}

/// The particles make the steps of the trail, which then begins with the present state.
void WisdomHolmanStepper::let_follow(double dt) {
  trail_.dt = dt, trail_.mu = G_ * star_mass_;
  carried_->carry(trail_);
  trail_.rows.erase(trail_.rows.begin(), trail_.rows.end() - std::ptrdiff_t(trail_.length()));
}

void WisdomHolmanStepper::store() const {
  const auto bodies = state_.particles();
  const auto put = [&](std::size_t i, const auto& get) {
    auto& low = bodies.low[i];
    std::array<Triple, 2> values;
    for (std::size_t c = 0; c < 3; ++c) get(c, values[0][c], low[c], values[1][c], low[3 + c]);
    const auto& [x, v] = values;
    bodies.x[i] = {x[0], x[1], x[2], bodies.x[i].m}, bodies.v[i] = {v[0], v[1], v[2], 0};
  };
  put(star_, [&](std::size_t c, double& x, double& x_low, double& v, double& v_low) {
    x = star_x_[c], x_low = star_x_low_[c], v = star_v_[c], v_low = star_v_low_[c];
  });
  for (std::size_t k = 0; k < n_; ++k)
    put(body_[k], [&](std::size_t c, double& x, double& x_low, double& v, double& v_low) {
      x = x_.high[c][k], x_low = x_.low[c][k], v = v_.high[c][k], v_low = v_.low[c][k];
    });
}

/// Sum of m times the values of the bodies with mass.
WisdomHolmanStepper::Triple WisdomHolmanStepper::weighted(const Columns& columns) const {
  Triple sum{};
  for (const auto k : massive_)
    for (std::size_t c = 0; c < 3; ++c) sum[c] += mass_[k] * columns[c][k];
  return sum;
}

/// Values relative to the central body to those relative to the centre of mass of the bodies before each one.
void WisdomHolmanStepper::to_jacobi(Columns& relative) const {
  Triple sum{};
  double before = star_mass_;
  for (std::size_t k = 0; k < n_; before = mass_within_[k], ++k)
    for (std::size_t c = 0; c < 3; ++c) {
      const double value = relative[c][k];
      relative[c][k] = value - sum[c] / before;
      sum[c] += mass_[k] * value;
    }
}

/// And back. Each body waits for those before it; x, y and z do not wait for each other.
void WisdomHolmanStepper::from_jacobi(Columns& changes) const {
  Triple sum{};
  double before = star_mass_;
  for (std::size_t k = 0; k < n_; before = mass_within_[k], ++k)
    for (std::size_t c = 0; c < 3; ++c) {
      changes[c][k] += sum[c] / before;
      sum[c] += mass_[k] * changes[c][k];
    }
}

void WisdomHolmanStepper::find_coordinates() {
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < n_; ++k)
      q_[c][k] = (x_.high[c][k] - star_x_[c]) + (x_.low[c][k] - star_x_low_[c]);
}

void WisdomHolmanStepper::find_velocities() {
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < n_; ++k)
      u_[c][k] = (v_.high[c][k] - star_v_[c]) + (v_.low[c][k] - star_v_low_[c]);
  const auto sum = weighted(u_);
  for (std::size_t c = 0; c < 3; ++c) {
    const double of_star = sum[c] / total();  // of the barycentre relative to it
    drift_[c] = star_v_[c] + (star_v_low_[c] + of_star);
    if (!jacobi_)
      for (std::size_t k = 0; k < n_; ++k) u_[c][k] -= of_star;
  }
  if (jacobi_) to_jacobi(u_);
}

/// Kicks a_ at the coordinates of the bodies, which are relative to the central one before and, with
/// Jacobi's, those afterwards.
void WisdomHolmanStepper::find_pulls() {
  sources_.clear();
  if (jacobi_) sources_.push_back({0, 0, 0, G_ * star_mass_});
  for (const auto k : pulling_) sources_.push_back({q_[0][k], q_[1][k], q_[2][k], G_ * mass_[k]});
  orbits::pulls(q_, sources_, a_);
  if (!semi_active_.empty()) add_pulls_of_semi_active();
  if (!jacobi_) return;
  Triple of_star{};
  const auto add_pull = [](Triple& sum, double Gm, double x, double y, double z) {
    const double r2 = x * x + y * y + z * z, f = r2 > 0 ? Gm / (r2 * std::sqrt(r2)) : 0;
    sum[0] += f * x, sum[1] += f * y, sum[2] += f * z;
  };
  // Of the first body with mass, and of those without before it, all terms of their own orbits cancel. Left
  // to rounding, they would be a kick below the last digit of the velocity, always in one direction, and the
  // energy would drift.
  std::vector<Triple> of_first(massive_.empty() ? n_ : massive_.front() + 1);
  const bool first_pulls_all = semi_active_.empty() || (!pulling_.empty() && pulling_[0] < semi_active_[0]);
  for (const auto i : massive_) {
    const double Gm = G_ * mass_[i], x = q_[0][i], y = q_[1][i], z = q_[2][i];
    add_pull(of_star, Gm, x, y, z);
    const bool pulls_all = semi_active_.empty() || std::ranges::binary_search(pulling_, i);
    for (std::size_t k = 0; k < of_first.size(); ++k) {
      if (i == k) continue;
      const bool acts = pulls_all || (first_pulls_all && k + 1 == of_first.size() && !massive_.empty());
      if (acts) add_pull(of_first[k], Gm, x - q_[0][k], y - q_[1][k], z - q_[2][k]);
      add_pull(of_first[k], -Gm, x, y, z);
    }
  }
  kick_in_jacobi_coordinates(of_star);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < of_first.size(); ++k) a_[c][k] = of_first[k][c];
}

/// Semi-active bodies pull the others with mass.
void WisdomHolmanStepper::add_pulls_of_semi_active() {
  if (pulling_.empty()) return;
  sources_.clear();
  for (const auto k : semi_active_) sources_.push_back({q_[0][k], q_[1][k], q_[2][k], G_ * mass_[k]});
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < pulling_.size(); ++i) pulled_x_[c][i] = q_[c][pulling_[i]];
  orbits::pulls(pulled_x_, sources_, pulled_a_);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < pulling_.size(); ++i) a_[c][pulling_[i]] += pulled_a_[c][i];
}

/// From accelerations to what they are in Jacobi coordinates beyond that of the Kepler orbit.
void WisdomHolmanStepper::kick_in_jacobi_coordinates(const Triple& of_star) {
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < n_; ++k) a_[c][k] -= of_star[c];
  to_jacobi(a_);
  to_jacobi(q_);
  for (std::size_t k = 0; k < n_; ++k) {
    const double x = q_[0][k], y = q_[1][k], z = q_[2][k], r2 = x * x + y * y + z * z;
    const double f = mu_[k] / (r2 * std::sqrt(r2));
    a_[0][k] += f * x, a_[1][k] += f * y, a_[2][k] += f * z;
  }
}

/// The displacement of all bodies relative to the central one by its own motion, in barycentric velocities.
WisdomHolmanStepper::Triple WisdomHolmanStepper::jump(const Columns& velocities, double dt) const {
  auto sum = weighted(velocities);
  for (auto& s : sum) s *= dt / star_mass_;
  return sum;
}

/// Adds changes to the bodies, those of `changes` relative to what the central one and all others have in
/// common.
void WisdomHolmanStepper::add(DoubleColumns& to, Triple& star, Triple& star_low, const Columns& changes,
                              const Triple& common) const {
  for (std::size_t c = 0; c < 3; ++c) {
    star[c] = two_sum(star[c], star_low[c], common[c]);
    auto &high = to.high[c], &low = to.low[c];
    const auto& change = changes[c];
    for (std::size_t k = 0; k < n_; ++k) high[k] = two_sum(high[k], low[k], common[c] + change[k]);
  }
}

/// Kick, half a jump, orbits, half a jump, kick; with Jacobi's coordinates there is no jump.
void WisdomHolmanStepper::step(double dt) {
  const double half = dt / 2;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < n_; ++k) kicked_[c][k] = u_[c][k] + half * a_[c][k];
  Triple jumps{};
  if (!jacobi_) {
    first_jump_ = jumps = jump(kicked_, half);
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t k = 0; k < n_; ++k) q_[c][k] += jumps[c];
  }
  orbits::kepler_changes(n_, mu_, q_, kicked_, dt, dq_, du_);
  if (!jacobi_) {
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t k = 0; k < n_; ++k) kicked_[c][k] += du_[c][k];
    const auto second = jump(kicked_, half);
    for (std::size_t c = 0; c < 3; ++c) {
      jumps_[c] = jumps[c] + second[c];
      for (std::size_t k = 0; k < n_; ++k) dq_[c][k] += jumps_[c];
    }
  }
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < n_; ++k) du_[c][k] += half * a_[c][k];
  change_positions(dt);
  find_coordinates(), find_pulls();
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < n_; ++k) du_[c][k] += half * a_[c][k];
  change_velocities();
  find_velocities();
}

/// Each step between two half kicks by the added forces, in the velocities of the bodies themselves.
void WisdomHolmanStepper::step_with_added_forces(const StepPlan& plan, std::uint64_t steps) {
  const auto kick = [&](double time) {
    store();
    state_.particles().time = time;
    state_.kick_by_added_forces(plan.dt / 2);
    load();
    if (jacobi_) to_jacobi(q_);
  };
  const bool timed = state_.depends_on_time();
  const auto time = [&](std::uint64_t k) { return timed ? plan.time_of(k) : plan.time; };
  for (std::uint64_t k = 0; k < steps; ++k) {
    kick(time(k));
    step(plan.dt);
    kick(time(k + 1));
  }
}

/// The bodies in the coordinates of a map, in which they are kept between steps; order 0: in their own.
void WisdomHolmanStepper::enter(const corrector::Map& map) {
  if (map_ == map) return;
  show_bodies();
  if (map.order == 0) return;
  if (carried_ != nullptr) {  // all bodies by one that has them all
    WisdomHolmanStepper(state_, jacobi_).enter(map);
    carried_->forget();
  } else if (!corrector::take_map_state(map, state_.particles())) {
    correct(map, false);
  }
  map_ = map, forces_current_ = false;
}

void WisdomHolmanStepper::show_bodies() {
  if (carried_ != nullptr && carried_->loaded()) carried_->show(state_.particles());
  if (map_.order == 0) return;
  if (carried_ != nullptr) {
    WisdomHolmanStepper all(state_, jacobi_);
    all.map_ = std::exchange(map_, {});
    all.show_bodies();
    carried_->forget(), forces_current_ = false;
    return;
  }
  corrector::keep_map_state(map_, state_.particles());
  correct(map_, true);
  corrector::keep_shown_state(state_.particles());
  map_ = {}, forces_current_ = false;
}

/// Kicks the bodies where they are a part of a step earlier or later; both directions undo each other.
void WisdomHolmanStepper::correct(const corrector::Map& map, bool to_bodies) {
  const auto kicks = corrector::kicks(map.order);
  load();
  if (jacobi_) to_jacobi(q_);
  Columns all_dq, all_du;
  for (std::size_t c = 0; c < 3; ++c) all_dq[c].assign(size_, 0), all_du[c].assign(size_, 0);
  const auto add_changes = [&](Columns& to, Columns& all, const Columns& changes) {
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t k = 0; k < n_; ++k) to[c][k] += changes[c][k], all[c][k] += changes[c][k];
  };
  double at = 0;
  const auto move_to = [&](double place) {
    orbits::kepler_changes(n_, mu_, q_, u_, (place - at) * map.dt, dq_, du_);
    add_changes(q_, all_dq, dq_), add_changes(u_, all_du, du_);
    at = place;
  };
  for (std::size_t k = 0; k < kicks.size(); ++k) {
    const auto& [place, length] = kicks[to_bodies ? k : kicks.size() - 1 - k];
    move_to(place);
    kick_corrected((to_bodies ? length : -length) * map.dt);
    add_changes(q_, all_dq, dq_), add_changes(u_, all_du, du_);
  }
  move_to(0);
  dq_ = std::move(all_dq), du_ = std::move(all_du);
  change_positions(0), change_velocities();
  store();
}

/// Changes by the pulls of the bodies and, half before and half after them, by the jump.
void WisdomHolmanStepper::kick_corrected(double dt) {
  Columns places = q_;
  const auto before = jacobi_ ? Triple{} : jump(u_, dt / 2);
  if (jacobi_) from_jacobi(q_);
  else
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t k = 0; k < n_; ++k) q_[c][k] += before[c];
  find_pulls();
  q_ = std::move(places);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < n_; ++k) du_[c][k] = dt * a_[c][k], kicked_[c][k] = u_[c][k] + du_[c][k];
  const auto after = jacobi_ ? Triple{} : jump(kicked_, dt / 2);
  for (std::size_t c = 0; c < 3; ++c) std::fill_n(dq_[c].begin(), n_, before[c] + after[c]);
}

/// The barycentre moves on, and the central body so that it does.
void WisdomHolmanStepper::change_positions(double dt) {
  if (jacobi_) from_jacobi(dq_);
  auto common = weighted(dq_);
  for (std::size_t c = 0; c < 3; ++c) common[c] = dt * drift_[c] - common[c] / total();
  star_change_ = common;
  add(x_, star_x_, star_x_low_, dq_, common);
}

/// The barycentre's velocity stays.
void WisdomHolmanStepper::change_velocities() {
  if (jacobi_) from_jacobi(du_);
  auto common = weighted(du_);
  for (auto& c : common) c /= jacobi_ ? -total() : -star_mass_;
  if (!jacobi_)  // changes of barycentric velocities are those of the bodies themselves
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t k = 0; k < n_; ++k) du_[c][k] -= common[c];
  add(v_, star_v_, star_v_low_, du_, common);
}

namespace {

std::unique_ptr<Stepper> make_heliocentric(SteppedState& state) {
  auto& bodies = state.in_doubles(integrator_wisdom_holman);
  return std::make_unique<WisdomHolmanStepper>(bodies, false, bodies.orbit_particles());
}
std::unique_ptr<Stepper> make_jacobi(SteppedState& state) {
  return std::make_unique<WisdomHolmanStepper>(state.in_doubles(integrator_wisdom_holman_jacobi), true);
}

}  // namespace

extern const Integrator integrator_wisdom_holman{
    .name = "wisdom-holman",
    .idea =
        "Kepler orbits about the heaviest body and kicks of the others (Wisdom & Holman 1991), in democratic "
        "heliocentric coordinates (Duncan, Levison & Lee 1998); for planets that stay apart",
    .order = 2,
    .needs_doubles = true,
    .on_orbits = true,
    .takes_corrector = true,
    .adapts_by_softening = false,
    .make = make_heliocentric};

extern const Integrator integrator_wisdom_holman_jacobi{
    .name = "wisdom-holman-jacobi",
    .idea =
        "Kepler orbits and kicks (Wisdom & Holman 1991) in Jacobi coordinates, in the order of the bodies; "
        "for planets from the inner to the outer ones",
    .order = 2,
    .needs_doubles = true,
    .on_orbits = true,
    .takes_corrector = true,
    .adapts_by_softening = false,
    .make = make_jacobi};

bool carries_orbits(const Integrator* integrator) { return integrator == &integrator_wisdom_holman; }

OrbitMap orbit_map_of(const Integrator* integrator) {
  return integrator == &integrator_wisdom_holman          ? OrbitMap::heliocentric
         : integrator == &integrator_wisdom_holman_jacobi ? OrbitMap::jacobi
                                                          : OrbitMap::none;
}

}  // namespace pleiad
