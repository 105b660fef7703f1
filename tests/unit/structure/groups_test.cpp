/// Friends of friends against a search of all pairs, body by body.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "structure/groups.hpp"

#include "core/threads.hpp"
#include "unit/structure/chosen.hpp"

#include <pleiad/error.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::structure {
namespace {

/// Each group as the set of its ids.
using Sets = std::vector<std::set<std::uint64_t>>;
Sets sets_of(const Groups& groups, const Bodies& b) {
  Sets sets;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    sets.emplace_back();
    for (const auto i : groups.of(g)) sets.back().insert(b.id[i]);
  }
  return sets;
}

/// The same by all pairs.
Sets by_all_pairs(const Bodies& b, const Boundary& boundary, double length, std::size_t least) {
  std::vector<std::size_t> label(b.size());
  std::iota(label.begin(), label.end(), std::size_t{0});
  const auto root = [&](std::size_t i) {
    while (label[i] != i) i = label[i] = label[label[i]];
    return i;
  };
  for (std::size_t i = 0; i < b.size(); ++i)
    for (std::size_t j = i + 1; j < b.size(); ++j) {
      auto d = b.position(j) - b.position(i);
      const auto& l = boundary.length;
      if (boundary.periodic)  // written out: not by the function that is tested
        d = {d.x - l.x * std::round(d.x / l.x), d.y - l.y * std::round(d.y / l.y),
             d.z - l.z * std::round(d.z / l.z)};
      if (dot(d, d) < length * length) label[root(i)] = root(j);
    }
  std::map<std::size_t, std::set<std::uint64_t>> by_root;
  for (std::size_t i = 0; i < b.size(); ++i) by_root[root(i)].insert(b.id[i]);
  Sets sets;
  for (auto& [_, ids] : by_root)
    if (ids.size() >= least) sets.push_back(std::move(ids));
  std::ranges::sort(sets, [](const auto& a, const auto& c) {
    return a.size() != c.size() ? a.size() > c.size() : *a.begin() < *c.begin();
  });
  return sets;
}

/// Half of the bodies anywhere in the box, half in clumps, one of them around a corner; ids in no order.
Bodies clumpy(std::size_t n, const Vec3<double>& box, double clump, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> u(0, 1);
  std::normal_distribution<double> normal(0, clump);
  std::vector<Vec3<double>> centres{{0, 0, 0}};
  for (int k = 0; k < 5; ++k) centres.push_back({u(random) * box.x, u(random) * box.y, u(random) * box.z});
  const auto in = [](double x, double l) { return x - l * std::floor(x / l); };
  Bodies b;
  for (std::size_t i = 0; i < n; ++i) {
    Vec3<double> x{u(random) * box.x, u(random) * box.y, u(random) * box.z};
    if (i % 2 == 0)
      x = centres[i / 2 % centres.size()] + Vec3<double>{normal(random), normal(random), normal(random)};
    b.add(1, {in(x.x, box.x), in(x.y, box.y), in(x.z, box.z)}, {});
  }
  std::ranges::shuffle(b.id, random);
  return b;
}

}  // namespace

TEST(FriendsOfFriends, AreThoseOfAllPairs) {
  std::size_t several = 0;
  for (const Vec3<double> box : {Vec3<double>{1, 1, 1}, Vec3<double>{3, 1, 0.7}})
    for (const bool periodic : {true, false})
      for (const std::size_t n : {1, 2, 3, 50, 1200})
        for (const double clump : {0.3, 0.02, 1e-4})
          for (const double length : {1e-7, 1e-3, 0.03, 0.11, 0.24, 0.35}) {
            const auto b = clumpy(n, box, clump, unsigned(n + 17));
            const Boundary boundary{.periodic = periodic, .length = box};
            for (const std::size_t least : {1, 4}) {
              const auto found = sets_of(friends_of_friends(b, all_of(b), boundary, length, least), b);
              ASSERT_EQ(found, by_all_pairs(b, boundary, length, least))
                  << n << " bodies, clumps of " << clump << ", length " << length;
              several += found.size() > 1;
            }
          }
  EXPECT_GT(several, 50u);
}

/// Two dense clumps a little more or less than the linking length apart, far more bodies in a cell than are
/// compared one by one.
TEST(FriendsOfFriends, OfDenseClumpsAreThoseOfAllPairs) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> u(0, 1);
  for (const double gap : {0.999, 1.0, 1.001}) {
    Bodies b;
    for (int i = 0; i < 3000; ++i)
      b.add(1, {(i % 2) * (gap + 0.1) + 0.1 * u(random), 0.05 * u(random), 0.05 * u(random)}, {});
    b.add(1, {0.1, 0, 0}, {}), b.add(1, {gap + 0.1, 0, 0}, {});
    const Boundary open{};
    const auto found = sets_of(friends_of_friends(b, all_of(b), open, 1, 1), b);
    EXPECT_EQ(found, by_all_pairs(b, open, 1, 1)) << gap;
    EXPECT_EQ(found.size(), gap < 1 ? 1u : 2u) << gap;
  }
}

/// A lattice whose spacing is the linking length, exact in double precision: nobody is linked; with a length
/// that is larger by one unit in the last place all are. At most half the box.
TEST(FriendsOfFriends, AtTheLinkingLengthAreNotLinked) {
  for (const int side : {2, 4, 8}) {
    Bodies b;
    for (int i = 0; i < side * side * side; ++i)
      b.add(1, {0.125 * (i % side), 0.125 * (i / side % side), 0.125 * (i / side / side)}, {});
    const Boundary box{.periodic = true, .length = {0.125 * side, 0.125 * side, 0.125 * side}};
    EXPECT_EQ(friends_of_friends(b, all_of(b), box, 0.125, 1).size(), b.size());
    if (side == 2) continue;
    const double more = std::nextafter(0.125, 1);
    EXPECT_EQ(friends_of_friends(b, all_of(b), box, more, 1).size(), 1u);
  }
}

TEST(FriendsOfFriends, DoNotDependOnThreadsNorOnTheOrderOfBodies) {
  auto b = clumpy(20000, {1, 1, 1}, 0.01, 3);
  const Boundary box{.periodic = true};
  const double length = linking_length(0.2, b.size(), box);
  EXPECT_DOUBLE_EQ(length, 0.2 / std::cbrt(20000));
  const auto groups = friends_of_friends(b, all_of(b), box, length, 20);
  EXPECT_GE(groups.size(), 5u);
  const auto sets = sets_of(groups, b);
  for (const int count : {1, 2, 5}) {
    const Threads threads(count);
    const WithThreads with(threads);
    EXPECT_EQ(friends_of_friends(b, all_of(b), box, length, 20).members, groups.members) << count;
  }
  Bodies other;
  for (std::size_t k = b.size(); k-- > 0;) other.add(1, b.position(k), {}), other.id.back() = b.id[k];
  EXPECT_EQ(sets_of(friends_of_friends(other, all_of(other), box, length, 20), other), sets);
}

TEST(FriendsOfFriends, AreOfTheChosenBodiesAlone) {
  const auto b = clumpy(1000, {1, 1, 1}, 0.02, 9);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < b.size(); i += 3) chosen.push_back(i);
  Bodies own;
  for (const auto i : chosen) own.add(1, b.position(i), {}), own.id.back() = b.id[i];
  EXPECT_EQ(sets_of(friends_of_friends(b, chosen, {}, 0.04, 1), b), by_all_pairs(own, {}, 0.04, 1));
  EXPECT_EQ(friends_of_friends(b, {}, {}, 0.04, 1).size(), 0u);
}

TEST(FriendsOfFriends, RefuseAWrongLength) {
  const auto b = clumpy(10, {1, 1, 1}, 0.02, 9);
  const auto refusal = [&](double length, const Boundary& boundary) -> std::string {
    try {
      (void)friends_of_friends(b, all_of(b), boundary, length, 1);
      return "accepted";
    } catch (const UsageError& e) {
      return e.what();
    }
  };
  for (const double wrong : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_NE(refusal(wrong, {}).find("linking length is"), std::string::npos) << wrong;
  EXPECT_NE(refusal(0.51, {.periodic = true}).find("more than half the side 1"), std::string::npos);
  EXPECT_NE(refusal(1e-10, {}).find("too short for bodies in"), std::string::npos);
}

}  // namespace pleiad::structure
