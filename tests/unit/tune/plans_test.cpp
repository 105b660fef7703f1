/// Plans in the cache: found again for the same bodies, checked before they are used for others, never lost.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tune/plans.hpp"

#include "io/durable/durable.hpp"
#include "unit/tree/scenes.hpp"
#include "unit/tune/fake.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace pleiad::tune {
namespace {

Bodies bodies_of(const tree_test::Masses& masses) {
  Bodies bodies;
  for (const auto& m : masses) bodies.add(m.m, {m.x, m.y, m.z}, {0, 0, 0});
  return bodies;
}

/// Direct sums are ten times slower than trees here.
class PlansTest : public testing::Test {
 protected:
  PlansTest() {
    tuning_context_.cache = scratch_ / "tune.json";
    tuning_context_.effort.clock = FakeTime::look;
    tuning_context_.begins = [this](const std::string&) { ++searches_; };
    tuning_context_.note = [this](const std::string& text) { notes_.push_back(text); };
    tuning_context_.make = [](const Bodies& b, const Gravity&, const EngineOptions& o) {
      return std::make_unique<FakeEngine>(b, o, Behaviour{.step_seconds = 0.1, .error = {}});
    };
  }
  Plan planned(const Bodies& bodies, Tuning tuning = Tuning::automatic) {
    return tune::planned(bodies, gravity_, {.backend = "cpu"}, {.accuracy = 1e-3}, tuning, tuning_context_);
  }
  /// Puts a plan for these bodies into the cache.
  void remember(const Bodies& bodies, const std::string& kernel, double evaluations = 0) {
    const auto machine = case_of(bodies, gravity_, {.backend = "cpu"}, tuning_context_);
    keep(tuning_context_.cache,
         {{.what = plan_case_of(machine, bodies, {.accuracy = 1e-3}),
           .kernel = kernel,
           .seconds = 1,
           .evaluations = evaluations}},
         Others::come_first);
  }

  Scratch scratch_;
  const Ticking ticking_;
  TuningContext tuning_context_;
  Gravity gravity_{.softening = {1e-3}};
  Bodies sphere_ = bodies_of(tree_test::plummer(4000));
  int searches_ = 0;
  std::vector<std::string> notes_;
};

constexpr const char* exact = "cpu/fmm order=6 theta=0.4 leaf=48";
constexpr const char* rough = "cpu/fmm order=3 theta=1 leaf=16";

}  // namespace

TEST_F(PlansTest, AreMadeOnceAndCheckedWhenUsed) {
  const auto first = planned(sphere_);
  EXPECT_TRUE(text_of(first.method).starts_with("cpu/")) << first.why;
  EXPECT_EQ(searches_, 1);
  const auto again = planned(sphere_);
  EXPECT_EQ(text_of(again.method), text_of(first.method));
  EXPECT_EQ(again.tried.size(), 1U);
  EXPECT_LE(again.tried.at(0).errors.p99, 1e-3);
  EXPECT_EQ(searches_, 1);
  const auto other = bodies_of(tree_test::plummer(3900));
  EXPECT_EQ(plan_case_of({}, other, {}).n, plan_case_of({}, sphere_, {}).n);
  EXPECT_TRUE(notes_.empty());
}

TEST_F(PlansTest, ThatAreTooRoughAreLeftForWhomTheyWereMade) {
  remember(sphere_, rough);
  const auto found = planned(sphere_);
  EXPECT_EQ(searches_, 1);
  EXPECT_NE(text_of(found.method), rough);
  EXPECT_EQ(text_of(planned(sphere_).method), text_of(found.method));
  EXPECT_EQ(searches_, 1);
  const auto plans = read_cache(tuning_context_.cache).entries;
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_EQ(plans[0].kernel, rough);
  EXPECT_EQ(plans[1].kernel, text_of(found.method));
}

TEST_F(PlansTest, FirstComeIsFirstServed) {
  remember(sphere_, exact);
  remember(sphere_, "cpu/fmm order=5 theta=0.4 leaf=48");
  EXPECT_EQ(text_of(planned(sphere_).method), exact);
  EXPECT_EQ(searches_, 0);
}

TEST_F(PlansTest, OfAShortRunAreReplacedByThoseOfALongerOne) {
  remember(sphere_, exact, 100);
  for (const double evaluations : {1.0, 100.0, 200.0}) {
    tuning_context_.steps = evaluations;
    EXPECT_EQ(text_of(planned(sphere_).method), exact) << evaluations;
  }
  EXPECT_EQ(searches_, 0);
  tuning_context_.steps = 1e6;
  const auto found = planned(sphere_);
  EXPECT_EQ(searches_, 1);
  EXPECT_FALSE(found.cut_short);
  const auto plans = read_cache(tuning_context_.cache).entries;
  ASSERT_EQ(plans.size(), 1U);
  EXPECT_EQ(plans[0].kernel, text_of(found.method));
  EXPECT_EQ(plans[0].evaluations, 0);
  tuning_context_.steps.reset();
  planned(sphere_);
  EXPECT_EQ(searches_, 1);
}

TEST_F(PlansTest, OfOtherBodiesStayWhenThoseOfAShortRunAreReplaced) {
  remember(sphere_, rough);
  remember(sphere_, exact, 100);
  tuning_context_.steps = 1e6;
  const auto found = planned(sphere_);
  const auto plans = read_cache(tuning_context_.cache).entries;
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_EQ(plans[0].kernel, rough);
  EXPECT_EQ(plans[1].kernel, text_of(found.method));
}

TEST_F(PlansTest, OfAShortRunDoNotServeOneOfUnknownLength) {
  remember(sphere_, exact, 100);
  tuning_context_.steps.reset();
  planned(sphere_);
  EXPECT_EQ(searches_, 1);
}

TEST_F(PlansTest, OfAShortRunSayForWhichTheyAre) {
  // Direct sums alone take more than the 0.3 seconds of a search for so few steps.
  tuning_context_.make = [](const Bodies& b, const Gravity&, const EngineOptions& o) {
    return std::make_unique<FakeEngine>(b, o, Behaviour{.step_seconds = 0.4, .error = {}});
  };
  tuning_context_.steps = 3;
  const auto found = planned(sphere_);
  EXPECT_TRUE(found.cut_short);
  EXPECT_LE(found.tried.back().errors.p99_high, 1e-3);
  const auto plans = read_cache(tuning_context_.cache).entries;
  ASSERT_EQ(plans.size(), 1U);
  EXPECT_EQ(plans[0].evaluations, 3);
}

TEST_F(PlansTest, OfDirectSumsAreBelieved) {
  remember(sphere_, "auto");
  EXPECT_EQ(text_of(planned(sphere_).method), "auto");
  EXPECT_EQ(searches_, 0);
}

TEST_F(PlansTest, ForceSearchesAnewAndOffLeavesTheCacheAlone) {
  remember(sphere_, exact);
  EXPECT_NE(text_of(planned(sphere_, Tuning::off).method), exact);
  EXPECT_EQ(read_cache(tuning_context_.cache).entries.size(), 1U);
  const auto forced = planned(sphere_, Tuning::force);
  EXPECT_EQ(searches_, 2);
  const auto plans = read_cache(tuning_context_.cache).entries;
  ASSERT_EQ(plans.size(), 1U);
  EXPECT_EQ(plans[0].kernel, text_of(forced.method));
}

TEST_F(PlansTest, OfAForecastAreLookedUpOrGuessedAndNeverKept) {
  tuning_context_.measures = false;
  for (const auto tuning : {Tuning::automatic, Tuning::force}) {
    const auto guess = planned(sphere_, tuning);
    EXPECT_TRUE(text_of(guess.method).starts_with("cpu/")) << guess.why;
    EXPECT_NE(guess.why.find("a first guess"), std::string::npos) << guess.why;
    EXPECT_FALSE(std::filesystem::exists(tuning_context_.cache));
  }
  remember(sphere_, exact);
  EXPECT_EQ(text_of(planned(sphere_).method), exact);
  EXPECT_EQ(searches_, 0);
}

TEST_F(PlansTest, ThatCannotBeKeptAreANote) {
  write_file_atomically(scratch_ / "file", "");
  tuning_context_.cache = scratch_ / "file/tune.json";
  EXPECT_TRUE(text_of(planned(sphere_).method).starts_with("cpu/"));
  ASSERT_EQ(notes_.size(), 1U);
  EXPECT_NE(notes_[0].find("is not remembered, another run may choose another"), std::string::npos)
      << notes_[0];
}

TEST_F(PlansTest, ThatNameNobodyAreIgnored) {
  for (const char* text : {"cpu/fnm order=5", "cpu/fmm order=7", "cuda/tile", "cpu/fmm order"}) {
    clear_cache(tuning_context_.cache);
    remember(sphere_, text);
    EXPECT_TRUE(text_of(planned(sphere_).method).starts_with("cpu/")) << text;
  }
  EXPECT_EQ(searches_, 4);
}

TEST(PlanCases, TellBodiesApartByNumberAndDistribution) {
  const auto of = [](const Bodies& b, const SolverRequest& request = {}) {
    return plan_case_of({.device = "here"}, b, request);
  };
  const auto sphere = of(bodies_of(tree_test::plummer(8000)));
  EXPECT_EQ(sphere, of(bodies_of(tree_test::plummer(8000))));
  EXPECT_EQ(sphere.n, 8192U);
  EXPECT_EQ(of(bodies_of(tree_test::plummer(1'000'000))).n, 1048576U);  // 2^20
  EXPECT_NE(sphere, of(bodies_of(tree_test::scene("clumps").make(8000))));
  EXPECT_NE(sphere, of(bodies_of(tree_test::scene("cluster in halo").make(8000))));
  EXPECT_NE(sphere, of(bodies_of(tree_test::plummer(8000)), {.accuracy = 1e-3}));
  // A tree of powers of two does not know units.
  auto scaled = bodies_of(tree_test::plummer(8000));
  for (auto* v : {&scaled.x, &scaled.y, &scaled.z})
    for (auto& x : *v) x *= 1024;
  EXPECT_EQ(of(scaled), sphere);
  EXPECT_EQ(of({}).n, 1U);
  EXPECT_LE(sphere.half, sphere.deepest);
}

TEST(PlansInTheCache, SurviveWhatTheTunerWritesAndAreDroppedWhenDamaged) {
  const Scratch scratch;
  const auto file = scratch / "tune.json";
  const Entry plan{
      .what = {.device = "a \"CPU\"", .n = 1 << 20, .request = "accuracy=0.001", .half = 3, .deepest = 6},
      .kernel = "cpu/fmm order=5 theta=0.7 leaf=48",
      .seconds = 0.25};
  keep(file, {plan}, Others::come_first);
  keep(file, {{.what = {.device = "x", .n = 64}, .kernel = "cpu/simd", .seconds = 1}}, Others::stay);
  const auto cache = read_cache(file);
  ASSERT_EQ(cache.entries.size(), 2U) << cache.note;
  EXPECT_EQ(cache.entries[0].what, plan.what);
  EXPECT_EQ(cache.entries[0].kernel, plan.kernel);
  EXPECT_EQ(cache.entries[0].seconds, 0.25);
  const auto sound = read_file(file);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"half\": 3", "\"half\": \"3\""}, {"0.25", "-1"}, {"\"bodies\": 1048576", "\"bodies\": 0"}}) {
    auto text = sound;
    ASSERT_NE(text.find(from), std::string::npos) << from << " in " << text;
    write_file_atomically(file, text.replace(text.find(from), from.size(), to));
    EXPECT_TRUE(read_cache(file).entries.empty()) << to;
    EXPECT_NE(read_cache(file).note.find("will be written anew"), std::string::npos);
  }
}

}  // namespace pleiad::tune
