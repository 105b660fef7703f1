/// Post-Newtonian terms: what they conserve and radiate to each order, and in groups the advance of the
/// pericentre, the decay of Peters, and the even powers of a substep in the errors of leapfrogs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "regular/post_newtonian.hpp"

#include "bodies.hpp"
#include "potentials/field.hpp"

#include <pleiad/error.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::regular;
using potentials::Dual;

namespace {

/// r, dr/dt and v^2 of a pair with the total mass 1, which its energy and angular momentum depend on.
template <class T>
struct Pair {
  T per_r, rate, v2;
};

/// Of a unit of reduced mass, orders 1 and 2 (Blanchet 2014, Living Reviews in Relativity 17, 2,
/// section 7.3).
template <class T>
T energy_of(const Pair<T>& p, double nu, double per_c2) {
  const auto &g = p.per_r, &s = p.v2;
  const T d = p.rate * p.rate;
  const T first = 0.375 * (1 - 3 * nu) * s * s + 0.5 * g * (nu * d + (3 + nu) * s) + 0.5 * g * g;
  const T second = (5 - 35 * nu + 65 * nu * nu) / 16 * s * s * s +
                   g * (-0.375 * (nu - 3 * nu * nu) * d * d + 0.25 * (nu - 15 * nu * nu) * d * s +
                        (21 - 23 * nu - 27 * nu * nu) / 8 * s * s) +
                   g * g * ((0.5 + 69 * nu / 8 + 1.5 * nu * nu) * d + (14 - 55 * nu + 4 * nu * nu) / 8 * s) -
                   (0.5 + 3.75 * nu) * g * g * g;
  return 0.5 * s - g + per_c2 * (first + per_c2 * second);
}

/// Over the Newtonian one.
template <class T>
T momentum_of(const Pair<T>& p, double nu, double per_c2) {
  const auto &g = p.per_r, &s = p.v2;
  const T d = p.rate * p.rate;
  const T first = 0.5 * (1 - 3 * nu) * s + (3 + nu) * g;
  const T second = 0.375 * (1 - 7 * nu + 13 * nu * nu) * s * s +
                   g * ((-nu - 2.5 * nu * nu) * d + (3.5 - 5 * nu - 4.5 * nu * nu) * s) +
                   (3.5 - 10.25 * nu + nu * nu) * g * g;
  return 1 + per_c2 * (first + per_c2 * second);
}

/// A pair with the total mass 1 that is accelerated by a.
Pair<Dual> moving(const Vec3<double>& r, const Vec3<double>& v, const Vec3<double>& a) {
  const double d = norm(r), rate = dot(r, v) / d, v2 = dot(v, v);
  return {{1 / d, -rate / (d * d)}, {rate, (v2 + dot(r, a) - rate * rate) / d}, {v2, 2 * dot(v, a)}};
}
Pair<double> still(const Vec3<double>& r, const Vec3<double>& v) {
  return {1 / norm(r), dot(r, v) / norm(r), dot(v, v)};
}

struct Drawn {
  double first = 0.5;
  Vec3<double> r{}, v{};
  double nu() const { return first * (1 - first); }
  Vec3<double> acceleration(const PostNewtonian& terms) const {
    return terms.acceleration(first, 1 - first, r, v);
  }
  Vec3<double> pull() const { return -1 / std::pow(norm(r), 3) * r; }
};
std::vector<Drawn> drawn() {
  Random random(5, 0);
  std::vector<Drawn> all(200);
  for (auto& each : all) {
    each.first = 0.01 + 0.98 * random.uniform();
    const Vec3<double> towards{random.normal(), random.normal(), random.normal()};
    each.r = (0.5 + random.uniform()) / norm(towards) * towards;
    each.v = {random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5};
  }
  return all;
}

/// Two bodies of the masses `first` and 1 - first at apocentre, as pair_at_apocentre, in a group with terms.
Group group_of(double e, double first, const PostNewtonian& terms) {
  return Group(pair_at_apocentre(e, first), {.terms = terms});
}
Vec3<double> separation(const Group& g) { return rounded_vec(g.bodies()[1].x - g.bodies()[0].x); }
Vec3<double> velocity(const Group& g) { return rounded_vec(g.bodies()[1].v - g.bodies()[0].v); }

/// Moves a pair to the nearest time at which its distance does not change: Newton's method.
void to_apsis(Group& g) {
  for (int k = 0; k < 20; ++k) {
    const auto r = separation(g), v = velocity(g);
    const double d = norm(r), rv = dot(r, v), slope = dot(v, v) - 1 / d;
    if (std::abs(rv) < 1e-15) return;
    g.advance(-rv / slope);
  }
}

/// By how much the apocentre of a pair has turned after an orbit.
double turned(Group g) {
  to_apsis(g);
  const auto before = separation(g);
  g.advance(orbit_of(g.bodies()).a > 0 ? 2 * pi * std::pow(double(orbit_of(g.bodies()).a), 1.5) : 0);
  to_apsis(g);
  const auto after = separation(g);
  return std::atan2(before.x * after.y - before.y * after.x, dot(before, after));
}

/// Peters' rates of a and e for a total mass of 1 (1964, Physical Review 136, 1224), averaged over orbits.
struct Decay {
  double a = 0, e = 0;
};
Decay peters(double nu, double c, double a, double e) {
  const double w = 1 - e * e, scale = nu / std::pow(c, 5);
  return {-64.0 / 5 * scale / (a * a * a * std::pow(w, 3.5)) *
              (1 + 73.0 / 24 * e * e + 37.0 / 96 * std::pow(e, 4)),
          -304.0 / 15 * scale * e / (std::pow(a, 4) * std::pow(w, 2.5)) * (1 + 121.0 / 304 * e * e)};
}

}  // namespace

// What is not conserved is of the third order: doubling c makes it 64 times smaller, but for terms of the
// fourth. An error in a coefficient of the first order would make that 4, of the second 16.
TEST(PostNewtonian, KeepsEnergyAndAngularMomentumToSecondOrder) {
  const auto rates = [](double c, int orders) {
    const PostNewtonian terms{.c = c, .first = true, .second = orders > 1, .radiation = false};
    double energy = 0, momentum = 0;
    for (const auto& p : drawn()) {
      const auto a = p.pull() + p.acceleration(terms);
      const auto now = moving(p.r, p.v, a);
      const double per_c2 = 1 / (c * c);
      energy += std::abs(energy_of(now, p.nu(), per_c2).rate);
      // h = |r x v| changes by r x a.
      const auto h = cross(p.r, p.v);
      const double change = dot(h, cross(p.r, a)) / dot(h, h);
      const auto share = momentum_of(now, p.nu(), per_c2);
      momentum += std::abs(share.rate + share.value * change);
    }
    return std::pair{energy, momentum};
  };
  const auto [energy, momentum] = rates(30, 2);
  const auto [energy_after, momentum_after] = rates(60, 2);
  EXPECT_GT(energy_after, 0);
  EXPECT_LE(energy_after, energy / 60);
  EXPECT_GE(energy_after, energy / 68);
  EXPECT_LE(momentum_after, momentum / 60);
  EXPECT_GE(momentum_after, momentum / 68);
  // And the second order is needed for that.
  EXPECT_GE(rates(60, 1).first, rates(30, 1).first / 17);
}

// The energy and the angular momentum that they take are those of the quadrupole formula, beside changes of
// quantities that come back in each orbit (Iyer & Will 1995, Physical Review D 52, 6882).
TEST(PostNewtonian, RadiatesByTheQuadrupoleFormula) {
  const double c = 7, per_c5 = std::pow(c, -5);
  const PostNewtonian terms{.c = c, .first = false, .second = false, .radiation = true};
  for (const auto& p : drawn()) {
    const double nu = p.nu(), g = 1 / norm(p.r);
    const auto a = p.acceleration(terms);
    const auto now = moving(p.r, p.v, p.pull());
    const double returning = (8.0 / 5 * nu * per_c5) * (now.per_r * now.per_r * now.rate * now.v2).rate;
    const double d = now.rate.value * now.rate.value, s = now.v2.value;
    const double flux = 8.0 / 15 * nu * per_c5 * std::pow(g, 4) * (12 * s - 11 * d);
    EXPECT_LE(std::abs(dot(p.v, a) + returning + flux), 1e-14 * nu * per_c5 * std::pow(g + s, 5));
    const auto h = cross(p.r, p.v), torque = cross(p.r, a);
    const double back = (-8.0 / 5 * nu * per_c5) * (now.per_r * now.per_r * now.rate).rate;
    const double lost = 8.0 / 5 * nu * per_c5 * std::pow(g, 3) * (2 * s - 3 * d + 2 * g);
    EXPECT_LE(norm(torque + (back + lost) * h), 1e-14 * norm(h) * nu * per_c5 * std::pow(g + s, 4));
  }
}

TEST(PostNewtonian, OfTheFirstOrderForALightBodyIsThatOfAHeavySource) {
  const PostNewtonian terms{.c = 3, .first = true, .second = false, .radiation = false};
  for (const auto& p : drawn()) {
    const double d = norm(p.r);
    const auto expected = 1 / (9 * d * d * d) * ((4 / d - dot(p.v, p.v)) * p.r + (4 * dot(p.r, p.v)) * p.v);
    EXPECT_LE(norm(terms.acceleration(1, 0, p.r, p.v) - expected), 1e-14 * norm(expected) + 1e-16);
  }
}

// By energy and angular momentum of the orbit, which coordinates do not change: 2 pi times
// 3 / (c h)^2 (1 + ((5/2 - nu) E + (35/4 - 5 nu / 2) / h^2) / c^2) (Damour & Schaefer 1988, Nuovo Cimento B
// 101, 127). The first order alone is right to that, both to the third: 64 times less where c is doubled.
TEST(PostNewtonianGroups, TurnThePericentreToSecondOrder) {
  for (const double first : {0.5, 0.999}) {
    const double nu = first * (1 - first);
    const auto missing = [&](double c, bool second) {
      const auto g = group_of(0.6, first, {.c = c, .second = second, .radiation = false});
      const auto r = separation(g), v = velocity(g);
      const double per_c2 = 1 / (c * c);
      const double energy = energy_of(still(r, v), nu, per_c2);
      const double h = norm(cross(r, v)) * momentum_of(still(r, v), nu, per_c2);
      const double to_first = 3 * per_c2 / (h * h);
      const double more = second ? per_c2 * ((2.5 - nu) * energy + (8.75 - 2.5 * nu) / (h * h)) : 0;
      return std::abs(turned(g) / (2 * pi) - to_first * (1 + more));
    };
    const double before = missing(40, true), after = missing(80, true);
    EXPECT_GT(before, 0) << first;
    EXPECT_LE(after, before / 55) << first;
    EXPECT_GE(after, before / 75) << first;
    EXPECT_LE(missing(80, false), missing(40, false) / 14) << first;
  }
}

// From apocentre to apocentre, where the changes that come back are nothing: as the rates at its beginning,
// to as large a share as the orbit has changed, times the power of the rates, 4 / (1 - e) at most.
TEST(PostNewtonianGroups, DecayAsPetersFound) {
  for (const double e : {0.0, 0.3, 0.8}) {
    const double first = 0.3, c = 60, nu = first * (1 - first);
    auto g = group_of(e, first, {.c = c, .first = false, .second = false});
    const auto before = orbit_of(g.bodies());
    g.advance(2 * pi);
    if (e > 0) to_apsis(g);
    const auto after = orbit_of(g.bodies());
    const auto rate = peters(nu, c, 1, e);
    const double change = std::abs(rate.a) * 2 * pi;
    // Rounding errors are 1e-14 of a, and for a circle what comes back does not.
    const double allowed = 4 / (1 - e) * change * change + 2e-13;
    EXPECT_LE(std::abs(double(after.a - before.a) - 2 * pi * rate.a), allowed) << e;
    if (e > 0) {
      EXPECT_LE(std::abs(double(after.e - before.e) - 2 * pi * rate.e), allowed) << e;
    }
  }
}

// To half of its size: Peters' equations, whose averages over an orbit are right to the share that an orbit
// loses, 2 pi 64/5 nu / c^5 (1 - e^2)^-3.5 = 1e-3 at the end.
TEST(PostNewtonianGroups, SpiralInAsPetersFound) {
  const double c = 10, first = 0.4, nu = first * (1 - first), e = 0.5;
  auto g = group_of(e, first, {.c = c, .first = false, .second = false});
  double a = 1, b = e, time = 0;
  const double h = 1;
  while (a > 0.5) {  // midpoint rule
    const auto here = peters(nu, c, a, b);
    const auto middle = peters(nu, c, a + h / 2 * here.a, b + h / 2 * here.e);
    a += h * middle.a, b += h * middle.e, time += h;
  }
  g.advance(time);
  const auto now = orbit_of(g.bodies());
  EXPECT_LE(std::abs(double(now.a) - a), 5e-3);
  EXPECT_LE(std::abs(double(now.e) - b), 5e-3);
}

// The energy of the bodies less the work of the terms, to rounding errors: 1e-16 of U, some thousand times.
TEST(PostNewtonianGroups, KeepTheEnergyLessTheWork) {
  for (const double e : {0.0, 0.5, 0.9}) {
    auto g = group_of(e, 0.3, {.c = 30});
    const double before = energy(g.bodies());
    for (int k = 0; k < 30; ++k) {
      g.advance(1);
      EXPECT_LE(std::abs(energy(g.bodies()) - g.work() - before), 1e-13 / (1 - e)) << e;
    }
    EXPECT_GT(std::abs(g.work()), 1e-7) << e;
  }
}

// What the group has of its own, over many orbits: nothing beyond the third order, 100 / c^6, which comes
// back.
TEST(PostNewtonianGroups, KeepTheirOwnEnergyOverManyOrbits) {
  const double c = 50, first = 0.3, nu = first * (1 - first);
  auto g = group_of(0.6, first, {.c = c, .radiation = false});
  const auto own = [&] { return energy_of(still(separation(g), velocity(g)), nu, 1 / (c * c)); };
  const double before = own();
  for (int k = 0; k < 200; ++k) g.advance(2.2);
  EXPECT_LE(std::abs(own() - before), 100 * std::pow(c, -6));
}

TEST(PostNewtonianGroups, KeepMomentumEnergyAndTheWayBackOfThree) {
  for (const auto clock : {Clock::logarithmic, Clock::by_masses}) {
    // A binary about a heavy body, in a frame that moves.
    std::vector<Group::Body> bodies{body(100, {0, 0, 0}, {}), body(1, {30, 0, 0}, {0, 1.8, 0}),
                                    body(0.5, {31, 0, 0}, {0, 1.8 + 1.1, 0.3})};
    for (auto& b : bodies) b.v += double_vec({0.3, -0.2, 0.1});
    Group g(bodies, {.clock = clock, .terms = PostNewtonian{.c = 60}});
    const auto momentum = [&] {
      Vec3<double> sum{};
      for (const auto& b : g.bodies()) sum += b.mass * rounded_vec(b.v);
      return sum;
    };
    const auto p = momentum();
    const double before = energy(g.bodies());
    g.advance(40);
    EXPECT_LE(norm(momentum() - p), 1e-11);
    EXPECT_LE(std::abs(energy(g.bodies()) - g.work() - before), 1e-11 * std::abs(before));
    EXPECT_GT(std::abs(g.work()), 1e-6);
    g.advance(-40);
    // Errors of some hundred steps, which a binary multiplies by the number of its orbits.
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_LE(norm(rounded_vec(g.bodies()[k].x - bodies[k].x)), 1e-9) << k;
  }
}

// Of leapfrogs with n substeps over the same s: without the square of a substep, the next power is the
// fourth.
TEST(PostNewtonianGroups, HaveLeapfrogsWithErrorsInEvenPowers) {
  const PostNewtonian terms{.c = 3};
  const std::vector<double> masses{0.3, 0.7};
  const std::vector<std::size_t> order{0, 1};
  Leapfrog leapfrog({masses, order, {}, {}, nullptr, 0, 0, &terms});
  const Layout layout{2, 0};
  std::vector<double> start(layout.size()), low(layout.size()), rest(layout.size());
  start[0] = 1.5, start[1] = 0.2, start[3] = -0.1, start[4] = 0.7;
  start[layout.energy()] = 0.21 / std::hypot(1.5, 0.2) - 0.21 * (0.1 * 0.1 + 0.7 * 0.7) / 2;
  const auto change = [&](int n) {
    std::vector<double> result(layout.size());
    leapfrog.advance(start, low, 0.2 / n, n, result, rest);
    return result;
  };
  const auto without_square = [&](int n) {
    const auto coarse = change(n), fine = change(2 * n);
    auto result = fine;
    for (std::size_t k = 0; k < result.size(); ++k) result[k] += (fine[k] - coarse[k]) / 3;
    return result;
  };
  const auto largest = [&](int n) {
    const auto a = without_square(n), b = without_square(2 * n);
    double most = 0;
    for (std::size_t k = 0; k < layout.velocities() + 3; ++k) most = std::max(most, std::abs(a[k] - b[k]));
    return most;
  };
  const double ratio = largest(16) / largest(32);
  EXPECT_GT(ratio, 14.5);
  EXPECT_LT(ratio, 17.5);
}

TEST(PostNewtonianGroups, AreRefusedWhereTheTermsDoNotHold) {
  Group close({body(0.5, {0.5, 0, 0}, {0, 0.01, 0}), body(0.5, {-0.5, 0, 0}, {0, -0.01, 0})},
              {.terms = PostNewtonian{.c = 20}});
  try {
    close.advance(5);
    FAIL() << "two bodies fall together";
  } catch (const NumericalError& error) {
    EXPECT_NE(std::string(error.what()).find("post-Newtonian terms hold beyond 10"), std::string::npos)
        << error.what();
  }
  EXPECT_THROW(Group(pair_at_apocentre(0), {.slow_down = SlowDown{}, .terms = PostNewtonian{.c = 10}}),
               UsageError);
}
