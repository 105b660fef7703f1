/// The planner with a GPU, or with its emulation: which trees it tries there, that what it chooses is as
/// accurate as asked, and that errors are measured where the bodies are.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tune/planner.hpp"

#include "cuda/gpu.hpp"
#include "engine/device.hpp"
#include "engine/ranks_sample.hpp"
#include "ranks/self.hpp"
#include "sizes.hpp"
#include "tune/accuracy_parameter.hpp"
#include "tune/plans.hpp"
#include "unit/tree/scenes.hpp"
#include "unit/tune/fake.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

using namespace pleiad;
using namespace pleiad::tune;

namespace {

using PlannerWithAGpu = Gpu;
using ForceErrorsOnAGpu = Gpu;

Bodies sphere(std::size_t n) {
  Bodies bodies;
  for (const auto& m : tree_test::plummer(n)) bodies.add(m.m, {m.x, m.y, m.z}, {0, 0, 0});
  return bodies;
}
const Gravity law{.G = 1.5, .softening = {1e-2}};

/// Direct sums that take a fifth of a second, where every evaluation by a tree takes a hundredth; or none.
std::unique_ptr<Engine> slow(const Bodies& b, const Gravity&, const EngineOptions& o) {
  return std::make_unique<FakeEngine>(b, o, Behaviour{.step_seconds = 0.2, .error = {}});
}
std::unique_ptr<Engine> quick(const Bodies& b, const Gravity&, const EngineOptions& o) {
  return std::make_unique<FakeEngine>(b, o, Behaviour{.step_seconds = 1e-9, .error = {}});
}

Plan chosen(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
            const SolverRequest& request, const MakeEngine& make, const Progress& progress) {
  const Ticking ticking;
  return plan(bodies, gravity, options, request, make, progress, Search::whole, 0, FakeTime::look);
}

/// As a run looks at an engine's forces.
ForceErrors force_errors(Engine& engine, Bodies bodies) {
  engine.copy_to_host(bodies);
  const auto sample = sample_of(bodies, 1000);
  return errors_of(engine.sampled_accelerations(sample.bodies), sample, law.G);
}

/// Measured again, on other bodies than the planner looked at, on the processor.
ForceErrors errors(const Bodies& bodies, const EngineOptions& options, const std::string& kernel) {
  auto named = options;
  named.method = force_method_of(kernel);
  const auto engine = make_engine(bodies, law, named);
  Snapshot s;
  s.bodies = bodies;
  engine->copy_to_host(s.bodies);
  engine->fields(s);
  const auto sample = sample_of(s.bodies, 777);
  std::vector<Vec3<double>> found;
  for (const auto i : sample.bodies) found.push_back({s.ax[i], s.ay[i], s.az[i]});
  return errors_of(found, exact_accelerations(s.bodies, law, sample.bodies), sample, law.G);
}

EngineOptions on_gpu(Precision precision) { return {.precision = precision, .backend = "cuda"}; }

std::string refusal(const EngineOptions& options, const SolverRequest& request) {
  try {
    chosen(sphere(2100), law, options, request, quick, {});
    return "accepted";
  } catch (const UsageError& e) {
    return e.what();
  }
}
bool says(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_F(PlannerWithAGpu, TriesTreesThereAndMeetsTheAccuracy) {
  const auto bodies = sphere(2100);
  for (const auto precision :
       test::emulated_size(std::vector{Precision::f32, Precision::mixed}, {Precision::mixed})) {
    const auto found = chosen(bodies, law, on_gpu(precision), {.accuracy = 2e-3}, slow, {});
    ASSERT_TRUE(text_of(found.method).starts_with("cuda/") && says(text_of(found.method), " order="))
        << found.why;
    EXPECT_TRUE(says(found.why, "direct sums take ")) << found.why;
    // As in the planner's own test: another sample's last per cent is up to half as large again.
    EXPECT_LE(errors(bodies, on_gpu(precision), text_of(found.method)).p99, 1.5 * 2e-3)
        << text_of(found.method);
    std::size_t orders = 0;
    for (const auto& t : found.tried) {
      EXPECT_EQ(t.meets, t.errors.p99_high <= tune::enough * 2e-3) << text_of(t.method);
      if (!t.method) continue;
      EXPECT_EQ(t.tree()->device, Device::cuda) << text_of(t.method);
      EXPECT_EQ(t.errors.sample, bodies.size());  // so few are all looked at
      orders |= std::size_t{1} << t.tree()->order;
    }
    EXPECT_GE(std::popcount(orders), 2);
  }
}

TEST_F(PlannerWithAGpu, TriesWalksThereToo) {
  const auto bodies = sphere(2100);
  if (test::emulated_size(true, false)) {
    const auto both = chosen(bodies, law, on_gpu(Precision::f32), {.accuracy = 4e-3}, slow, {});
    EXPECT_TRUE(std::ranges::any_of(both.tried, [](const Measurement& t) {
      return text_of(t.method).starts_with("cuda/barnes-hut order=2 ");
    }));
  }
  const auto walk =
      chosen(bodies, law, on_gpu(Precision::f32), {.accuracy = 4e-3, .solver = Solver::barnes_hut}, slow, {});
  ASSERT_TRUE(text_of(walk.method).starts_with("cuda/barnes-hut order=")) << walk.why;
  EXPECT_TRUE(says(walk.why, "momentum drifts")) << walk.why;
  EXPECT_LE(errors(bodies, on_gpu(Precision::f32), text_of(walk.method)).p99, 1.5 * 4e-3)
      << text_of(walk.method);
}

TEST_F(PlannerWithAGpu, SumsDirectlyWhereThatIsFaster) {
  const auto found = chosen(sphere(2100), law, on_gpu(Precision::mixed), {.accuracy = 1e-3}, quick, {});
  EXPECT_EQ(text_of(found.method), "auto");
  EXPECT_TRUE(says(found.why, "direct sums take")) << found.why;
  EXPECT_LE(found.tried.size(), 3U);  // far slower than direct sums, no more is tried
}

TEST_F(PlannerWithAGpu, SaysWhatTreesThereCannotDo) {
  const auto wide = chosen(sphere(2100), law, on_gpu(Precision::f64), {.accuracy = 1e-3}, slow, {});
  EXPECT_EQ(text_of(wide.method), "auto");
  EXPECT_TRUE(says(wide.why, "no f64 form")) << wide.why;
  EXPECT_TRUE(
      says(refusal(on_gpu(Precision::f64), {.accuracy = 1e-3, .solver = Solver::fmm}), "no f64 form"));
  EXPECT_TRUE(
      says(refusal(on_gpu(Precision::f32), {.accuracy = 1e-3, .solver = Solver::barnes_hut, .order = 4}),
           "cuda/barnes-hut has the orders 1, 2, 3"));
  EXPECT_TRUE(says(refusal(on_gpu(Precision::f32), {.accuracy = 1e-3, .order = 8}), "the orders 4, 5, 6"));
  // All settings are tried, and most of the bodies are near.
  if (!test::emulated_size(true, false)) return;
  EXPECT_TRUE(says(refusal(on_gpu(Precision::f32), {.accuracy = 1e-9, .solver = Solver::fmm, .order = 4}),
                   "was not reached by fmm: "));
}

TEST_F(PlannerWithAGpu, LeavesToTheProcessorWhatOnlyThatHasUnlessTheGpuWasAskedFor) {
  const auto bodies = sphere(2100);
  for (const auto& [options, request] :
       {std::pair<EngineOptions, SolverRequest>{{.precision = Precision::f64}, {.accuracy = 1e-3}},
        {{}, {.accuracy = 1e-3, .solver = Solver::barnes_hut, .order = 4}},
        {{}, {.accuracy = 1e-3, .order = 8}}}) {
    const auto found = chosen(bodies, law, options, request, slow, {});
    EXPECT_TRUE(text_of(found.method).starts_with("cpu/")) << text_of(found.method) << ": " << found.why;
  }
  EXPECT_EQ(places_for_trees({.backend = "cpu"}, law), std::vector{Device::cpu});
  EXPECT_EQ(places_for_trees({.gpus = 2}, law), std::vector{Device::cuda});
  Gravity box = law;
  box.boundary = {.periodic = true, .length = {90, 90, 90}, .images = Images::all};
  EXPECT_EQ(places_for_trees({}, box), (std::vector{Device::cuda, Device::cpu}));
  EXPECT_NO_THROW(make_tree_trial(Device::cuda, bodies, box, Precision::mixed));
  box.boundary.images = Images::nearest;
  EXPECT_EQ(places_for_trees({}, box), std::vector{Device::cpu});
  EXPECT_THROW(make_tree_trial(Device::cuda, bodies, box, Precision::mixed), UsageError);
}

TEST_F(PlannerWithAGpu, RemembersPlansForEachDevice) {
  const Scratch scratch;
  const Ticking ticking;
  TuningContext tuning_context;
  tuning_context.effort.clock = FakeTime::look;
  tuning_context.cache = scratch / "tune.json";
  int searches = 0;
  tuning_context.begins = [&](const std::string&) { ++searches; };
  tuning_context.make = [](const Bodies& b, const Gravity& g, const EngineOptions& o) {
    return b.size() > 2 ? slow(b, g, o) : make_engine(b, g, o);
  };
  const auto bodies = sphere(2100);
  const auto with = [&](const EngineOptions& options) {
    return text_of(
        planned(bodies, law, options, {.accuracy = 2e-3}, Tuning::automatic, tuning_context).method);
  };
  const auto gpu = with(on_gpu(Precision::f32));
  EXPECT_TRUE(gpu.starts_with("cuda/") && says(gpu, " order=")) << gpu;
  EXPECT_EQ(with(on_gpu(Precision::f32)), gpu);
  EXPECT_EQ(searches, 1);
  EXPECT_TRUE(with({.precision = Precision::f32, .backend = "cpu"}).starts_with("cpu/"));
  EXPECT_EQ(searches, 2);
}

TEST_F(ForceErrorsOnAGpu, AreThoseOnTheProcessorAndLookingChangesNothing) {
  const auto bodies = sphere(1500);
  const StepPlan step{.integrator = &integrator_named("kdk"), .dt = 1.0 / 64};
  for (const auto precision : {Precision::f32, Precision::mixed}) {
    auto options = on_gpu(precision);
    options.method = force_method_of("cuda/fmm order=4 theta=0.8 leaf=16");
    const auto watched = make_engine(bodies, law, options), alone = make_engine(bodies, law, options);
    const auto at_start = force_errors(*watched, bodies);  // before there were any forces
    watched->advance(step, 2), alone->advance(step, 2);
    const auto e = force_errors(*watched, bodies);
    EXPECT_EQ(e.sample, 1000U);
    Snapshot s;
    s.bodies = bodies;
    watched->copy_to_host(s.bodies);
    watched->fields(s);
    auto same = bodies;
    alone->copy_to_host(same);
    EXPECT_TRUE(same == s.bodies) << "diagnostics changed the run";
    const auto sample = sample_of(s.bodies, 1000);
    std::vector<Vec3<double>> found;
    for (const auto i : sample.bodies) found.push_back({s.ax[i], s.ay[i], s.az[i]});
    const auto right = errors_of(found, exact_accelerations(s.bodies, law, sample.bodies), sample, law.G);
    // In single precision masses have errors of 2^-24 on the device, which 1500 equal ones share.
    EXPECT_NEAR(e.p99, right.p99, 1e-6);
    EXPECT_NEAR(e.median, right.median, 1e-6);
    EXPECT_GE(e.p99, 1e-5);
    EXPECT_GE(at_start.p99, 1e-5);
    EXPECT_LE(at_start.p99, 1e-1);
  }
}

TEST_F(ForceErrorsOnAGpu, OfDirectSumsAreRoundings) {
  const auto bodies = sphere(500);
  for (const int gpus : {1, 2}) {
    if (device_count() < gpus) continue;
    for (const auto precision : {Precision::f32, Precision::f64}) {
      auto options = on_gpu(precision);
      options.method = force_method_of("cuda/tile"), options.gpus = gpus;
      // 500 roundings of 2^-24, or of 2^-53, of pulls that cancel by less than a factor 100.
      EXPECT_LE(force_errors(*make_engine(bodies, law, options), bodies).p99,
                precision == Precision::f32 ? 500 * 100 * 0x1p-24 : 500 * 100 * 0x1p-53);
    }
  }
}

TEST_F(ForceErrorsOnAGpu, OfATreeAreTheSameOnSeveral) {
  if (device_count() < 2) GTEST_SKIP() << "one GPU";
  const auto bodies = sphere(1200);
  auto options = on_gpu(Precision::mixed);
  options.method = force_method_of("cuda/fmm order=5 theta=0.7 leaf=32");
  const auto one = make_engine(bodies, law, options);
  EXPECT_EQ(one->describe().gpus, 1);  // so few are not faster on several
  const auto expected = force_errors(*one, bodies);
  options.gpus = 2;
  const auto two = make_engine(bodies, law, options);
  EXPECT_EQ(two->describe().gpus, 2);
  EXPECT_EQ(two->describe().kernel(), one->describe().kernel());
  const auto found = force_errors(*two, bodies);
  EXPECT_EQ(found.median, expected.median);
  EXPECT_EQ(found.p99, expected.p99);
  EXPECT_EQ(found.largest, expected.largest);
  options.gpus = device_count() + 1;
  EXPECT_THROW(make_engine(bodies, law, options), ResourceError);
}

TEST_F(ForceErrorsOnAGpu, AreBroughtDownByATighterDialBetweenSteps) {
  const auto bodies = sphere(2100);
  auto options = on_gpu(Precision::mixed);
  const TreeSettings loose{.device = Device::cuda, .order = 4, .theta = 0.95, .leaf_size = 16};
  options.method = force_method_of(text_of(loose));
  const auto engine = make_engine(bodies, law, options);
  engine->advance({.integrator = &integrator_named("kdk"), .dt = 1e-6}, 1);
  const double before = force_errors(*engine, bodies).p99, asked = before / 4;
  const auto tight = tightened(loose, before, asked);
  engine->retune({.tree = tight});
  EXPECT_EQ(engine->describe().kernel(), text_of(tight));
  EXPECT_LE(force_errors(*engine, bodies).p99, 1.2 * asked) << text_of(tight) << " from " << before;
}

/// A sphere in the middle of a box, with its images.
Bodies in_a_box(std::size_t n, const Vec3<double>& sides) {
  auto bodies = sphere(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto into = [](double x, double side) { return side * (x / 20 + 0.5 - std::floor(x / 20 + 0.5)); };
    bodies.x[i] = into(bodies.x[i], sides.x), bodies.y[i] = into(bodies.y[i], sides.y);
    bodies.z[i] = into(bodies.z[i], sides.z);
  }
  return bodies;
}

TEST_F(ForceErrorsOnAGpu, OfAllImagesAreThoseByEwaldSumsOnTheProcessor) {
  for (const Vec3<double> sides : {Vec3<double>{1, 1, 1}, {3, 2, 2.5}})
    for (const double eps : {0.0, 0.02, 0.4}) {
      const auto bodies = in_a_box(200, sides);
      const Gravity all{.G = 1.5,
                        .softening = {eps},
                        .boundary = {.periodic = true, .length = sides, .images = Images::all}};
      std::vector<std::size_t> chosen(61);
      for (std::size_t k = 0; k < chosen.size(); ++k) chosen[k] = 3 * k;
      const auto found = exact_on(Device::cuda, ranks::self(), bodies, all, chosen),
                 right = exact_on(Device::cpu, ranks::self(), bodies, all, chosen);
      ASSERT_EQ(found.size(), right.size());
      double largest = 0;
      for (const auto& a : right) largest = std::max(largest, norm(a));
      // Both leave out 5e-13 of a pull at half the box; the processor's polynomial is right to 1e-11.
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_LE(norm(found[k] - right[k]), 1e-10 * (1 + largest)) << k << ", eps = " << eps;
    }
}

TEST_F(PlannerWithAGpu, TakesATreeInAPeriodicBoxWithoutDirectSums) {
  const Vec3<double> sides{1, 1, 1};
  const auto bodies = in_a_box(600, sides);  // fewer than direct sums are taken for elsewhere
  const Gravity all{.softening = {0.02},
                    .boundary = {.periodic = true, .length = sides, .images = Images::all}};
  const MakeEngine real = [](const Bodies& b, const Gravity& g, const EngineOptions& o) {
    return make_engine(b, g, o);
  };
  const auto options = on_gpu(Precision::mixed);
  const auto found = chosen(bodies, all, options, {.accuracy = 3e-3}, real, {});
  ASSERT_TRUE(text_of(found.method).starts_with("cuda/")) << found.why;
  EXPECT_TRUE(says(found.why, "no direct sums to compare with")) << found.why;
  auto named = options;
  named.method = found.method;
  const auto engine = make_engine(bodies, all, named);
  const auto sample = sample_of(bodies, bodies.size());
  EXPECT_LE(errors_of(engine->sampled_accelerations(sample.bodies), sample, all.G).p99, 3e-3) << found.why;
}
