/// The device layer on a real GPU: facts, clock, refusals, errors.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/catalogue.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/evaluate.hpp"
#include "gpu.hpp"

#include <pleiad/error.hpp>

#include <vector>

using namespace pleiad;

using GpuDevice = Gpu;

/// The clock can be below the nominal one under load or when idle, never above it by more than boost allows.
TEST_F(GpuDevice, KnowsItsNameAndClock) {
  const auto facts = cuda::device_facts();
  EXPECT_FALSE(facts.name.empty());
  EXPECT_GE(facts.multiprocessors, 1);
  const double clock = cuda::measured_clock();
  EXPECT_GE(clock, 0.3 * facts.nominal_clock);
  EXPECT_LE(clock, 1.05 * facts.nominal_clock);
}
TEST_F(GpuDevice, MemoryComesBackAsItWasWritten) {
  std::vector<int> there(1000), back(1000, -1);
  for (int i = 0; i < 1000; ++i) there[std::size_t(i)] = i;
  const cuda::Buffer<int> buffer{std::span<const int>(there)};
  buffer.copy_to_host(back);
  EXPECT_EQ(back, there);
}
TEST_F(GpuDevice, RefusesABlockOf1025InWords) {
  std::vector<Mass<float>> bodies(2000, {0.5f, 0.5f, 0.5f, 1});
  std::vector<Vec4<float>> sums(2000);
  const PairProblem<F32> problem{.targets = bodies, .sources = bodies, .sums = sums, .softening = {0.1}};
  try {
    cuda::evaluate(*cuda_kernels()[0], problem, {.threads_per_block = 1025});
    FAIL() << "accepted";
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("1025 threads per block; the device allows at most 1024"),
              std::string::npos)
        << e.what();
  }
}
/// More memory than any device has, in an error that says how much is free.
TEST_F(GpuDevice, SaysHowMuchMemoryThereIs) {
  try {
    const cuda::Buffer<char> much(std::size_t{1} << 46);
    FAIL() << "accepted";
  } catch (const ResourceError& e) {
    EXPECT_NE(std::string(e.what()).find("are free on the GPU; use fewer bodies"), std::string::npos)
        << e.what();
  }
}
TEST_F(GpuDevice, LogsLaunchesWithTheirOccupancy) {
  const std::vector<Mass<float>> bodies(1000, {0.5f, 0.5f, 0.5f, 1});
  std::vector<Vec4<float>> sums(1000);
  const PairProblem<F32> problem{.targets = bodies, .sources = bodies, .sums = sums, .softening = {0.1}};
  cuda::LaunchLog log;
  cuda::evaluate(*cuda_kernels()[0], problem, {.threads_per_block = 128});
  ASSERT_EQ(log.launches().size(), 1U);
  const auto o = cuda::occupancy_of(log.launches()[0]);
  EXPECT_GE(o.registers, 16);
  EXPECT_GE(o.resident_blocks, 1);
  EXPECT_GT(o.theoretical, 0);
  EXPECT_LE(o.theoretical, 1);
  EXPECT_GT(o.waves, 0);
}
