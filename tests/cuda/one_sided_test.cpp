/// The one-sided rungs beyond what every rung must do: grids of any size, sources in many pages, and what
/// each refuses.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/catalogue.hpp"

#include <pleiad/error.hpp>
#include <pleiad/rng.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

const DirectKernel& rung(std::string_view name) {
  for (const auto* kernel : all_cuda_kernels())
    if (kernel->name == name) return *kernel;
  throw UsageError("no rung " + std::string(name));
}

/// In the unit box, on a grid of 2^-12 of it; in the plane z = 1/4 but for every `off_plane`-th body.
std::vector<Mass<double>> bodies(std::size_t n, std::size_t off_plane) {
  std::vector<Mass<double>> list(n);
  const auto cell = [](double x) { return std::floor(4096 * x) / 4096; };
  for (std::size_t i = 0; i < n; ++i) {
    Random random(7, i);
    list[i] = {cell(random.uniform()), cell(random.uniform()), 0.25, 0.5 + random.uniform()};
    if (off_plane > 0 && i % off_plane == off_plane - 1) list[i].z = cell(random.uniform());
  }
  return list;
}

using Sums = std::vector<Vec4<double>>;

Sums sums_of(std::string_view name, const std::vector<Mass<double>>& list, const LaunchShape& shape = {},
             bool periodic = false, bool potential = false) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Sums sums(list.size(), {nan, nan, nan, nan});
  rung(name).f64({.targets = list,
                  .sources = list,
                  .sums = sums,
                  .softening = {0.01},
                  .boundary = {periodic, {1, 1, 1}},
                  .self = 0,
                  .potential = potential},
                 shape);
  return sums;
}

/// Adding n pulls in another order moves a sum by at most n 2^-53 of the magnitudes added, 1.2e-13 for
/// n = 1100; those add up to less than 3 times the largest sum here, and both sides are rounded: 8e-13.
void expect_near(const Sums& a, const Sums& b) {
  ASSERT_EQ(a.size(), b.size());
  double largest = 0, worst = 0;
  for (const auto& s : b) largest = std::max({largest, std::abs(s.x), std::abs(s.y), std::abs(s.z)});
  for (std::size_t i = 0; i < a.size(); ++i)
    for (const double d : {a[i].x - b[i].x, a[i].y - b[i].y, a[i].z - b[i].z, a[i].w - b[i].w})
      worst = std::abs(d) <= worst ? worst : std::abs(d);
  EXPECT_LE(worst, 1e-12 * largest);
}

std::string refusal(std::string_view name, const LaunchShape& shape, bool periodic = false,
                    bool potential = false) {
  try {
    (void)sums_of(name, bodies(10, 2), shape, periodic, potential);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST(OneSided, AGridOfAnySizeGivesTheSameBits) {
  const auto list = bodies(300, 2);
  for (const auto* name : {"cuda/grid-stride", "cuda/grid-stride-tile", "cuda/shuffle"}) {
    const auto wanted = sums_of(name, list, {.threads_per_block = 32});
    for (const int blocks : {1, 2, 7, 10, 40}) {
      const auto sums = sums_of(name, list, {.threads_per_block = 32, .blocks = blocks});
      for (std::size_t i = 0; i < list.size(); ++i)
        ASSERT_TRUE(sums[i].x == wanted[i].x && sums[i].y == wanted[i].y && sums[i].z == wanted[i].z)
            << name << ", " << blocks << " blocks, body " << i;
    }
  }
}
TEST(OneSided, TilesOfAThousandSourcesMayLieInThePlaneOrNot) {
  // One tile and a piece; all in the plane, some off it, and off it in the second tile only.
  for (const bool periodic : {false, true})
    for (const std::size_t off_plane : {0, 3, 1050})
      expect_near(sums_of("cuda/periodic-2d", bodies(1100, off_plane), {}, periodic),
                  sums_of("cuda/naive", bodies(1100, off_plane), {}, periodic));
}
TEST(OneSided, SplitsMayBeMoreOrFewerThanPages) {
  const auto list = bodies(500, 2);
  for (const auto* name : {"cuda/split-atomics", "cuda/split-reduced"})
    for (const int splits : {1, 2, 5, 30})
      expect_near(sums_of(name, list, {.threads_per_block = 64, .source_splits = splits}),
                  sums_of("cuda/naive", list));
}
TEST(OneSided, ShapesThatAnIdeaCannotTakeAreRefusedInWords) {
  EXPECT_EQ(refusal("cuda/shuffle", {.threads_per_block = 48}),
            "'cuda/shuffle': 48 threads per block; it must be a multiple of 32, whole warps");
  EXPECT_EQ(refusal("cuda/threads-per-body", {.threads_per_body = 3}),
            "'cuda/threads-per-body': 3 threads per body; it must be 1, 2, 4, 8, 16 or 32");
  EXPECT_EQ(refusal("cuda/targets-in-registers", {.bodies_per_thread = 3}),
            "'cuda/targets-in-registers': 3 bodies per thread; it must be 2, 4 or 8");
  EXPECT_EQ(refusal("cuda/split-reduced", {.bodies_per_thread = 8}, true),
            "'cuda/split-reduced': 8 bodies per thread; with a periodic box or the potential it must be 4");
  EXPECT_EQ(refusal("cuda/periodic-2d", {.threads_per_block = 128}),
            "'cuda/periodic-2d': 128 threads per block; it has 16 x 16 = 256");
  EXPECT_NE(refusal("cuda/naive", {.threads_per_block = 1025}).find("1025 threads per block"),
            std::string::npos);
}
TEST(OneSided, WhatTheTraitsDenyIsRefused) {
  for (const auto* kernel : all_cuda_kernels()) {
    if (kernel->f64 == nullptr || kernel->rung > 120) continue;
    for (const bool periodic : {false, true})
      for (const bool potential : {false, true}) {
        const bool takes = (!periodic || kernel->traits.periodic) && (!potential || kernel->traits.potential);
        EXPECT_EQ(refusal(kernel->name, {}, periodic, potential) == "accepted", takes)
            << kernel->name << (periodic ? ", periodic" : "") << (potential ? ", potential" : "");
      }
  }
}
