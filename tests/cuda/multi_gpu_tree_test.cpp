/// One tree on several GPUs, or their emulation: the bits of one for any number of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/gpu.hpp"
#include "cuda/multi_gpu/devices.hpp"
#include "cuda/multi_gpu/probe.hpp"
#include "cuda/tree/forces.hpp"
#include "engine/device_engine.hpp"
#include "engine/multi_gpu_engine.hpp"
#include "sizes.hpp"
#include "unit/tree/solving.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace pleiad {
namespace {

using namespace tree_test;
using cuda::Exchange;
using cuda::tree::FirstRoom;

template <class P>
constexpr Precision precision_of = std::is_same_v<P, F32> ? Precision::f32 : Precision::mixed;

/// Up to 4; on the emulator every second of these, unless all sizes are asked for.
std::vector<int> numbers_of_gpus() {
  std::vector<int> numbers;
  const int step = test::emulated_size(1, 2);
  for (int gpus = 1; gpus <= std::min(cuda::device_count(), 4); gpus += step) numbers.push_back(gpus);
  return numbers;
}
bool reachable() { return cuda::why_not_reachable(numbers_of_gpus().back()).empty(); }
std::vector<Exchange> exchanges() {
  if (!reachable()) return {Exchange::host};
  return {Exchange::direct, Exchange::copies, Exchange::host};
}

TreeSettings by_spheres() { return {.device = Device::cuda, .order = 5, .theta = 0.6, .leaf_size = 16}; }
TreeSettings by_errors() {
  return {.device = Device::cuda, .order = 5, .mac = Mac::error, .tolerance = 0.01, .leaf_size = 16};
}

TreeSettings by_walks() {
  return {.device = Device::cuda,
          .solver = Solver::barnes_hut,
          .order = 2,
          .mac = Mac::error,
          .tolerance = 0.01,
          .leaf_size = 16,
          .group = 32};
}

template <class T>
using Accelerations = std::vector<Vec4<T>>;

/// On one GPU.
template <class P>
Accelerations<typename P::Position> alone(const TreeSettings& settings, std::span<const Mass<double>> bodies,
                                          double eps, bool potential) {
  using Real = typename P::Position;
  const cuda::Stream stream;
  const auto own = as<Real>(bodies);
  const cuda::Buffer<Mass<Real>> x(std::span<const Mass<Real>>(own), stream.get());
  cuda::Buffer<Vec4<Real>> sums(own.size(), stream.get());
  Accelerations<Real> found(own.size());
  cuda::tree::make_forces<P>(settings, stream.get())
      ->evaluate({.targets = x.span(),
                  .sources = x.span(),
                  .sums = sums.span(),
                  .softening = {eps},
                  .potential = potential});
  sums.copy_to_host(found);
  return found;
}

/// On several, `again` and again; sums of each GPU's own bodies, which are poisoned before.
template <class P>
Accelerations<typename P::Position> together(int gpus, const TreeSettings& settings,
                                             std::span<const Mass<double>> bodies, double eps, bool potential,
                                             FirstRoom room = {}, int again = 0) {
  using Real = typename P::Position;
  const std::size_t n = bodies.size();
  const auto own = as<Real>(bodies);
  cuda::Devices devices(gpus, true);
  std::vector<cuda::Reachable<Mass<Real>>> x;
  std::vector<cuda::Reachable<Vec4<Real>>> sums;
  std::vector<OnGpu<P>> there;
  const auto first = [&](int d) { return n * std::size_t(d) / std::size_t(gpus); };
  devices.each([&](int d) {
    x.emplace_back(n);
    cuda::copy_to_device(x.back().data(), own.data(), n * sizeof own[0], devices.stream(d));
    auto& mine = sums.emplace_back(first(d + 1) - first(d));
    cuda::fill(mine.data(), 0xFF, mine.span().size_bytes(), devices.stream(d));
    there.push_back({.first = first(d),
                     .count = mine.size(),
                     .bodies = std::as_const(x.back()).span(),
                     .sums = mine.span()});
  });
  devices.wait();
  Accelerations<Real> found(n);
  {
    const auto tree =
        make_multi_gpu_tree<P>({.devices = devices, .gravity = {.softening = {eps}}}, settings, n, room);
    for (; again >= 0; --again) tree->evaluate(there, potential);
    devices.wait();
  }
  devices.each([&](int d) {
    const auto& mine = sums[std::size_t(d)];
    cuda::copy_to_host(found.data() + first(d), mine.data(), mine.span().size_bytes(), devices.stream(d));
  });
  return found;
}

template <class P>
void expect_bits_of_one(const TreeSettings& settings, std::span<const Mass<double>> bodies, double eps,
                        bool potential) {
  const auto expected = alone<P>(settings, bodies, eps, potential);
  for (const int gpus : numbers_of_gpus())
    EXPECT_TRUE(same_bits(together<P>(gpus, settings, bodies, eps, potential), expected))
        << name<P>() << ", N = " << bodies.size() << ", " << text_of(settings) << ", eps = " << eps << ", "
        << gpus << " GPUs";
}

/// Those of the tests of one GPU, at rest or not.
Bodies moving(const tree_test::Masses& masses) {
  Bodies b;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double t = double(i);
    const auto& m = masses[i];
    b.add(m.m, {m.x, m.y, m.z}, {0.3 * std::sin(t), 0.3 * std::cos(t), 0.1 * std::sin(2 * t)});
  }
  return b;
}
Gravity law() { return {.G = 1.5, .softening = {0.05}}; }
Choice choice(const TreeSettings& settings, int gpus) {
  return {.method = {.tree = settings}, .gpus = gpus, .why = "a test"};
}
StepPlan plan(std::string_view integrator) {
  return {.integrator = &integrator_named(integrator), .dt = 1.0 / 128};
}

/// Everything that a run sees of an engine.
struct Outcome {
  Bodies bodies;
  std::vector<double> diagnostic_sums;
  bool operator==(const Outcome&) const = default;
};
ForceErrors force_errors(Engine& engine, Bodies bodies) {
  engine.copy_to_host(bodies);
  const auto sample = sample_of(bodies, 1000);
  return errors_of(engine.sampled_accelerations(sample.bodies), sample, law().G);
}
Outcome outcome(Engine& engine, const Bodies& start) {
  Outcome o{start, {}};
  engine.copy_to_host(o.bodies);
  const auto energies = engine.energies();
  const auto e = force_errors(engine, start);
  o.diagnostic_sums = {energies.kinetic,
                       energies.potential,
                       engine.suggest_dt(integrator_named("kdk"), 0.02),
                       double(engine.finite()),
                       e.median,
                       e.p99,
                       e.largest};
  const auto again = force_errors(engine, start);  // of the forces that were needed now
  o.diagnostic_sums.insert(o.diagnostic_sums.end(),
                           {again.median, again.largest, double(engine.evaluations())});
  Snapshot s;
  engine.fields(s);
  for (const auto* values : {&s.ax, &s.ay, &s.az, &s.potential})
    o.diagnostic_sums.insert(o.diagnostic_sums.end(), values->begin(), values->end());
  return o;
}

template <class P>
void expect_run_of_one(const Bodies& start, const char* integrator, std::optional<Exchange> exchange = {},
                       const TreeSettings& settings = by_spheres()) {
  DeviceEngine<P> one(start, law(), choice(settings, 1), precision_of<P>);
  one.expect_potentials();
  one.advance(plan(integrator), 3);
  const auto expected = outcome(one, start);
  for (const int gpus : numbers_of_gpus()) {
    MultiGpuEngine<P> several(start, law(), choice(settings, gpus), precision_of<P>, exchange);
    several.advance(plan(integrator), 1);
    several.expect_potentials();
    several.advance(plan(integrator), 2);
    EXPECT_TRUE(outcome(several, start) == expected)
        << name<P>() << ", N = " << start.size() << ", " << gpus << " GPUs, " << name_of(several.exchange())
        << ", " << integrator;
  }
}

}  // namespace

/// Of GPUs that reach each other.
class MultiGpuTree : public Gpu {
 protected:
  void SetUp() override {
    Gpu::SetUp();
    if (!IsSkipped() && !reachable()) GTEST_SKIP() << "the GPUs do not reach each other";
  }
};
using MultiGpuTreeRun = Gpu;

TEST_F(MultiGpuTree, SumsHaveTheBitsOfOneGpuInEveryScene) {
  for (const auto& s : scenes()) {
    SCOPED_TRACE(s.name);
    const auto bodies = rounded(s.make(test::emulated_size(900, 400)));
    expect_bits_of_one<F32>(by_spheres(), bodies, s.eps, false);
    expect_bits_of_one<Mixed>(by_errors(), bodies, s.eps, true);
    expect_bits_of_one<F32>(by_walks(), bodies, s.eps, true);
  }
}

TEST_F(MultiGpuTree, SumsHaveTheBitsOfOneGpuForAwkwardNumbers) {
  for (const std::size_t n : {0, 1, 2, 3, 5, 33, 257}) {
    const auto bodies = rounded(random_cube(n, n + 1));
    expect_bits_of_one<F32>(by_spheres(), bodies, 0.0, true);
    expect_bits_of_one<Mixed>(by_errors(), bodies, 0.05, true);
    expect_bits_of_one<Mixed>(by_walks(), bodies, 0.05, true);
  }
  // All in one leaf that cannot be divided, and most of them.
  tree_test::Masses heap(300, Mass<double>{0.25, -0.5, 0.125, 0.01});
  expect_bits_of_one<F32>(by_spheres(), heap, 0.1, true);
  const auto others = rounded(plummer(60));
  heap.insert(heap.end(), others.begin(), others.end());
  expect_bits_of_one<F32>(by_spheres(), heap, 0.1, true);
}

TEST_F(MultiGpuTree, EachFindsRoomForItself) {
  const auto bodies = scene("clumps").make(1200);
  const auto expected = alone<F32>(by_spheres(), bodies, 0.02, false);
  for (const int gpus : numbers_of_gpus())
    for (const FirstRoom room : {FirstRoom{0, 0}, {0.1, 0.5}, {.slice = 150}})
      EXPECT_TRUE(same_bits(together<F32>(gpus, by_spheres(), bodies, 0.02, false, room, 1), expected))
          << gpus << " GPUs";
}

TEST_F(MultiGpuTree, BodiesThatAreNowhereGiveNoNumbers) {
  auto bodies = plummer(100);
  bodies[17].y = std::numeric_limits<double>::quiet_NaN();
  for (const int gpus : numbers_of_gpus())
    for (const auto& sum : together<F32>(gpus, by_spheres(), bodies, 0.1, true))
      EXPECT_TRUE(std::isnan(sum.x) && std::isnan(sum.w));
}

/// What is divided is found once, and about as much by each.
TEST_F(MultiGpuTree, WorkIsDivided) {
  const auto bodies = rounded(plummer(4000));
  const auto own = as<float>(std::span<const Mass<double>>(bodies));
  const cuda::Stream stream;
  const cuda::Buffer<Mass<float>> x(std::span<const Mass<float>>(own), stream.get());
  cuda::Buffer<Vec4<float>> sums(own.size(), stream.get());
  const auto work = [&](const TreeSettings& settings, int part, int parts) {
    const auto forces = cuda::tree::make_forces<F32>(settings, stream.get());
    forces->begin({.bodies = x.span(),
                   .sums = {{sums.data()}},
                   .softening = {0.01},
                   .potential = false,
                   .part = part,
                   .parts = parts});
    while (forces->go_on()) {
    }
    return forces->work();
  };
  for (const auto& settings : {by_spheres(), by_walks()}) {
    const auto whole = work(settings, 0, 1);
    for (const int parts : test::emulated_size(std::vector{2, 3, 4}, {3})) {
      sums.set_bytes(0xFF);
      double pairs = 0, cell_pairs = 0;
      std::size_t leaves = 0;
      for (int part = 0; part < parts; ++part) {
        const auto w = work(settings, part, parts);
        // A sphere's densest quarter has 1.5 times its share at most.
        EXPECT_LE(w.pairs, 1.5 / parts * whole.pairs) << part << " of " << parts;
        EXPECT_LE(w.cell_pairs, 1.5 / parts * whole.cell_pairs) << part << " of " << parts;
        pairs += w.pairs, cell_pairs += w.cell_pairs, leaves += w.leaves;
      }
      EXPECT_EQ(pairs, whole.pairs) << parts;
      EXPECT_EQ(leaves, whole.leaves) << parts;
      // Cells above the leaves are of several parts: two at each level on the way to a boundary.
      EXPECT_GE(cell_pairs, whole.cell_pairs) << parts;
      EXPECT_LE(cell_pairs, 1.1 * whole.cell_pairs) << parts;
      Accelerations<float> found(own.size());
      sums.copy_to_host(found);
      EXPECT_TRUE(same_bits(found, alone<F32>(settings, bodies, 0.01, false))) << parts;
    }
  }
}

TEST_F(MultiGpuTree, MomentumIsKeptToRounding) {
  const auto bodies = rounded(scene("galaxies").make(900));
  // As on one GPU.
  for (const int gpus : numbers_of_gpus())
    EXPECT_LE(unbalanced(bodies, together<F32>(gpus, by_spheres(), bodies, 0.02, false)), 1e-6) << gpus;
}

TEST_F(MultiGpuTreeRun, EveryExchangeGivesTheBitsOfOneGpu) {
  const auto start = moving(rounded(scene("clumps").make(test::emulated_size(700, 300))));
  for (const auto exchange : exchanges()) {
    expect_run_of_one<F32>(start, "kdk", exchange);
    expect_run_of_one<Mixed>(start, "dkd", exchange);
  }
  expect_run_of_one<Mixed>(start, "yoshida6");
}

TEST_F(MultiGpuTreeRun, WalksGiveTheBitsOfOneGpu) {
  for (const auto exchange : exchanges())
    expect_run_of_one<Mixed>(moving(rounded(scene("clumps").make(400))), "kdk", exchange, by_walks());
}

TEST_F(MultiGpuTreeRun, AwkwardNumbersGiveTheBitsOfOneGpu) {
  for (const std::size_t n : {0, 1, 2, 3, 70})
    for (const auto exchange : exchanges())
      expect_run_of_one<F32>(moving(rounded(random_cube(n, 7))), "kdk", exchange);
}

TEST_F(MultiGpuTreeRun, GoesOnWhereAnotherNumberOfGpusStopped) {
  const auto start = moving(rounded(plummer(300)));
  const int most = numbers_of_gpus().back();
  DeviceEngine<Mixed> through(start, law(), choice(by_errors(), 1), Precision::mixed);
  through.advance(plan("kdk"), 7);
  const auto expected = outcome(through, start).bodies;
  Bodies half = start;
  for (const int second : numbers_of_gpus()) {
    MultiGpuEngine<Mixed> first(start, law(), choice(by_errors(), 1 + most - second), Precision::mixed);
    first.advance(plan("kdk"), 4);
    first.copy_to_host(half);
    MultiGpuEngine<Mixed> then(start, law(), choice(by_errors(), second), Precision::mixed);
    then.load(half);
    then.advance(plan("kdk"), 3);
    EXPECT_TRUE(outcome(then, start).bodies == expected) << second;
  }
}

TEST_F(MultiGpuTreeRun, TakesOtherSettingsBetweenSteps) {
  const auto start = moving(rounded(plummer(400)));
  auto tight = by_spheres();
  tight.order = 6, tight.theta = 0.5;
  DeviceEngine<F32> one(start, law(), choice(by_spheres(), 1), Precision::f32);
  MultiGpuEngine<F32> several(start, law(), choice(by_spheres(), numbers_of_gpus().back()), Precision::f32);
  for (Engine* engine : {static_cast<Engine*>(&one), static_cast<Engine*>(&several)}) {
    engine->advance(plan("kdk"), 2);
    engine->retune({.tree = tight});
    EXPECT_EQ(engine->describe().kernel(), text_of(tight));
    engine->advance(plan("kdk"), 2);
    EXPECT_THROW(engine->retune({.kernel = &direct_kernel("cpu/simd")}), UsageError);
    EXPECT_THROW(engine->retune({.tree = TreeSettings{.device = Device::cuda, .order = 9}}), UsageError);
    engine->advance(plan("kdk"), 1);
  }
  EXPECT_TRUE(outcome(several, start) == outcome(one, start));
}

TEST_F(MultiGpuTreeRun, LookingBetweenStepsChangesNothing) {
  const auto start = moving(rounded(plummer(300)));
  const int gpus = numbers_of_gpus().back();
  for (const auto exchange : exchanges()) {
    MultiGpuEngine<Mixed> quiet(start, law(), choice(by_spheres(), gpus), Precision::mixed, exchange),
        watched(start, law(), choice(by_spheres(), gpus), Precision::mixed, exchange);
    quiet.advance(plan("dkd"), 6);
    for (int k = 0; k < 3; ++k) {
      watched.advance(plan("dkd"), 2);
      (void)force_errors(watched, start);
      const auto first = watched.begin_copy(true), second = watched.begin_copy(true);
      (void)watched.energies();
      Snapshot a, b;
      a.bodies = b.bodies = start;
      second(b), first(a);
      EXPECT_EQ(a.potential, b.potential);
      EXPECT_TRUE(a.bodies == b.bodies);
      (void)watched.suggest_dt(integrator_named("dkd"), 0.02);
    }
    Bodies a = start, b = start;
    quiet.copy_to_host(a);
    watched.copy_to_host(b);
    EXPECT_TRUE(a == b) << name_of(exchange);
  }
}

TEST_F(MultiGpuTreeRun, RefusesInWords) {
  const auto refusal = [](const TreeSettings& s, int gpus) -> std::string {
    try {
      MultiGpuEngine<F64> engine(moving(plummer(50)), law(), choice(s, gpus), Precision::f64);
    } catch (const Error& e) {
      return std::to_string(int(e.kind())) + " " + e.what();
    }
    return "accepted";
  };
  if (cuda::device_memory().second == std::size_t{1} << 30) {  // the emulator's
    // 180 bytes each: 2 + 1 numbers of 32 bytes, and 84 for the tree at least.
    Bodies many;
    many.resize(6'500'000);
    try {
      MultiGpuEngine<Mixed>(many, law(), choice(by_spheres(), 4), Precision::mixed);
      ADD_FAILURE() << "accepted";
    } catch (const ResourceError& e) {
      EXPECT_STREQ(e.what(),
                   "6500000 bodies need 1.09 GiB on each GPU, which holds the whole tree, 1 GiB are free on "
                   "GPU 0; use fewer bodies or --precision f32");
    }
  }
  const int there = cuda::device_count();
  EXPECT_TRUE(refusal(by_spheres(), there).ends_with("has no f64 form; choose another kernel or precision"));
  EXPECT_TRUE(refusal(by_spheres(), there + 1).starts_with("4 " + std::to_string(there + 1) + " GPUs asked"));
}

}  // namespace pleiad
