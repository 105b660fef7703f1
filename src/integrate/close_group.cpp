#include "integrate/close_group.hpp"

#include "orbits/kepler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace pleiad {
namespace {

/// Bodies count within this many sizes of a group; where they are heavier than the group, farther by the cube
/// root of the ratio. The pull of two equal masses on a body differs there from that of one by at most
/// 3/8 of 1/reach^2, and the tide of a body as heavy as they are is 2 / reach^3 of their own pull.
constexpr double sizes_in_reach = 100;
/// They count fully within this share of it.
constexpr double full_share = 0.6;
/// The relative error of a substep.
constexpr double substep_error = 1e-13;
/// Pairs whose tide is less than this share of their binding are moved by kicks between Kepler orbits, so
/// many in a period: an error of the tide of (2 pi / 48)^2 / 12 that does not grow.
constexpr double weak = 1e-3, kicks_in_period = 48;
/// The slow-down of binaries in larger groups: the tide times its factor is at most this share of the
/// binding.
constexpr regular::SlowDown slow_binaries{.reference = 1e-5, .share = 0.01};

regular::DoubleVec exact(const Vec3<double>& a) { return {{a.x, 0}, {a.y, 0}, {a.z, 0}}; }

Centre centre_of(const std::vector<CloseGroup::Member>& members) {
  // From the first one: shares of differences lose no digits.
  regular::DoubleSum mass{};
  for (const auto& m : members) mass += {m.mass, 0};
  Centre sum{};
  for (const auto& m : members) {
    const auto share = regular::DoubleSum{m.mass, 0} / mass;
    sum.x += (m.x - members[0].x) * share, sum.v += (m.v - members[0].v) * share;
  }
  return {members[0].x + sum.x, members[0].v + sum.v};
}

/// Makes the members relative to their centre of mass, which it returns.
Centre recentre(std::vector<CloseGroup::Member>& members) {
  const auto centre = centre_of(members);
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

double reach(double mass, double of_body) {
  return sizes_in_reach * std::max(1.0, std::cbrt(of_body / mass));
}

CloseGroup::CloseGroup(std::vector<std::uint32_t> numbers, std::vector<Member> members,
                       const InnerMotion& motion)
    : numbers_(std::move(numbers)), terms_(motion.terms) {
  for (const auto& m : members) mass_ += m.mass;
  given_ = members;
  centre_ = recentre(members);
  regular::Group::Options options{.tolerance = substep_error, .terms = terms_};
  if (motion.slow_down && !terms_ && members.size() > 2) options.slow_down = slow_binaries;
  inner_.emplace(std::move(members), options);
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
  const double most = margin * size * reach(mass_, heaviest) + (norm(v) + fastest) * time;
  all.within(place, most, [&](std::uint32_t k) {
    const auto d = BodyPaths::at(p.x_now, k) - x, u = BodyPaths::at(p.v_now, k) - v;
    const double within = margin * size * reach(mass_, p.mass[k]), along = dot(d, u), speed2 = dot(u, u);
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
    return {};
  }
  auto pair = relative();
  move_on_orbit(pair, time);
  set_relative(pair);
  return {};
}

/// Kicks by the tide, and between them the Kepler orbit.
CloseGroup::Shifts CloseGroup::advance_weakly(double begin, double time, double period,
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
  const double count = std::max(1.0, std::ceil(time * kicks_in_period / period)), h = time / count;
  kick(begin, h / 2);
  for (double k = 1; k <= count; ++k) {
    move_on_orbit(pair, h);
    for (auto& shift : shifts) shift.x += h * shift.v;
    kick(begin + k * h, k < count ? h : h / 2);
  }
  set_relative(pair);
  return shifts;
}

CloseGroup::Shifts CloseGroup::advance(const BlockBodies& all, double now) {
  const double begin = from * all.paths.unit, time = (now - from) * all.paths.unit;
  from = now;
  if (time == 0) return {};
  inner_->begin(begin, inner_->chosen());
  if (near_.empty()) return advance_alone(time);
  const auto own = neighbour(all, place);
  std::vector<Neighbour> others;
  std::vector<regular::Outside> tides;
  for (const auto k : near_) {
    auto& other = others.emplace_back(neighbour(all, k));
    other.reach = size * reach(mass_, other.mass);
    const auto x = other.at(begin) - own.at(begin);
    if (norm(x) < other.reach) tides.push_back({other.mass, x, other.going(begin) - own.going(begin)});
  }
  if (tides.empty() && members().size() == 2) {
    bool far = true;  // of all that may come near within the time
    const double end = begin + time;
    for (const auto& other : others) {
      const auto d = other.at(begin) - own.at(begin), u = other.going(begin) - own.going(begin);
      const auto last = other.at(end) - own.at(end);
      far = far && norm(last) > 1.05 * other.reach && norm(d) - norm(u) * time > 1.05 * other.reach;
    }
    if (far) return advance_alone(time);
  }
  std::vector<Vec3<double>> places(members().size());
  const auto& masses = members();
  regular::Surroundings surroundings{
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
      }};
  if (on_kepler_orbit()) {
    const auto pair = relative();
    const auto orbit = regular::pair_orbit(mass_, regular::rounded(pair.x), regular::rounded(pair.v));
    double tide = 0;
    for (const auto& t : tides) tide += t.mass / std::pow(norm(t.x), 3);
    if (orbit.bound && tide * std::pow(orbit.apocentre, 3) < weak * mass_)
      return advance_weakly(begin, time, orbit.period, surroundings);
  }
  const auto moved = inner_->advance(time, surroundings, tides);
  const auto centre = recentre(inner_->bodies());
  Shifts shifts{{regular::rounded(centre.x), regular::rounded(centre.v)}};
  for (const auto& m : moved) shifts.push_back({m.x, m.v});
  return shifts;
}

double extent_of(std::span<const CloseGroup::Member> m, double limit) {
  if (m.size() < 2) return 0;
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

double CloseGroup::extent(double limit) const { return extent_of(members(), limit); }

void CloseGroup::measure(double limit) {
  const double now = extent(limit);
  if (near_.empty() || now > 1.5 * size || now < size / 2) size = now;
}

}  // namespace pleiad
