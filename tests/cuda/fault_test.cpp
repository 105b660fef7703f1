/// Injected faults: their names, which calls count, and the texts of the errors that they become.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/fault.hpp"

#include "cuda/device/device.hpp"
#include "cuda/device/graph.hpp"
#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/overlap.hpp"
#include "cuda/device/stream.hpp"

#include <pleiad/error.hpp>

#include <functional>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::cuda;

namespace {

/// No fault outlives its test.
class CudaFault : public testing::Test {
 protected:
  void TearDown() override { inject({}); }
};

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const ResourceError& e) {
    return e.what();
  }
  return "";
}

struct Call {
  const char* name;
  std::function<void()> make;
};

void nothing(int) {}

/// Every function of the device layer whose original asks CUDA for something that can fail.
std::vector<Call> calls() {
  static std::vector<std::byte> device(64), host(64);
  static void *event = create_event(), *mark = create_mark();
  static Graph graph;
  graph.record(nullptr, [] {});
  return {{"allocate", [] { release(allocate(64, nullptr), nullptr); }},
          {"fill", [] { fill(device.data(), 0, 64, nullptr); }},
          {"copy_to_device", [] { copy_to_device(device.data(), host.data(), 64, nullptr); }},
          {"copy_on_device", [] { copy_on_device(device.data(), host.data(), 64, nullptr); }},
          {"copy_to_host", [] { copy_to_host(host.data(), device.data(), 64, nullptr); }},
          {"wait", [] { cuda::wait(nullptr); }},
          {"device_memory", [] { (void)device_memory(); }},
          {"allocate_managed", [] { release_managed(allocate_managed(64)); }},
          {"create_stream", [] { destroy_stream(create_stream()); }},
          {"create_event", [] { destroy_event(create_event()); }},
          {"record_event", [] { record_event(event, nullptr); }},
          {"create_mark", [] { destroy_event(create_mark()); }},
          {"wait_for_mark", [] { wait_for_mark(mark); }},
          {"hold_for_mark", [] { hold_for_mark(nullptr, mark); }},
          {"record", [] { Graph().record(nullptr, [] {}); }},
          {"replay", [] { graph.replay(nullptr); }},
          {"seconds_between", [] { (void)seconds_between(event, event); }},
          {"launch", [] { launch("nothing", nothing, {}, nullptr, 0); }},
          {"device_facts", [] { (void)device_facts(); }},
          {"measured_clock", [] { (void)measured_clock(); }},
          {"occupancy_of", [] { (void)occupancy_of({.name = {}, .kernel = nullptr, .grid = {}}); }}};
}

}  // namespace

TEST_F(CudaFault, HasANumberAndAKind) {
  EXPECT_EQ(fault_named("7:ecc").call, 7U);
  EXPECT_EQ(fault_named("7:ecc").error_class, ErrorClass::ecc);
  EXPECT_EQ(fault_named("18446744073709551615:lost").error_class, ErrorClass::lost);
  for (const auto* text : {"", ":", "7", "7:", ":ecc", "0:ecc", "-1:ecc", "7:ECC", "7:ecc ", " 7:ecc",
                           "7:busy", "18446744073709551616:ecc", "7x:ecc", "7:ecc:8"})
    EXPECT_THROW(fault_named(text), UsageError) << text;
}

TEST_F(CudaFault, MeetsEveryCall) {
  for (const auto& [name, make] : calls()) {
    EXPECT_EQ(complaint(make), "") << name;
    inject(Fault{1, ErrorClass::launch});
    EXPECT_NE(complaint(make), "") << name;
    inject({});
  }
  inject(Fault{1, ErrorClass::launch});
  EXPECT_NE(why_no_device(), "");
}

TEST_F(CudaFault, IsOverAfterwardsUnlessItSticks) {
  const auto work = [] { cuda::wait(nullptr); };
  inject(Fault{2, ErrorClass::memory});
  EXPECT_EQ(complaint(work), "");
  EXPECT_NE(complaint(work), "");
  EXPECT_EQ(complaint(work), "");
  for (const auto kind : {ErrorClass::launch, ErrorClass::ecc, ErrorClass::lost}) {
    inject(Fault{2, kind});
    EXPECT_EQ(complaint(work), "");
    for (int k = 0; k < 3; ++k) EXPECT_NE(complaint(work), "");
  }
}

TEST_F(CudaFault, InAnAllocationSaysTheSizesAndWhatToDo) {
  inject(Fault{1, ErrorClass::memory});
  EXPECT_EQ(complaint([] { (void)allocate(std::size_t{3} << 29, nullptr); }),
            "CUDA: out of memory (cudaErrorMemoryAllocation in allocate): 1.5 GiB more were asked for, 1 GiB "
            "of 1 GiB "
            "are free on the GPU; use fewer bodies, --precision f32, or more GPUs");
}

TEST_F(CudaFault, InALaunchNamesTheKernel) {
  inject(Fault{2, ErrorClass::launch});  // the first call of a launch asks for its limits
  const auto line = complaint([] { launch("nothing", nothing, {}, nullptr, 0); });
  EXPECT_TRUE(line.starts_with(
      "CUDA: unspecified launch failure (cudaErrorLaunchFailure in the launch of 'nothing')"))
      << line;
}

TEST(CudaErrorClass, IsExplainedInOneLineThatSaysWhatWouldBeRight) {
  const std::pair<ErrorClass, std::string_view> expected[]{
      {ErrorClass::memory, "fewer bodies"},
      {ErrorClass::launch, "pleiad doctor"},
      {ErrorClass::ecc, "another GPU"},
      {ErrorClass::lost, "nvidia-smi"},
      {ErrorClass::busy, "CUDA_VISIBLE_DEVICES"},
      {ErrorClass::no_code, "pleiad doctor"},
      {ErrorClass::old_driver, "update the NVIDIA driver"}};
  for (const auto& [error_class, words] : expected) {
    const auto line =
        explain({.error_class = error_class, .words = "words", .name = "cudaError", .where = "here"});
    EXPECT_TRUE(line.starts_with("CUDA: words (cudaError in here): ")) << line;
    EXPECT_NE(line.find(words), std::string::npos) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  }
  EXPECT_EQ(explain({.words = "invalid argument", .name = "cudaErrorInvalidValue", .where = "fill"}),
            "CUDA: invalid argument (cudaErrorInvalidValue in fill)");
}

TEST(CudaErrorClass, NamesVersionsAndCapabilities) {
  EXPECT_EQ(short_name("void* pleiad::cuda::allocate(std::size_t, void*)"), "allocate");
  EXPECT_EQ(short_name("main"), "main");
  EXPECT_EQ(version_named(12080), "12.8");
  EXPECT_EQ(capabilities("80,90"), "8.0, 9.0");
  EXPECT_EQ(capabilities("90a,100-real,120-virtual"), "9.0, 10.0, 12.0");
  EXPECT_EQ(driver_too_old(11040, 13000),
            "the NVIDIA driver, for CUDA 11.4, is older than this build's CUDA 13.0; update the driver, or "
            "build with "
            "CUDA 11.4");
  EXPECT_EQ(no_code_for("Tesla T4", 7, 5, "80,90"),
            "this build has code for compute capability 8.0, 9.0, and 'Tesla T4' is of 7.5; build with cmake "
            "--preset "
            "release-cuda -DPLEIAD_CUDA_ARCHITECTURES=75");
}
