#include "regular/group.hpp"

#include "regular/chain.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace pleiad::regular {
namespace {

/// Masses that differ by more than this, of three bodies or more, have a clock by masses.
constexpr double largest_ratio = 1e3;
/// Steps that may fail one after the other.
constexpr int most_failures = 40;
/// The end is met to this share of the whole time.
constexpr double time_left = 0x1p-60;

using Wide = std::array<long double, 3>;

Wide wide(const DoubleVec& a) {
  const auto sum = [](const DoubleSum& s) { return (long double)s.high + s.low; };
  return {sum(a.x), sum(a.y), sum(a.z)};
}

void need_expansion(double radii) {
  if (radii < PostNewtonian::fewest_radii)
    throw NumericalError(
        fmt::format("two bodies are {:.3g} gravitational radii G (m1 + m2) / c^2 from each other, and "
                    "post-Newtonian terms "
                    "hold beyond {:g}; end the run before they meet, or leave these terms out",
                    radii, PostNewtonian::fewest_radii));
}

long double square(const Wide& a) { return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]; }

}  // namespace

/// The chain at one time, as the leapfrog has it.
struct Group::State {
  State(const std::vector<Body>& bodies, bool clock_by_masses, std::size_t outside)
      : layout{bodies.size(), outside}, by_masses(clock_by_masses) {
    high.resize(layout.size()), low.resize(layout.size());
    std::vector<DoubleVec> x, v;
    DoubleSum mass{};
    // One body has no mass that matters, and may have none.
    const auto mass_of = [&](const Body& b) { return bodies.size() == 1 ? 1.0 : b.mass; };
    for (const auto& b : bodies) x.push_back(b.x), v.push_back(b.v), mass += DoubleSum{mass_of(b), 0};
    order = chain_order(x);
    for (const auto k : order) masses.push_back(mass_of(bodies[k]));
    for (const double m : masses) shares.push_back(DoubleSum{m, 0} / mass);
    set_links(x, v, order);
    set(layout.centre(), x[order[0]] + mean(from_first(0)));
    set(layout.centre_velocity(), v[order[0]] + mean(from_first(layout.velocities())));
    find_weights();
  }

  DoubleSum at(std::size_t k) const { return {high[k], low[k]}; }
  DoubleVec vector_at(std::size_t k) const { return {at(k), at(k + 1), at(k + 2)}; }
  void set(std::size_t k, const DoubleSum& value) { high[k] = value.high, low[k] = value.low; }
  void set(std::size_t k, const DoubleVec& value) {
    set(k, value.x), set(k + 1, value.y), set(k + 2, value.z);
  }
  void set_links(const std::vector<DoubleVec>& x, const std::vector<DoubleVec>& v,
                 std::span<const std::size_t> places) {
    for (std::size_t k = 0; k < layout.links(); ++k) {
      set(3 * k, x[places[k + 1]] - x[places[k]]);
      set(layout.velocities() + 3 * k, v[places[k + 1]] - v[places[k]]);
    }
  }

  /// Positions (first: 0) or velocities of all places, relative to the first one.
  std::vector<DoubleVec> from_first(std::size_t first) const {
    std::vector<DoubleVec> all(layout.n);
    for (std::size_t k = 0; k < layout.links(); ++k) all[k + 1] = all[k] + vector_at(first + 3 * k);
    return all;
  }
  DoubleVec mean(const std::vector<DoubleVec>& all) const {
    DoubleVec sum{};
    for (std::size_t k = 0; k < layout.n; ++k) sum += all[k] * shares[k];
    return sum;
  }

  void add(std::span<const double> change, std::span<const double> correction) {
    for (std::size_t k = 0; k < change.size(); ++k)
      set(k, at(k) + (DoubleSum{change[k], 0} + DoubleSum{correction[k], 0}));
  }

  /// Orders the chain anew where bodies have passed each other. Returns whether they have.
  bool reorder() {
    const auto x = from_first(0);
    const auto places = chain_order(x);
    bool same = true, reversed = true;
    for (std::size_t k = 0; k < layout.n; ++k)
      same = same && places[k] == k, reversed = reversed && places[k] == layout.n - 1 - k;
    if (same || reversed) return false;
    const auto v = from_first(layout.velocities());
    const auto before = std::move(order);
    const auto masses_before = std::move(masses);
    const auto shares_before = std::move(shares);
    order.clear(), masses.clear(), shares.clear();
    for (const auto k : places)
      order.push_back(before[k]), masses.push_back(masses_before[k]), shares.push_back(shares_before[k]);
    set_links(x, v, places);
    find_weights();
    return true;
  }

  /// The product of the masses of each pair, and at least the mean one.
  void find_weights() {
    weights.clear();
    if (!by_masses) return;
    double sum = 0;
    for (std::size_t i = 0; i < layout.n; ++i)
      for (std::size_t j = i + 1; j < layout.n; ++j)
        weights.push_back(masses[i] * masses[j]), sum += weights.back();
    const double least = sum / double(weights.size());
    for (auto& w : weights) w = std::max(w, least);
  }

  /// Moves the bodies to where the chain is.
  void give(std::vector<Body>& bodies) const {
    const auto x = from_first(0), v = from_first(layout.velocities());
    const auto to_x = vector_at(layout.centre()) - mean(x),
               to_v = vector_at(layout.centre_velocity()) - mean(v);
    for (std::size_t k = 0; k < layout.n; ++k)
      bodies[order[k]].x = to_x + x[k], bodies[order[k]].v = to_v + v[k];
  }

  /// B = U - T, in more digits than U has in double precision.
  DoubleSum binding() const {
    const auto x = from_first(0), v = from_first(layout.velocities());
    long double all = 0, sum = 0;
    for (const double m : masses) all += m;
    // T = sum m_i m_j v_ij^2 / (2 M).
    for (std::size_t i = 0; i < layout.n; ++i)
      for (std::size_t j = i + 1; j < layout.n; ++j) {
        const long double product = (long double)masses[i] * masses[j], speed2 = square(wide(v[j] - v[i]));
        const long double pull = product / std::sqrt(square(wide(x[j] - x[i])));
        sum += pull - product * speed2 / (2 * all);
        if (j != i + 1) continue;
        for (const auto& s : slow)
          if (s.first == i)
            sum -= (1 - 1 / (long double)s.factor) *
                   (pull - product * speed2 / (2 * ((long double)masses[i] + masses[j])));
      }
    const double first = double(sum);
    return {first, double(sum - first)};
  }

  /// Changes the slowed pairs, and B by what that does.
  void slow_down(std::vector<SlowPair> pairs) {
    if (pairs.empty() && slow.empty()) return;
    const auto before = binding();
    slow = std::move(pairs);
    set(layout.energy(), at(layout.energy()) + (binding() - before));
  }

  Layout layout;
  bool by_masses;
  std::vector<double> high, low;
  std::vector<std::size_t> order;  ///< the body at each place
  std::vector<double> masses, weights;
  std::vector<DoubleSum> shares;  ///< of the masses
  std::vector<SlowPair> slow;
};

/// Two bodies that pass each other, or touch, within a step of the fictitious time. A step resolves the orbit
/// of the two that move fastest: it has at most one closest approach of a pair.
class Group::Passages {
 public:
  /// `make`: the state after a step of another length from the same beginning.
  using Make = std::function<State(double s)>;

  Passages(const Watched& watched, const State& from, const State& to, double s, const Make& make)
      : watched_(watched), from_(from), to_(to), s_(s), make_(make) {
    const auto v = from.layout.velocities();
    x0_ = from.from_first(0), v0_ = from.from_first(v), x1_ = to.from_first(0), v1_ = to.from_first(v);
  }

  /// Adds what is met in the step. Returns the length of the step after which two bodies touch that do not go
  /// on as two; none: all of it is made.
  std::optional<double> find(std::vector<Met>& met) {
    std::vector<std::pair<double, Met>> found;
    for (std::size_t p = 0; p < from_.layout.n; ++p)
      for (std::size_t q = p + 1; q < from_.layout.n; ++q) look_at(p, q, found);
    std::ranges::stable_sort(found, {}, &std::pair<double, Met>::first);
    for (const auto& [s, one] : found) {
      met.push_back(one);
      if (one.contact && watched_.stops) return s;
    }
    return std::nullopt;
  }

 private:
  /// The second body as seen from the first.
  struct Apart {
    Vec3<double> x{}, v{};
    double r() const { return norm(x); }
    double rate() const { return dot(x, v); }
    bool falls() const { return rate() < 0; }
  };
  static Apart apart(const std::vector<DoubleVec>& x, const std::vector<DoubleVec>& v, std::size_t p,
                     std::size_t q) {
    return {rounded(x[q] - x[p]), rounded(v[q] - v[p])};
  }
  static Apart apart_in(const State& state, std::size_t p, std::size_t q) {
    return apart(state.from_first(0), state.from_first(state.layout.velocities()), p, q);
  }

  void look_at(std::size_t p, std::size_t q, std::vector<std::pair<double, Met>>& found) {
    const auto a = apart(x0_, v0_, p, q), b = apart(x1_, v1_, p, q);
    const double touch = watched_.radii[from_.order[p]] + watched_.radii[from_.order[q]];
    const bool passes = a.falls() && !b.falls();
    const bool touched = a.r() <= touch, touches = b.r() <= touch;
    if (touched && a.falls() && watched_.stops) {
      found.emplace_back(0, met_at(from_, p, q, true));
      return;
    }
    if (!touched && touches) add_contact(p, q, touch, s_, found);
    if (touches && watched_.stops) return;
    if (!passes || !comes_near(p, q, a, b, std::max(touch, watched_.distance))) return;
    const double least = root([&](const State& state) { return apart_in(state, p, q).rate(); }, s_);
    const auto nearest = make_(least);
    const auto there = apart_in(nearest, p, q);
    if (!touched && !touches && there.r() <= touch) {
      add_contact(p, q, touch, least, found);
      if (watched_.stops) return;
    }
    const double time = to_.at(to_.layout.time()).value() - from_.at(from_.layout.time()).value();
    if (there.r() < watched_.distance &&
        (b.rate() - a.rate()) / time > least_sharpness * dot(there.v, there.v))
      found.emplace_back(least, met_at(nearest, p, q, false));
  }
  /// Where the distance falls to that of touching, before `until`.
  void add_contact(std::size_t p, std::size_t q, double touch, double until,
                   std::vector<std::pair<double, Met>>& found) {
    const double s = root([&](const State& state) { return touch - apart_in(state, p, q).r(); }, until);
    found.emplace_back(s, met_at(make_(s), p, q, true));
  }
  /// Whether two bodies may come within a distance: by their orbits about each other, which the pair with
  /// the shortest substeps nearly is on, and by a cubic, which others are on.
  bool comes_near(std::size_t p, std::size_t q, const Apart& a, const Apart& b, double distance) const {
    constexpr double margin = 2;
    const double mass = from_.masses[p] + from_.masses[q];
    double least = std::min(a.r(), b.r());
    for (const auto& at : {a, b}) {
      const auto spin = cross(at.x, at.v);
      const double width = dot(spin, spin) / mass, inverse = 2 / at.r() - dot(at.v, at.v) / mass;
      least = std::min(least, width / (1 + std::sqrt(std::max(0.0, 1 - width * inverse))));
    }
    const double h = to_.at(to_.layout.time()).value() - from_.at(from_.layout.time()).value();
    for (const double u : {0.25, 0.5, 0.75}) {
      const double w = 1 - u;
      least = std::min(least, norm(w * w * (1 + 2 * u) * a.x + u * u * (3 - 2 * u) * b.x +
                                   u * w * h * (w * a.v - u * b.v)));
    }
    return least < margin * distance;
  }
  /// The length at which `of` a state ceases to be negative: the value is < 0 at the beginning and >= 0 after
  /// `until`. The false position, with the value of an end that stays halved.
  template <class Of>
  double root(const Of& of, double until) const {
    double low = 0, high = until, at_low = of(from_), at_high = of(make_(until));
    bool was_low = false, was_high = false;
    for (int k = 0; k < 100 && at_high > 0; ++k) {
      double s = low + (high - low) * (at_low / (at_low - at_high));
      if (!(std::min(low, high) < s && s < std::max(low, high))) s = 0.5 * (low + high);
      if (s == low || s == high) break;
      const double value = of(make_(s));
      if (value < 0) {
        low = s, at_low = value;
        if (std::exchange(was_low, true)) at_high /= 2;
        was_high = false;
      } else {
        high = s, at_high = value;
        if (std::exchange(was_high, true)) at_low /= 2;
        was_low = false;
      }
    }
    return high;
  }
  static Met met_at(const State& state, std::size_t p, std::size_t q, bool contact) {
    const auto& layout = state.layout;
    const auto x = state.from_first(0), v = state.from_first(layout.velocities());
    const auto to_x = state.vector_at(layout.centre()) - state.mean(x),
               to_v = state.vector_at(layout.centre_velocity()) - state.mean(v);
    if (state.order[p] > state.order[q]) std::swap(p, q);
    return {state.order[p],
            state.order[q],
            state.at(layout.time()).value(),
            contact,
            {rounded(to_x + x[p]), rounded(to_x + x[q])},
            {rounded(to_v + v[p]), rounded(to_v + v[q])}};
  }

  /// As of bodies on other paths: the minima of nearly circular orbits are those of rounding.
  static constexpr double least_sharpness = 1.0 / 50;
  const Watched& watched_;
  const State &from_, &to_;
  double s_;
  const Make& make_;
  std::vector<DoubleVec> x0_, v0_, x1_, v1_;
};

Group::Group(std::vector<Body> bodies, const Options& options, double time)
    : bodies_(std::move(bodies)), options_(options), time_(time) {
  if (bodies_.size() < 2) return;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const auto& b : bodies_) {
    if (!(b.mass > 0)) throw UsageError(fmt::format("a regularised group needs masses > 0, not {}", b.mass));
    least = std::min(least, b.mass), most = std::max(most, b.mass);
  }
  if (!options_.clock)
    options_.clock = bodies_.size() > 2 && most > largest_ratio * least && !options_.slow_down
                         ? Clock::by_masses
                         : Clock::logarithmic;
  if (options_.slow_down && options_.clock != Clock::logarithmic)
    throw UsageError("the slow-down of binaries needs the clock 'logarithmic', not 'by masses'");
  if (options_.slow_down && options_.terms)
    throw UsageError("the slow-down of binaries has no post-Newtonian terms; leave out one of them");
}

/// Chooses the factors of binaries, of each at most once in a slowed period, and changes B by what they do.
void Group::choose_slow(State& state, double time, std::span<const Outside> tides) {
  const auto v0 = state.layout.velocities();
  const auto x = state.from_first(0), v = state.from_first(v0);
  std::vector<Chosen> chosen;
  std::vector<SlowPair> slow;
  for (std::size_t k = 0; k < state.layout.links(); ++k) {
    const double m1 = state.masses[k], m2 = state.masses[k + 1], mass = m1 + m2;
    const auto [first, second] = std::minmax(state.order[k], state.order[k + 1]);
    const auto old = std::ranges::find_if(chosen_, [&, a = first, b = second](const Chosen& c) {
      return c.pair.first == a && c.pair.second == b;
    });
    Chosen now;
    if (old != chosen_.end() && std::abs(time - old->time) < old->until) {
      now = *old;
    } else {
      std::vector<Outside> others;
      const auto centre = [&](const std::vector<DoubleVec>& all, std::size_t j) {
        return rounded(all[j] - all[k]) - (m2 / mass) * rounded(all[k + 1] - all[k]);
      };
      for (std::size_t j = 0; j < state.layout.n; ++j)
        if (j != k && j != k + 1) others.push_back({state.masses[j], centre(x, j), centre(v, j)});
      if (!tides.empty()) {
        const auto place = [&](std::size_t at, const std::vector<DoubleVec>& all) {
          const auto own = rounded(state.vector_at(at) - state.mean(all) + all[k]);
          return own + (m2 / mass) * rounded(all[k + 1] - all[k]);
        };
        const auto here = place(state.layout.centre(), x), going = place(state.layout.centre_velocity(), v);
        for (const auto& t : tides) others.push_back({t.mass, t.x - here, t.v - going});
      }
      const auto orbit =
          pair_orbit(mass, rounded(state.vector_at(3 * k)), rounded(state.vector_at(v0 + 3 * k)));
      const double factor = slow_down_factor(*options_.slow_down, mass, orbit, others);
      now = {{first, second, factor}, time, factor > 1 ? factor * orbit.period : 0};
    }
    if (!(now.pair.factor > 1)) continue;
    // Of two that share a body the one with the larger factor.
    if (!slow.empty() && slow.back().first + 1 == k) {
      if (slow.back().factor >= now.pair.factor) continue;
      slow.pop_back(), chosen.pop_back();
    }
    slow.push_back({k, now.pair.factor}), chosen.push_back(now);
  }
  chosen_ = std::move(chosen);
  state.slow_down(std::move(slow));
}

void Group::advance(double dt, const Perturbation* perturbation) {
  if (perturbation == nullptr) {
    (void)move(dt, nullptr, {});
    return;
  }
  const Surroundings surroundings{
      .pull = [&](double time, auto x, auto a, auto) { (*perturbation)(time, x, a); }};
  (void)move(dt, &surroundings, {});
}

std::vector<Group::Moved> Group::advance(double dt, const Surroundings& surroundings,
                                         std::span<const Outside> tides) {
  return move(dt, &surroundings, tides);
}

std::vector<Group::Moved> Group::move(double dt, const Surroundings* surroundings,
                                      std::span<const Outside> tides) {
  std::vector<Moved> moved(surroundings != nullptr ? surroundings->bodies : 0);
  met_.clear(), stopped_ = false;
  if (dt == 0 || bodies_.empty()) return moved;
  const std::size_t n = bodies_.size();
  State state(bodies_, options_.clock == Clock::by_masses, moved.size());
  const auto& layout = state.layout;
  Extrapolation extrapolation(layout);
  state.set(layout.energy(), state.binding());
  if (options_.slow_down) choose_slow(state, time_, tides);
  // Energies that nearly cancel, those of bodies that fly apart, would lose the digits of the time.
  const double constant = n == 1 ? 1 : state.by_masses ? 0 : std::max(0.0, -state.high[layout.energy()]);
  const auto make = [&] {
    return Leapfrog({state.masses, state.order, state.weights, state.slow, surroundings, time_, constant,
                     options_.terms ? &*options_.terms : nullptr});
  };
  auto leapfrog = make();
  double next = 0;
  int failures = 0;
  while (!stopped_) {
    const double left = (DoubleSum{dt, 0} - state.at(layout.time())).value();
    if (std::abs(left) <= time_left * std::abs(dt)) break;
    const auto f = leapfrog.forces(state.high);
    if (state.by_masses) state.set(layout.weight(), DoubleSum{f.clock, 0});
    // ds/dt is `clock`, so that to second order the time left is t - t^2 rate / (2 clock), t = s / clock.
    const double second = std::clamp(left * f.clock_rate / (2 * f.clock), -0.5, 1.0);
    const double wanted = left * (1 + second) * f.clock;
    if (next == 0) next = std::min(f.shortest, std::abs(left)) * f.clock;
    const bool last = std::abs(wanted) <= next;
    const double s = last ? wanted : std::copysign(next, left);
    const auto result = extrapolation.step(leapfrog, state.high, state.low, s, options_.tolerance);
    ++steps_;
    if (!result.converged) {
      if (++failures > most_failures || !(result.next != 0))
        throw NumericalError(
            fmt::format(
                "no regularised step converges at time {}: two bodies are at one place, or forces are "
                "not finite; separate them",
                time_ + state.high[layout.time()]),
            Error::Code::step_too_small);
      next = std::abs(result.next);
      continue;
    }
    failures = 0;
    // The last leapfrog of a step that has converged is close to the path.
    if (options_.terms) need_expansion(leapfrog.nearest());
    next = last ? std::max(next, std::abs(result.next)) : std::abs(result.next);
    const auto from = watched_ ? std::optional(state) : std::nullopt;
    state.add(extrapolation.change(), extrapolation.correction());
    if (from) {
      const auto again = [&](double shorter) {
        auto to = *from;
        if (shorter == 0) return to;
        (void)extrapolation.step(leapfrog, from->high, from->low, shorter, options_.tolerance);
        to.add(extrapolation.change(), extrapolation.correction());
        return to;
      };
      if (const auto until = Passages(*watched_, *from, state, s, again).find(met_))
        state = again(*until), stopped_ = true;
    }
    if (options_.slow_down) state.slow_down({});
    if (state.reorder() || options_.slow_down) {
      if (options_.slow_down) choose_slow(state, time_ + state.high[layout.time()], tides);
      evaluations_ += leapfrog.evaluations();
      leapfrog = make();
    }
  }
  evaluations_ += leapfrog.evaluations();
  state.give(bodies_);
  work_ += state.at(layout.work());
  slowed_.clear();
  for (const auto& c : chosen_) slowed_.push_back(c.pair);
  time_ += stopped_ ? state.at(layout.time()).value() : dt;
  for (std::size_t k = 0; k < moved.size(); ++k)
    moved[k] = {rounded(state.vector_at(layout.moved(k))), rounded(state.vector_at(layout.moved(k) + 3))};
  return moved;
}

}  // namespace pleiad::regular
