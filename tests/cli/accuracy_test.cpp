/// Runs whose forces come from trees, all the way: what they tell of their errors, what they do when these
/// grow, and that a run in parts, with any number of threads, gives the bits of the whole.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/shell.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad::test {
namespace {

struct Row {
  double time = 0, p99 = 0, high = 0;
  std::uint64_t step = 0, sample = 0;
  std::string precision, kernel;
};

/// A scratch folder with a sphere that collapses, and a cache of its own.
class Accuracy : public testing::Test {
 protected:
  Accuracy() { EXPECT_EQ(scratch_.run("pleiad ic cold-sphere -n 3000 --seed 2 -o c.hdf5").code, 0); }
  Ended shell(const std::string& command) const {
    return scratch_.run("export XDG_CACHE_HOME=\"$PWD/cache\"\n" + command);
  }
  /// 32 steps of 1/20 bring it to its crossing at t = 1.1 and beyond.
  Ended run(const std::string& settings) const {
    return shell(
        "pleiad run c.hdf5 --eps 0.05 --dt 0.05 --set output.pictures=false --set output.plots=false "
        "--set limits.max_energy_error=0 " +
        settings);
  }
  std::vector<Row> rows(const std::string& folder) const {
    std::istringstream lines(shell("cat " + folder + "/accuracy.txt").out);
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line,
              "# time step median p99 largest sample p99_low p99_high closest cancelled precision kernel");
    std::vector<Row> all;
    while (std::getline(lines, line)) {
      std::istringstream cells(line);
      Row row;
      double median = 0, largest = 0, low = 0, closest = 0;
      std::size_t cancelled = 0;
      cells >> row.time >> row.step >> median >> row.p99 >> largest >> row.sample >> low >> row.high >>
          closest >> cancelled >> row.precision;
      std::getline(cells >> std::ws, row.kernel);
      EXPECT_LE(median, row.p99) << line;
      EXPECT_LE(low, row.p99) << line;
      EXPECT_LE(row.p99, row.high) << line;
      EXPECT_LE(std::max(row.high, closest), largest) << line;
      all.push_back(row);
    }
    return all;
  }
  static std::string hash_of(const Ended& ended) {
    const auto at = ended.out.find("state hash ");
    return at == std::string::npos ? "no hash: " + ended.err : ended.out.substr(at, 43);
  }
  static std::string kernel_of(const Ended& ended) {
    std::smatch match;
    return std::regex_search(ended.err, match, std::regex(", kernel ([^(]*) \\(")) ? match[1] : std::string();
  }

  Scratch scratch_;
};

bool says(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

constexpr const char* loose = "--kernel 'cpu/fmm order=4 theta=0.8 leaf=48' ";

}  // namespace

TEST_F(Accuracy, OfARunIsToldInATableAndInTheSummary) {
  const auto ended =
      run("--t-end 0.5 --accuracy 1e-3 --set solver.method=fmm --set solver.check_every=4 --output a");
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(says(ended.err, "kernel cpu/fmm order=")) << ended.err;
  EXPECT_TRUE(says(ended.err, "direct sums take")) << ended.err;
  const auto all = rows("a");
  // At 0, 4, 8, and 10, the end; what was corrected is measured again after the next step, and two later.
  std::set<std::uint64_t> steps{0, 4, 8, 10};
  for (const auto& row : all) {
    EXPECT_TRUE(steps.erase(row.step) == 1 || (row.step > 0 && all.size() > 4)) << row.step;
  }
  EXPECT_TRUE(steps.empty());
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k > 0 && all[k - 1].high > 1e-3 && all[k - 1].step < 10) {
      EXPECT_EQ(all[k].step, all[k - 1].step + 1);
    }
    // Steps are counted and their times rounded once: 7 x 0.05 in doubles is 0.35000000000000003.
    EXPECT_DOUBLE_EQ(all[k].time, 0.05 * double(all[k].step));
    EXPECT_EQ(all[k].sample, 3000U);
    EXPECT_TRUE(all[k].kernel.starts_with("cpu/fmm order=")) << all[k].kernel;
    // What was found too large was corrected; but in four steps the sphere falls on, and with other cells its
    // 3000 bodies may have errors twice as large (measured: 8e-4 to 1.9e-3, as the settings have it).
    EXPECT_LE(all[k].p99, 2.5e-3) << "step " << all[k].step;
    EXPECT_GE(all[k].p99, 1e-6) << "step " << all[k].step;
  }
  EXPECT_TRUE(says(ended.out, "force error ")) << ended.out;
  EXPECT_TRUE(says(ended.out, "(asked: 0.001)")) << ended.out;
  EXPECT_TRUE(says(ended.out, "force errors   ")) << ended.out;  // the file
  const auto json = shell(
      "python3 -c 'import json; e = json.load(open(\"a/summary.json\"))[\"force_error\"]; "
      "print(e[\"asked\"], "
      "e[\"sample\"], \"%.3e\" % e[\"p99\"], e[\"median\"] <= e[\"p99\"] <= e[\"largest\"])'; tail -n 1 "
      "a/accuracy.txt | cut -d ' ' -f 4");
  std::istringstream words(json.out);
  std::string asked, sample, p99, ordered, last;
  words >> asked >> sample >> p99 >> ordered >> last;
  EXPECT_EQ(asked, "0.001") << json.err;
  EXPECT_EQ(sample, "3000");
  EXPECT_EQ(p99, last);
  EXPECT_EQ(ordered, "True");
}

TEST_F(Accuracy, OfDirectSumsIsToldToo) {
  const auto ended = run("--t-end 0.1 --output a");
  EXPECT_TRUE(says(ended.out, "force error ")) << ended.out;
  const auto all = rows("a");
  ASSERT_EQ(all.size(), 2U);  // at the start and at the end
  for (const auto& row : all) {
    EXPECT_EQ(row.precision, "mixed");
    EXPECT_LE(row.p99, 1e-5) << row.kernel;
    EXPECT_GE(row.p99, 1e-10) << row.kernel;
  }
}

TEST_F(Accuracy, WithFewBodiesIsThatOfDirectSumsAndItSaysWhy) {
  const auto ended = shell(
      "pleiad ic plummer -n 100 -o few.csv; pleiad run few.csv --eps 0.05 --dt 0.05 --t-end 0.1 --accuracy "
      "1e-3 "
      "--set output.pictures=false --output few");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(says(ended.err, "note: direct sums, which are fastest for so few bodies")) << ended.err;
}

/// A accuracy parameter that is just tight enough at first: where the error grows beyond all before, it is
/// turned, and a run that stops before, there or after goes on with the same bits.
TEST_F(Accuracy, ThatIsLostIsRegainedWithTheSameBitsHoweverTheRunIsDivided) {
  const std::string every = "--set solver.check_every=1 --t-end ";
  ASSERT_EQ(run(loose + every + "1.5 --output free").code, 0);
  const auto free = rows("free");
  ASSERT_EQ(free.size(), 31U);
  double before = std::max({free[0].p99, free[1].p99, free[2].p99, free[3].p99});
  std::size_t k = 4;
  while (k < 26 && free[k].p99 < 1.02 * before) before = std::max(before, free[k++].p99);
  ASSERT_LT(k, 26U) << "the error never grew";
  std::ostringstream asked;
  asked << loose << "--accuracy " << (before + free[k].p99) / 2 << " " << every;

  const auto whole = run(asked.str() + "1.5 --output whole");
  ASSERT_EQ(whole.code, 0) << whole.err;
  EXPECT_TRUE(says(whole.err, "note: the force error is ")) << whole.err;
  EXPECT_TRUE(says(whole.err, " at step " + std::to_string(k) + ", above ")) << whole.err;
  const auto watched = rows("whole");
  EXPECT_EQ(watched[k].kernel, free[0].kernel);
  EXPECT_NE(watched[k + 1].kernel, free[0].kernel);
  EXPECT_LE(watched[k + 1].p99, 0.97 * free[k].p99);

  for (const std::size_t stop : {k - 1, k, k + 1}) {
    const auto folder = "part" + std::to_string(stop);
    ASSERT_EQ(run(asked.str() + std::to_string(0.05 * double(stop)) + " --output " + folder).code, 0);
    const auto rest = shell("pleiad run --resume " + folder + " --t-end 1.5");
    EXPECT_EQ(rest.code, 0) << rest.err;
    EXPECT_EQ(hash_of(rest), hash_of(whole)) << "stopped at " << stop << ", tightened at " << k;
    EXPECT_EQ(says(rest.err, " at step " + std::to_string(k) + ", above "), stop < k) << rest.err;
  }
  for (const auto* threads : {"1", "2", "7"}) {
    const auto other = run(asked.str() + "1.5 --threads " + threads + " --output t" + threads);
    EXPECT_EQ(hash_of(other), hash_of(whole)) << threads << " threads";
  }
  EXPECT_EQ(shell("cmp whole/accuracy.txt t7/accuracy.txt").code, 0);
}

TEST_F(Accuracy, IsChosenOnceAndRememberedForTheSameBits) {
  const std::string settings = "--t-end 0.1 --accuracy 1e-3 --set solver.method=fmm --output ";
  const auto first = run(settings + "a --threads 1");
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(says(first.err, "pleiad: choosing a solver for 3000 bodies (accuracy=0.001 solver=fmm)"))
      << first.err;
  for (const auto* threads : {"1", "2", "7"}) {
    const auto again = run(settings + "b" + threads + " --threads " + threads);
    EXPECT_FALSE(says(again.err, "choosing a solver")) << again.err;
    EXPECT_TRUE(says(again.err, "chosen earlier, from the cache")) << again.err;
    EXPECT_EQ(kernel_of(again), kernel_of(first));
    EXPECT_EQ(hash_of(again), hash_of(first)) << threads << " threads";
  }
  EXPECT_TRUE(says(run(settings + "c --tuning force").err, "choosing a solver"));
  EXPECT_TRUE(says(run(settings + "d --tuning off").err, "choosing a solver"));
  // What has become too loose is not used.
  ASSERT_EQ(shell("sed -i 's|cpu/fmm [^\"]*|cpu/fmm order=3 theta=1 leaf=48|' cache/pleiad/tune.json").code,
            0);
  const auto loosened = run(settings + "e");
  EXPECT_TRUE(says(loosened.err, "choosing a solver")) << loosened.err;
  EXPECT_FALSE(says(kernel_of(loosened), "order=3 theta=1 leaf=48")) << loosened.err;
  // And those bodies have found theirs again, after the one that did not do.
  const auto then = run(settings + "f");
  EXPECT_EQ(kernel_of(then), kernel_of(loosened)) << then.err;
  EXPECT_EQ(hash_of(then), hash_of(loosened));
}

TEST_F(Accuracy, ThatCannotBeRememberedIsANote) {
  const auto ended = run(
      "--t-end 0.1 --accuracy 1e-3 --set solver.method=fmm --output a >out 2>err; XDG_CACHE_HOME=/dev/null "
      "pleiad run c.hdf5 --eps 0.05 --dt 0.05 --t-end 0.1 --accuracy 1e-3 --set solver.method=fmm "
      "--set output.pictures=false --output b");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(says(ended.err, "note: the solver that was chosen is not remembered")) << ended.err;
}

/// Of 9000 bodies 4000 are looked at: the percentile of all may be larger than theirs, and above what is
/// asked.
TEST_F(Accuracy, IsKeptByTheUpperEndOfTheInterval) {
  const auto run_many = [&](const std::string& settings) {
    return shell(
        std::string("pleiad run many.hdf5 --eps 0.05 --dt 0.05 --t-end 0.05 --set output.pictures=false "
                    "--set output.plots=false --set limits.max_energy_error=0 ") +
        loose + settings);
  };
  ASSERT_EQ(shell("pleiad ic cold-sphere -n 9000 --seed 2 -o many.hdf5").code, 0);
  ASSERT_EQ(run_many("--output free").code, 0);
  const auto free = rows("free").front();
  EXPECT_EQ(free.sample, 4000U);
  ASSERT_LT(1.02 * free.p99, free.high);
  std::ostringstream asked;
  asked << "--output a --accuracy " << (free.p99 + free.high) / 2;
  const auto ended = run_many(asked.str());
  EXPECT_TRUE(says(ended.err, " at step 0, above ")) << ended.err;
  EXPECT_NE(rows("a").back().kernel, free.kernel);
}

TEST_F(Accuracy, IsForeseenWithoutATrace) {
  const auto guess = run("--t-end 0.1 --accuracy 1e-3 --set solver.method=fmm --dry-run");
  EXPECT_EQ(guess.code, 0) << guess.err;
  EXPECT_TRUE(says(guess.out, "kernel cpu/fmm order=")) << guess.out;
  EXPECT_TRUE(says(guess.out, "a first guess, the run will search")) << guess.out;
  EXPECT_TRUE(says(guess.out, "bodies/s")) << guess.out;
  EXPECT_EQ(guess.changes, "");
  const auto first = run("--t-end 0.1 --accuracy 1e-3 --set solver.method=fmm --output a");
  const auto known = run("--t-end 0.1 --accuracy 1e-3 --set solver.method=fmm --dry-run --output a2");
  EXPECT_TRUE(says(known.out, "kernel " + kernel_of(first) + " (")) << known.out << first.err;
  EXPECT_TRUE(says(known.out, "from the cache")) << known.out;
}

TEST_F(Accuracy, ThatWasStoppedGoesOnWithoutTheCache) {
  const std::string settings = "--accuracy 1e-3 --set solver.method=fmm --set solver.check_every=3 --output ";
  const auto whole = run("--t-end 0.5 " + settings + "whole");
  ASSERT_EQ(run("--t-end 0.25 " + settings + "part").code, 0);
  ASSERT_EQ(shell("pleiad tune --clear").code, 0);
  const auto rest = shell("pleiad run --resume part --t-end 0.5");
  EXPECT_EQ(hash_of(rest), hash_of(whole)) << rest.err;
  EXPECT_FALSE(says(rest.err, "choosing a solver")) << rest.err;
  EXPECT_EQ(shell("cmp part/accuracy.txt whole/accuracy.txt").code, 1);  // the first part's end is a row more
  EXPECT_EQ(shell("grep -v '^0.25 ' part/accuracy.txt | cmp - whole/accuracy.txt").code, 0);
}

}  // namespace pleiad::test
