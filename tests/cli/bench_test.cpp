/// `pleiad bench` from the shell: what it lists, how it refuses, and what it leaves when it is stopped.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/shell.hpp"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad::test {
namespace {

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
constexpr const char* cpu_only = "this build has CPU kernels only (cmake --preset cuda makes another)";

}  // namespace

TEST(Bench, ListsTheKernelsThatThisBuildLeavesOutAndTheExperiments) {
  const auto list = Scratch().run("pleiad bench --list");
  EXPECT_EQ(list.code, 0) << list.err;
  EXPECT_TRUE(says(list.out, "cuda/tile")) << list.out;
  EXPECT_TRUE(says(list.out, "a block stages sources in shared memory")) << list.out;
  for (const auto* experiment :
       {"path", "five-kernels", "damping-fps", "block-stride", "periodic-2d", "trees", "crossover",
        "promises", "ranks", "block-steps", "block-forms", "individual-steps", "scattering"})
    EXPECT_TRUE(says(list.out, std::string("\n  ") + experiment + " ")) << experiment;
}

// docs/ladder.md has "GPU rung 2: cuda/tile" and "CPU rung 2: cpu/blocked"; up to 0.3 the list had 102 and 2,
// and 125 for the rung that is number 23.
TEST(Bench, NumbersRungsAsTheCourseDoesAndTakesTheirNumbers) {
  const Scratch scratch;
  const auto list = scratch.run("pleiad bench --list --csv -").out;
  for (const auto* row : {"\n2,cpu/blocked,cpu,", "\n2,cuda/tile,cuda,", "\n23,cuda/naive-forces,cuda,",
                          "\n34,cuda/mixed-symmetric,cuda,"})
    EXPECT_TRUE(says(list, row)) << row << "\n" << list;
  const auto verify = "pleiad verify -n 3 --precision f32 --kernel ";
  const auto former = scratch.run(verify + std::string("125"));
  EXPECT_TRUE(says(former.out + former.err, "cuda/naive-forces")) << former.err;
  const auto wrong = scratch.run(verify + std::string("cuda/35"));
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(says(wrong.err, "no rung 'cuda/35': the course has cpu/1 to cpu/6 and cuda/1 to cuda/34"))
      << wrong.err;
}

// In a build without CUDA; one with it has these kernels.
TEST(Bench, HasOneWordingForWhatIsNotInThisBuild) {
  const Scratch scratch;
  if (!says(scratch.run("pleiad bench --list").out, "not in this build")) GTEST_SKIP() << "a build with CUDA";
  for (const auto* command :
       {"pleiad bench cpu --kernel cuda/tile", "pleiad bench steps -n 64 --kernel cuda/tile",
        "pleiad verify --kernel cuda/tile", "pleiad bench --experiment path --kernel cuda/tile",
        "pleiad bench --experiment damping-fps -n 64 --kernel cuda/tile"}) {
    const auto end = scratch.run(command);
    EXPECT_EQ(end.code, 4) << command;
    EXPECT_EQ(end.err, fmt::format("pleiad: error: kernel 'cuda/tile' cannot be used: {}\n", cpu_only))
        << command;
  }
  const auto typo = scratch.run("pleiad bench cpu --kernel cuda/tyle");
  EXPECT_EQ(typo.code, 2);
  EXPECT_TRUE(says(typo.err, "no direct kernel 'cuda/tyle'; did you mean 'cuda/tile'?")) << typo.err;
}

TEST(Bench, UsesTheInstructionSetThatItIsTold) {
  const Scratch scratch;
  if (!says(scratch.run("pleiad bench cpu --simd none").err, "AVX2")) GTEST_SKIP() << "no AVX2 here";
  const auto end = scratch.run(
      "pleiad bench cpu --simd avx2 --kernel cpu/symmetric -n 64 --precision f32 --threads 1 --quick --json "
      "-");
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_TRUE(says(end.out, "\"simd_target\":\"AVX2\"")) << end.out;
}

TEST(Bench, RefusesAPlotOfAnotherKindBeforeItMeasures) {
  const auto end = Scratch().run("pleiad bench --experiment path --plot path.pdf");
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(end.out, "");
  EXPECT_TRUE(says(end.err, "'path.pdf' must end in .png")) << end.err;
}

TEST(Bench, WritesWhatItHasWhenItIsStopped) {
  // After longer and longer, until there was time for the first rows.
  const auto end = Scratch().run(
      "for pause in 1 2 4 8 16 32 64; do "
      "\"$PLEIAD\" bench --experiment damping-fps -n 256 512 1024 2048 4096 8192 --json rows.json >told "
      "2>why & "
      "sleep $pause; kill -TERM $!; wait $!; code=$?; "
      "test $code -ne 75 || ! grep -q 'serial loop' told || break; done; cat told; cat why >&2; exit $code");
  EXPECT_EQ(end.code, 75) << end.err;
  EXPECT_TRUE(says(end.err, "stopped by SIGTERM: the ")) << end.err;
  EXPECT_TRUE(says(end.out, "serial loop")) << end.out;
  EXPECT_TRUE(says(end.changes, "rows.json")) << end.changes;
}

// Ctrl-C, in every form that measures rows one by one.
TEST(Bench, WritesTheRowsThatItHasAfterAnInterrupt) {
  for (const std::string form : {"cpu --kernel cpu/simd -n 512 1024 2048 4096 8192 16384 32768 65536",
                                 "steps -n 512 1024 2048 4096 8192 16384 32768 65536",
                                 "steps --systems 16 -n 16 32 64 128 256 512 1024 2048 4096"}) {
    const auto end = Scratch().run(
        "for pause in 1 2 4 8 16 32 64; do timeout --preserve-status -s INT $pause \"$PLEIAD\" bench " +
        form +
        " --json rows.json >told 2>why; code=$?; "
        "test $code -ne 75 || ! grep -q '\"kernel\"' rows.json || break; done; cat told; cat why >&2; exit "
        "$code");
    EXPECT_EQ(end.code, 75) << form << end.err;
    EXPECT_TRUE(says(end.err, "stopped by SIGINT: the ")) << form << end.err;
    EXPECT_TRUE(says(end.out, "f32")) << form << end.out;
    EXPECT_TRUE(says(end.changes, "rows.json")) << form << end.changes;
  }
}

TEST(Bench, TellsTheRangeOfANumberForPeople) {
  for (const auto* option : {"--steps 0", "-n 0"}) {
    const auto end = Scratch().run(std::string("pleiad bench --experiment periodic-2d ") + option);
    EXPECT_EQ(end.code, 2) << option;
    EXPECT_TRUE(says(end.err, "'0' must be a whole number from 1 to 2^53")) << end.err;
  }
}

}  // namespace pleiad::test
