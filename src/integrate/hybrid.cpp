/// A Wisdom-Holman map in democratic heliocentric coordinates that takes Gauss-Radau for close encounters.
///
/// Two bodies are in an encounter in a step if, on straight lines, they come closer within half a step of its
/// start or of its end than three Hill radii of the larger. Their pull is then no kick: it acts on them while
/// they move about the central body, and Gauss-Radau moves them. If a body passes its pericentre faster than
/// a step resolves, Gauss-Radau moves all bodies with mass, with all pulls, in that step (Lu, Hernandez &
/// Rein 2024, arXiv:2405.03800: TRACE).
///
/// What is in an encounter is found before the step and, from its end, after it; if more is found then, the
/// step is made again with all of it. Both look at the same states backwards: the steps stay reversible, as
/// far as the order of looking allows (Hernandez & Dehnen 2023, arXiv:2301.06253). What is found depends on
/// the state alone, so resumed runs have the same bits.
///
/// Test particles do not change a bit of the others: bodies with mass decide on their encounters among
/// themselves, and each particle is moved with copies of those that it meets.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "integrate/encounter_group.hpp"
#include "integrate/wisdom_holman.hpp"

#include <pleiad/integrator.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace pleiad {

extern const Integrator integrator_wisdom_holman_hybrid;

namespace {

using orbits::Columns;
using Pair = std::pair<std::size_t, std::size_t>;

/// An encounter is closer than this many Hill radii.
constexpr double hill_radii = 3;
/// A pericentre passage is too fast if the time in which the pull of the central body changes is shorter than
/// this many steps.
constexpr double pericentre_steps = 2;

template <class T>
void unite(std::vector<T>& all, const std::vector<T>& more) {
  std::vector<T> united;
  std::ranges::set_union(all, more, std::back_inserter(united));
  all = std::move(united);
}

/// What Gauss-Radau has to do in a step. Numbers are those of the columns; lists are sorted.
struct Encounters {
  bool all = false;                  ///< moves all bodies with mass
  std::vector<Pair> pairs{};         ///< of two bodies with mass
  std::vector<Pair> of_particles{};  ///< particle and body with mass
  std::vector<std::size_t> fast{};   ///< particles that pass their pericentre
  bool any() const { return all || !pairs.empty() || !of_particles.empty() || !fast.empty(); }
  bool has(const Encounters& other) const {
    return (all || !other.all) && std::ranges::includes(pairs, other.pairs) &&
           std::ranges::includes(of_particles, other.of_particles) && std::ranges::includes(fast, other.fast);
  }
  void add(const Encounters& other) {
    all = all || other.all;
    unite(pairs, other.pairs), unite(of_particles, other.of_particles), unite(fast, other.fast);
  }
};

class HybridStepper final : public WisdomHolmanStepper {
 public:
  explicit HybridStepper(DoubleState& state) : WisdomHolmanStepper(state, false) {
    is_massive_.assign(n_, 0), is_semi_active_.assign(n_, 0), hill_share_.assign(n_, 0), moved_.assign(n_, 0);
    reach_.assign(n_, 0);
    for (const auto k : massive_) is_massive_[k] = 1, hill_share_[k] = std::cbrt(mass_[k] / (3 * star_mass_));
    for (const auto k : semi_active_) is_semi_active_[k] = 1;
  }

 private:
  using Body = EncounterGroup::Body;
  /// The state before a step.
  struct Kept {
    Triple star_x, star_x_low, star_v, star_v_low;
    DoubleColumns x, v;
  };

  void load() override {
    WisdomHolmanStepper::load();
    found_for_ = 0;
  }
  void step(double dt) override;
  void keep();
  void go_back();
  void make(double dt, const Encounters& now);
  Encounters look(double dt);
  bool meet(std::size_t i, std::size_t j, double dt) const;
  bool is_fast(std::size_t k, double dt, const Triple& to_star) const;
  void leave_out(const Encounters& now, Columns& kicks) const;
  void move_groups(double dt, const Encounters& now);
  void move_pairs(double dt, const std::vector<Pair>& pairs, std::optional<std::size_t> particle);
  void move_all(double dt, std::optional<std::size_t> particle);
  void take(std::size_t k, const Vec3<double>& change_of_x, const Vec3<double>& change_of_v);

  /// Whether j pulls i.
  bool acts(std::size_t j, std::size_t i) const {
    return is_massive_[j] != 0 &&
           (is_semi_active_[j] == 0 || (is_massive_[i] != 0 && is_semi_active_[i] == 0));
  }
  static Vec3<double> of(const Columns& columns, std::size_t k) {
    return {columns[0][k], columns[1][k], columns[2][k]};
  }
  /// From barycentric velocities to those relative to the central body.
  Triple to_star() const {
    auto sum = weighted(u_);
    for (auto& s : sum) s /= star_mass_;
    return sum;
  }

  std::vector<std::uint8_t> is_massive_, is_semi_active_;
  std::vector<double> hill_share_;   ///< Hill radius over distance
  std::vector<std::uint8_t> moved_;  ///< for the whole step by Gauss-Radau with all pulls
  Columns kicks_, q_start_;
  std::vector<double> reach_;  ///< squares of three Hill radii; 0 of particles
  Kept kept_;
  Encounters found_;
  double found_for_ = 0;  ///< the step in which found_ is that of the present state; 0: it is not
};

/// Whether two bodies meet within half a step, before or after the present state.
bool HybridStepper::meet(std::size_t i, std::size_t j, double dt) const {
  const auto d = of(q_, i) - of(q_, j), w = of(u_, i) - of(u_, j);
  const double limit = std::max(reach_[i], reach_[j]), w2 = dot(w, w), half = std::abs(dt) / 2;
  // Those far away can be told without a division: (a + b)^2 <= 2 (a^2 + b^2).
  if (dot(d, d) > 2 * (limit + half * half * w2)) return false;
  const double t = w2 > 0 ? std::clamp(-dot(d, w) / w2, -half, half) : 0;
  const auto nearest = d + t * w;
  return !(dot(nearest, nearest) > limit);
}

/// Whether a step is longer than the time sqrt(2 a^2 / (j^2 + a s)) in which the pull of the central body,
/// its jerk and its snap change.
bool HybridStepper::is_fast(std::size_t k, double dt, const Triple& to_star) const {
  const auto r = of(q_, k), v = of(u_, k) + Vec3<double>{to_star[0], to_star[1], to_star[2]};
  const double r2 = dot(r, r), w = mu_[k] / (r2 * std::sqrt(r2));
  const auto a = -w * r;
  const double alpha = dot(r, v) / r2, beta = (dot(v, v) + dot(r, a)) / r2 + alpha * alpha;
  const auto j = -w * v - 3 * alpha * a;
  const auto s = -w * a - 6 * alpha * j - 3 * beta * a;
  const double square = 2 * dot(a, a) / (dot(j, j) + std::sqrt(dot(a, a) * dot(s, s)));
  return !(dt * dt * pericentre_steps * pericentre_steps <= square);
}

Encounters HybridStepper::look(double dt) {
  Encounters found;
  const auto relative = to_star();
  for (const auto k : massive_) {
    const auto q = of(q_, k);
    reach_[k] = hill_radii * hill_radii * hill_share_[k] * hill_share_[k] * dot(q, q);
  }
  for (std::size_t m = 0; m < massive_.size(); ++m) {
    const auto i = massive_[m];
    found.all = found.all || is_fast(i, dt, relative);
    for (std::size_t n = m + 1; n < massive_.size(); ++n)
      if (const auto j = massive_[n]; (acts(i, j) || acts(j, i)) && meet(i, j, dt))
        found.pairs.emplace_back(i, j);
  }
  for (std::size_t k = 0; k < n_; ++k) {
    if (is_massive_[k] != 0) continue;
    if (is_fast(k, dt, relative)) found.fast.push_back(k);
    for (const auto j : massive_)
      if (acts(j, k) && meet(k, j, dt)) found.of_particles.emplace_back(k, j);
  }
  return found;
}

void HybridStepper::step(double dt) {
  if (found_for_ != dt) found_ = look(dt);
  keep();
  auto now = found_;
  for (;;) {
    if (now.any()) make(dt, now);
    else WisdomHolmanStepper::step(dt);
    auto after = look(dt);
    if (now.has(after)) {
      found_ = std::move(after), found_for_ = dt;
      return;
    }
    now.add(after);
    go_back();
  }
}

/// Member by member: no memory is taken anew.
void HybridStepper::keep() {
  kept_.star_x = star_x_, kept_.star_x_low = star_x_low_;
  kept_.star_v = star_v_, kept_.star_v_low = star_v_low_;
  for (std::size_t c = 0; c < 3; ++c) {
    kept_.x.high[c] = x_.high[c], kept_.x.low[c] = x_.low[c];
    kept_.v.high[c] = v_.high[c], kept_.v.low[c] = v_.low[c];
  }
}

void HybridStepper::go_back() {
  star_x_ = kept_.star_x, star_x_low_ = kept_.star_x_low;
  star_v_ = kept_.star_v, star_v_low_ = kept_.star_v_low;
  x_ = kept_.x, v_ = kept_.v;
  find_coordinates(), find_velocities(), find_pulls();
}

/// Kicks of the bodies in encounters without the pulls of those that they meet.
void HybridStepper::leave_out(const Encounters& now, Columns& kicks) const {
  const auto without = [&](std::size_t i, const auto& meets) {
    Vec3<double> sum{};
    for (const auto j : massive_) {
      if (j == i || !acts(j, i) || meets(j)) continue;
      const auto d = of(q_, j) - of(q_, i);
      const double r2 = dot(d, d);
      sum += (G_ * mass_[j] / (r2 * std::sqrt(r2))) * d;
    }
    kicks[0][i] = sum.x, kicks[1][i] = sum.y, kicks[2][i] = sum.z;
  };
  const auto in_pairs = [&](std::size_t i) {
    without(i, [&](std::size_t j) {
      return std::ranges::binary_search(now.pairs, Pair(std::min(i, j), std::max(i, j)));
    });
  };
  for (const auto& [i, j] : now.pairs) in_pairs(i), in_pairs(j);
  for (const auto& [k, first] : now.of_particles)
    without(k,
            [&, p = k](std::size_t j) { return std::ranges::binary_search(now.of_particles, Pair(p, j)); });
}

void HybridStepper::take(std::size_t k, const Vec3<double>& x, const Vec3<double>& v) {
  dq_[0][k] = x.x, dq_[1][k] = x.y, dq_[2][k] = x.z;
  du_[0][k] = v.x, du_[1][k] = v.y, du_[2][k] = v.z;
}

/// The changes of bodies that meet, on their orbits with the pulls of these pairs: of all of them, or of a
/// particle that is among them.
void HybridStepper::move_pairs(double dt, const std::vector<Pair>& pairs,
                               std::optional<std::size_t> particle) {
  std::vector<std::size_t> who;
  for (const auto& [i, j] : pairs) who.push_back(i), who.push_back(j);
  std::ranges::sort(who);
  who.erase(std::ranges::unique(who).begin(), who.end());
  const auto place = [&](std::size_t k) {
    return std::size_t(std::ranges::lower_bound(who, k) - who.begin());
  };
  std::vector<Body> bodies;
  for (const auto k : who) bodies.push_back({of(q_, k), of(kicked_, k), mass_[k], mu_[k]});
  std::vector<Pair> pulls;
  for (const auto& [i, j] : pairs) {
    if (acts(j, i)) pulls.emplace_back(place(i), place(j));
    if (acts(i, j)) pulls.emplace_back(place(j), place(i));
  }
  EncounterGroup group(G_, std::move(bodies), std::move(pulls));
  group.advance(dt);
  state_.evaluated(group.evaluations());
  for (std::size_t m = 0; m < who.size(); ++m)
    if (!particle || who[m] == *particle)
      take(who[m], group.change_of_position(m), group.change_of_velocity(m));
}

/// The changes of all bodies with mass in the whole step, or of a particle among them. The frame is that of
/// the central body at the start.
void HybridStepper::move_all(double dt, std::optional<std::size_t> particle) {
  const Vec3<double> relative = [&] {
    const auto t = to_star();
    return Vec3<double>{t[0], t[1], t[2]};
  }();
  auto who = massive_;
  if (particle) who.push_back(*particle);
  std::vector<Body> bodies{{.mass = star_mass_}};
  std::vector<Pair> pulls;
  for (std::size_t m = 0; m < who.size(); ++m) {
    bodies.push_back({of(q_start_, who[m]), of(u_, who[m]) + relative, mass_[who[m]], 0});
    pulls.emplace_back(m + 1, 0);
    if (mass_[who[m]] > 0) pulls.emplace_back(0, m + 1);
    for (std::size_t n = 0; n < who.size(); ++n)
      if (n != m && acts(who[n], who[m])) pulls.emplace_back(m + 1, n + 1);
  }
  EncounterGroup group(G_, std::move(bodies), std::move(pulls));
  group.advance(dt);
  state_.evaluated(group.evaluations());
  for (std::size_t m = 0; m < who.size(); ++m)
    if (!particle || who[m] == *particle)
      take(who[m], group.change_of_position(m + 1) - group.change_of_position(0),
           group.change_of_velocity(m + 1));
}

/// The changes of those that Gauss-Radau moves, in the place of those on their orbits.
void HybridStepper::move_groups(double dt, const Encounters& now) {
  // Groups of pairs that share bodies: the label of each is its first body.
  std::vector<std::size_t> label(n_);
  std::iota(label.begin(), label.end(), std::size_t{0});
  for (bool changed = true; std::exchange(changed, false);)
    for (const auto& [i, j] : now.pairs)
      if (label[i] != label[j]) label[i] = label[j] = std::min(label[i], label[j]), changed = true;
  const auto pairs_of = [&](std::size_t first) {
    std::vector<Pair> some;
    std::ranges::copy_if(now.pairs, std::back_inserter(some),
                         [&](const Pair& pair) { return label[pair.first] == first; });
    return some;
  };
  // First the particles, who meet the others as they are at the start.
  for (auto at = now.of_particles.begin(); at != now.of_particles.end();) {
    const auto k = at->first;
    std::vector<Pair> pairs;
    for (; at != now.of_particles.end() && at->first == k; ++at) {
      unite(pairs, pairs_of(label[at->second]));
      unite(pairs, {*at});
    }
    if (moved_[k] == 0) move_pairs(dt, pairs, k);
  }
  for (std::size_t k = 0; k < n_; ++k)
    if (moved_[k] != 0 && is_massive_[k] == 0) move_all(dt, k);
  if (now.all) return move_all(dt, std::nullopt);
  for (std::size_t k = 0; k < n_; ++k)
    if (label[k] == k)
      if (const auto pairs = pairs_of(k); !pairs.empty()) move_pairs(dt, pairs, std::nullopt);
}

/// A step with encounters.
void HybridStepper::make(double dt, const Encounters& now) {
  const double half = dt / 2;
  std::ranges::fill(moved_, std::uint8_t{0});
  for (const auto k : now.fast) moved_[k] = 1;
  if (now.all) {
    for (const auto k : massive_) moved_[k] = 1;
    for (const auto& pair : now.of_particles) moved_[pair.first] = 1;
  }
  kicks_ = a_, q_start_ = q_;
  leave_out(now, kicks_);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < n_; ++k)
      kicked_[c][k] = u_[c][k] + (now.all && moved_[k] != 0 ? 0 : half * kicks_[c][k]);
  const auto jumps = jump(kicked_, half);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < n_; ++k) q_[c][k] += jumps[c];
  orbits::kepler_changes(n_, mu_, q_, kicked_, dt, dq_, du_);
  move_groups(dt, now);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < n_; ++k) kicked_[c][k] += du_[c][k];
  const auto second = jump(kicked_, half);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < n_; ++k)
      if (moved_[k] == 0) dq_[c][k] += jumps[c] + second[c], du_[c][k] += half * kicks_[c][k];
  change_positions(dt);
  find_coordinates(), find_pulls();
  kicks_ = a_;
  leave_out(now, kicks_);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < n_; ++k)
      if (moved_[k] == 0) du_[c][k] += half * kicks_[c][k];
  change_velocities();
  find_velocities();
}

std::unique_ptr<Stepper> make_hybrid(SteppedState& state) {
  return std::make_unique<HybridStepper>(state.in_doubles(integrator_wisdom_holman_hybrid));
}

}  // namespace

extern const Integrator integrator_wisdom_holman_hybrid{
    .name = "wisdom-holman-hybrid",
    .idea =
        "wisdom-holman, with gauss-radau for close encounters and fast pericentre passages (Lu, Hernandez & "
        "Rein "
        "2024); for planets that meet",
    .order = 2,
    .symplectic = false,
    .needs_doubles = true,
    .on_orbits = true,
    .adapts_by_softening = false,
    .make = make_hybrid};

}  // namespace pleiad
