/// Blocks that wait for each other, on the emulator: barriers of the grid and of clusters, and the defects
/// that it must catch.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/barrier.hpp"
#include "cuda/device/launch.hpp"

#include <pleiad/error.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

enum class Defect { none, no_barrier, too_few_arrivals, some_never_come };

/// Every block adds its right neighbour's number to its own, `steps` times over, each from the last state.
template <Defect defect>
void add_neighbours(int* values, unsigned* counter, int steps) {
  cuda::GridBarrier barrier(counter);
  if (defect == Defect::some_never_come && blockIdx.x == 2) return;
  for (int s = 0; s < steps; ++s) {
    const int* const from = values + (s % 2) * gridDim.x;
    int* const to = values + (1 - s % 2) * gridDim.x;
    if (threadIdx.x == 0) to[blockIdx.x] = from[blockIdx.x] + from[(blockIdx.x + 1) % gridDim.x];
    if (defect != Defect::no_barrier) barrier.wait();
  }
  if (defect == Defect::too_few_arrivals) {
    __syncthreads();
    while (cuda::load_current(counter) != 1000) cuda::spin();
  }
}

template <Defect defect>
std::vector<int> neighbours_added(emulator::Order order) {
  emulator::order = order;
  std::vector<int> values{1, 2, 3, 4, 5, 0, 0, 0, 0, 0};
  unsigned counter = 0;
  try {
    cuda::launch("neighbours", add_neighbours<defect>, {.blocks = 5, .threads = 64, .together = true},
                 nullptr, values.data(), &counter, 4);
  } catch (...) {
    emulator::order = emulator::Order::forward;
    throw;
  }
  emulator::order = emulator::Order::forward;
  return {values.begin(), values.begin() + 5};
}

/// Every thread writes its number into the next block's shared memory and reads what it was given.
template <Defect defect>
void pass_on(int* out) {
  int* const mine = dynamic_shared<int>();
  cuda::cluster_barrier();
  int* const next = cuda::in_block(mine, (cuda::rank_in_cluster() + 1) % cuda::blocks_in_cluster());
  next[threadIdx.x] = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (defect == Defect::none) cuda::cluster_barrier();
  else __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine[threadIdx.x];
}
template <Defect defect>
bool passes_on(emulator::Order order) {
  emulator::order = order;
  std::vector<int> out(8 * 48);
  cuda::launch("pass_on", pass_on<defect>,
               {.blocks = 8, .threads = 48, .shared_bytes = 48 * sizeof(int), .cluster = 4}, nullptr,
               out.data());
  emulator::order = emulator::Order::forward;
  for (int b = 0; b < 8; ++b)
    for (int t = 0; t < 48; ++t)
      if (out[static_cast<std::size_t>(b * 48 + t)] != (b / 4 * 4 + (b + 3) % 4) * 48 + t) return false;
  return true;
}

void write_into_the_ended(int* out) {
  int* const mine = dynamic_shared<int>();
  cuda::cluster_barrier();
  if (cuda::rank_in_cluster() == 0) return;
  cuda::in_block(mine, 0)[0] = 1;
  out[0] = mine[0];
}
void beyond_the_cluster() { *cuda::in_block(dynamic_shared<int>(), 4) = 1; }
void barrier_for_some_blocks() {
  if (cuda::rank_in_cluster() < 2) cuda::cluster_barrier();
}

std::string words_of(const cuda::Grid& grid, void (*kernel)()) {
  try {
    cuda::launch("kernel", kernel, grid, nullptr);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "none";
}

constexpr std::array orders{emulator::Order::forward, emulator::Order::backward, emulator::Order::shuffled};

}  // namespace

TEST(Collective, TheGridsBarrierKeepsStepsApartInEveryOrder) {
  for (const auto order : orders)
    EXPECT_EQ(neighbours_added<Defect::none>(order), (std::vector<int>{48, 59, 55, 41, 37}));
}
TEST(Collective, AForgottenBarrierOfTheGridShows) {
  int wrong = 0;
  for (const auto order : orders)
    wrong += neighbours_added<Defect::no_barrier>(order) != std::vector<int>{48, 59, 55, 41, 37};
  EXPECT_EQ(wrong, 3);
}
TEST(Collective, BlocksThatWaitForEachOtherInVainAreAnError) {
  for (const auto order : orders) {
    EXPECT_THROW(neighbours_added<Defect::too_few_arrivals>(order), std::logic_error);
    EXPECT_THROW(neighbours_added<Defect::some_never_come>(order), std::logic_error);
  }
  EXPECT_NO_THROW(neighbours_added<Defect::none>(emulator::Order::forward));
}
TEST(Collective, TheClustersBarrierWorksInEveryOrder) {
  for (const auto order : orders) EXPECT_TRUE(passes_on<Defect::none>(order));
}
TEST(Collective, AForgottenBarrierOfTheClusterShows) {
  // Numbers that are not there yet, or a block that is gone before it gets its own.
  for (const auto order : orders) {
    bool right = false;
    try {
      right = passes_on<Defect::no_barrier>(order);
    } catch (const std::logic_error&) {
    }
    EXPECT_FALSE(right);
  }
  emulator::order = emulator::Order::forward;
}
TEST(Collective, ReachingIntoABlockThatHasEndedOrIsNotThereIsAnError) {
  std::vector<int> out(1);
  EXPECT_THROW(
      cuda::launch("ended", write_into_the_ended,
                   {.blocks = 4, .threads = 1, .shared_bytes = 4, .cluster = 4}, nullptr, out.data()),
      std::logic_error);
  EXPECT_NE(words_of({.blocks = 4, .threads = 1, .shared_bytes = 4, .cluster = 4}, beyond_the_cluster)
                .find("block 4 of its cluster, which has 4"),
            std::string::npos);
}
TEST(Collective, ABarrierThatSomeBlocksNeverReachIsAnError) {
  EXPECT_NE(words_of({.blocks = 4, .threads = 32, .cluster = 4}, barrier_for_some_blocks)
                .find("64 threads wait at a barrier of the cluster that 64 threads never reach"),
            std::string::npos);
}
TEST(Collective, GridsThatCannotRunTogetherAreRefusedInWords) {
  EXPECT_NE(words_of({.blocks = 6, .threads = 32, .together = true}, barrier_for_some_blocks)
                .find("6 blocks that wait for each other; the device runs at most 5"),
            std::string::npos);
  EXPECT_NE(words_of({.blocks = 32, .threads = 32, .cluster = 32}, barrier_for_some_blocks)
                .find("a cluster of 32 blocks; of this shape the device runs at most 16"),
            std::string::npos);
  EXPECT_NE(words_of({.blocks = 6, .threads = 32, .cluster = 4}, barrier_for_some_blocks)
                .find("6 blocks; they must be a multiple of the cluster's 4"),
            std::string::npos);
}
