/// The tuner finds the fastest, drops what fails or is wrong, and ends in time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tune/tuner.hpp"

#include "unit/tune/fake.hpp"

#include <map>

#include <gtest/gtest.h>

namespace pleiad::tune {
namespace {

const Case what{.where = Device::cuda, .device = "fake GPU", .n = 64};

std::vector<Choice> choices(std::initializer_list<const char*> texts) {
  std::vector<Choice> all;
  for (const char* text : texts) all.push_back({.method = *force_method_of(text, fake_gpu)});
  return all;
}
MakeEngine behaving(std::map<std::string, Behaviour> by_text) {
  return [by_text](const Bodies& bodies, const Gravity&, const EngineOptions& options) {
    return std::make_unique<FakeEngine>(bodies, EngineOptions{.method = options.method},
                                        by_text.at(text_of(options.method)));
  };
}
constexpr Effort quick{.seconds = 2, .shortest = 0.002, .clock = FakeTime::look};

}  // namespace

TEST(Tuner, FindsTheFastest) {
  const auto all = measure(what, choices({"cuda/tile", "cuda/split-reduced", "cuda/mixed-symmetric"}), {},
                           behaving({{"cuda/tile", {.step_seconds = 2.1e-5, .error = {}}},
                                     {"cuda/split-reduced", {.step_seconds = 3.2e-5, .error = {}}},
                                     {"cuda/mixed-symmetric", {.step_seconds = 2e-5, .error = {}}}}),
                           quick);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(text_of(all[0].method), "cuda/mixed-symmetric");
  EXPECT_EQ(text_of(all[1].method), "cuda/tile");
  // To the rounding of the clock.
  EXPECT_NEAR(all[0].seconds, 2e-5, 1e-12);
  EXPECT_NEAR(all[2].seconds, 3.2e-5, 1e-12);
}

TEST(Tuner, LeavesOutWhatFailsWithTheReason) {
  const auto all = measure(
      what, choices({"cuda/tile", "cuda/split-reduced", "cuda/mixed-symmetric", "cuda/tile block=7"}), {},
      behaving({{"cuda/tile", {.error = {}}},
                {"cuda/split-reduced", {.step_seconds = 1e-6, .error = "1025 threads"}},
                {"cuda/mixed-symmetric", {.step_seconds = 1e-6, .ends_finite = false, .error = {}}},
                {"cuda/tile block=7", {.step_seconds = 1e-6, .force = 1.01, .error = {}}}}),
      quick);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(text_of(all[0].method), "cuda/tile");
  EXPECT_EQ(all[1].left_out, "1025 threads");
  EXPECT_EQ(all[2].left_out, "its bodies are no longer finite");
  EXPECT_EQ(all[3].left_out, "its forces differ from those of the others");
}

TEST(Tuner, SaysWhyWhenNothingRuns) {
  try {
    measure(what, choices({"cuda/tile"}), {}, behaving({{"cuda/tile", {.error = "no GPU"}}}), quick);
    FAIL() << "measured";
  } catch (const ResourceError& e) {
    EXPECT_STREQ(e.what(), "nothing computes 64 bodies, mixed: no GPU");
  }
  EXPECT_THROW(measure(what, {}, {}, behaving({}), quick), ResourceError);
}

TEST(Tuner, EndsInTime) {
  std::map<std::string, Behaviour> slow;
  std::vector<Choice> many;
  for (int k = 1; k <= 100; ++k) {
    many.push_back({.method = *force_method_of("cuda/tile block=" + std::to_string(k), fake_gpu)});
    slow[text_of(many.back().method)] = {.step_seconds = 0.02, .error = {}};
  }
  const double start = FakeTime::now;
  int told = 0;
  const auto all =
      measure(what, many, {}, behaving(slow), {.seconds = 0.4, .shortest = 0.001, .clock = FakeTime::look},
              [&](const std::string&) { ++told; });
  // The last candidate that is begun takes its few steps of 0.02 s beyond it.
  EXPECT_GE(FakeTime::now - start, 0.4);
  EXPECT_LE(FakeTime::now - start, 0.6);
  EXPECT_GT(told, 1);
  EXPECT_EQ(all.size(), 100U);
  EXPECT_GT(all.front().seconds, 0);
  EXPECT_EQ(all.back().left_out, "no time was left for it");
}

TEST(Tuner, PrefersTheFirstAmongEquals) {
  const auto names_of = [](std::vector<double> seconds) {
    std::vector<Measurement> all;
    std::string names;
    for (std::size_t k = 0; k < seconds.size(); ++k) all.push_back({.gpus = int(k), .seconds = seconds[k]});
    put_in_order(all);
    for (const auto& m : all) names += std::to_string(m.gpus);
    return names;
  };
  EXPECT_EQ(names_of({1.009, 1.5, 1, 0, 1.2}), "02413");
  EXPECT_EQ(names_of({1.011, 1.5, 1, 0, 1.2}), "20413");
  EXPECT_EQ(names_of({0, 2, 1}), "210");
  EXPECT_EQ(names_of({0, 0}), "01");
  EXPECT_EQ(names_of({}), "");
}

}  // namespace pleiad::tune
