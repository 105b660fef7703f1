/// Kernels chosen by the program itself, on the emulated GPU: by a table, by the tuner, by name, and by the
/// checkpoint of a run that goes on.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/shell.hpp"

#include <algorithm>
#include <regex>

#include <gtest/gtest.h>

namespace pleiad::test {
namespace {

/// A scratch folder with 60 bodies and a cache of its own.
class Tuning : public testing::Test {
 protected:
  Tuning() { EXPECT_EQ(scratch_.run("pleiad ic plummer -n 60 -o c.csv").code, 0); }

  Ended shell(const std::string& command) const {
    return scratch_.run("export XDG_CACHE_HOME=\"$PWD/cache\"\nCPU='" PLEIAD_CPU_PROGRAM "'\n" + command);
  }
  Ended run(const std::string& settings) const {
    return shell(
        "pleiad run c.csv --eps 0.05 --dt 0.0078125 --precision mixed --set output.pictures=false --set "
        "output.plots=false " +
        settings);
  }
  /// "cuda/tile block=256", from the header line.
  static std::string kernel_of(const Ended& ended) {
    std::smatch match;
    return std::regex_search(ended.err, match, std::regex(", kernel ([^(]*) \\(")) ? match[1] : std::string();
  }
  static std::string hash_of(const Ended& ended) {
    const auto at = ended.out.find("state hash ");
    return at == std::string::npos ? "no hash: " + ended.err : ended.out.substr(at, 43);
  }
  /// Makes the cache say another kernel.
  void forge(const std::string& kernel) const {
    const auto done =
        shell("sed -i 's|\"kernel\": \".*\"|\"kernel\": \"" + kernel + "\"|' cache/pleiad/tune.json");
    ASSERT_EQ(done.changes, "~ cache/pleiad/tune.json\n");
  }

  Scratch scratch_;
};

bool says(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_F(Tuning, HappensOnceAndIsRemembered) {
  // Eight steps are over before anything is measured.
  const auto few = run("--t-end 0.0625 --output few");
  EXPECT_TRUE(says(few.err, "by the table")) << few.err;
  EXPECT_FALSE(says(few.err, "tuning for")) << few.err;
  const auto first = run("--t-end 0.0625 --output a --tuning force");
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(says(first.err, "pleiad: tuning for 64 bodies, mixed, equal masses")) << first.err;
  EXPECT_TRUE(says(first.err, ", measured on this machine")) << first.err;
  EXPECT_TRUE(says(first.changes, "~ cache/pleiad/tune.json\n")) << first.changes;
  const auto again = run("--t-end 0.0625 --output b");
  EXPECT_FALSE(says(again.err, "tuning for")) << again.err;
  EXPECT_EQ(kernel_of(again), kernel_of(first));
  EXPECT_EQ(hash_of(again), hash_of(first));
  const auto table = run("--t-end 0.0625 --output c --tuning off");
  EXPECT_TRUE(says(table.err, "by the table")) << table.err;
  EXPECT_TRUE(says(run("--t-end 0.0625 --output d --tuning force").err, "tuning for"));
}

TEST_F(Tuning, OfAForecastOnlyLooks) {
  const auto dry = run("--t-end 0.0625 --dry-run");
  EXPECT_EQ(dry.code, 0) << dry.err;
  EXPECT_TRUE(says(dry.out, "by the table")) << dry.out;
  EXPECT_EQ(dry.changes, "");
}

TEST_F(Tuning, ChangesNoRunThatGoesOn) {
  const auto whole = run("--t-end 0.25 --output whole --tuning force");
  EXPECT_EQ(run("--t-end 0.125 --output half").code, 0);
  const auto kernel = kernel_of(whole);
  ASSERT_TRUE(kernel.starts_with("cuda/")) << whole.err;
  const std::string other = kernel == "cuda/naive block=31" ? "cuda/naive block=128" : "cuda/naive block=31";
  forge(other);
  EXPECT_EQ(kernel_of(run("--t-end 0.0625 --output other")), other);
  const auto rest = shell("pleiad run --resume half --t-end 0.25");
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(kernel_of(rest), kernel);
  EXPECT_TRUE(says(rest.err, "(that of the checkpoint")) << rest.err;
  EXPECT_EQ(hash_of(rest), hash_of(whole));
}

TEST_F(Tuning, IsLeftOutWhereItCouldNotBeKept) {
  const auto ended =
      run("--t-end 0.0625 --output a --set engine.tuning=auto >out 2>err; cat err; XDG_CACHE_HOME=/dev/null "
          "pleiad run c.csv --eps 0.05 --dt 0.0078125 --t-end 0.0625 --output b --set output.pictures=false");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(says(ended.err, "pleiad: note: not tuned, the table chooses: cannot make the folder"))
      << ended.err;
  EXPECT_TRUE(says(ended.err, "by the table")) << ended.err;
}

TEST_F(Tuning, IgnoresADamagedCacheInOneNote) {
  ASSERT_EQ(shell("mkdir -p cache/pleiad && echo '{]' > cache/pleiad/tune.json").code, 0);
  const auto first = run("--t-end 0.0625 --output a");
  EXPECT_EQ(first.code, 0);
  EXPECT_TRUE(says(first.err, "is not used and will be written anew: it is damaged")) << first.err;
  EXPECT_FALSE(says(run("--t-end 0.0625 --output b").err, "damaged"));
}

TEST_F(Tuning, CanBeDoneBeforehand) {
  const auto table = shell("pleiad tune -n 60 --masses equal --gpus 1");
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_TRUE(says(table.out, "64 bodies, mixed, equal masses on emulated GPU")) << table.out;
  EXPECT_EQ(std::ranges::count(table.out, '*'), 1) << table.out;
  EXPECT_FALSE(says(run("--t-end 0.0625 --output a --gpus 1").err, "tuning for"));
  EXPECT_TRUE(says(shell("pleiad tune --show").out, "64 bodies, mixed, equal masses on emulated GPU"));
  const auto json = shell(
      "pleiad tune --show --json | python3 -c 'import json,sys; r=json.load(sys.stdin); print(len(r), "
      "r[0][\"bodies\"], r[0][\"device\"])'");
  EXPECT_EQ(json.out, "1 64 emulated GPU\n") << json.err;
  EXPECT_EQ(shell("pleiad tune --clear").out, "deleted\n");
  EXPECT_EQ(shell("pleiad tune --clear").out, "nothing was tuned\n");
  EXPECT_EQ(shell("pleiad tune --show").out, "nothing is tuned\n");
}

TEST_F(Tuning, IsNotAskedWhenAKernelIsNamed) {
  const auto named = run("--t-end 0.0625 --output a --kernel 'cuda/tile block=32'");
  EXPECT_EQ(kernel_of(named), "cuda/tile block=32") << named.err;
  EXPECT_TRUE(says(named.err, "(asked for"));
  const auto steps = run("--t-end 0.0625 --output b --kernel cuda/block-steps");
  EXPECT_TRUE(kernel_of(steps).ends_with("; steps cuda/block-steps")) << steps.err;
  const auto both = run("--t-end 0.0625 --output c --kernel 'cuda/tile block=64; steps cuda/grid-steps'");
  EXPECT_EQ(kernel_of(both), "cuda/tile block=64; steps cuda/grid-steps") << both.err;
}

TEST_F(Tuning, RefusesKernelsInWords) {
  const auto refused = [&](const std::string& kernel, int code, std::string_view words) {
    const auto ended = run("--t-end 0.0625 --output x --kernel '" + kernel + "'");
    EXPECT_EQ(ended.code, code) << kernel << ": " << ended.err;
    EXPECT_TRUE(says(ended.err, words)) << ended.err;
    EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
    EXPECT_EQ(ended.changes, "") << kernel;
  };
  refused("cuda/tyle", 2, "no kernel 'cuda/tyle'; did you mean 'cuda/tile'?");
  refused("cuda/tile blok=256", 2, "no shape 'blok'; did you mean 'block'?");
  refused("cuda/tile block=zero", 2, "'block=zero' must be block= and a whole number from 1 on");
  refused("cpu/simd block=32", 2, "kernel 'cpu/simd' has no launch shape");
  refused("cpu/simd; steps cuda/block-steps", 2, "choose one of them");
  refused("cuda/fp64-symmetric", 2, "has no mixed form");
}

/// A checkpoint of a GPU goes on without one only when that is accepted: the kernels are not there.
TEST_F(Tuning, IsRefusedToARunThatGoesOnElsewhere) {
  ASSERT_EQ(run("--t-end 0.0625 --output a --kernel 'cuda/tile block=32'").code, 0);
  const auto refused = shell("\"$CPU\" run --resume a --t-end 0.125");
  EXPECT_EQ(refused.code, 3);
  EXPECT_TRUE(says(refused.err,
                   "was written with kernel 'cuda/tile block=32', which cannot be used here (this build has "
                   "CPU kernels only"))
      << refused.err;
  EXPECT_TRUE(says(refused.err, "the bits would differ; --accept-other-build")) << refused.err;
  const auto accepted = shell("\"$CPU\" run --resume a --t-end 0.125 --accept-other-build");
  EXPECT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_TRUE(kernel_of(accepted).starts_with("cpu/")) << accepted.err;
  EXPECT_TRUE(says(accepted.err, "kernel 'cuda/tile block=32' of the checkpoint cannot be used here"))
      << accepted.err;
}

/// On 700 bodies, by a tree of the GPU.
class TreesOnTheGpu : public Tuning {
 protected:
  TreesOnTheGpu() { EXPECT_EQ(scratch_.run("pleiad ic plummer -n 700 --seed 3 -o t.csv").code, 0); }
  Ended run(const std::string& settings) const {
    return shell(
        "pleiad run t.csv --eps 0.05 --dt 0.0078125 --set output.pictures=false --set output.plots=false "
        "--set solver.check_every=2 " +
        settings);
  }
};

TEST_F(TreesOnTheGpu, AreChosenOnceForAnAccuracyThatTheRunTellsAtItsEnd) {
  const std::string asked =
      "--accuracy 2e-3 --set solver.method=fmm --set solver.order=4 --set solver.leaf_size=32 --backend "
      "cuda ";
  const auto first = run(asked + "--t-end 0.03125 --output a");
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(says(first.err, "pleiad: choosing a solver for 700 bodies (accuracy=0.002 ")) << first.err;
  EXPECT_TRUE(kernel_of(first).starts_with("cuda/fmm order=4 ")) << first.err;
  EXPECT_TRUE(says(first.err, "direct sums take ")) << first.err;
  EXPECT_TRUE(says(first.out, "(asked: 0.002)")) << first.out;
  const auto again = run(asked + "--t-end 0.03125 --output b");
  EXPECT_TRUE(says(again.err, "chosen earlier, from the cache")) << again.err;
  EXPECT_EQ(kernel_of(again), kernel_of(first));
  EXPECT_EQ(hash_of(again), hash_of(first));
  ASSERT_EQ(run(asked + "--t-end 0.015625 --output half").code, 0);
  EXPECT_EQ(hash_of(shell("pleiad run --resume half --t-end 0.03125")), hash_of(first));
  // Of the GPUs that it may use a tree of few bodies takes one, and so does a run that goes on with it.
  const auto two = run(asked + "--t-end 0.015625 --gpus 2 --output two");
  ASSERT_EQ(two.code, 0) << two.err;
  EXPECT_TRUE(says(two.err, "; more GPUs would not be faster)")) << two.err;
  const auto rest = shell("pleiad run --resume two --t-end 0.03125");
  EXPECT_TRUE(says(rest.err, "; more GPUs would not be faster)")) << rest.err;
  EXPECT_EQ(shell("awk 'NR > 1 && !($4 <= 2e-3)' a/accuracy.txt").out, "");
}

TEST_F(TreesOnTheGpu, RunOnSeveralWithTheBitsOfOne) {
  const std::string asked = "--kernel 'cuda/fmm order=5 theta=0.7 leaf=16' ";
  const auto one = run(asked + "--gpus 1 --t-end 0.03125 --output one");
  ASSERT_EQ(one.code, 0) << one.err;
  const auto two = run(asked + "--gpus 2 --t-end 0.03125 --output two");
  ASSERT_EQ(two.code, 0) << two.err;
  EXPECT_EQ(hash_of(two), hash_of(one));
  EXPECT_TRUE(says(two.err, "2 x ")) << two.err;
  ASSERT_EQ(run(asked + "--gpus 2 --t-end 0.015625 --output half").code, 0);
  EXPECT_EQ(hash_of(shell("pleiad run --resume half --t-end 0.03125")), hash_of(one));
}

TEST_F(TreesOnTheGpu, AreTightenedWhereTheyAreTooRough) {
  const auto ended =
      run("--kernel 'cuda/fmm order=4 theta=1 leaf=8' --accuracy 1e-3 --t-end 0.0625 --output a");
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(says(ended.err, " at step 0, above 0.001: from now on cuda/fmm order=4 theta=0.")) << ended.err;
  const auto last = shell("tail -n 1 a/accuracy.txt | cut -d ' ' -f 4");
  EXPECT_LE(std::stod(last.out), 1e-3);
}

}  // namespace pleiad::test
