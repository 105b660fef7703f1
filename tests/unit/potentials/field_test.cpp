/// Every kind of external potential: its acceleration is minus the gradient of its potential, its jerk the
/// change of its acceleration along an orbit, its density not negative. A new kind is tested without a line
/// here.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "potentials/at_time.hpp"
#include "potentials/hill_drift.hpp"
#include "potentials/host_field.hpp"
#include "potentials/tides.hpp"

#include <pleiad/error.hpp>
#include <pleiad/potential.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

using Exact = long double;
using potentials::Dual;
using potentials::field_of;

constexpr double G = 1.7;

/// Potentials of all kinds with parameters between 0.3 and 3, or the nearest that are allowed, and centres.
std::vector<Potential> drawn(int of_each) {
  std::vector<Potential> all;
  Random random(5, 0);
  const auto factor = [&] { return std::pow(10.0, random.uniform() - 0.5); };
  for (std::size_t kind = 0; kind < potential_kinds().size(); ++kind)
    for (int k = 0; k < of_each; ++k) {
      Potential p;
      p.kind = static_cast<int>(kind);
      const auto& parameters = potential_kinds()[kind].parameters;
      for (std::size_t i = 0; i < parameters.size(); ++i)
        p.parameters[i] = std::clamp(factor(), parameters[i].low, parameters[i].high);
      if (potential_kinds()[kind].name == "table")
        p.table = potential_of(fmt::format("table rows=0.3,0.1,{},0.9,2,1.3,{},2.5", 0.4 + random.uniform(),
                                           2.1 + 3 * random.uniform()))
                      .table;
      p.centre = {random.normal(), random.normal(), random.normal()};
      all.push_back(p);
    }
  return all;
}

/// The same, moving, rotating and changing in strength.
std::vector<Potential> drawn_in_motion(int of_each) {
  auto all = drawn(of_each);
  Random random(13, 0);
  int k = 0;
  for (auto& p : all) {
    p.velocity = {random.normal(), random.normal(), random.normal()};
    p.angle = random.normal(), p.omega = random.normal();
    if (k % 2 == 0) p.rise_from = -1 - random.uniform(), p.rise_to = 1 + random.uniform();
    if (k++ % 3 != 0) p.e_fold = 1 + random.uniform();
  }
  return all;
}

/// Positions about a centre: at distances from 1e-3 to 1e3, on axes and in planes too.
std::vector<Vec3<Exact>> positions(const Vec3<double>& centre) {
  std::vector<Vec3<Exact>> all;
  Random random(7, 0);
  for (int k = 0; k < 60; ++k) {
    const double r = std::pow(10.0, 6 * random.uniform() - 3);
    Vec3<double> d{random.normal(), random.normal(), random.normal()};
    if (k % 5 == 0) d.x = 0;
    if (k % 7 == 0) d.z = 0;
    if (k % 11 == 0) d.y = 0;
    if (norm(d) == 0) d.x = 1;
    d = d * (r / norm(d));
    all.push_back({Exact(centre.x) + d.x, Exact(centre.y) + d.y, Exact(centre.z) + d.z});
  }
  return all;
}

Vec3<double> rounded(const Vec3<Exact>& x) { return {double(x.x), double(x.y), double(x.z)}; }
Exact distance(const Vec3<Exact>& x, const Vec3<double>& c) {
  return norm(x - Vec3<Exact>{Exact(c.x), Exact(c.y), Exact(c.z)});
}
std::string name_of(const Potential& p, const Vec3<Exact>& x) {
  return fmt::format("{} at ({}, {}, {})", text_of(p), double(x.x), double(x.y), double(x.z));
}

/// (f(-2) - 8 f(-1) + 8 f(1) - f(2)) / 12 h: the derivative of f at 0 in steps of h, to h^4.
template <class F>
Exact derivative(const F& f, Exact h) {
  return (f(-2 * h) - f(2 * h) + 8 * (f(h) - f(-h))) / (12 * h);
}

}  // namespace

TEST(ExternalField, AcceleratesAgainstTheGradientOfItsPotential) {
  for (const auto& p : drawn(4))
    for (const auto& x : positions(p.centre)) {
      const auto found = field_of<Exact>(p, G, x);
      // Error of the difference: (h / r)^4 of the fifth derivative, and the rounding of phi / h, both below
      // 1e-11.
      const Exact h = 5e-4L * distance(x, p.centre);
      const auto along = [&](Vec3<Exact> axis) {
        return -derivative([&](Exact s) { return field_of<Exact>(p, G, x + axis * s).potential; }, h);
      };
      const Vec3<Exact> expected{along({1, 0, 0}), along({0, 1, 0}), along({0, 0, 1})};
      // What is flat is the difference of nearly equal potentials.
      const Exact rounding = std::abs(found.potential) * std::numeric_limits<Exact>::epsilon() / h;
      EXPECT_LE(norm(found.acceleration - expected), 1e-9L * norm(expected) + 8 * rounding) << name_of(p, x);
    }
}

TEST(ExternalField, HasTheSameValuesInDoublePrecision) {
  for (const auto& p : drawn(4))
    for (const auto& x : positions(p.centre)) {
      const auto near = rounded(x);
      const auto exact = field_of<Exact>(p, G, {near.x, near.y, near.z});
      const auto found = field_at({&p, 1}, G, near);
      const auto& a = found.acceleration;
      // The offset from the centre is rounded once: the field changes by that much over a distance r. The
      // masses of the three discs of an exponential one are 0.2, -5.8 and 6.7 of their sum.
      const bool cancels = potential_kinds()[std::size_t(p.kind)].name == "exponential-disc";
      const double r = double(distance(x, p.centre)),
                   tolerance = (cancels ? 12 : 1) * 32 * 0x1p-53 * (1 + norm(p.centre) / r);
      EXPECT_LE(norm(Vec3<Exact>{a.x, a.y, a.z} - exact.acceleration), tolerance * norm(exact.acceleration))
          << name_of(p, x);
      EXPECT_LE(std::abs(found.potential - exact.potential),
                tolerance * (std::abs(exact.potential) + r * norm(exact.acceleration)))
          << name_of(p, x);
    }
}

void expect_jerks(const std::vector<Potential>& all, double time) {
  Random random(11, 0);
  for (const auto& p : all)
    for (const auto& at : positions(p.centre + p.velocity * time)) {
      const auto x = rounded(at);
      const Vec3<double> v{random.normal(), random.normal(), random.normal()};
      const Mass<double> body{x.x, x.y, x.z, 1};
      const Vec4<double> velocity{v.x, v.y, v.z, 0};
      Vec4<double> a{}, j{};
      potentials::add_with_jerks({&p, 1}, G, time, {&body, 1}, {&velocity, 1}, {&a, 1}, {&j, 1});
      const auto plain = field_at({&p, 1}, G, x, time).acceleration;
      // The same numbers, which a derivative beside them does not change.
      EXPECT_EQ(a.xyz(), plain);
      // Steps far below the height of any disc here.
      const auto centre = p.centre + p.velocity * time;
      const double speed = norm(v - p.velocity) + std::abs(p.omega) * double(distance(at, centre));
      const Exact h = 2e-5L * std::min<Exact>(distance(at, centre), 0.3L) / speed;
      const auto along = [&](auto component) {
        return derivative(
            [&](Exact t) {
              return component(
                  field_of<Exact>(p, G, {x.x + v.x * t, x.y + v.y * t, x.z + v.z * t}, Exact(time) + t)
                      .acceleration);
            },
            h);
      };
      const Vec3<Exact> expected{along([](auto f) { return f.x; }), along([](auto f) { return f.y; }),
                                 along([](auto f) { return f.z; })};
      // On the surface of a homogeneous sphere the jerk jumps.
      if (potential_kinds()[std::size_t(p.kind)].name == "sphere" &&
          std::abs(distance(at, centre) - p.parameters[1]) < 4 * h * speed)
        continue;
      const double scale = norm(plain) * (speed / double(distance(at, centre)) + 1);
      EXPECT_LE(norm(Vec3<Exact>{j.x, j.y, j.z} - expected), 1e-9L * norm(expected) + 1e-10L * scale)
          << name_of(p, at);
    }
}

TEST(ExternalField, ChangesAlongAnOrbitByItsJerk) { expect_jerks(drawn(4), 0); }
TEST(ExternalField, ChangesByItsJerkWhileItMoves) { expect_jerks(drawn_in_motion(4), 0.7); }

/// div a = -4 pi G rho: no kind here has a negative density, or one that is not finite, but for the axes of a
/// flat logarithmic halo, and for the tide of an orbit, which has none.
TEST(ExternalField, HasADensityThatIsNotNegative) {
  for (const auto& p : drawn(3)) {
    if (potential_kinds()[std::size_t(p.kind)].name == "logarithmic" || potentials::is_hill(p)) continue;
    for (const auto& x : positions(p.centre)) {
      const Exact h = 5e-4L * distance(x, p.centre);
      const auto a = [&](Vec3<Exact> d) { return field_of<Exact>(p, G, x + d).acceleration; };
      const Exact divergence = derivative(
                                   [&](Exact s) {
                                     return a({s, 0, 0}).x;
                                   },
                                   h) +
                               derivative(
                                   [&](Exact s) {
                                     return a({0, s, 0}).y;
                                   },
                                   h) +
                               derivative(
                                   [&](Exact s) {
                                     return a({0, 0, s}).z;
                                   },
                                   h);
      const Exact tides = norm(a({})) / distance(x, p.centre);
      EXPECT_LE(divergence, 1e-8L * tides) << name_of(p, x);
    }
  }
}

TEST(ExternalField, IsFiniteAtItsCentre) {
  for (const auto& p : drawn(3)) {
    const auto f = field_at({&p, 1}, G, p.centre);
    for (const double number : {f.acceleration.x, f.acceleration.y, f.acceleration.z, f.potential})
      EXPECT_TRUE(std::isfinite(number)) << text_of(p);
    const Mass<double> body{p.centre.x, p.centre.y, p.centre.z, 1};
    const Vec4<double> velocity{1, 2, 3, 0};
    Vec4<double> a{}, j{};
    potentials::add_with_jerks({&p, 1}, G, 0, {&body, 1}, {&velocity, 1}, {&a, 1}, {&j, 1});
    EXPECT_TRUE(std::isfinite(j.x + j.y + j.z)) << text_of(p);
  }
}

/// The mass within r of an NFW halo, where the two terms of its formula cancel to u^2 / 2: series and formula
/// meet at u = 0.03.
TEST(ExternalField, OfAnNfwHaloIsExactNearItsCentre) {
  const auto halo = potential_of("nfw mass=2 scale=3");
  for (const double u : {1e-12, 1e-6, 1e-3, 0.01, 0.029999, 0.030001, 0.1, 1.0, 10.0}) {
    // By a series of its own with twice as many terms, or, from 0.1 on, by the formula.
    Exact mass = 0;
    if (u < 0.1)
      for (int k = 40; k >= 2; --k) mass += (k % 2 == 0 ? 1 : -1) * Exact(k - 1) / k * std::pow(Exact(u), k);
    else mass = std::log1p(Exact(u)) - u / (1 + Exact(u));
    const Exact r = 3 * Exact(u), expected = -G * 2 * mass / (r * r);
    const auto found = field_at({&halo, 1}, G, {double(r), 0, 0}).acceleration.x;
    EXPECT_LE(std::abs(found - expected), 2e-13L * std::abs(expected)) << u;
  }
}

/// v_c^2 = r |a| in closed form.
TEST(ExternalField, HasTheKnownCircularSpeeds) {
  const auto speed = [](const char* text, double r) {
    const auto p = potential_of(text);
    return std::sqrt(r * norm(field_at({&p, 1}, 1, {r, 0, 0}).acceleration));
  };
  for (const double r : {0.1, 1.0, 7.0}) {
    EXPECT_NEAR(speed("point mass=2", r), std::sqrt(2 / r), 1e-14 * speed("point mass=2", r));
    EXPECT_NEAR(speed("hernquist mass=2 scale=3", r), std::sqrt(2 * r) / (r + 3), 1e-14);
    EXPECT_NEAR(speed("logarithmic speed=2 core=3", r), 2 * r / std::hypot(r, 3), 1e-14);
    EXPECT_NEAR(speed("plummer mass=2 scale=3", r), std::sqrt(2 * r * r / std::pow(r * r + 9, 1.5)), 1e-14);
    EXPECT_NEAR(speed("miyamoto-nagai mass=2 scale=3 height=1", r),
                std::sqrt(2 * r * r / std::pow(r * r + 16, 1.5)), 1e-14);
    EXPECT_NEAR(speed("sphere mass=2 radius=5", r), std::sqrt(r < 5 ? 2 * r * r / 125 : 2 / r), 1e-14);
  }
}

/// With its centre, axes and strength of a time, the field is that of the same potential at rest.
TEST(ExternalField, MovesTurnsAndChangesWithTime) {
  for (const auto& p : drawn_in_motion(2))
    for (const double t : {-2.5, 0.0, 0.4, 3.0}) {
      auto rest = p;
      rest.centre = p.centre + p.velocity * t;
      rest.velocity = {}, rest.angle = rest.omega = 0, rest.rise_from = rest.rise_to = 0, rest.e_fold = 0;
      const double angle = p.angle + p.omega * t, c = std::cos(angle), s = std::sin(angle);
      double strength = p.e_fold == 0 ? 1 : std::exp(t / p.e_fold);
      if (p.rise_from < p.rise_to) {
        const double u = std::clamp(2 * (t - p.rise_from) / (p.rise_to - p.rise_from) - 1, -1.0, 1.0);
        strength *= 3 * std::pow(u, 5) / 16 - 5 * std::pow(u, 3) / 8 + 15 * u / 16 + 0.5;
      }
      const Vec3<double> d{0.7, -1.3, 0.4};  // in the axes of the potential
      const Vec3<double> x = rest.centre + Vec3<double>{c * d.x - s * d.y, s * d.x + c * d.y, d.z};
      const auto expected = field_at({&rest, 1}, G, rest.centre + d), found = field_at({&p, 1}, G, x, t);
      const auto& a = expected.acceleration;
      const Vec3<double> turned{c * a.x - s * a.y, s * a.x + c * a.y, a.z};
      // Offsets of about 1 from centres up to 10, rounded a few times.
      EXPECT_LE(norm(found.acceleration - turned * strength), 1e-13 * strength * norm(a)) << text_of(p);
      EXPECT_NEAR(found.potential, strength * expected.potential,
                  1e-13 * strength * (std::abs(expected.potential) + norm(a)))
          << text_of(p);
    }
}

TEST(ExternalField, SaysWhatEnergyItKeeps) {
  const auto speed = [](const std::vector<std::string>& texts) {
    return pattern_speed_of(potentials_of(texts));
  };
  const std::string bar = "bar mass=1 length=1 width=0.3 height=0.2",
                    disc = "miyamoto-nagai mass=1 scale=1 height=1";
  EXPECT_EQ(speed({}), 0.0);
  EXPECT_EQ(speed({bar, disc + " x=1", "uniform gx=1"}), 0.0);
  EXPECT_EQ(speed({bar + " angle=1"}), 0.0);
  EXPECT_EQ(speed({bar + " omega=2"}), 2.0);
  EXPECT_EQ(speed({disc + " omega=2 x=3"}), 0.0);  // symmetric about its own axis
  EXPECT_EQ(speed({bar + " omega=2", disc + " z=1", "uniform gz=1", "logarithmic speed=1 core=1 q=0.8"}),
            2.0);
  EXPECT_EQ(speed({bar + " omega=2", bar + " omega=2 angle=1"}), 2.0);
  EXPECT_EQ(speed({bar + " omega=2", bar + " omega=1"}), std::nullopt);
  EXPECT_EQ(speed({bar + " omega=2", bar}), std::nullopt);
  EXPECT_EQ(speed({bar + " omega=2 x=1"}), std::nullopt);
  EXPECT_EQ(speed({bar + " omega=2", disc + " y=1"}), std::nullopt);
  EXPECT_EQ(speed({bar + " omega=2", "uniform gx=1"}), std::nullopt);
  EXPECT_EQ(speed({bar + " omega=2", "logarithmic speed=1 core=1 p=0.8"}), std::nullopt);
  EXPECT_EQ(speed({disc + " vx=1"}), std::nullopt);
  EXPECT_EQ(speed({disc + " e_fold=1"}), std::nullopt);
  EXPECT_EQ(speed({disc + " rise_to=1"}), std::nullopt);
  EXPECT_EQ(speed({bar + " omega=2", disc + " vz=1"}), std::nullopt);
}

/// A thin exponential disc: v^2 = 2 G M / h y^2 (I0 K0 - I1 K1) with y = r / 2 h (Freeman 1970), within the
/// error of the fit, which is a few per cent there.
TEST(ExternalField, OfAnExponentialDiscHasItsCircularSpeed) {
  const auto disc = potential_of("exponential-disc mass=2 scale=0.5 thickness=0.01");
  const auto speed2 = [&](double r) { return r * norm(field_at({&disc, 1}, 1, {r, 0, 0}).acceleration); };
  for (const double y : {0.5, 0.75, 1.1, 1.5, 2.0}) {
    const double bessel =
        std::cyl_bessel_i(0, y) * std::cyl_bessel_k(0, y) - std::cyl_bessel_i(1, y) * std::cyl_bessel_k(1, y);
    const double expected = 2 * (2 / 0.5) * y * y * bessel;
    EXPECT_NEAR(speed2(2 * y * 0.5), expected, 0.06 * expected) << y;
  }
}

/// Twenty masses of a Plummer sphere a decade: the error of its field is what docs/potentials.md says.
TEST(ExternalField, OfATableIsThatOfItsSphere) {
  const auto sphere = potential_of("plummer mass=2 scale=1");
  std::string text = "table rows=";
  for (int k = 0; k <= 80; ++k) {
    const double r = std::pow(10.0, -2 + k / 20.0);
    text += fmt::format("{}{},{}", k > 0 ? "," : "", r, 2 * std::pow(r * r / (r * r + 1), 1.5));
  }
  const auto table = potential_of(text);
  double worst = 0, worst_potential = 0;
  for (int k = 0; k < 5000; ++k) {
    const Vec3<double> x{std::pow(10.0, -3 + k / 1000.0), 0, 0};
    const auto expected = field_at({&sphere, 1}, 1, x), found = field_at({&table, 1}, 1, x);
    take_larger(worst, norm(found.acceleration - expected.acceleration) / norm(expected.acceleration));
    take_larger(worst_potential, std::abs(found.potential / expected.potential - 1));
  }
  EXPECT_LE(worst, 4e-4);
  EXPECT_LE(worst_potential, 1e-4);
  // Inside the first radius and outside the last.
  const auto few = potential_of("table rows=1,1,2,3,4,5");
  const auto along = [&](double r) { return field_at({&few, 1}, 1, {0, r, 0}); };
  EXPECT_NEAR(along(0.5).acceleration.y, -0.5, 1e-15);
  EXPECT_NEAR(along(8).acceleration.y, -5.0 / 64, 1e-15);
  EXPECT_NEAR(along(8).potential, -5.0 / 8, 1e-15);
  EXPECT_NEAR(along(0.5).potential - along(1).potential, -(1 - 0.25) / 2, 1e-14);
  for (const double r : {1.0, 2.0, 4.0}) {  // continuous there
    EXPECT_NEAR(along(r * (1 - 1e-12)).acceleration.y, along(r * (1 + 1e-12)).acceleration.y, 1e-10);
    EXPECT_NEAR(along(r * (1 - 1e-12)).potential, along(r * (1 + 1e-12)).potential, 1e-10);
  }
}

/// A centre on a circle of radius 3: cubic curves through 40 points with velocities are exact to
/// (2 pi / 40)^4 / 384 = 1.6e-6 of the radius.
TEST(ExternalField, FollowsATrack) {
  const auto moving = [] {
    std::string text = "plummer mass=1 scale=1 track_rows=";
    for (int k = 0; k <= 40; ++k) {
      const double t = 2 * M_PI * k / 40;
      text += fmt::format("{}{},{},{},{}", k > 0 ? "," : "", t, 3 * std::cos(t), 3 * std::sin(t), 0.1 * t);
      text += fmt::format(",{},{},0.1", -3 * std::sin(t), 3 * std::cos(t));
    }
    return potential_of(text);
  }();
  EXPECT_FALSE(is_static(moving));
  EXPECT_EQ(pattern_speed_of({&moving, 1}), std::nullopt);
  for (int k = 0; k <= 1000; ++k) {
    const double t = 2 * M_PI * k / 1000;
    const auto rest = potential_of(
        fmt::format("plummer mass=1 scale=1 x={} y={} z={}", 3 * std::cos(t), 3 * std::sin(t), 0.1 * t));
    const auto expected = field_at({&rest, 1}, 1, {1, 2, 0.5}),
               found = field_at({&moving, 1}, 1, {1, 2, 0.5}, t);
    EXPECT_LE(norm(found.acceleration - expected.acceleration), 1e-5) << t;
  }
  // The jerk knows the velocity of the centre: that of a body which moves along is the tide's.
  const Mass<double> body{4, 0, 0, 1};
  const Vec4<double> velocity{0, 3, 0.1, 0};
  Vec4<double> a{}, j{};
  potentials::add_with_jerks({&moving, 1}, 1, 0, {&body, 1}, {&velocity, 1}, {&a, 1}, {&j, 1});
  EXPECT_LE(norm(j.xyz()), 1e-12);
  for (const double t : {-0.001, 6.29}) EXPECT_THROW((void)field_at({&moving, 1}, 1, {}, t), UsageError) << t;
}

/// The Milky Way: 229 km/s at 8.2 kpc; in all unit systems the same.
TEST(ExternalField, OfTheMilkyWayHasItsCircularSpeed) {
  for (const auto* name : {"galactic", "cluster", "si"}) {
    const auto units = units_named(name);
    const auto galaxy = potential_of("milky-way", units);
    const double r = 8.2 * 3.0856775814913673e21 / units.length_cm;
    const auto a = field_at({&galaxy, 1}, units.G(), {r, 0, 0}).acceleration;
    EXPECT_NEAR(std::sqrt(r * norm(a)) * units.velocity_cm_s / 1e5, 229, 3) << name;
  }
}

/// Differences of accelerations over distances down to 1e-12 of that from the centre, where two doubles have
/// four common digits less than 16 or none left, beside those of numbers with three digits more than doubles.
void expect_tides(const std::vector<Potential>& all, double time) {
  Random random(17, 0);
  for (const auto& p : all)
    for (const auto& at : positions(p.centre + p.velocity * time)) {
      const auto x = rounded(at);
      const auto centre = p.centre + p.velocity * time;
      // Far from scales of 0.2, the lowest height of a disc here, where fields are simple.
      const double r = norm(x - centre), scale = std::min(r, 0.2),
                   length = scale * std::pow(10.0, -12 * random.uniform());
      Vec3<double> d{random.normal(), random.normal(), random.normal()};
      d = d * (length / norm(d));
      if (potential_kinds()[std::size_t(p.kind)].name == "sphere" &&
          std::abs(r - p.parameters[1]) < 2 * length)
        continue;
      const potentials::Tides tides({p}, G);
      Vec3<double> found{};
      const auto here = tides.about(time, x, {&d, 1}, {&found, 1});
      EXPECT_LE(norm(here - field_at({&p, 1}, G, x, time).acceleration), 1e-14 * norm(here))
          << name_of(p, at);
      // The derivative and what is left of it, in a form that both have: without the rounding of x + d.
      const auto field = [&](Exact s) {
        return field_of<Exact>(p, G, {x.x + s * d.x, x.y + s * d.y, x.z + s * d.z}, Exact(time)).acceleration;
      };
      const auto from = field(0), to = field(1);
      const auto expected = to - from;
      const Exact lost = (norm(from) + norm(to)) * 0x1p-62L * Exact(1 + norm(x) / length);
      const Exact error = norm(Vec3<Exact>{found.x, found.y, found.z} - expected);
      EXPECT_LE(error, 2e-9L * norm(expected) + 64 * lost + 1e-12L * norm(from) * Exact(length / scale))
          << name_of(p, at) << " over " << length;
      // Added to what is there.
      auto twice = found;
      (void)tides.about(time, x, {&d, 1}, {&twice, 1});
      EXPECT_LE(norm(twice - 2.0 * found), 1e-15 * norm(found)) << name_of(p, at);
      EXPECT_LE(norm(found), 1.8 * tides.strength(time, x, length) * length + 1e-12 * norm(here))
          << name_of(p, at);
    }
}
TEST(Tides, AreDifferencesWithoutTheirRoundingErrors) { expect_tides(drawn(4), 0); }
TEST(Tides, MoveWithTheirPotentials) { expect_tides(drawn_in_motion(3), 0.7); }

/// At the centre itself, where some fields have no derivative, differences are those of two fields.
TEST(Tides, AreFiniteAtCentres) {
  for (const auto& p : drawn(2)) {
    const potentials::Tides tides({p}, G);
    const Vec3<double> d{1e-3, -2e-3, 1e-3};
    Vec3<double> found{};
    EXPECT_EQ(tides.about(0, p.centre, {&d, 1}, {&found, 1}), field_at({&p, 1}, G, p.centre).acceleration);
    const auto from = field_at({&p, 1}, G, p.centre).acceleration,
               to = field_at({&p, 1}, G, p.centre + d).acceleration;
    EXPECT_LE(norm(found - (to - from)), 1e-12 * (norm(to) + norm(from))) << text_of(p);
    EXPECT_TRUE(std::isfinite(tides.strength(0, p.centre, 1e-3))) << text_of(p);
  }
}

/// A field that is the same everywhere has none, and a sphere's is in proportion.
TEST(Tides, OfSimpleFields) {
  const Vec3<double> far{1e5, 0, 0}, d{0, 3e-6, 0};
  Vec3<double> found{};
  const potentials::Tides uniform(potentials_of_lines("uniform gx=3"), 1),
      sphere(potentials_of_lines("sphere mass=1 radius=1e6"), 1);
  EXPECT_EQ(uniform.about(0, far, {&d, 1}, {&found, 1}), (Vec3<double>{3, 0, 0}));
  EXPECT_EQ(found, (Vec3<double>{}));
  EXPECT_EQ(uniform.strength(0, far, 1), 0);
  (void)sphere.about(0, far, {&d, 1}, {&found, 1});
  EXPECT_NEAR(found.y, -3e-6 * 1e-18, 1e-36);
  EXPECT_NEAR(sphere.strength(0, far, 1e-3), std::sqrt(3) * 1e-18, 1e-28);
  EXPECT_FALSE(potentials::Tides({}, 1).any());
}

TEST(ExternalField, IsTheSumOfItsPotentials) {
  const auto all = drawn(1);
  const Vec3<double> x{0.3, -0.2, 0.5};
  Vec3<double> a{};
  double phi = 0;
  for (const auto& p : all) {
    const auto f = field_at({&p, 1}, G, x);
    a += f.acceleration, phi += f.potential;
  }
  const auto sum = field_at(all, G, x);
  EXPECT_EQ(sum.acceleration, a);
  EXPECT_EQ(sum.potential, phi);
}

}  // namespace pleiad
