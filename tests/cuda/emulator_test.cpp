/// The emulator itself: barriers, shuffles and the defects that it must catch.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/launch.hpp"

#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

/// Each thread passes its number to its left neighbour, round the block.
void rotate(int* out, bool with_barrier) {
  int* shared = dynamic_shared<int>();
  shared[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (with_barrier) __syncthreads();
  out[threadIdx.x] = shared[(threadIdx.x + 1) % blockDim.x];
}

void barrier_for_some() {
  if (threadIdx.x < 40) __syncthreads();
}
void shuffle_for_some(int* out) {
  if (threadIdx.x % 32 < 20) out[threadIdx.x] = __shfl_sync(~0u, 1, 0);
}
void shuffle_from_nowhere(int* out) { out[threadIdx.x] = __shfl_sync(~0u, 1, 20); }
void warp_sum(int* out) {
  int value = static_cast<int>(threadIdx.x);
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(~0u, value, offset);
  out[threadIdx.x] = value;
}

bool rotates(emulator::Order order, bool with_barrier) {
  emulator::order = order;
  std::vector<int> out(96);
  cuda::launch("rotate", rotate, {.threads = 96, .shared_bytes = 96 * sizeof(int)}, nullptr, out.data(),
               with_barrier);
  emulator::order = emulator::Order::forward;
  for (int i = 0; i < 96; ++i)
    if (out[static_cast<std::size_t>(i)] != (i + 1) % 96) return false;
  return true;
}

}  // namespace

TEST(Emulator, BarriersWorkInEveryOrder) {
  for (const auto order : {emulator::Order::forward, emulator::Order::backward, emulator::Order::shuffled})
    EXPECT_TRUE(rotates(order, true));
}
TEST(Emulator, AForgottenBarrierShows) {
  EXPECT_FALSE(rotates(emulator::Order::forward, false));
  EXPECT_FALSE(rotates(emulator::Order::shuffled, false));
}
TEST(Emulator, ABarrierInADivergentBranchIsAnError) {
  EXPECT_THROW(cuda::launch("some", barrier_for_some, {.threads = 64}, nullptr), std::logic_error);
}
TEST(Emulator, AShuffleThatLanesNeverReachIsAnError) {
  std::vector<int> out(64);
  EXPECT_THROW(cuda::launch("some", shuffle_for_some, {.threads = 64}, nullptr, out.data()),
               std::logic_error);
}
TEST(Emulator, AShuffleFromALaneThatTheWarpLacksIsAnError) {
  std::vector<int> out(40);
  EXPECT_THROW(cuda::launch("nowhere", shuffle_from_nowhere, {.threads = 40}, nullptr, out.data()),
               std::logic_error);
  // And the next launch finds everything in order.
  EXPECT_TRUE(rotates(emulator::Order::forward, true));
}
TEST(Emulator, ShufflesExchangeWithinTheirWarp) {
  std::vector<int> out(64);
  cuda::launch("sum", warp_sum, {.threads = 64}, nullptr, out.data());
  EXPECT_EQ(out[5], 31 * 16);
  EXPECT_EQ(out[40], 31 * 16 + 32 * 32);
}
