/// Skips a test, with the reason, where no GPU can be used.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/device.hpp"

#include <gtest/gtest.h>

namespace pleiad {

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = cuda::why_no_device(); !why.empty()) GTEST_SKIP() << why;
  }
};

}  // namespace pleiad
