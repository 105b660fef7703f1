/// Which candidates there are, and for which number of bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tune/candidates.hpp"

#include "unit/tune/fake.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::tune {
namespace {

std::vector<std::string> texts(const std::vector<Choice>& choices) {
  std::vector<std::string> all;
  for (const auto& choice : choices)
    all.push_back(text_of(choice.method) + (choice.gpus > 1 ? " x" + std::to_string(choice.gpus) : ""));
  return all;
}
Case on_gpu(std::size_t n, bool periodic = false) {
  return {.where = Device::cuda, .device = "fake GPU", .n = n, .periodic = periodic};
}

}  // namespace

TEST(Buckets, AreQuartersOfPowersOfTwo) {
  EXPECT_EQ(rounded_up(0), 1U);
  EXPECT_EQ(rounded_up(1), 1U);
  EXPECT_EQ(rounded_up(65536), 65536U);
  EXPECT_EQ(rounded_up(65537), 77935U);  // 2^16.25 = 77935.9
  EXPECT_EQ(rounded_up(std::size_t{1} << 40), most_bodies);
  std::set<std::size_t> sizes;
  for (std::size_t n = 1; n < 100000; ++n) {
    const auto size = rounded_up(n);
    ASSERT_GE(size, n);
    // A quarter of a power of two, and one more where 2^(k/4) was rounded down.
    ASSERT_LE(double(size), 1.1893 * double(n) + 1) << n;
    sizes.insert(size);
  }
  EXPECT_LE(sizes.size(), 4 * 17U);
}

TEST(Candidates, BeginWithTheTableAndGoOnByPromise) {
  const auto few = texts(candidates(on_gpu(512), fake_gpu));
  EXPECT_EQ(few, (std::vector<std::string>{"cuda/split-reduced block=64; steps cuda/grid-steps block=64",
                                           "cuda/mixed-symmetric block=64", "cuda/mixed-symmetric block=128",
                                           "cuda/split-reduced block=64; steps cuda/grid-steps block=128",
                                           "cuda/split-reduced block=64", "cuda/split-reduced block=128",
                                           "cuda/tile block=64", "cuda/tile block=128"}));
  const auto many = texts(candidates(on_gpu(65536), fake_gpu));
  EXPECT_EQ(many.front(), "cuda/mixed-symmetric block=64");
  EXPECT_EQ(many.size(), 6U);                                              // no grid-steps for so many
  EXPECT_EQ(texts(candidates(on_gpu(65536, true), fake_gpu)).size(), 4U);  // nor symmetric pairs in a box
}

/// A shape that tests use to see whether loops over targets work would take a minute of the user's time.
TEST(Candidates, LeaveOutGridsThatAreTooSmallForSoManyBodies) {
  static constexpr std::array grids{LaunchShape{.threads_per_block = 31, .blocks = 3},
                                    LaunchShape{.threads_per_block = 128, .blocks = 128},
                                    LaunchShape{.threads_per_block = 128}};
  auto stride = fake_kernel("cuda/grid-stride", 13, {});
  stride.shapes = grids;
  const std::array<const DirectKernel*, 2> kernels{&split, &stride};
  const auto among = [&](std::size_t n) {
    const auto all = texts(candidates(on_gpu(n), {kernels, {}}));
    return std::vector(all.begin() + 2, all.end());  // the two shapes of split-reduced come first
  };
  const std::string three = "cuda/grid-stride block=31 grid=3", fixed = "cuda/grid-stride block=128 grid=128",
                    any = "cuda/grid-stride block=128";
  EXPECT_EQ(among(744), (std::vector{three, fixed, any}));  // 8 x 3 x 31
  EXPECT_EQ(among(745), (std::vector{fixed, any}));
  EXPECT_EQ(among(8 * 128 * 128), (std::vector{fixed, any}));
  EXPECT_EQ(among(8 * 128 * 128 + 1), std::vector{any});
}

TEST(Candidates, OfTheProcessorAreItsReproducibleKernels) {
  const auto all = texts(candidates({.where = Device::cpu, .device = {}, .n = 100}));
  EXPECT_EQ(all.front(), "cpu/threads");
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()),
            (std::set<std::string>{"cpu/scalar", "cpu/blocked", "cpu/simd", "cpu/threads", "cpu/symmetric"}));
}

TEST(Candidates, OnSeveralGpusAreTheSameKernel) {
  EXPECT_EQ(
      texts(on_more_gpus({.method = *force_method_of("cuda/tile block=64", fake_gpu)}, 3)),
      (std::vector<std::string>{"cuda/tile block=64", "cuda/tile block=64 x2", "cuda/tile block=64 x3"}));
  const std::string steps = "cuda/tile block=64; steps cuda/grid-steps block=64";
  EXPECT_EQ(texts(on_more_gpus({.method = *force_method_of(steps, fake_gpu)}, 3)),
            std::vector<std::string>{steps});
  auto divides = *force_method_of(steps, fake_gpu)->steps;
  divides.divides = true;
  Choice on_one{.method = *force_method_of(steps, fake_gpu)};
  on_one.method.steps = &divides;
  EXPECT_EQ(texts(on_more_gpus(on_one, 3)), (std::vector<std::string>{steps, steps + " x2", steps + " x3"}));
}

TEST(Sphere, IsThatOfTheCase) {
  const auto equal = bodies_of({.device = {}, .n = 100, .masses = Masses::equal});
  EXPECT_EQ(equal.size(), 100U);
  EXPECT_EQ(masses_of(equal), Masses::equal);
  const Case boxed{.device = {}, .n = 100, .periodic = true};
  const auto any = bodies_of(boxed);
  EXPECT_EQ(masses_of(any), Masses::any);
  EXPECT_TRUE(gravity_of(boxed).boundary.periodic);
  const double side = gravity_of(boxed).boundary.length.x;
  const auto inside = std::ranges::count_if(any.x, [&](double x) { return x >= 0 && x < side; });
  EXPECT_GE(inside, 95);
}

}  // namespace pleiad::tune
