/// Devices that meet, on the emulator, where a wait for what has not been queued before it is in vain.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/catalogue.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/emulator/peer.hpp"
#include "cuda/multi_gpu/devices.hpp"
#include "cuda/multi_gpu/probe.hpp"
#include "engine/multi_gpu_engine.hpp"

#include <pleiad/error.hpp>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

/// The emulated host as a test wants it, until the test ends.
class Several : public testing::Test {
 protected:
  ~Several() override { emulator::devices = 4, emulator::access = emulator::access_works = true; }
};

std::string failure_of(auto work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

Bodies pair() {
  Bodies b;
  b.add(1, {0, 0, 0}, {0, 0, 0});
  b.add(1, {1, 0, 0}, {0, 0, 0});
  return b;
}

}  // namespace

TEST_F(Several, MeetAsOftenAsTheyLike) {
  for (const bool reachable : {true, false}) {
    cuda::Devices devices(4, reachable);
    for (int k = 0; k < 5; ++k) {
      devices.signal();
      devices.wait_for_signals();
    }
    EXPECT_EQ(failure_of([&] { devices.wait(); }), "");
  }
}
TEST_F(Several, SayWhichOneDoesNotCome) {
  for (const bool reachable : {true, false}) {
    cuda::Devices devices(3, reachable);
    devices.silence(1);
    devices.signal();
    devices.wait_for_signals();
    EXPECT_EQ(failure_of([&] { devices.wait(); }), "GPU 1 of 3: GPU 0 waited 60 seconds for it in vain");
  }
}
TEST_F(Several, AwaitNothingThatIsNotAnnounced) {
  cuda::Devices devices(2, true);
  devices.wait_for_signals();
  EXPECT_ANY_THROW(devices.wait());
}
TEST_F(Several, TakeTurnsInAnnouncingAndAwaiting) {
  cuda::Devices devices(2, true);
  devices.signal();
  devices.signal();
  devices.wait_for_signals();
  EXPECT_THROW(devices.wait(), std::logic_error);
}
TEST_F(Several, GoBackToTheDeviceThatWasPresent) {
  const cuda::OnDevice outer(2);
  cuda::Devices devices(3, true);
  int sum = 0;
  devices.each([&](int d) { sum += 10 * d + cuda::present_device(); });
  EXPECT_EQ(sum, 33);
  EXPECT_EQ(cuda::present_device(), 2);
}
TEST_F(Several, ProveThatTheyReachEachOther) {
  EXPECT_EQ(cuda::why_not_reachable(1), "");
  EXPECT_EQ(cuda::why_not_reachable(4), "");
  emulator::access_works = false;
  EXPECT_EQ(cuda::why_not_reachable(4),
            "GPU 0 cannot use the memory of GPU 1: what is copied there does not arrive");
  emulator::access = false;
  EXPECT_EQ(cuda::why_not_reachable(2), "GPU 0 cannot use the memory of GPU 1: the driver does not allow it");
}
/// The driver's word alone is not enough.
TEST_F(Several, GoThroughTheHostWhenTheProofFails) {
  emulator::access_works = false;
  const auto* kernel = cuda_kernels()[0];
  const Choice two{.method = {.kernel = kernel}, .gpus = 2, .why = "a test"};
  MultiGpuEngine<F32> engine(pair(), {}, two, Precision::f32);
  EXPECT_EQ(engine.exchange(), cuda::Exchange::host);
  EXPECT_NE(engine.describe().why.find("copies through the host: GPU 0 cannot use"), std::string::npos)
      << engine.describe().why;
  EXPECT_EQ(failure_of(
                [&] { MultiGpuEngine<F32> direct(pair(), {}, two, Precision::f32, cuda::Exchange::direct); }),
            "no peer access: GPU 0 cannot use the memory of GPU 1: what is copied there does not arrive");
}
TEST_F(Several, AreRefusedWhenThereAreNotSoMany) {
  emulator::devices = 1;
  EXPECT_EQ(failure_of([] { cuda::Devices devices(2, true); }),
            "2 GPUs asked for; there are 1, and at most 8 work together");
}

}  // namespace pleiad
