/// On the emulated GPU, each call of the CUDA runtime fails in turn: the run ends with one line and exit code
/// 4, its last checkpoint is good, and it continues to the bits of the undisturbed run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "faults/gpu_faults.hpp"

#include "sizes.hpp"

#include <memory>

#include <gtest/gtest.h>

using namespace pleiad::test;

namespace {

/// The rung that nothing chooses, and whatever is chosen by itself.
const std::vector<std::vector<std::string>> engines{{"engine.kernel=cuda/tile", "engine.precision=f64"}, {}};

/// The undisturbed run with each, and how many calls it makes: found once.
const std::vector<std::unique_ptr<GpuFaults>>& undisturbed() {
  static const auto all = [] {
    std::vector<std::unique_ptr<GpuFaults>> made;
    for (const auto& settings : engines)
      made.push_back(std::make_unique<GpuFaults>(PLEIAD_EMULATED, settings));
    return made;
  }();
  return all;
}

/// Every `stride`th call in turn; in `make test` a tenth of those. The strides are primes, so that the calls
/// that are left out of what is done step by step differ from step to step.
void sweep_all(std::string_view kind, std::uint64_t stride, std::uint64_t stride_of_few) {
  if (!all_sizes()) stride = stride_of_few;
  for (const auto& one : undisturbed()) {
    const GpuFaults& faults = *one;
    // Eight steps, of which each waits, with five diagnostics and three snapshots.
    EXPECT_GE(faults.calls(), 30U);
    const std::size_t ended = faults.sweep(kind, stride);
    EXPECT_EQ(ended, (faults.calls() + stride - 1) / stride);
    std::printf("%s: %zu of %llu calls failed in turn\n", std::string(kind).c_str(), ended,
                static_cast<unsigned long long>(faults.calls()));
  }
}

}  // namespace

TEST(GpuFaults, NoCallThatRunsOutOfMemoryHurts) { sweep_all("memory", 1, 11); }
TEST(GpuFaults, NoKernelThatFailsHurts) { sweep_all("launch", 1, 11); }
// Their way through the program is that of a failed kernel; only the words differ.
TEST(GpuFaults, NeitherDoUncorrectableErrors) { sweep_all("ecc", 7, 23); }
TEST(GpuFaults, NorAGpuThatIsLost) { sweep_all("lost", 7, 29); }
TEST(GpuFaults, EndWithACheckpointWhenTheyAreSignals) {
  for (const auto& faults : undisturbed()) faults->survives_sigterm();
}
TEST(GpuFaults, MayAlsoMeetARunThatIsResumed) {
  for (const auto& faults : undisturbed()) faults->sweep_resumed("launch", all_or(3, 17));
}

/// `pleiad doctor` where the GPU is well, and where a test of it fails.
TEST(DoctorOnAGpu, SaysWhatIsBroken) {
  const Folder folder;
  const auto well = run_program({PLEIAD_EMULATED, "doctor"}, {}, folder.path);
  EXPECT_EQ(well.code, 0) << well.out << well.err;
  EXPECT_NE(well.out.find("memory test"), std::string::npos) << well.out;
  EXPECT_EQ(well.out.find("broken  "), std::string::npos) << well.out;
  // On until the doctor makes fewer calls: what it needs to know the GPUs, their tests, those of the pairs.
  std::size_t sick = 0;
  for (std::uint64_t call = 1;; call += all_or(13, 41)) {
    const auto end = run_program({PLEIAD_EMULATED, "doctor"},
                                 {{"PLEIAD_CUDA_FAULT", std::to_string(call) + ":ecc"}}, folder.path);
    if (end.code == 0) break;
    ASSERT_EQ(end.code, 4) << call << "\n" << end.out << end.err;
    // Everything else is examined all the same.
    EXPECT_NE(end.out.find("broken  "), std::string::npos) << end.out;
    EXPECT_NE(end.out.find("largest number of bodies"), std::string::npos) << end.out;
    ++sick;
  }
  EXPECT_GE(sick, all_or(5U, 2U));
}
