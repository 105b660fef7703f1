/// A build with CUDA on a machine without a GPU or its driver: it says so in one line and computes on the
/// CPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/device.hpp"
#include "faults/program.hpp"
#include "program_under_test.hpp"
#include "unit/checkpoint/sample.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

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
       {EngineOptions{.backend = "cuda"}, EngineOptions{.method = force_method_of("cuda/tile")}}) {
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
  EXPECT_TRUE(what.kernel().starts_with("cpu/"));
  EXPECT_NE(what.why.find(why), std::string::npos) << what.why;
}

/// The whole program: it starts, says so in one line, computes on the CPU, and refuses what was asked of a
/// GPU.
class GpuAbsentProgram : public GpuAbsent {
 protected:
  pleiad::test::ProgramEnd pleiad(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), pleiad::test::program_under_test().string());
    return pleiad::test::run_program(arguments, {}, folder.path);
  }
  pleiad::test::ProgramEnd run(const std::string& backend) {
    return pleiad({"run", config(), "--backend", backend, "--output", (folder.path / backend).string()});
  }
  std::string config() {
    const auto file = folder.path / "run.toml";
    std::ofstream(file)
        << "[initial_conditions]\nmodel = \"plummer\"\nparameters = [\"n=64\"]\n[gravity]\nsoftening = "
           "0.05\n[time]\ndt = 0.0078125\nt_end = 0.0625\n[output]\npictures = false\nplots = false\n";
    return file.string();
  }
  pleiad::test::Folder folder;
};

TEST_F(GpuAbsentProgram, RunsOnTheCpuAndSaysWhyInOneLine) {
  const auto end = run("auto");
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.err.find("not on a GPU: " + why), std::string::npos) << end.err;
  EXPECT_EQ(end.err.find(why), end.err.rfind(why)) << "said once:\n" << end.err;
}
TEST_F(GpuAbsentProgram, ExitsWith4AndTheReasonWhenAGpuIsAskedFor) {
  const auto end = run("cuda");
  EXPECT_EQ(end.code, 4) << end.err;
  EXPECT_EQ(end.err, "pleiad: error: backend 'cuda' cannot be used: " + why + "\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path / "cuda")) << "a refused run leaves nothing behind";
}
TEST_F(GpuAbsentProgram, IsWellWithoutADriver) {
  const auto end = pleiad({"doctor"});
  // A driver that is there and fails is broken; none, or no GPU, is not.
  const bool missing = end.out.find("no NVIDIA driver: runs on the CPU") != std::string::npos ||
                       end.out.find("sees no GPU") != std::string::npos;
  EXPECT_EQ(end.code, missing ? 0 : 4) << end.out << end.err;
  EXPECT_NE(end.out.find("runs on the CPU"), std::string::npos) << end.out;
}
