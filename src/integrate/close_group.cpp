#include "integrate/close_group.hpp"

#include "integrate/group_members.hpp"
#include "orbits/kepler.hpp"
#include "orbits/passage.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace pleiad {
namespace {

/// Bodies count within this many sizes of a pair, or of a larger group, which moves in the shortest steps of
/// its members and pays for each body in all of them; where they are heavier than the group, farther by the
/// cube root of the ratio. The pull of two equal masses on a body differs there from that of one by at most
/// 3/8 of 1/reach^2, and the tide of a body as heavy as they are is 2 / reach^3 of their own pull.
constexpr double sizes_of_pair = 150, sizes_of_more = 100;
/// They count fully within this share of it.
constexpr double full_share = 0.6;
/// The relative error of a substep.
constexpr double substep_error = 1e-13;
/// Pairs whose tide is less than this share of their binding are moved by kicks between Kepler orbits.
constexpr double weak = 1e-3;
/// Kicks in a period: with n of them the energy oscillates by (2 pi / n)^2 / 12 of the work of the tide,
/// which is 6e-9 of the binding for this many times the root of the share of the tide; and no fewer than
/// these.
constexpr double kicks_per_root = 24000, fewest_kicks = 48;
/// Whole orbits are made at once, with as many times the kicks, where all of them are so small a share of the
/// binding: what is left out is of the square of that. The kicks then stand no farther from each other
/// than this share of the time in which the tide changes.
constexpr double most_at_once = 1e-6, share_of_change = 0.03;
/// A smaller tide of external fields than this share of the binding does nothing: in the time in which it
/// could turn an orbit of its own, 1 / sqrt(tide), the orbit of the pair changes by about the root of that.
constexpr double negligible = 1e-16;
/// The slow-down of binaries in larger groups: the tide times its factor is at most this share of the
/// binding.
constexpr regular::SlowDown slow_binaries{.reference = 1e-5, .share = 0.01};

regular::DoubleVec exact(const Vec3<double>& a) { return {{a.x, 0}, {a.y, 0}, {a.z, 0}}; }

/// Makes the members relative to their centre of mass, which it returns.
Centre recentre(std::vector<CloseGroup::Member>& members) {
  const auto all = joined(members);
  const Centre centre{all.x, all.v};
  for (auto& m : members) m.x = m.x - centre.x, m.v = m.v - centre.v;
  return centre;
}

/// A body on its path relative to that of a centre of mass.
struct Neighbour {
  double mass = 0, from = 0, reach = 0;
  Vec3<double> x{}, v{}, a{}, j{};
  Vec3<double> at(double time) const {
    const double h = time - from;
    return x + h * (v + (h / 2) * (a + (h / 3) * j));
  }
  Vec3<double> going(double time) const {
    const double h = time - from;
    return v + h * (a + (h / 2) * j);
  }
};

Neighbour neighbour(const BlockBodies& all, std::size_t k) {
  const auto& p = all.paths;
  return {p.mass[k],
          p.from[k] * p.unit,
          0,
          BodyPaths::at(p.x, k),
          BodyPaths::at(p.v, k),
          BodyPaths::at(p.a, k),
          BodyPaths::at(p.j, k)};
}

/// A weight of distances and its derivative.
struct Weight {
  double value = 1, slope = 0;
};
Weight weight(double d, double reach) {
  const double inner = full_share * reach, width = reach - inner;
  if (d <= inner) return {};
  if (d >= reach) return {0, 0};
  const double s = (reach - d) / width;
  return {s * s * s * (10 + s * (6 * s - 15)), -30 * s * s * (1 - s) * (1 - s) / width};
}

}  // namespace

double CloseGroup::reach(double of_body) const {
  return size * (members().size() == 2 ? sizes_of_pair : sizes_of_more) *
         std::max(1.0, std::cbrt(of_body / mass_));
}

CloseGroup::CloseGroup(std::vector<std::uint32_t> numbers, std::vector<Member> members,
                       const InnerMotion& motion, const StepWatch* watch)
    : numbers_(std::move(numbers)), terms_(motion.terms), slow_down_(motion.slow_down), watch_(watch) {
  for (const auto& m : members) mass_ += m.mass;
  given_ = members;
  centre_ = recentre(members);
  take_members(std::move(members));
}

/// Relative to their centre of mass.
void CloseGroup::take_members(std::vector<Member> members) {
  regular::Group::Options options{.tolerance = substep_error, .terms = terms_};
  if (slow_down_ && !terms_ && members.size() > 2) options.slow_down = slow_binaries;
  inner_.emplace(std::move(members), options);
  if (watch_ != nullptr) inner_->watch(watched_by(*watch_, numbers_));
}

void CloseGroup::part(std::span<const StepWatch::Change> changes) {
  auto left = members();
  leave(changes, numbers_, left);
  (void)recentre(left);
  given_ = left;
  take_members(std::move(left));
}

std::vector<StepWatch::Pair> CloseGroup::touching() const {
  const auto& [one, other] = met_.back().moment.pair;
  const auto index = [&](std::uint32_t body) {
    return std::size_t(std::ranges::find(numbers_, body) - numbers_.begin());
  };
  std::vector<StepWatch::Pair> pairs;
  for (const auto& [i, j] : touching_members(*watch_, numbers_, members(), {index(one), index(other)}))
    pairs.push_back({numbers_[i], numbers_[j]});
  return pairs;
}

/// What the chain has met.
void CloseGroup::take_met() {
  for (const auto& m : inner_->met())
    met_.push_back({{.pair = {numbers_[m.one], numbers_[m.other]},
                     .time = m.time,
                     .at = {{m.x[0], m.v[0]}, {m.x[1], m.v[1]}}},
                    m.contact});
  if (inner_->stopped()) stop_after(inner_->met().back().time);
}

bool CloseGroup::may_meet(const Centre& pair) const {
  if (watch_ == nullptr) return false;
  constexpr double margin = 2;
  const double touch = watch_->radius(numbers_[0]) + watch_->radius(numbers_[1]),
               within = std::max(touch, watch_->distance());
  const auto lowest = orbits::pericentre_of(mass_, {regular::rounded(pair.x), regular::rounded(pair.v)});
  // With none to look for nothing is met.
  return within > 0 && !(lowest.distance > margin * within);
}

std::optional<double> CloseGroup::look_at_pair(const Centre& start, const Centre& end, double after,
                                               double time) {
  if (watch_ == nullptr) return std::nullopt;
  const orbits::Phase begins{regular::rounded(start.x), regular::rounded(start.v)},
      ends{regular::rounded(end.x), regular::rounded(end.v)};
  const double touch = watch_->radius(numbers_[0]) + watch_->radius(numbers_[1]), near = watch_->distance();
  const auto lowest = orbits::pericentre_of(mass_, begins);
  if (!(lowest.distance <= std::max(touch, near))) return std::nullopt;
  const double first = members()[1].mass / mass_, second = members()[0].mass / mass_;
  const auto meet = [&](double t, bool contact) {
    const auto at = orbits::kepler_step(mass_, begins, t);
    met_.push_back({{.pair = {numbers_[0], numbers_[1]},
                     .time = after + t,
                     .at = {{-first * at.x, -first * at.v}, {second * at.x, second * at.v}}},
                    contact});
  };
  const bool stops = watch_->parts_touching();
  std::optional<double> contact;
  if (touch > 0)
    contact = stops && norm(begins.x) <= touch && dot(begins.x, begins.v) < 0
                  ? 0
                  : orbits::approach_within(mass_, begins, ends, time, touch);
  // The least sharp minimum is that of other paths (encounters/path.hpp), e / (1 + e) > 1/50.
  constexpr double least_eccentricity = 1.0 / 49;
  if (lowest.distance < near && lowest.eccentricity > least_eccentricity && !(stops && contact) && !told_)
    if (const auto t = orbits::pericentre_within(mass_, begins, ends, time))
      meet(*t, false), told_ = near_.empty();
  if (contact) meet(*contact, true);
  return stops ? contact : std::nullopt;
}

std::vector<CloseGroup::Member> CloseGroup::members_at(const Centre& at) const {
  auto all = inner_->bodies();
  for (auto& m : all) m.x += at.x, m.v += at.v;
  return all;
}

std::vector<regular::Group::Chosen> CloseGroup::chosen() const { return inner_->chosen(); }
void CloseGroup::begin(double time, std::vector<regular::Group::Chosen> chosen) {
  inner_->begin(time, std::move(chosen));
}

void CloseGroup::find_near(const BlockBodies& all, double time, double fastest, double heaviest) {
  near_.clear();
  const auto& p = all.paths;
  const auto x = BodyPaths::at(p.x_now, place), v = BodyPaths::at(p.v_now, place);
  // A little more, as paths are not straight: bodies without weight cost time and nothing else.
  constexpr double margin = 1.1;
  const double most = margin * reach(heaviest) + (norm(v) + fastest) * time;
  all.within(place, most, [&](std::uint32_t k) {
    const auto d = BodyPaths::at(p.x_now, k) - x, u = BodyPaths::at(p.v_now, k) - v;
    const double within = margin * reach(p.mass[k]), along = dot(d, u), speed2 = dot(u, u);
    const double nearest = along < 0 && speed2 > 0 ? std::min(time, -along / speed2) : 0;
    const auto then = d + nearest * u;
    if (dot(then, then) < within * within) near_.push_back(k);
  });
}

Centre CloseGroup::relative() const {
  const auto& m = members();
  return {m[1].x - m[0].x, m[1].v - m[0].v};
}

void CloseGroup::set_relative(const Centre& to) {
  auto& m = inner_->bodies();
  const auto mass = regular::DoubleSum{m[0].mass, 0} + regular::DoubleSum{m[1].mass, 0};
  const auto first = regular::DoubleSum{-m[1].mass, 0} / mass,
             second = regular::DoubleSum{m[0].mass, 0} / mass;
  m[0].x = to.x * first, m[0].v = to.v * first;
  m[1].x = to.x * second, m[1].v = to.v * second;
}

bool CloseGroup::on_kepler_orbit() const {
  if (members().size() != 2) return false;
  const auto pair = relative();
  // The chain looks at each pericentre of an orbit that relativity turns.
  if (terms_ && may_meet(pair)) return false;
  return !terms_ || terms_->averages(mass_, regular::rounded(pair.x), regular::rounded(pair.v));
}

void CloseGroup::move_on_orbit(Centre& pair, double time) const {
  const auto x = regular::rounded(pair.x), v = regular::rounded(pair.v);
  const auto change = orbits::kepler_change(mass_, {x, v}, time);
  pair.x += exact(change.x), pair.v += exact(change.v);
  if (!terms_) return;
  const auto h = cross(x, v), axis = (1 / norm(h)) * h;
  const double angle = terms_->angle(mass_, x, v, time), s = std::sin(angle / 2), c = std::cos(angle / 2);
  for (auto* vector : {&pair.x, &pair.v}) {
    const auto across = cross(axis, regular::rounded(*vector));
    *vector += exact(2 * s * (c * across + s * cross(axis, across)));
  }
}

CloseGroup::Shifts CloseGroup::advance_alone(double time) {
  if (!on_kepler_orbit()) {
    inner_->advance(time);
    (void)recentre(inner_->bodies());
    take_met();
    return {};
  }
  const auto start = relative();
  auto pair = start;
  move_on_orbit(pair, time);
  if (const auto contact = look_at_pair(start, pair, 0, time)) {
    pair = start;
    move_on_orbit(pair, *contact);
    stop_after(*contact);
  }
  set_relative(pair);
  return {};
}

/// Kicks by the tide, and between them the Kepler orbit. Of many orbits in which others hardly move, some
/// whole ones are made at once: what one does counts for all of them, while the others go on for the time of
/// all. The orbits begin and end at one phase, so the energy that the tide lends and takes back is right.
CloseGroup::Shifts CloseGroup::advance_weakly(double begin, double time, const Weakly& how,
                                              const regular::Surroundings& surroundings) {
  const double m1 = members()[0].mass / mass_, m2 = members()[1].mass / mass_;
  auto pair = relative();
  Shifts shifts(1 + surroundings.bodies);
  std::array<Vec3<double>, 2> x{}, a{};
  std::vector<Vec3<double>> reactions(surroundings.bodies);
  const auto kick = [&](double at, double h) {
    const auto r = regular::rounded(pair.x);
    x = {-m2 * r, m1 * r}, a = {};
    std::ranges::fill(reactions, Vec3<double>{});
    surroundings.pull(at, x, a, reactions);
    pair.v += exact(h * (a[1] - a[0]));
    shifts[0].v += h * (m1 * a[0] + m2 * a[1]);
    for (std::size_t k = 0; k < reactions.size(); ++k) shifts[k + 1].v += h * reactions[k];
  };
  const double in_period = std::max(fewest_kicks, kicks_per_root * std::sqrt(how.tide));
  // A part of an orbit that stands for `orbits` of them; to where the two touch, if they do not go on.
  const auto move = [&](double from_time, double part, double orbits) {
    const double count = std::max(1.0, std::ceil(part * in_period / how.period)), h = part / count,
                 whole = orbits * h;
    kick(from_time, whole / 2);
    for (double k = 1; k <= count; ++k) {
      const auto start = pair;
      move_on_orbit(pair, h);
      if (orbits == 1) {
        const double before = from_time - begin + (k - 1) * h;
        if (const auto contact = look_at_pair(start, pair, before, h)) {
          pair = start;
          move_on_orbit(pair, *contact);
          for (auto& shift : shifts) shift.x += *contact * shift.v;
          // The kick before this part has been that of half of a whole one.
          kick(begin + before + *contact, *contact - h / 2);
          stop_after(before + *contact);
          return;
        }
      }
      for (auto& shift : shifts) shift.x += whole * shift.v;
      kick(from_time + k * whole, k < count ? whole : whole / 2);
    }
  };
  // An orbit that relativity turns is another one after each.
  const double most = terms_ ? 1
                             : std::floor(std::min(most_at_once / how.tide,
                                                   share_of_change * in_period * how.changes / how.period));
  double done = 0;
  for (;;) {
    const double orbits = std::min(most, std::floor((time - done) / how.period));
    if (!(orbits >= 2) || may_meet(pair)) break;
    move(begin + done, how.period, orbits);
    done += orbits * how.period;
  }
  if (time > done) move(begin + done, time - done, 1);
  set_relative(pair);
  return shifts;
}

CloseGroup::Shifts CloseGroup::advance(const BlockBodies& all, const FieldOfStep& field, double now) {
  const double begin = from * all.paths.unit, time = (now - from) * all.paths.unit;
  from = now;
  met_.clear(), stopped_ = false;
  if (time == 0 || members().size() < 2) return {};
  auto shifts = move(all, field, begin, time);
  if (stopped_) from = std::min(now, (begin + reached_) / all.paths.unit);
  const auto own = neighbour(all, place);
  for (auto& [moment, contact] : met_) {
    moment.time += begin;
    for (auto& [x, v] : moment.at) x += own.at(moment.time), v += own.going(moment.time);
  }
  return shifts;
}

CloseGroup::Shifts CloseGroup::move(const BlockBodies& all, const FieldOfStep& field, double begin,
                                    double time) {
  inner_->begin(begin, inner_->chosen());
  const bool is_pair = members().size() == 2;
  regular::PairOrbit orbit;
  if (is_pair) {
    const auto pair = relative();
    orbit = regular::pair_orbit(mass_, regular::rounded(pair.x), regular::rounded(pair.v));
  }
  const auto own = neighbour(all, place);
  const double length = is_pair && orbit.bound ? orbit.apocentre : size, cubed = length * length * length;
  const double of_field = field.tide(begin, own.at(begin), length);
  const bool in_field = of_field * cubed > negligible * mass_;
  if (near_.empty() && !in_field) return advance_alone(time);
  std::vector<Neighbour> others;
  std::vector<regular::Outside> tides;
  double tide = of_field, changes = std::numeric_limits<double>::infinity();
  bool far = true;  // of all that may come near within the time
  for (const auto k : near_) {
    auto& other = others.emplace_back(neighbour(all, k));
    other.reach = reach(other.mass);
    const auto x = other.at(begin) - own.at(begin), u = other.going(begin) - own.going(begin);
    const auto last = other.at(begin + time) - own.at(begin + time);
    if (norm(x) < other.reach) tides.push_back({other.mass, x, u});
    far = far && norm(last) > 1.05 * other.reach && norm(x) - norm(u) * time > 1.05 * other.reach;
    // Where it is nearest, on a straight line.
    const double speed2 = dot(u, u), until = speed2 > 0 ? std::clamp(-dot(x, u) / speed2, 0.0, time) : 0;
    const double nearest = std::min(norm(x + until * u), norm(last));
    if (!(nearest < 1.05 * other.reach)) continue;
    tide += other.mass / (nearest * nearest * nearest);
    changes = std::min(changes, speed2 > 0 ? nearest / std::sqrt(speed2) : changes);
  }
  if (is_pair && far && tides.empty() && !in_field) return advance_alone(time);
  if (in_field) {
    // For the slow-down: a far and heavy body that has this tide.
    const double r = 10 * std::cbrt(mass_ / of_field);
    tides.push_back({of_field * r * r * r, {r, 0, 0}, {}});
  }
  std::vector<Vec3<double>> places(members().size());
  const auto& masses = members();
  const regular::Surroundings surroundings{
      .bodies = others.size(),
      .pull = [&](double t, std::span<const Vec3<double>> x, std::span<Vec3<double>> a,
                  std::span<Vec3<double>> reactions) {
        Vec3<double> centre{}, of_centre{};
        for (std::size_t k = 0; k < x.size(); ++k) centre += (masses[k].mass / mass_) * x[k];
        for (std::size_t k = 0; k < x.size(); ++k) places[k] = x[k] - centre;
        const auto here = own.at(t);
        for (std::size_t i = 0; i < others.size(); ++i) {
          const auto& other = others[i];
          const auto d = other.at(t) - here;
          const double r = norm(d);
          const auto w = weight(r, other.reach);
          if (w.value == 0) continue;
          const auto whole = (1 / (r * r * r)) * d;
          double potential = 0;
          for (std::size_t k = 0; k < x.size(); ++k) {
            const auto e = d - places[k];
            const double q = norm(e);
            const auto more = w.value * ((1 / (q * q * q)) * e - whole);
            a[k] += other.mass * more;
            reactions[i] -= masses[k].mass * more;
            potential += masses[k].mass * (1 / q - 1 / r);
          }
          const auto by_weight = (w.slope * potential / r) * d;
          reactions[i] += by_weight;
          of_centre -= (other.mass / mass_) * by_weight;
        }
        for (auto& each : a) each += of_centre;
        if (in_field) field.add_tides(std::min(t, begin + time), here, places, a);
      }};
  if (orbit.bound && tide * cubed < weak * mass_ && on_kepler_orbit())
    return advance_weakly(begin, time, {orbit.period, tide * cubed / mass_, changes}, surroundings);
  const auto moved = inner_->advance(time, surroundings, tides);
  const auto centre = recentre(inner_->bodies());
  take_met();
  Shifts shifts{{regular::rounded(centre.x), regular::rounded(centre.v)}};
  for (const auto& m : moved) shifts.push_back({m.x, m.v});
  return shifts;
}

double CloseGroup::extent(double limit) const {
  const auto& m = members();
  if (m.size() == 2) {
    const auto orbit = regular::pair_orbit(m[0].mass + m[1].mass, regular::rounded(m[1].x - m[0].x),
                                           regular::rounded(m[1].v - m[0].v));
    return orbit.bound ? std::min(orbit.apocentre, limit) : limit;
  }
  double most = 0;
  for (std::size_t i = 0; i < m.size(); ++i)
    for (std::size_t j = i + 1; j < m.size(); ++j)
      most = std::max(most, norm(regular::rounded(m[j].x - m[i].x)));
  // They move: room for half as much again.
  return 1.5 * most;
}

void CloseGroup::measure(double limit) {
  const double now = extent(limit);
  if (near_.empty() || now > 1.5 * size || now < size / 2) size = now;
}

}  // namespace pleiad
