/// Mergers and removals: mass, momentum, centre, volume and energy, against sums over all pairs in long
/// double.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "encounters/ledger.hpp"

#include "encounters/touching.hpp"
#include "scenes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::encounters;

namespace {

using Wide = long double;

struct Sums {
  Wide mass = 0, energy = 0, volume = 0;
  Wide p[3] = {}, c[3] = {}, l[3] = {};
};

/// Of the bodies that are kept.
Sums sums_of(const Matter& m, const std::vector<std::uint8_t>& kept, const Gravity& g) {
  Sums s;
  const auto wide = [](const Vec3<double>& a) { return std::array<Wide, 3>{a.x, a.y, a.z}; };
  const Wide eps2 = Wide(g.softening.eps) * Wide(g.softening.eps);
  for (std::size_t i = 0; i < m.size(); ++i) {
    if (kept[i] == 0) continue;
    const Wide mass = m.mass[i];
    const auto x = wide(m.places[i].x), v = wide(m.places[i].v);
    s.mass += mass, s.volume += std::pow(Wide(m.radius[i]), 3);
    s.energy += mass / 2 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; ++k) {
      s.p[k] += mass * v[k], s.c[k] += mass * x[k];
      s.l[k] += mass * (x[(k + 1) % 3] * v[(k + 2) % 3] - x[(k + 2) % 3] * v[(k + 1) % 3]);
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (kept[j] == 0) continue;
      const auto y = wide(m.places[j].x);
      Wide r2 = eps2;
      for (int k = 0; k < 3; ++k) r2 += (x[k] - y[k]) * (x[k] - y[k]);
      s.energy -= Wide(g.G) * mass * Wide(m.mass[j]) / std::sqrt(r2);
    }
    if (!g.potentials.empty())  // a Plummer sphere of mass 3 and scale 2
      s.energy -= Wide(g.G) * mass * 3 / std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + 4);
  }
  return s;
}

Gravity law(double eps, bool field) {
  Gravity g{.G = 2, .softening = {eps}, .boundary = {}, .dimension = 3};
  if (field) g.potentials = potentials_of(std::vector<std::string>{"plummer mass=3 scale=2"}, Units{});
  return g;
}

/// Sums of some 200 terms of order 1 to 10, each rounded.
constexpr double rounding = 1e-13;

}  // namespace

TEST(Ledger, KeepsMassMomentumAndCentreAndCountsTheRest) {
  for (const double eps : {0.0, 0.05})
    for (const bool field : {false, true}) {
      const auto g = law(eps, field);
      auto matter = test::scene_of("uniform", 60).matter;
      const std::vector<std::uint8_t> all(60, 1);
      const auto before = sums_of(matter, all, g);
      Wide particles = 0;
      for (const std::size_t i : {4, 9, 14}) particles += std::pow(Wide(matter.radius[i]), 3);
      // Two components, of ten bodies and of three, with test particles among them.
      std::vector<Pair> touching;
      for (const std::uint32_t j : {0, 1, 2, 5, 6, 7, 4, 9, 14}) touching.push_back({3, j});
      touching.push_back({20, 21}), touching.push_back({21, 22});
      const auto components = components_of(matter, touching);
      ASSERT_EQ(components.size(), 2U);
      Ledger ledger(matter, g, 7, 12);
      for (const auto& component : components) ledger.merge(component);
      const auto after = sums_of(matter, ledger.kept(), g);
      EXPECT_EQ(ledger.events().size(), 11U);
      EXPECT_EQ(std::ranges::count(ledger.kept(), 0), 11);
      EXPECT_NEAR(double(after.mass - before.mass), 0, rounding);
      EXPECT_NEAR(double(after.volume - (before.volume - particles)), 0, rounding);
      EXPECT_NEAR(double(after.energy + ledger.lost().energy - before.energy), 0, rounding * 200);
      const auto& l = ledger.lost().angular_momentum;
      const double lost[3] = {l.x, l.y, l.z};
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(double(after.p[k] - before.p[k]), 0, rounding);
        EXPECT_NEAR(double(after.c[k] - before.c[k]), 0, rounding);
        EXPECT_NEAR(double(after.l[k] + lost[k] - before.l[k]), 0, rounding);
      }
      EXPECT_GT(std::abs(ledger.lost().energy), 1e-3);
      double sum = 0;
      for (const auto& e : ledger.events()) {
        EXPECT_EQ(e.kind, Kind::merger);
        EXPECT_EQ(e.time, 7);
        EXPECT_EQ(e.step, 12U);
        sum += e.energy_lost.value();
        EXPECT_EQ(e.other_mass == 0, e.energy_lost == 0.0);
      }
      EXPECT_EQ(sum, ledger.lost().energy);
      EXPECT_TRUE(ledger.masses_changed());
    }
}

TEST(Ledger, CountsWhatARemovedBodyTakesAlong) {
  for (const bool field : {false, true}) {
    const auto g = law(0.01, field);
    auto matter = test::scene_of("uniform", 40).matter;
    const auto before = sums_of(matter, std::vector<std::uint8_t>(40, 1), g);
    Ledger ledger(matter, g, 0, 1);
    ledger.remove(3), ledger.remove(17, 2), ledger.remove(9);
    const auto after = sums_of(matter, ledger.kept(), g);
    EXPECT_NEAR(double(after.energy + ledger.lost().energy - before.energy), 0, rounding * 200);
    const auto& l = ledger.lost().angular_momentum;
    EXPECT_NEAR(double(after.l[2] + Wide(l.z) - before.l[2]), 0, rounding);
    const auto& events = ledger.events();
    ASSERT_EQ(events.size(), 3U);
    Wide p = 0, mass = 0;
    for (const auto& e : events) p += Wide(e.mass) * Wide(e.v.x), mass += Wide(e.mass);
    EXPECT_NEAR(double(after.p[0] + p - before.p[0]), 0, rounding);
    EXPECT_NEAR(double(after.mass + mass - before.mass), 0, rounding);
    EXPECT_EQ(events[1].other, matter.id[2]);
    EXPECT_EQ(events[2].energy_lost, 0);  // a test particle
  }
}

TEST(Ledger, OfTestParticlesAloneLeavesTheMassesAsTheyAre) {
  auto matter = test::scene_of("uniform", 10).matter;
  const auto one = matter;
  const auto g = law(0, false);
  Ledger ledger(matter, g, 0, 1);
  ledger.merge({0, 4, 9});
  EXPECT_FALSE(ledger.masses_changed());
  EXPECT_EQ(matter.mass[0], one.mass[0]);
  EXPECT_EQ(matter.places[0].x, one.places[0].x);
  EXPECT_EQ(matter.places[0].v, one.places[0].v);
  EXPECT_EQ(matter.radius[0], one.radius[0]);
  EXPECT_EQ(ledger.lost().energy, 0);
}

TEST(Components, DependOnNeitherTheOrderOfPairsNorOfBodies) {
  Matter m;
  for (std::uint64_t i = 0; i < 8; ++i) {
    m.id.push_back(100 - i), m.mass.push_back(i == 5 ? 7 : 1), m.radius.push_back(0), m.places.push_back({});
  }
  std::vector<Pair> pairs{{0, 1}, {2, 1}, {5, 6}, {7, 6}, {6, 5}};
  const auto expected = std::vector<Component>{{5, 7, 6}, {2, 1, 0}};
  for (int k = 0; k < 120; ++k) {
    std::ranges::next_permutation(
        pairs, [](const Pair& a, const Pair& b) { return std::pair(a.i, a.j) < std::pair(b.i, b.j); });
    EXPECT_EQ(components_of(m, pairs), expected);
  }
  EXPECT_TRUE(components_of(m, {}).empty());
  // A chain of a thousand is one component.
  Matter chain;
  std::vector<Pair> links;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    chain.id.push_back(i), chain.mass.push_back(1), chain.radius.push_back(0), chain.places.push_back({});
    if (i > 0) links.push_back({i, i - 1});
  }
  const auto one = components_of(chain, links);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].size(), 1000U);
  EXPECT_EQ(one[0][0], 0U);
}
