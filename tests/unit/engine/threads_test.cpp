/// Threads belong to an engine: others come and go beside it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/models.hpp>

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

const Bodies& cluster() {
  static const Bodies bodies = make_model("plummer", std::vector<std::string>{"n=3000"}, 1).bodies;
  return bodies;
}

std::unique_ptr<Engine> engine_of(int threads, const std::string& kernel = "cpu/threads") {
  return make_engine(
      cluster(), {.softening = {0.1}},
      {.precision = Precision::f64, .backend = "cpu", .method = force_method_of(kernel), .threads = threads});
}

/// Positions after a few steps.
std::vector<double> moved(Engine& engine) {
  engine.advance({.integrator = &integrator_named("kdk"), .dt = 0.01}, 3);
  Bodies bodies = cluster();
  engine.copy_to_host(bodies);
  return bodies.x;
}

/// How many threads take part in work that lasts, and which number it finds in force.
std::pair<std::size_t, std::set<int>> taking_part(std::size_t pieces) {
  std::mutex mutex;
  std::set<std::thread::id> who;
  std::set<int> counts;
  parallel_for(pieces, [&](std::size_t) {
    const std::lock_guard lock(mutex);
    who.insert(std::this_thread::get_id());
    counts.insert(threads());
  });
  return {who.size(), counts};
}

}  // namespace

TEST(EngineThreads, EachEngineReportsItsOwn) {
  const int process = threads();
  const auto one = engine_of(1), three = engine_of(3), all = engine_of(0);
  EXPECT_EQ(one->describe().threads, 1);
  EXPECT_EQ(three->describe().threads, 3);
  EXPECT_EQ(all->describe().threads, process);
  EXPECT_EQ(threads(), process);
}

TEST(EngineThreads, TheNewestChangesNoOther) {
  const auto first = engine_of(2);
  {
    const auto newest = engine_of(5);
    EXPECT_EQ(first->describe().threads, 2);
    EXPECT_EQ(newest->describe().threads, 5);
  }
  EXPECT_EQ(first->describe().threads, 2);
  first->retune(*force_method_of("cpu/symmetric"));
  EXPECT_EQ(first->describe().threads, 2);
}

TEST(EngineThreads, BitsDoNotDependOnThem) {
  for (const std::string kernel : {"cpu/threads", "cpu/symmetric", "cpu/fmm order=4 theta=0.6"}) {
    const auto one = engine_of(1, kernel), two = engine_of(2, kernel), five = engine_of(5, kernel);
    const auto x = moved(*one);
    EXPECT_EQ(moved(*five), x) << kernel;
    EXPECT_EQ(moved(*two), x) << kernel;
  }
}

TEST(EngineThreads, EnginesOfAnyNumberStepAtOnce) {
  const auto one = engine_of(1);
  const auto expected = moved(*one);
  std::vector<std::vector<double>> found(4);
  {
    std::vector<std::jthread> callers;
    for (int k = 0; k < 4; ++k)
      callers.emplace_back([&found, k] { found[std::size_t(k)] = moved(*engine_of(k)); });
  }
  for (const auto& x : found) EXPECT_EQ(x, expected);
}

TEST(Threads, AreInForceWithinTheirWorkAndNoLonger) {
  const int before = threads();
  const Threads three(3), none(0);
  {
    const WithThreads ours(three);
    EXPECT_EQ(threads(), 3);
    const auto [who, counts] = taking_part(1000);
    EXPECT_LE(who, 3U);
    EXPECT_EQ(counts, std::set<int>{3});
    {
      const WithThreads same(none);
      EXPECT_EQ(threads(), 3);
      const OnThisThread alone;
      EXPECT_EQ(threads(), 1);
      EXPECT_EQ(taking_part(100).first, 1U);
    }
    parallel_for(8, [&](std::size_t) {
      EXPECT_EQ(threads(), 3);
      EXPECT_LE(taking_part(100).first, 3U);
    });
  }
  EXPECT_EQ(threads(), before);
}

TEST(Threads, OfTheProcessAreForThoseWithoutTheirOwn) {
  const Threads three(3);
  set_threads(2);
  EXPECT_EQ(threads(), 2);
  EXPECT_EQ(taking_part(100).second, std::set<int>{2});
  {
    const WithThreads ours(three);
    EXPECT_EQ(threads(), 3);
    set_threads(1);
    EXPECT_EQ(threads(), 3);
  }
  EXPECT_EQ(threads(), 1);
  set_threads(0);
}

}  // namespace pleiad
