/// A build with CUDA on a machine without a GPU or its driver: it says so in one line and computes on the
/// CPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/device.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>

#include <string>

#include <gtest/gtest.h>

using namespace pleiad;

class GpuAbsent : public testing::Test {
 protected:
  void SetUp() override {
    if (why.empty()) GTEST_SKIP() << "there is a GPU";
  }
  std::string why = cuda::why_no_device();
  Bodies bodies = [] {
    Bodies b;
    b.add(1, {0, 0, 0}, {0, 0, 0});
    b.add(1, {1, 0, 0}, {0, 0, 0});
    return b;
  }();
};

TEST_F(GpuAbsent, IsSaidWhenOneIsAskedFor) {
  for (const EngineOptions& options :
       {EngineOptions{.backend = "cuda"}, EngineOptions{.kernel = "cuda/tile"}}) {
    try {
      make_engine(bodies, {}, options);
      FAIL() << "accepted";
    } catch (const ResourceError& e) {
      EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
    }
  }
}
TEST_F(GpuAbsent, IsTheReasonForTheCpu) {
  const auto what = make_engine(bodies, {}, {})->describe();
  EXPECT_TRUE(what.kernel.starts_with("cpu/"));
  EXPECT_NE(what.why.find(why), std::string::npos) << what.why;
}
