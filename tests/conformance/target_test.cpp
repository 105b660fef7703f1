/// Which instruction sets a binary has, and what it says where a processor has none of them.
#include "cpu/target.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/direct.hpp>

#include <gtest/gtest.h>
#include <hwy/detect_targets.h>

using namespace pleiad;

TEST(Target, OfAnOldProcessorIsMissedByName) {
  const auto why = cpu::why_no_simd_target(HWY_AVX2 | HWY_AVX3, HWY_SSE4 | HWY_SSSE3 | HWY_SCALAR);
  EXPECT_NE(why.find("processors with AVX2"), why.npos) << why;
  EXPECT_NE(why.find("PLEIAD_OLD_PROCESSORS"), why.npos) << why;
  EXPECT_EQ(cpu::why_no_simd_target(HWY_AVX2 | HWY_AVX3, HWY_AVX2 | HWY_SSE4 | HWY_SCALAR), "");
  EXPECT_EQ(cpu::why_no_simd_target(HWY_AVX2 | HWY_SCALAR, HWY_SCALAR), "");
}

TEST(Target, IsOneOfThoseThatThisProcessorHas) {
  EXPECT_NO_THROW(cpu::need_simd_target());
  const auto all = cpu::simd_targets();
  ASSERT_FALSE(all.empty());
  EXPECT_THROW(cpu::use_simd_target("AVX1"), UsageError);
  cpu::use_simd_target(all.back());
  EXPECT_EQ(simd_target(), all.back());
  cpu::use_simd_target("");
  EXPECT_EQ(simd_target(), all.front());
}
