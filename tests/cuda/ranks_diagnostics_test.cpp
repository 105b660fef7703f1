/// What is asked of all bodies, from those of each rank on its own GPU: the bits of one GPU with all of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/radii.hpp"
#include "core/threads.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/gpu.hpp"
#include "cuda/radii.hpp"
#include "cuda/state.hpp"
#include "cuda/taking_turns.hpp"
#include "ranks/division.hpp"
#include "ranks/together.hpp"

#include <cmath>
#include <cstring>
#include <span>
#include <vector>

namespace pleiad {
namespace {

using RanksDiagnostics = Gpu;

/// Vectors without any order.
template <class Vector>
std::vector<Vector> vectors(std::size_t n, double phase) {
  std::vector<Vector> list(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double t = double(i) + phase;
    list[i] = {decltype(list[i].x)(std::sin(t)), decltype(list[i].x)(std::cos(1.7 * t)),
               decltype(list[i].x)(std::sin(t * t)), decltype(list[i].x)(1 + std::fmod(0.7549 * t, 1))};
  }
  return list;
}

template <class T>
void compare_blocks() {
  constexpr std::size_t n = 4 * sum_block + 1003;
  const auto bodies = vectors<Mass<T>>(n, 0);
  const auto velocities = vectors<Vec4<T>>(n, 0.3), pulls = vectors<Vec4<T>>(n, 0.6);
  const cuda::Buffer<Mass<T>> x{std::span(bodies)};
  const cuda::Buffer<Vec4<T>> v{std::span(velocities)}, sums{std::span(pulls)};
  const auto of = [&](std::size_t first, std::size_t count) {
    return cuda::sums_of_blocks<T>(x.data() + first, v.data() + first, sums.data() + first, count, nullptr);
  };
  const auto all = of(0, n);
  ASSERT_EQ(all.size(), 5U);
  for (const int ranks : {2, 3, 7}) {
    const ranks::Division division{n, ranks};
    std::vector<BodySums> joined;
    for (int r = 0; r < ranks; ++r)
      for (const auto& block : of(division.first(r), division.count(r))) joined.push_back(block);
    ASSERT_EQ(joined.size(), all.size()) << ranks;
    EXPECT_EQ(std::memcmp(joined.data(), all.data(), all.size() * sizeof(all[0])), 0) << ranks;
  }
  const auto here = blocked_sum<BodySums>(n, [&](std::size_t begin, std::size_t end) {
    BodySums sum;
    for (std::size_t i = begin; i < end; ++i) sum += sums_of_body(bodies[i], velocities[i], pulls[i]);
    return sum;
  });
  const auto total = tree_sum(all);
  // Terms of at most 6 in double precision, rounded once for each addition.
  EXPECT_LE(std::abs(total.kinetic - here.kinetic), 6 * double(n) * double(n) * 0x1p-53);
  EXPECT_LE(norm(total.angular_momentum - here.angular_momentum), 6 * double(n) * double(n) * 0x1p-53);
  EXPECT_EQ(total.largest_pull_squared, here.largest_pull_squared);
}

/// By passes over the part of each rank.
template <class T>
void compare_radii(std::size_t n) {
  const auto bodies = vectors<Mass<T>>(n, 0);
  const auto expected = radii_of(std::span<const Mass<T>>(bodies));
  for (const int ranks : {1, 2, 3, 7})
    with_ranks_in_turn(ranks, [&](ranks::Transport& transport) {
      const ranks::Division division{n, ranks};
      const std::size_t first = division.first(transport.rank()), count = division.count(transport.rank());
      const ranks::Together all(transport, count);
      const cuda::Buffer<Mass<T>> own{std::span(bodies).subspan(first, count)};
      const auto found = all.radii(*cuda::passes_over(own.data(), count, first, n, nullptr));
      EXPECT_EQ(found.centre, expected.centre) << n << " on " << ranks;
      EXPECT_EQ(found.lagrangian, expected.lagrangian) << n << " on " << ranks;
    });
}

}  // namespace

TEST_F(RanksDiagnostics, BlocksOfBodiesHaveTheSameSumsWhereverBodiesAreCut) {
  compare_blocks<float>();
  compare_blocks<double>();
}

TEST_F(RanksDiagnostics, RadiiAreThoseOfAllBodiesOnTheHost) {
  for (const std::size_t n : {std::size_t{100}, 4 * sum_block + 1003}) {
    compare_radii<float>(n);
    compare_radii<double>(n);
  }
}

}  // namespace pleiad
