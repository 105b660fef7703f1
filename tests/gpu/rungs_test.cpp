/// Every rung on the GPU against the oracle: sizes, scenes, shapes; kernels broken on purpose are rejected.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/builds/builds.hpp"
#include "bench/published/catalogue.hpp"
#include "broken.hpp"
#include "gpu.hpp"
#include "rung_checks.hpp"

using namespace pleiad;
using namespace pleiad::conformance;

using GpuRungs = Gpu;

TEST_F(GpuRungs, AgreeWithTheReferenceAtAwkwardSizes) {
  for (const auto* kernel : all_cuda_kernels())
    for (const auto& shape : kernel->shapes)
      for (const std::size_t n : {0, 1, 2, 31, 33, 127, 129, 255, 257, 1000, 1023, 1025, 2049})
        check_rung(*kernel, shape, {scenes()[0], n});
}
TEST_F(GpuRungs, AgreeOnEverySceneAndBoundary) {
  for (const auto* kernel : all_cuda_kernels())
    for (const auto& scene : scenes())
      for (const bool periodic : {false, true})
        for (const bool potential : {false, true})
          for (const std::size_t n : {100, 641})
            check_rung(*kernel, kernel->shapes[0], {scene, n, periodic, potential});
}
TEST_F(GpuRungs, TakeTargetsThatAreAPartOfTheSources) {
  for (const auto* kernel : all_cuda_kernels())
    for (const auto& shape : kernel->shapes) {
      check_rung(*kernel, shape, {scenes()[1], 203, false, false, 70, 61});
      check_rung(*kernel, shape, {scenes()[1], 1203, false, false, 1070, 133});
    }
}
/// Those of no catalogue, compiled in other ways: also for a capability of which the driver makes this
/// device's.
TEST_F(GpuRungs, AreRightHoweverTheyAreCompiled) {
  for (const auto* build : cuda::kernel_builds())
    for (const std::size_t n : {1, 33, 257, 2049}) check_rung(build->kernel, {}, {scenes()[0], n});
}
/// A small part of the above, for tools that watch every access: those run a hundred times slower.
TEST_F(GpuRungs, Sample) {
  for (const auto* kernel : all_cuda_kernels())
    for (const auto& shape : kernel->shapes)
      for (const std::size_t n : {33, 257}) check_rung(*kernel, shape, {scenes()[0], n});
  for (const auto* kernel : all_cuda_kernels())
    check_rung(*kernel, kernel->shapes[0], {scenes()[0], 161, true, true});
}

/// Defects that give wrong numbers whatever the order of the threads.
TEST_F(GpuRungs, BrokenOnPurposeAreRejected) {
  for (const auto* kernel : broken_kernels()) {
    if (kernel->name.ends_with("-barrier")) continue;
    EXPECT_GT(worst<F32>(*kernel, {}, {scenes()[0], 161}), 1) << kernel->name;
  }
}
/// Not for running by itself: compute-sanitizer's racecheck must report both kernels (see tools/gpu_check).
TEST_F(GpuRungs, DISABLED_RacesForRacecheck) {
  for (const auto* kernel : broken_kernels())
    if (kernel->name.ends_with("-barrier")) (void)worst<F32>(*kernel, {}, {scenes()[0], 161});
}
