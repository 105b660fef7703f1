/// Launch shapes that cannot be are refused in words, with the number and the limit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/refusal.hpp"

#include "cuda/device/memory.hpp"

#include <pleiad/error.hpp>

#include <gtest/gtest.h>

using namespace pleiad;
using cuda::Grid;

namespace {
std::string refusal(const Grid& grid, const cuda::Limits& limits = {}) {
  try {
    cuda::need_within(limits, "cuda/naive", grid);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "accepted";
}
}  // namespace

TEST(Refusal, NamesTheNumberAndTheLimit) {
  EXPECT_EQ(refusal({.blocks = 16, .threads = 1024}), "accepted");
  EXPECT_EQ(refusal({.blocks = 16, .threads = 1025}),
            "cannot launch 'cuda/naive': 1025 threads per block; the device allows at most 1024");
  EXPECT_NE(refusal({.blocks = 16, .threads = 0}).find("1 to 1024"), std::string::npos);
  EXPECT_NE(refusal({.blocks = 16, .threads = 1024}, {.threads_by_registers = 640, .registers = 96})
                .find("96 registers per thread at most 640"),
            std::string::npos);
  EXPECT_NE(refusal({.blocks = 1, .threads = 32, .shared_bytes = 50000}).find("50000 bytes of shared memory"),
            std::string::npos);
  EXPECT_NE(refusal({.blocks = 1, .threads = 32, .blocks_y = 65536}).find("65536 blocks in y"),
            std::string::npos);
  EXPECT_NE(refusal({.blocks = 0x80000000u, .threads = 32}).find("2147483648 blocks"), std::string::npos);
}
TEST(Refusal, ManagedMemoryIsNeverMoreThanTheDeviceHasFree) {
  EXPECT_NO_THROW(cuda::need_free(1000, 1000));
  EXPECT_THROW(cuda::need_free(1001, 1000), ResourceError);
  const std::size_t free = cuda::device_memory().first;
  try {
    cuda::Managed<char> memory(free + 1);
    FAIL() << "one byte more than free was granted";
  } catch (const ResourceError& e) {
    EXPECT_NE(std::string(e.what()).find(std::to_string(free) + " free"), std::string::npos) << e.what();
  }
  cuda::Managed<char> memory(1000);
  EXPECT_NE(memory.data(), nullptr);
}
