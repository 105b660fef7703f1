/// The doctor on emulated GPUs: well, sick, alone and several.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/doctor.hpp"

#include "cuda/device/fault.hpp"
#include "cuda/emulator/peer.hpp"

#include <algorithm>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::doctor;

namespace {

class DoctorOfGpus : public testing::Test {
 protected:
  void TearDown() override {
    cuda::inject({});
    emulator::devices = devices_, emulator::access = emulator::access_works = true;
  }

 private:
  int devices_ = emulator::devices;
};

auto count(const Findings& findings, Mark mark, const std::string& group) {
  return std::count_if(findings.begin(), findings.end(),
                       [&](const Finding& f) { return f.mark == mark && f.group == group; });
}

}  // namespace

TEST_F(DoctorOfGpus, FindsOneWell) {
  emulator::devices = 1;
  const auto found = examine_gpus();
  EXPECT_FALSE(any_broken(found)) << as_text(found, false);
  EXPECT_EQ(count(found, Mark::ok, "GPU 0"), 4) << as_text(found, false);
}

TEST_F(DoctorOfGpus, ProvesAccessBetweenAllPairs) {
  emulator::devices = 3;
  emulator::access = emulator::access_works = true;
  const auto found = examine_gpus();
  EXPECT_EQ(count(found, Mark::ok, "GPU pairs"), 6) << as_text(found, false);
}

/// What the driver promises and does not keep is broken; what it does not promise is only noted.
TEST_F(DoctorOfGpus, MarksAccessThatIsPromisedAndDoesNotWork) {
  emulator::devices = 2;
  emulator::access = true, emulator::access_works = false;
  EXPECT_EQ(count(examine_gpus(), Mark::broken, "GPU pairs"), 2);
  emulator::access = false;
  const auto found = examine_gpus();
  EXPECT_EQ(count(found, Mark::note, "GPU pairs"), 2);
  EXPECT_FALSE(any_broken(found)) << as_text(found, false);
}

/// A GPU that is lost in the middle of its examination is broken, and the report goes on to the end.
TEST_F(DoctorOfGpus, FindsOneThatIsLostOnTheWay) {
  emulator::devices = 1;
  for (std::uint64_t call = 1;; ++call) {
    cuda::inject(cuda::Fault{call, cuda::ErrorClass::lost});
    const auto found = examine_gpus();
    cuda::inject({});
    if (!any_broken(found)) {
      EXPECT_GT(call, 10U);
      break;
    }
  }
}
