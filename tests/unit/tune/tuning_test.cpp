/// When something is measured, what the cache decides, and that a run never depends on luck.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tune/tuning.hpp"

#include "io/durable/durable.hpp"
#include "unit/tune/fake.hpp"

#include <pleiad/models.hpp>

#include <gtest/gtest.h>

namespace pleiad::tune {
namespace {

/// A tuning_context with a fake GPU on which cuda/tile in blocks of 128 is the fastest.
class TuningTest : public testing::Test {
 protected:
  Scratch scratch_;
  std::vector<std::string> notes_, begun_;
  int made_ = 0;
  std::string fastest_ = "cuda/tile block=128";
  TuningContext tuning_context_{
      .cache = scratch_ / "pleiad/tune.json",
      .effort = {.seconds = 2, .shortest = 0.002, .clock = FakeTime::look},
      .begins = [this](const std::string& text) { begun_.push_back(text); },
      .note = [this](const std::string& text) { notes_.push_back(text); },
      .make = [this](const Bodies& bodies, const Gravity&,
                     const EngineOptions& options) -> std::unique_ptr<Engine> {
        ++made_;
        const bool fast = text_of(options.method) == fastest_ && options.gpus <= 2;
        return std::make_unique<FakeEngine>(
            bodies, options, Behaviour{.step_seconds = (fast ? 2e-5 : 4e-4) / options.gpus, .error = {}});
      },
      .catalogue = fake_gpu,
      .count_gpus = [] { return 4; }};
  Bodies bodies_ = make_model("plummer", std::vector<std::string>{"n=300"}, 1).bodies;

  EngineOptions settle(Tuning tuning, EngineOptions options = {}) {
    return resolved(std::move(options), bodies_, {}, tuning, tuning_context_);
  }
};

}  // namespace

TEST_F(TuningTest, MeasuresOnceAndRemembers) {
  const auto first = settle(Tuning::automatic);
  EXPECT_EQ(text_of(first.method), fastest_);
  EXPECT_EQ(first.why, "the fastest of 8, measured on this machine");
  EXPECT_TRUE(notes_.empty());
  ASSERT_EQ(begun_.size(), 1U);
  EXPECT_EQ(begun_[0], "tuning for 304 bodies, mixed, equal masses, once: it takes a few seconds");
  begun_.clear(), made_ = 0;
  fastest_ = "cuda/tile block=64";  // the weather has changed: the run must not
  const auto again = settle(Tuning::automatic);
  EXPECT_EQ(text_of(again.method), text_of(first.method));
  EXPECT_EQ(again.why, first.why);
  EXPECT_EQ(made_, 1);  // to ask for the device
  EXPECT_TRUE(begun_.empty());
  EXPECT_EQ(text_of(settle(Tuning::force).method), "cuda/tile block=64");
  EXPECT_EQ(text_of(settle(Tuning::automatic).method), "cuda/tile block=64");
}

TEST(SecondsFor, AreATwentiethOfTheRunAndAtMostOne) {
  EXPECT_EQ(seconds_for(300, 0), 1);        // who knows
  EXPECT_EQ(seconds_for(10'000, 1000), 0);  // a tenth of a second in all
  EXPECT_NEAR(seconds_for(10'000, 1e5), 0.55, 1e-9);
  EXPECT_NEAR(seconds_for(100'000, 10), 0.6, 1e-3);  // sixty steps
  EXPECT_EQ(seconds_for(1'000'000, 10), 1);
  EXPECT_EQ(seconds_for(300, 1e12), 1);
}

TEST_F(TuningTest, LeavesShortRunsToTheTable) {
  tuning_context_.steps = 100;
  EXPECT_EQ(text_of(settle(Tuning::automatic).method), "auto");
  EXPECT_TRUE(begun_.empty());
  tuning_context_.steps = 1e9;
  EXPECT_EQ(text_of(settle(Tuning::automatic).method), fastest_);
  ASSERT_EQ(begun_.size(), 1U);
  EXPECT_EQ(begun_[0], "tuning for 304 bodies, mixed, equal masses, once: it takes a second at most");
  // What is known costs nothing.
  tuning_context_.steps = 100;
  EXPECT_EQ(text_of(settle(Tuning::automatic).method), fastest_);
}

TEST_F(TuningTest, OnlyLooksForAForecast) {
  tuning_context_.measures = false;
  for (const auto tuning : {Tuning::automatic, Tuning::force})
    EXPECT_EQ(text_of(settle(tuning).method), "auto");
  EXPECT_FALSE(std::filesystem::exists(tuning_context_.cache));
  tuning_context_.measures = true;
  const auto measured = text_of(settle(Tuning::automatic).method);
  tuning_context_.measures = false;
  EXPECT_EQ(text_of(settle(Tuning::automatic).method), measured);
}

TEST_F(TuningTest, LeavesAloneWhatWasNamedOrNeedsNothing) {
  EXPECT_EQ(text_of(settle(Tuning::off).method), "auto");
  EXPECT_EQ(text_of(settle(Tuning::force, {.method = ForceMethod{.kernel = &tile}}).method), "cuda/tile");
  EXPECT_EQ(text_of(settle(Tuning::force, {.integrator = &integrator_named("hermite4")}).method), "auto");
  bodies_ = {};
  EXPECT_EQ(text_of(settle(Tuning::force).method), "auto");
  EXPECT_EQ(made_, 0);
  EXPECT_TRUE(notes_.empty());
}

TEST_F(TuningTest, ChoosesByTheTableWhenItCouldNotRemember) {
  write_file_atomically(scratch_ / "file", "");
  tuning_context_.cache = scratch_ / "file/tune.json";
  EXPECT_EQ(text_of(settle(Tuning::automatic).method), "auto");
  EXPECT_EQ(made_, 1);
  ASSERT_EQ(notes_.size(), 1U);
  EXPECT_TRUE(notes_[0].starts_with("not tuned, the table chooses: cannot make the folder")) << notes_[0];
  notes_.clear();
  EXPECT_EQ(text_of(settle(Tuning::force).method), fastest_);
  EXPECT_EQ(notes_.size(), 1U);  // the cache, which keeps nothing
}

TEST_F(TuningTest, MeasuresAnewWhatTheCacheNamesAndNobodyHas) {
  const auto what = case_of(bodies_, {}, {}, tuning_context_);
  for (const char* text : {"cuda/gone", "cuda/tile blok=1", "steps cuda/grid-steps", "cpu/simd"}) {
    keep(tuning_context_.cache, {{.what = what, .kernel = text, .seconds = 1}}, Others::go);
    EXPECT_EQ(text_of(settle(Tuning::automatic).method), fastest_) << text;
  }
}

TEST_F(TuningTest, IgnoresADamagedCacheInOneNote) {
  std::filesystem::create_directories(tuning_context_.cache.parent_path());
  write_file_atomically(tuning_context_.cache, "{]");
  EXPECT_EQ(text_of(settle(Tuning::automatic).method), fastest_);
  ASSERT_EQ(notes_.size(), 1U);
  EXPECT_NE(notes_[0].find("it is damaged"), std::string::npos);
  notes_.clear();
  EXPECT_EQ(text_of(settle(Tuning::automatic).method), fastest_);
  EXPECT_TRUE(notes_.empty());
}

TEST_F(TuningTest, ChoosesByTheTableWhenNothingCanBeMeasured) {
  tuning_context_.make = [&](const Bodies& bodies, const Gravity&, const EngineOptions& options) {
    return std::make_unique<FakeEngine>(bodies, options,
                                        Behaviour{.error = !options.method ? "" : "out of memory"});
  };
  EXPECT_EQ(text_of(settle(Tuning::automatic).method), "auto");
  EXPECT_NE(notes_.back().find("out of memory"), std::string::npos);
}

TEST_F(TuningTest, UsesAsManyGpusAsGainAndOneGpusKernel) {
  const auto one = settle(Tuning::automatic);
  const auto four = settle(Tuning::automatic, {.gpus = 4});
  EXPECT_EQ(text_of(four.method), text_of(one.method));
  // 1e-5 on two; on three and four the fake falls back to 1e-4 / 3 and 1e-4 / 4.
  EXPECT_EQ(four.gpus, 2);
  EXPECT_EQ(one.gpus, 1);
  made_ = 0;
  EXPECT_EQ(settle(Tuning::automatic, {.gpus = 4}).gpus, 2);
  EXPECT_EQ(settle(Tuning::automatic, {.gpus = 0}).gpus, 2);
  EXPECT_EQ(made_, 2);
  // Refused by make_engine, with how many there are.
  EXPECT_EQ(settle(Tuning::automatic, {.gpus = 5}).gpus, 5);
  EXPECT_EQ(text_of(settle(Tuning::automatic, {.gpus = 5}).method), "auto");
}

TEST(TuningOnTheProcessor, MeasuresOnlyWhenForced) {
  const Scratch scratch;
  std::vector<std::string> notes;
  const TuningContext tuning_context{.cache = scratch / "tune.json",
                                     .effort = {.seconds = 1, .shortest = 0.002},
                                     .note = [&](const std::string& text) { notes.push_back(text); }};
  const auto bodies = make_model("plummer", std::vector<std::string>{"n=300"}, 1).bodies;
  const EngineOptions on_cpu{.backend = "cpu"};
  EXPECT_EQ(text_of(resolved(on_cpu, bodies, {}, Tuning::automatic, tuning_context).method), "auto");
  EXPECT_TRUE(notes.empty());
  EXPECT_FALSE(std::filesystem::exists(tuning_context.cache));
  const auto forced = resolved(on_cpu, bodies, {}, Tuning::force, tuning_context);
  EXPECT_TRUE(text_of(forced.method).starts_with("cpu/")) << text_of(forced.method);
  EXPECT_EQ(text_of(resolved(on_cpu, bodies, {}, Tuning::automatic, tuning_context).method),
            text_of(forced.method));
  EXPECT_EQ(make_engine(bodies, {}, forced)->describe().kernel(), text_of(forced.method));
}

TEST(TuningWord, IsOneOfThree) {
  EXPECT_EQ(tuning_named("off"), Tuning::off);
  EXPECT_EQ(tuning_named("auto"), Tuning::automatic);
  EXPECT_EQ(tuning_named("force"), Tuning::force);
  EXPECT_THROW(tuning_named("forse"), UsageError);
}

}  // namespace pleiad::tune
