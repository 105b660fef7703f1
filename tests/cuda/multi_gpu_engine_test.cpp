/// Several GPUs, or their emulation, against one: the same bits for any number of them, however they exchange
/// what they know.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/multi_gpu_engine.hpp"

#include "bench/published/catalogue.hpp"
#include "cuda/catalogue.hpp"
#include "cuda/multi_gpu/probe.hpp"
#include "cuda/steps/catalogue.hpp"
#include "engine/device_engine.hpp"
#include "gpu.hpp"
#include "sizes.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>

namespace pleiad {
namespace {

using cuda::Exchange;

template <class P>
constexpr Precision precision_of = std::is_same_v<P, F32>   ? Precision::f32
                                   : std::is_same_v<P, F64> ? Precision::f64
                                                            : Precision::mixed;

const DirectKernel& kernel(std::string_view name) {
  for (const auto* k : cuda_kernels())
    if (k->name == name) return *k;
  throw UsageError(fmt::format("no {}", name));
}

const StepKernel& step_kernel(std::string_view name) {
  for (const auto* k : cuda_step_kernels())
    if (k->name == name) return *k;
  throw UsageError(fmt::format("no {}", name));
}

/// Masses that differ, one of them 0 when `massless`.
Bodies bodies(std::size_t n, bool massless = false) {
  Bodies b;
  for (std::size_t i = 0; i < n; ++i) {
    const double t = double(i);
    const auto in_unit_box = [](double v) { return v - std::floor(v); };
    b.add(massless && i == n / 2 ? 0 : (1 + 0.5 * std::sin(t)) / double(n),
          {in_unit_box(0.7548776662466927 * t + 0.1), in_unit_box(0.5698402909980532 * t),
           in_unit_box(0.3819660112501051 * t)},
          {0.3 * std::sin(t), 0.3 * std::cos(t), 0.1 * std::sin(2 * t)});
  }
  return b;
}
Gravity gravity(bool periodic = false) {
  return {.G = 1.5, .softening = {0.05}, .boundary = {periodic, {1, 1, 1}}, .dimension = 3};
}
Choice choice(const DirectKernel& k, int gpus, const LaunchShape& shape = {}) {
  return {.method = {.kernel = &k, .shape = shape}, .gpus = gpus, .why = "a test"};
}
StepPlan plan(std::string_view integrator, double damping = 1) {
  return {.integrator = &integrator_named(integrator), .dt = 1.0 / 128, .damping = damping};
}

/// Everything that a run sees of an engine.
struct Outcome {
  Bodies bodies;
  std::vector<double> diagnostic_sums;
  bool operator==(const Outcome&) const = default;
};
Outcome outcome(Engine& engine, const Bodies& start) {
  Outcome o{start, {}};
  engine.copy_to_host(o.bodies);
  const auto energies = engine.energies();
  o.diagnostic_sums = {energies.kinetic, energies.potential, engine.suggest_dt(integrator_named("kdk"), 0.02),
                       double(engine.finite()), double(engine.evaluations())};
  const auto radii = engine.radii();
  o.diagnostic_sums.insert(o.diagnostic_sums.end(), radii.lagrangian.begin(), radii.lagrangian.end());
  o.diagnostic_sums.insert(o.diagnostic_sums.end(), {radii.centre.x, radii.centre.y, radii.centre.z});
  Snapshot s;
  engine.fields(s);
  for (const auto* values : {&s.ax, &s.ay, &s.az, &s.potential})
    o.diagnostic_sums.insert(o.diagnostic_sums.end(), values->begin(), values->end());
  return o;
}

/// Those that are there, up to 4; on the emulator every second of these, unless all sizes are asked for.
std::vector<int> numbers_of_gpus() {
  std::vector<int> numbers;
  const int step = test::emulated_size(1, 2);
  for (int gpus = 1; gpus <= std::min(cuda::device_count(), 4); gpus += step) numbers.push_back(gpus);
  return numbers;
}

/// Those that can be between them.
std::vector<Exchange> exchanges() {
  if (!cuda::why_not_reachable(numbers_of_gpus().back()).empty()) return {Exchange::host};
  return {Exchange::direct, Exchange::copies, Exchange::host};
}

template <class P>
void expect_bits_of_one(const DirectKernel& k, const Bodies& start, const StepPlan& steps, bool periodic,
                        std::optional<Exchange> exchange = {}, const LaunchShape& shape = {},
                        std::uint64_t count = 2, const std::vector<int>& numbers = numbers_of_gpus()) {
  DeviceEngine<P> one(start, gravity(periodic), choice(k, 1, shape), precision_of<P>);
  one.advance(steps, count);
  const auto expected = outcome(one, start);
  for (const int gpus : numbers) {
    MultiGpuEngine<P> several(start, gravity(periodic), choice(k, gpus, shape), precision_of<P>, exchange);
    several.advance(steps, 1);
    several.advance(steps, count - 1);
    EXPECT_TRUE(outcome(several, start) == expected)
        << k.name << " " << name_of(precision_of<P>) << ", N = " << start.size() << ", " << gpus << " GPUs, "
        << name_of(several.exchange()) << ", " << steps.integrator->name << (periodic ? ", periodic" : "");
  }
}

template <class P>
void every_kernel_gives_the_bits_of_one() {
  const auto start = bodies(101);
  for (const auto* k : all_cuda_kernels())
    if (k->traits.reproducible && k->has(precision_of<P>))
      expect_bits_of_one<P>(*k, start, plan("kdk"), false, {}, {}, 2, {std::min(3, cuda::device_count())});
}

template <class P>
void awkward_numbers_give_the_bits_of_one(const char* symmetric) {
  for (const std::size_t n : {0, 1, 3, 5, 257})
    for (const auto* name : {"cuda/tile", symmetric})
      expect_bits_of_one<P>(kernel(name), bodies(n, n == 257), plan("kdk"), false);
}

/// Full steps of several GPUs: no bodies, fewer than GPUs, fewer than blocks, several blocks of bodies, with
/// and without a unit of length, and launches that go on from each other.
template <class P>
void fused_steps_give_the_bits_of_one() {
  const auto& steps = step_kernel("cuda/symmetric-steps");
  for (const auto& [n, equal, eps] : {std::tuple{0, false, 0.05},
                                      {1, true, 0.05},
                                      {3, false, 0.0},
                                      {300, true, 0.0},
                                      {301, false, 0.05},
                                      {301, true, 0.05}}) {
    auto start = bodies(std::size_t(n), n == 301);
    if (equal) std::fill(start.mass.begin(), start.mass.end(), 1.0 / 256);
    auto law = gravity();
    law.softening.eps = eps;
    Choice c = choice(kernel("cuda/split-reduced"), 1);
    c.method.steps = &steps;
    DeviceEngine<P> one(start, law, c, precision_of<P>);
    one.advance(plan("kdk"), 5);
    const auto expected = outcome(one, start);
    for (const int gpus : numbers_of_gpus()) {
      c.gpus = gpus;
      MultiGpuEngine<P> several(start, law, c, precision_of<P>);
      several.advance(plan("kdk"), 1);
      several.advance(plan("kdk"), 4);
      EXPECT_TRUE(outcome(several, start) == expected)
          << name_of(precision_of<P>) << ", N = " << n << ", " << c.gpus << " GPUs, eps " << eps;
    }
  }
}

}  // namespace

using Devices = Gpu;

TEST_F(Devices, EveryKernelGivesTheBitsOfOneGpu) {
  every_kernel_gives_the_bits_of_one<F32>();
  every_kernel_gives_the_bits_of_one<F64>();
  every_kernel_gives_the_bits_of_one<Mixed>();
}
/// No bodies, fewer bodies than GPUs, ragged blocks, a massless body.
TEST_F(Devices, AwkwardNumbersGiveTheBitsOfOneGpu) {
  awkward_numbers_give_the_bits_of_one<F32>("cuda/scaled-source");
  awkward_numbers_give_the_bits_of_one<F64>("cuda/fp64-symmetric");
  awkward_numbers_give_the_bits_of_one<Mixed>("cuda/mixed-symmetric");
}
/// Several blocks of bodies, whose pairs all GPUs share: also in diagnostics.
TEST_F(Devices, SymmetricPairsGiveTheBitsOfOneGpu) {
  const std::vector<int> three{std::min(3, cuda::device_count())};
  for (const auto exchange : exchanges()) {
    expect_bits_of_one<Mixed>(kernel("cuda/mixed-symmetric"), bodies(600), plan("kdk"), false, exchange, {},
                              1, three);
    expect_bits_of_one<F64>(kernel("cuda/fp64-symmetric"), bodies(600), plan("kdk"), false, exchange, {}, 1,
                            three);
  }
}
TEST_F(Devices, EveryIntegratorGivesTheBitsOfOneGpu) {
  for (const auto* const each : integrators()) {
    const auto& integrator = *each;
    if (integrator.needs_doubles || integrator.in_blocks) continue;
    const auto steps = plan(integrator.name, integrator.name == "euler" ? 0.9 : 1);
    expect_bits_of_one<Mixed>(kernel("cuda/split-reduced"), bodies(99), steps, true);
    expect_bits_of_one<Mixed>(kernel("cuda/mixed-symmetric"), bodies(99), steps, false);
  }
}
TEST_F(Devices, EveryExchangeGivesTheBitsOfOneGpu) {
  for (const auto exchange : exchanges()) {
    for (const auto* integrator : {"kdk", "dkd"}) {
      expect_bits_of_one<F32>(kernel("cuda/equal-mass"), bodies(300), plan(integrator), false, exchange);
      expect_bits_of_one<F64>(kernel("cuda/tile"), bodies(150), plan(integrator), true, exchange);
    }
  }
}
/// A step that comes again is replayed; positions change places with every drift, of which a step has one or
/// more. Then other steps, which are recorded anew.
TEST_F(Devices, ReplayedStepsGiveTheBitsOfOneGpu) {
  for (const auto exchange : exchanges())
    for (const auto* integrator : test::emulated_size(std::vector{"kdk", "dkd", "yoshida6"}, {"dkd"})) {
      expect_bits_of_one<F64>(kernel("cuda/fp64-symmetric"), bodies(40), plan(integrator), false, exchange,
                              {}, 10);
      expect_bits_of_one<F32>(kernel("cuda/split-reduced"), bodies(40), plan(integrator), true, exchange, {},
                              10);
    }
  const auto start = bodies(40);
  const auto& k = kernel("cuda/mixed-symmetric");
  DeviceEngine<Mixed> one(start, gravity(), choice(k, 1), Precision::mixed);
  MultiGpuEngine<Mixed> several(start, gravity(), choice(k, numbers_of_gpus().back()), Precision::mixed);
  for (Engine* engine : {static_cast<Engine*>(&one), static_cast<Engine*>(&several)})
    for (const auto& [integrator, count] : {std::pair("kdk", 7), {"forest-ruth", 5}, {"kdk", 6}})
      engine->advance(plan(integrator), std::uint64_t(count));
  EXPECT_TRUE(outcome(several, start) == outcome(one, start));
}
/// Several blocks for each GPU, in each shape that there is.
TEST_F(Devices, EveryShapeGivesTheBitsOfOneGpu) {
  for (const auto* name : {"cuda/mixed-symmetric", "cuda/split-reduced"})
    for (const auto& shape : kernel(name).shapes)
      expect_bits_of_one<Mixed>(kernel(name), bodies(1100), plan("euler"), false, {}, shape);
}
TEST_F(Devices, WholeStepsGiveTheBitsOfOneGpu) {
  if (numbers_of_gpus().size() > 1 && !cuda::why_not_reachable(numbers_of_gpus().back()).empty())
    GTEST_SKIP() << "the GPUs do not reach each other";
  fused_steps_give_the_bits_of_one<F32>();
  fused_steps_give_the_bits_of_one<Mixed>();
}
TEST_F(Devices, EveryIntegratorMakesWholeSteps) {
  if (numbers_of_gpus().size() > 1 && !cuda::why_not_reachable(numbers_of_gpus().back()).empty())
    GTEST_SKIP() << "the GPUs do not reach each other";
  const auto start = bodies(70);
  Choice c = choice(kernel("cuda/split-reduced"), numbers_of_gpus().back());
  c.method.steps = &step_kernel("cuda/symmetric-steps");
  for (const auto* const each : integrators()) {
    const auto& integrator = *each;
    if (integrator.needs_doubles || integrator.in_blocks) continue;
    DeviceEngine<F32> one(start, gravity(), c, Precision::f32);
    MultiGpuEngine<F32> several(start, gravity(), c, Precision::f32);
    for (Engine* engine : {static_cast<Engine*>(&one), static_cast<Engine*>(&several)}) {
      engine->advance(plan(integrator.name, integrator.name == "euler" ? 0.9 : 1), 2);
      (void)engine->suggest_dt(integrator_named("kdk"), 0.02);
      engine->advance(plan("dkd"), 2);
    }
    EXPECT_TRUE(outcome(several, start) == outcome(one, start)) << integrator.name;
  }
}
/// A copy that is begun shows the state of then, however many steps follow before it is finished.
TEST_F(Devices, CopyWhileStepsGoOn) {
  const auto start = bodies(101);
  for (const StepKernel* steps :
       {static_cast<const StepKernel*>(nullptr), &step_kernel("cuda/symmetric-steps")})
    for (const bool fields : {false, true}) {
      auto c = choice(kernel("cuda/mixed-symmetric"), numbers_of_gpus().back());
      c.method.steps = steps;
      MultiGpuEngine<Mixed> copied(start, gravity(), c, Precision::mixed),
          diagnostic(start, gravity(), c, Precision::mixed);
      for (auto* engine : {&copied, &diagnostic}) engine->advance(plan("kdk"), 3);
      const auto first = copied.begin_copy(fields);
      copied.advance(plan("kdk"), 4);
      const auto second = copied.begin_copy(fields);
      copied.advance(plan("kdk"), 1);
      Snapshot then, now, expected;
      for (auto* s : {&then, &now, &expected}) s->bodies = start;
      first(then);
      second(now);
      for (auto* got : {&then, &now}) {
        diagnostic.copy_to_host(expected.bodies);
        EXPECT_TRUE(got->bodies == expected.bodies) << (steps == nullptr ? "" : steps->name);
        if (fields) diagnostic.fields(expected);
        EXPECT_EQ(got->ax, expected.ax);
        EXPECT_EQ(got->potential, expected.potential);
        diagnostic.advance(plan("kdk"), 4);
      }
    }
}
TEST_F(Devices, LookingBetweenStepsChangesNothing) {
  const auto start = bodies(150);
  const int gpus = numbers_of_gpus().back();
  for (const auto* name : {"cuda/mixed-symmetric", "cuda/tile"}) {
    MultiGpuEngine<Mixed> quiet(start, gravity(), choice(kernel(name), gpus), Precision::mixed),
        watched(start, gravity(), choice(kernel(name), gpus), Precision::mixed, Exchange::host);
    quiet.advance(plan("dkd"), 6);
    for (int k = 0; k < 3; ++k) {
      watched.advance(plan("dkd"), 2);
      (void)watched.energies();
      (void)watched.finite();
      (void)watched.suggest_dt(integrator_named("dkd"), 0.02);
    }
    Bodies a = start, b = start;
    quiet.copy_to_host(a);
    watched.copy_to_host(b);
    EXPECT_TRUE(a == b) << name;
  }
}
TEST_F(Devices, GoOnFromWhatTheyGave) {
  const auto start = bodies(97);
  const auto& k = kernel("cuda/fp64-symmetric");
  const int most = numbers_of_gpus().back();
  MultiGpuEngine<F64> through(start, gravity(), choice(k, most), Precision::f64);
  through.advance(plan("kdk"), 7);
  const auto expected = outcome(through, start).bodies;
  Bodies half = start;
  for (const int second : numbers_of_gpus()) {
    MultiGpuEngine<F64> first(start, gravity(), choice(k, 1 + most - second), Precision::f64);
    first.advance(plan("kdk"), 4);
    first.copy_to_host(half);
    MultiGpuEngine<F64> then(start, gravity(), choice(k, second), Precision::f64);
    then.load(half);
    then.advance(plan("kdk"), 3);
    EXPECT_TRUE(outcome(then, start).bodies == expected) << second;
  }
}
TEST_F(Devices, RunBackWhenVelocitiesAreReversed) {
  const auto start = bodies(64);
  MultiGpuEngine<F64> engine(start, gravity(),
                             choice(kernel("cuda/fp64-symmetric"), numbers_of_gpus().back()), Precision::f64);
  engine.advance(plan("kdk"), 8);
  engine.reverse_velocities();
  engine.advance(plan("kdk"), 8);
  Bodies end = start;
  engine.copy_to_host(end);
  // 16 steps, each rounds a position of at most 1 twice and its velocity, in units of dt, a dozen times.
  for (std::size_t i = 0; i < start.size(); ++i)
    EXPECT_LE(std::abs(end.x[i] - start.x[i]), 16 * 14 * 0x1p-52);
}
TEST_F(Devices, SeeASingleNaN) {
  const int gpus = numbers_of_gpus().back();
  for (const std::size_t sick : {0, 40, 79}) {
    auto b = bodies(80);
    MultiGpuEngine<F32> engine(b, gravity(), choice(kernel("cuda/tile"), gpus), Precision::f32);
    EXPECT_TRUE(engine.finite());
    b.vy[sick] = std::numeric_limits<double>::quiet_NaN();
    engine.load(b);
    EXPECT_FALSE(engine.finite()) << sick;
  }
}
TEST_F(Devices, RefuseInWords) {
  const auto refusal = [](const Choice& c, const Gravity& g = gravity()) -> std::string {
    try {
      MultiGpuEngine<F32> engine(bodies(50), g, c, Precision::f32);
      engine.advance(plan("kdk"), 1);
    } catch (const Error& e) {
      return fmt::format("{} {}", int(e.kind()), e.what());
    }
    return "accepted";
  };
  const int there = cuda::device_count();
  EXPECT_EQ(refusal(choice(kernel("cuda/tile"), there + 1)),
            fmt::format("4 {} GPUs asked for; there {} {}", there + 1, there == 1 ? "is" : "are", there));
  EXPECT_EQ(refusal(choice(kernel("cuda/symmetric-atomics"), 1)),
            "2 kernel 'cuda/symmetric-atomics' is not reproducible, so its sums are not divided among GPUs; "
            "choose another kernel or one GPU");
  auto steps = choice(kernel("cuda/tile"), there);
  steps.method.steps = &step_kernel("cuda/grid-steps");
  if (there > 1 && cuda::why_not_reachable(there).empty()) {
    EXPECT_EQ(refusal(steps), fmt::format("2 kernel 'cuda/grid-steps' makes its steps on one GPU; choose one "
                                          "GPU, or another kernel for {} of them",
                                          there));
  }
  EXPECT_EQ(refusal(choice(kernel("cuda/equal-mass"), 1), gravity(true)),
            "2 kernel 'cuda/equal-mass' does not know periodic boxes; choose another kernel");
}

}  // namespace pleiad
