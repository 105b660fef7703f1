/// Every kind of external potential: its acceleration is minus the gradient of its potential, its jerk the
/// change of its acceleration along an orbit, its density not negative. A new kind is tested without a line
/// here.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "potentials/host_field.hpp"
#include "potentials/sum.hpp"

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
      p.centre = {random.normal(), random.normal(), random.normal()};
      all.push_back(p);
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
      // The offset from the centre is rounded once: the field changes by that much over a distance r.
      const double r = double(distance(x, p.centre)), tolerance = 32 * 0x1p-53 * (1 + norm(p.centre) / r);
      EXPECT_LE(norm(Vec3<Exact>{a.x, a.y, a.z} - exact.acceleration), tolerance * norm(exact.acceleration))
          << name_of(p, x);
      EXPECT_LE(std::abs(found.potential - exact.potential),
                tolerance * (std::abs(exact.potential) + r * norm(exact.acceleration)))
          << name_of(p, x);
    }
}

TEST(ExternalField, ChangesAlongAnOrbitByItsJerk) {
  Random random(11, 0);
  for (const auto& p : drawn(4))
    for (const auto& at : positions(p.centre)) {
      const auto x = rounded(at);
      const Vec3<double> v{random.normal(), random.normal(), random.normal()};
      const Mass<double> body{x.x, x.y, x.z, 1};
      const Vec4<double> velocity{v.x, v.y, v.z, 0};
      Vec4<double> a{}, j{};
      potentials::add_with_jerks({&p, 1}, G, {&body, 1}, {&velocity, 1}, {&a, 1}, {&j, 1});
      const auto plain = field_at({&p, 1}, G, x).acceleration;
      // The same numbers, which a derivative beside them does not change.
      EXPECT_EQ(a.xyz(), plain);
      // Steps far below the height of any disc here.
      const Exact h = 2e-5L * std::min<Exact>(distance(at, p.centre), 0.3L) / norm(v);
      const auto along = [&](auto component) {
        return derivative(
            [&](Exact t) {
              return component(
                  field_of<Exact>(p, G, {x.x + v.x * t, x.y + v.y * t, x.z + v.z * t}).acceleration);
            },
            h);
      };
      const Vec3<Exact> expected{along([](auto f) { return f.x; }), along([](auto f) { return f.y; }),
                                 along([](auto f) { return f.z; })};
      // On the surface of a homogeneous sphere the jerk jumps.
      if (potential_kinds()[std::size_t(p.kind)].name == "sphere" &&
          std::abs(distance(at, p.centre) - p.parameters[1]) < 4 * h * norm(v))
        continue;
      const double scale = norm(plain) * norm(v) / double(distance(at, p.centre));
      EXPECT_LE(norm(Vec3<Exact>{j.x, j.y, j.z} - expected), 1e-9L * norm(expected) + 1e-10L * scale)
          << name_of(p, at);
    }
}

/// div a = -4 pi G rho: no kind here has a negative density, or one that is not finite, but for the axes of a
/// flat logarithmic halo.
TEST(ExternalField, HasADensityThatIsNotNegative) {
  for (const auto& p : drawn(3)) {
    if (potential_kinds()[std::size_t(p.kind)].name == "logarithmic") continue;
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
    potentials::add_with_jerks({&p, 1}, G, {&body, 1}, {&velocity, 1}, {&a, 1}, {&j, 1});
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
