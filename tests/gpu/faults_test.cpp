/// On a real GPU: calls of the CUDA runtime fail, a kernel traps, a signal comes; the last checkpoint is
/// good.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "faults/gpu_faults.hpp"
#include "gpu.hpp"
#include "program_under_test.hpp"

#include <algorithm>
#include <memory>

using namespace pleiad;

namespace {

/// A run starts a driver, which takes most of its time: some twenty calls in all kinds, spread over the run.
class GpuFaulty : public Gpu {
 protected:
  static test::GpuFaults& faults() {
    static const auto one =
        std::make_unique<test::GpuFaults>(test::program_under_test(), std::vector<std::string>{});
    return *one;
  }
  static void sweep(std::string_view kind, std::uint64_t samples) {
    const std::uint64_t stride = std::max<std::uint64_t>(faults().calls() / samples, 1);
    EXPECT_GE(faults().calls(), 30U);
    EXPECT_GE(faults().sweep(kind, stride), samples);
  }
};

}  // namespace

TEST_F(GpuFaulty, SurvivesCallsThatRunOutOfMemory) { sweep("memory", 8); }
/// Really: the kernel traps, and the context is lost.
TEST_F(GpuFaulty, SurvivesAKernelThatTraps) { sweep("launch", 8); }
TEST_F(GpuFaulty, SurvivesUncorrectableErrors) { sweep("ecc", 3); }
TEST_F(GpuFaulty, SurvivesItsLoss) { sweep("lost", 3); }
TEST_F(GpuFaulty, StopsAtASignalWithACheckpoint) { faults().survives_sigterm(); }
