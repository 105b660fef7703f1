/// Every rung's device code against the oracle, on the emulator: sizes, scenes, shapes, in three orders of
/// the threads.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/builds/builds.hpp"
#include "bench/published/catalogue.hpp"
#include "broken.hpp"
#include "cuda/device/cuda.hpp"
#include "rung_checks.hpp"

using namespace pleiad;
using namespace pleiad::conformance;

TEST(Rungs, AgreeWithTheReferenceAtAwkwardSizes) {
  for (const auto* kernel : all_cuda_kernels())
    for (const auto& shape : kernel->shapes)
      for (const std::size_t n : {0, 1, 2, 31, 33, 127, 129, 257})
        check_rung(*kernel, shape, {scenes()[0], n});
}
TEST(Rungs, AgreeOnEverySceneAndBoundary) {
  for (const auto* kernel : all_cuda_kernels())
    for (const auto& scene : scenes())
      for (const bool periodic : {false, true})
        for (const bool potential : {false, true})
          check_rung(*kernel, kernel->shapes[0], {scene, 100, periodic, potential});
}
TEST(Rungs, TakeTargetsThatAreAPartOfTheSources) {
  for (const auto* kernel : all_cuda_kernels())
    check_rung(*kernel, kernel->shapes[0], {scenes()[1], 203, false, false, 70, 61});
}
// m y^3 of the largest mass and the smallest distance must not overflow: a body's pull on itself is 0 times
// that.
TEST(Rungs, TakeLargeMassesWithoutSoftening) {
  const Scene heavy{.name = "heavy", .place = [](std::vector<Mass<double>>& bodies) {
                      scenes()[0].place(bodies);
                      for (auto& body : bodies) body.m *= 1e9;
                    }};
  for (const auto* kernel : all_cuda_kernels()) check_rung(*kernel, kernel->shapes[0], {heavy, 100});
}
TEST(Rungs, AgreeInEveryOrderOfTheThreads) {
  for (const auto order : {emulator::Order::backward, emulator::Order::shuffled}) {
    emulator::order = order;
    for (const auto* kernel : all_cuda_kernels())
      for (const auto& shape : kernel->shapes) check_rung(*kernel, shape, {scenes()[0], 161});
  }
  emulator::order = emulator::Order::forward;
}
// Kernels of no catalogue, compiled in several ways.
TEST(Builds, AgreeWithTheReferenceAtAwkwardSizes) {
  const auto builds = cuda::kernel_builds();
  EXPECT_EQ(builds.size(), 16U);
  for (const auto* build : builds)
    for (const int threads : {0, 31})
      for (const std::size_t n : {0, 1, 2, 31, 33, 127, 129, 257})
        check_rung(build->kernel, {.threads_per_block = threads}, {scenes()[0], n});
}
TEST(Rungs, BrokenOnPurposeAreRejected) {
  for (const auto* kernel : broken_kernels()) {
    double seen = 0;
    for (const auto order :
         {emulator::Order::forward, emulator::Order::backward, emulator::Order::shuffled}) {
      emulator::order = order;
      for (const std::size_t n : {64, 161}) seen = std::max(seen, worst<F32>(*kernel, {}, {scenes()[0], n}));
    }
    emulator::order = emulator::Order::forward;
    EXPECT_GT(seen, 1) << kernel->name;
  }
}
