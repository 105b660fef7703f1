/// Where the curve is cut, from the root down and from octants of earlier cuts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "domain/cuts.hpp"

#include "ranks/simulated.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

using namespace pleiad;
using domain::Below, domain::Cuts, domain::Octant;

namespace {

using Keys = std::vector<std::uint64_t>;

constexpr std::uint64_t end_of_curve = std::uint64_t{1} << 63;

/// Many near one place of the curve, as around the middle of a sphere, others anywhere.
Keys keys_around(std::uint64_t middle, std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  Keys keys;
  for (std::size_t i = 0; i < n; ++i)
    keys.push_back(i % 4 == 0 ? random() % end_of_curve
                              : (middle + (random() >> (1 + random() % 60))) % end_of_curve);
  std::ranges::sort(keys);
  return keys;
}

struct Found {
  Cuts cuts;
  int calls = 0;  ///< of what counts the bodies
};

/// By ranks with equal numbers of the keys, as rank 0 has it.
Found find(const Keys& keys, int ranks, std::uint64_t most, std::span<const Octant> near = {}) {
  Found found;
  ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& comm) {
    Keys own;
    for (auto i = std::size_t(comm.rank()); i < keys.size(); i += std::size_t(ranks)) own.push_back(keys[i]);
    int calls = 0;
    const auto below = [&](std::span<const std::uint64_t> bounds) {
      ++calls;
      std::vector<Below> counts;
      for (const auto bound : bounds) {
        const auto n = std::uint64_t(std::ranges::lower_bound(own, bound) - own.begin());
        counts.push_back({n, n});
      }
      return counts;
    };
    auto cuts = domain::find_cuts(comm, {own.size(), own.size()}, below, most, near);
    if (comm.rank() == 0) found = {std::move(cuts), calls};
  });
  return found;
}

}  // namespace

TEST(Cuts, AreTheSameFromAnyOctants) {
  for (const int ranks : {2, 3, 7})
    for (const std::uint64_t most : {1, 40, 400, 20000}) {
      const auto keys = keys_around(end_of_curve / 3, 10000, unsigned(ranks));
      const auto from_root = find(keys, ranks, most);
      std::vector<std::vector<Octant>> places{
          from_root.cuts.octants,
          find(keys_around(end_of_curve / 3, 10000, 99), ranks, most).cuts.octants,
          find(keys_around(end_of_curve / 5, 10000, 9), ranks, most).cuts.octants,
          find(keys, ranks, 1).cuts.octants,
          std::vector<Octant>(std::size_t(ranks) - 1, Octant{0, 20}),
          std::vector<Octant>(std::size_t(ranks), Octant{})};
      for (const auto& near : places) {
        const auto again = find(keys, ranks, most, near);
        EXPECT_EQ(again.cuts.keys, from_root.cuts.keys) << ranks << ' ' << most;
        EXPECT_LE(again.calls, from_root.calls + 1);
      }
      if (most < keys.size()) {
        EXPECT_GT(from_root.calls, 1);
        EXPECT_EQ(find(keys, ranks, most, from_root.cuts.octants).calls, 1);
      }
    }
}

TEST(Cuts, LeaveNoSmallOctantInTwoParts) {
  constexpr std::uint64_t most = 100;
  const auto keys = keys_around(end_of_curve / 7, 20000, 5);
  for (const int ranks : {2, 5}) {
    const auto cuts = find(keys, ranks, most).cuts.keys;
    ASSERT_TRUE(std::ranges::is_sorted(cuts));
    for (std::size_t r = 1; r + 1 < cuts.size(); ++r)
      for (unsigned level = 0; level <= 21; ++level) {
        const auto width = std::uint64_t{1} << 3 * (21 - level), first = cuts[r] & ~(width - 1);
        if (first == cuts[r]) break;
        const auto inside =
            std::ranges::lower_bound(keys, first + width) - std::ranges::lower_bound(keys, first);
        EXPECT_GT(inside, std::ptrdiff_t(most)) << ranks << ' ' << r << ' ' << level;
      }
  }
}
