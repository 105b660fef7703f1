/// The search for encounters finds what a look at all pairs finds, whatever the scene, the order of the
/// bodies and the number of threads.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "encounters/search.hpp"

#include "core/threads.hpp"
#include "scenes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::encounters;
using test::rows_of, test::Scene, test::scene_of;

namespace {

Gravity gravity() { return {.G = 2, .softening = {0.01}, .boundary = {}, .dimension = 3}; }

/// Pairs that come closer than a distance, with the least distance of their minima, by the cubics of all
/// pairs.
std::map<std::pair<std::uint64_t, std::uint64_t>, double> by_all_pairs(const Scene& s, double distance) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, double> all;
  const auto& m = s.matter;
  for (std::size_t i = 0; i < m.size(); ++i)
    for (std::size_t j = 0; j < m.size(); ++j) {
      if (m.id[i] >= m.id[j] || (m.mass[i] == 0 && m.mass[j] == 0)) continue;
      const auto descents = descents_of(s.from[j] - s.from[i], m.places[j] - m.places[i], 0.25);
      for (const auto& d : descents.all())
        if (d.sharp && d.to2 < distance * distance) {
          const double r = std::sqrt(d.to2);
          auto [at, added] = all.try_emplace({m.id[i], m.id[j]}, r);
          if (!added) at->second = std::min(at->second, r);
        }
    }
  return all;
}

}  // namespace

TEST(EncounterSearch, FindsWhatAllPairsHave) {
  std::size_t sum = 0;
  for (const char* kind : {"uniform", "clustered", "tail", "line", "point"})
    for (const std::size_t n : {0UL, 1UL, 2UL, 9UL, 64UL, 1000UL}) {
      if (n == 1000 && kind == std::string("point")) continue;  // every pair is a candidate
      const auto scene = scene_of(kind, n);
      const double distance = 0.05;
      const auto expected = by_all_pairs(scene, distance);
      Search search({.distance = distance}, gravity());
      std::map<std::pair<std::uint64_t, std::uint64_t>, double> found;
      for (const auto& e : search.look(scene.matter, scene.step()).events) {
        ASSERT_EQ(e.kind, Kind::approach);
        EXPECT_GT(e.time, 1);
        EXPECT_LE(e.time, 1.25);
        auto [at, added] = found.try_emplace({e.id, e.other.value()}, e.distance);
        if (!added) at->second = std::min(at->second, e.distance);
      }
      ASSERT_EQ(found.size(), expected.size()) << kind << " " << n;
      for (const auto& [pair, r] : expected) {
        ASSERT_TRUE(found.contains(pair)) << kind << " " << n;
        EXPECT_NEAR(found.at(pair), r, 1e-12) << kind << " " << n;
      }
      sum += found.size();
    }
  EXPECT_GT(sum, std::size_t{1000});
}

TEST(EncounterSearch, FindsContactsOfAnyRadii) {
  std::size_t sum = 0;
  for (const char* kind : {"uniform", "clustered", "line"}) {
    const auto scene = scene_of(kind, 500);
    const auto& m = scene.matter;
    std::set<std::pair<std::uint64_t, std::uint64_t>> expected, found;
    for (std::size_t i = 0; i < m.size(); ++i)
      for (std::size_t j = 0; j < m.size(); ++j) {
        if (m.id[i] >= m.id[j] || (m.mass[i] == 0 && m.mass[j] == 0)) continue;
        const double radii = m.radius[i] + m.radius[j];
        const auto descents = descents_of(scene.from[j] - scene.from[i], m.places[j] - m.places[i], 0.25);
        for (const auto& d : descents.all())
          if (d.to2 <= radii * radii) expected.insert({m.id[i], m.id[j]});
      }
    Search search({.contacts = true, .contacts_end = true}, gravity());
    const auto now = search.look(m, scene.step());
    for (const auto& [i, j] : now.touching)
      found.insert({std::min(m.id[i], m.id[j]), std::max(m.id[i], m.id[j])});
    EXPECT_EQ(found, expected) << kind;
    EXPECT_EQ(now.events.size(), now.touching.size()) << kind;
    for (const auto& e : now.events) EXPECT_EQ(e.kind, Kind::collision);
    sum += found.size();
  }
  EXPECT_GT(sum, std::size_t{100});
}

TEST(EncounterSearch, HasTheSameRowsForAnyThreadsOrderAndPast) {
  const auto scene = scene_of("clustered", 700);
  const Limits limits{.distance = 0.02, .contacts = true, .escapes = {.radius = 1.2}};
  Search search(limits, gravity());
  const auto rows = rows_of(search.look(scene.matter, scene.step()));
  ASSERT_GT(rows.size(), std::size_t{1000});
  // The order of the tree is that of another scene of as many bodies.
  Search used(limits, gravity());
  for (const std::uint64_t other : {5, 6}) {
    const auto before = scene_of("uniform", 700, other);
    (void)used.look(before.matter, before.step());
  }
  EXPECT_EQ(rows_of(used.look(scene.matter, scene.step())), rows);
  const int all = threads();
  for (const int count : {1, 2, 3}) {
    set_threads(count);
    Search again(limits, gravity());
    EXPECT_EQ(rows_of(again.look(scene.matter, scene.step())), rows) << count;
  }
  set_threads(all);
  std::vector<std::size_t> order(scene.from.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::reverse(order);
  std::ranges::rotate(order, order.begin() + 177);
  Scene mixed;
  for (const auto i : order) {
    mixed.from.push_back(scene.from[i]);
    mixed.matter.places.push_back(scene.matter.places[i]);
    mixed.matter.mass.push_back(scene.matter.mass[i]), mixed.matter.radius.push_back(scene.matter.radius[i]);
    mixed.matter.id.push_back(scene.matter.id[i]);
  }
  // The centre of mass, from which escapes are measured, is a sum in the order of the bodies.
  const Limits pairs{.distance = 0.02, .contacts = true};
  EXPECT_EQ(rows_of(Search(pairs, gravity()).look(mixed.matter, mixed.step())),
            rows_of(Search(pairs, gravity()).look(scene.matter, scene.step())));
}

/// Two bodies pass each other at 1 with a relative velocity of 8 along x, in six steps: events are once each.
TEST(EncounterSearch, TellsAPassageOfManyStepsOnce) {
  const auto at = [](double t) {
    Matter m;
    m.places = {{{4 * t, 0.5, 0}, {4, 0, 0}}, {{-4 * t, -0.5, 0}, {-4, 0, 0}}};
    m.mass = {1, 3}, m.radius = {0.75, 0.75}, m.id = {9, 4};
    return m;
  };
  for (const double shift : {0.0, 0.01, 0.05}) {
    Search search({.distance = 2, .contacts = true}, gravity());
    std::vector<Event> all;
    const double h = 0.1;
    for (int k = -3; k < 3; ++k) {
      const auto before = at(k * h + shift), now = at((k + 1) * h + shift);
      const Step step{.begin = k * h + shift,
                      .end = (k + 1) * h + shift,
                      .number = std::uint64_t(k + 4),
                      .from = before.places};
      const auto found = search.look(now, step);
      all.insert(all.end(), found.events.begin(), found.events.end());
    }
    ASSERT_EQ(all.size(), 2U) << shift;
    EXPECT_EQ(all[0].kind, Kind::collision);
    EXPECT_NEAR(all[0].time, -std::sqrt(1.25) / 8, 1e-14);
    EXPECT_NEAR(all[0].distance, 1.5, 1e-14);
    EXPECT_EQ(all[1].kind, Kind::approach);
    EXPECT_NEAR(all[1].time, 0, 1e-14);
    EXPECT_NEAR(all[1].distance, 1, 1e-14);
    EXPECT_NEAR(all[1].speed, 8, 1e-13);
    EXPECT_EQ(all[1].id, 4U);
    EXPECT_EQ(all[1].other, 9U);
    EXPECT_EQ(all[1].mass, 3);
    // In the middle of the two by mass, and 32 - G (m1 + m2) / sqrt(1 + eps^2).
    EXPECT_NEAR(all[1].x.y, -0.25, 1e-14);
    EXPECT_NEAR(all[1].v.x, -2, 1e-14);
    EXPECT_NEAR(all[1].energy.value(), 32 - 8 / std::sqrt(1.0001), 1e-12);
  }
}

/// Orbits of two bodies, forty steps to each: those with an eccentricity have a row for each pericentre.
TEST(EncounterSearch, TellsPericentresAndNoRoundingOfCircles) {
  constexpr int orbits = 20, steps = 40;
  const double turn = 2 * std::numbers::pi;
  for (const double e : {0.0, 1e-9, 1e-4, 0.1, 0.7}) {
    const auto at = [&](double t) {
      double E = t;
      for (int k = 0; k < 60; ++k) E -= (E - e * std::sin(E) - t) / (1 - e * std::cos(E));
      const double rate = 1 / (1 - e * std::cos(E)), b = std::sqrt(1 - e * e);
      Matter m;
      m.mass = {1, 0}, m.radius = {0, 0}, m.id = {0, 1};
      m.places = {{},
                  {{std::cos(E) - e, b * std::sin(E), 0}, {-std::sin(E) * rate, b * std::cos(E) * rate, 0}}};
      return m;
    };
    Search search({.distance = 2}, {.G = 1, .softening = {0}, .boundary = {}, .dimension = 3});
    std::size_t rows = 0;
    const double h = turn / steps;
    for (int k = 0; k < orbits * steps; ++k) {
      const double begin = (k - 20.3) * h;
      const auto before = at(begin), now = at(begin + h);
      const auto found =
          search.look(now, {.begin = begin, .end = begin + h, .number = 5, .from = before.places});
      rows += found.events.size();
    }
    EXPECT_EQ(rows, e < 0.01 ? 0U : std::size_t(orbits)) << e;
  }
}

TEST(EncounterSearch, TellsContactsOfBodiesThatTouchAtTheStartInTheFirstStep) {
  Matter m;
  m.places = {{{0, 0, 0}, {1, 0, 0}}, {{0.9, 0, 0}, {-1, 0, 0}}};
  m.mass = {1, 1}, m.radius = {0.6, 0.6}, m.id = {0, 1};
  const std::vector<Place> from{{{-0.1, 0, 0}, {1, 0, 0}}, {{1, 0, 0}, {-1, 0, 0}}};
  for (const std::uint64_t number : {1, 2})
    for (const bool end : {false, true}) {
      Search search({.contacts = true, .contacts_end = end}, gravity());
      const auto found = search.look(m, {.begin = 0, .end = 0.1, .number = number, .from = from});
      EXPECT_EQ(found.touching.size(), 1U);
      EXPECT_EQ(found.events.size(), number == 1 || end ? 1U : 0U);
    }
  // Those that move apart do not collide.
  std::vector<Place> back = m.places;
  for (auto& place : back) place.v = -1.0 * place.v;
  auto away = m;
  for (std::size_t i = 0; i < 2; ++i) away.places[i] = {from[i].x, -1.0 * from[i].v};
  Search search({.contacts = true, .contacts_end = true}, gravity());
  EXPECT_TRUE(search.look(away, {.begin = 0, .end = 0.1, .number = 1, .from = back}).touching.empty());
}

TEST(EncounterSearch, FindsEscapesWhereTheyCrossTheSphere) {
  Matter m;
  m.mass = {2, 1, 0, 0}, m.radius = {0, 0, 0, 0}, m.id = {1, 2, 3, 4};
  // The centre of mass rests at the origin. Body 3 leaves, body 4 comes in from outside.
  std::vector<Place> from{
      {{1, 0, 0}, {0, 0, 0}}, {{-2, 0, 0}, {0, 0, 0}}, {{0, 8, 0}, {0, 4, 0}}, {{0, 0, 12}, {0, 0, -1}}};
  m.places = from;
  m.places[2].x.y = 12, m.places[3].x.z = 11;
  Search search({.escapes = {.radius = 10}}, gravity());
  const auto found = search.look(m, {.begin = 5, .end = 6, .number = 3, .from = from});
  ASSERT_EQ(found.events.size(), 1U);
  EXPECT_EQ(found.escaped, std::vector<std::uint32_t>{2});
  EXPECT_EQ(found.events[0].id, 3U);
  EXPECT_FALSE(found.events[0].other);
  EXPECT_NEAR(found.events[0].time, 5.5, 1e-14);
  EXPECT_NEAR(found.events[0].distance, 10, 1e-13);
  EXPECT_NEAR(found.events[0].speed, 4, 1e-13);
  // A step later it is outside and stays there: once is enough, unless escaped bodies are taken away.
  auto later = m;
  later.places[2].x.y = 16;
  EXPECT_TRUE(search.look(later, {.begin = 6, .end = 7, .number = 4, .from = m.places}).events.empty());
  Search removing({.escapes = {.radius = 10}, .escapes_end = true}, gravity());
  EXPECT_EQ(removing.look(later, {.begin = 6, .end = 7, .number = 4, .from = m.places}).escaped.size(), 1U);
}

/// A sphere of half-mass radii shrinks over a body at rest: it escapes in the step in which it does.
TEST(EncounterSearch, FindsEscapesThroughASphereThatShrinks) {
  Matter m;
  std::vector<Place> from;
  const auto add = [&](double mass, double x) {
    m.mass.push_back(mass), m.radius.push_back(0), m.id.push_back(m.mass.size());
    from.push_back({{x, 0, 0}, {}});
  };
  for (const double side : {-1.0, 1.0}) add(1, side), add(1, 0.5 * side);
  add(0, 3.5);
  m.places = from;
  Search search({.escapes = {.radius = 4, .unit = EscapeUnit::half_mass_radius}}, gravity());
  // Half of the mass is within the inner two, at 0.5: the sphere ends at 2, and the body is outside.
  EXPECT_TRUE(search.look(m, {.begin = 0, .end = 1, .number = 2, .from = from}).events.empty());
  for (const std::size_t k : {1UL, 3UL}) from[k].x.x *= 1.9;  // 0.95: the sphere was one of 3.8
  const auto found = search.look(m, {.begin = 4, .end = 5, .number = 3, .from = from});
  ASSERT_EQ(found.events.size(), 1U);
  EXPECT_EQ(found.events[0].id, 5U);
  EXPECT_NEAR(found.events[0].distance, 3.5, 1e-13);
  // From 3.8 to 2 it passes 3.5 after a sixth of the step.
  EXPECT_NEAR(found.events[0].time, 4 + 1.0 / 6, 1e-13);
}
