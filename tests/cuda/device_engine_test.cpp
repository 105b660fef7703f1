/// The engine on the device, or on its emulation, against the engine on the host: every integrator, precision
/// and boundary.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/device_engine.hpp"

#include "bench/published/catalogue.hpp"
#include "core/radii.hpp"
#include "cuda/catalogue.hpp"
#include "cuda/device/graph.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/radii.hpp"
#include "cuda/state.hpp"
#include "cuda/steps/catalogue.hpp"
#include "engine/device_copy.hpp"
#include "engine/host_engine.hpp"
#include "gpu.hpp"
#include "sizes.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>

#include <fmt/format.h>

namespace pleiad {

extern const DirectKernel direct_threads;

namespace {

constexpr std::size_t n = 96;
constexpr double eps = 0.05, dt = 1.0 / 128, mass = 1;
constexpr std::uint64_t steps = 8;

template <class P>
struct Case {
  static constexpr Precision precision = std::is_same_v<P, F32>   ? Precision::f32
                                         : std::is_same_v<P, F64> ? Precision::f64
                                                                  : Precision::mixed;
  static constexpr double u = std::is_same_v<P, F64> ? 0x1p-53 : 0x1p-24;
};

const DirectKernel& rung(std::string_view name) {
  for (const auto* kernel : cuda_kernels())
    if (kernel->name == name) return *kernel;
  throw UsageError("no " + std::string(name));
}
const DirectKernel& tile() { return rung("cuda/tile"); }
constexpr LaunchShape tile_shape{.threads_per_block = 32};

/// A program's steps one launch at a time, by the tile rung: what a kernel for fused steps must do, and what
/// replays and merged kicks must not change.
template <class P>
void plain_steps(const StepProblem<P>& p, const LaunchShape&) {
  using Real = typename P::Position;
  bool forces_current = p.forces_current;
  const auto need_sums = [&] {
    if (!forces_current)
      tile().run<P>()({.targets = p.bodies,
                       .sources = p.bodies,
                       .sums = p.sums,
                       .softening = p.softening,
                       .boundary = p.boundary,
                       .stream = p.stream},
                      tile_shape);
    forces_current = true;
  };
  const auto update = [&](const Update<Real>& u) {
    cuda::apply(u, p.boundary, p.bodies.data(), p.velocities.data(), std::as_const(p.sums).data(),
                p.bodies.size(), p.stream);
  };
  if (p.steps == 0) need_sums();
  for (std::uint64_t step = 0; step < p.steps; ++step)
    for (std::size_t s = 0; s < p.program.stages; ++s) {
      if (const auto h = p.program.kick[s]; h != 0) need_sums(), update({.kicks = 1, .kick = {h}});
      if (p.program.damping != 1) update({.damps = true, .damping = p.program.damping});
      if (const auto h = p.program.drift[s]; h != 0)
        update({.drifts = true, .drift = h}), forces_current = false;
    }
}
constexpr StepKernel plain{.name = "cuda/plain-steps",
                           .idea = "one launch for each thing to do",
                           .most_bodies = 1 << 20,
                           .periodic = true,
                           .f32 = plain_steps<F32>,
                           .f64 = plain_steps<F64>,
                           .mixed = plain_steps<Mixed>};

Bodies bodies() {
  auto b = make_model("uniform-box", std::vector<std::string>{"n=96", "total_mass=1"}, 3).bodies;
  for (std::size_t i = 0; i < n; ++i)
    b.vx[i] = 0.3 * std::sin(double(i)), b.vy[i] = 0.3 * std::cos(double(i));
  return b;
}
Gravity gravity(bool periodic) {
  return {.G = 1.5, .softening = {eps}, .boundary = {periodic, {1, 1, 1}}, .dimension = 3};
}

/// No pull on a body is larger than all mass at the distance where the softened pull is largest.
constexpr double largest_pull = 1.5 * mass * 0.385 / (eps * eps);

/// Both engines' pulls err by at most 48 roundings each of the sum of the magnitudes (see the conformance
/// scenes), and each of up to 7 updates a step rounds a position of at most 1 twice. Close pairs make a
/// difference grow by exp(t sqrt(m G / eps^3)), less than 2.
template <class P>
double bound(bool periodic) {
  const double t = double(steps) * dt;
  const double rounded = 2 * Case<P>::u * (2 * 7 * 2 * double(steps) + 96 * largest_pull * t * t / 2);
  // A pair half a box apart, to a rounding, is pulled one way by one engine and the other way by the other,
  // for one step: that this happens to one pair is likely in single precision and not in double.
  const bool flips = periodic && Case<P>::u > 1e-10;
  return rounded + (flips ? 2 * (1.5 * mass / n) / (0.5 * 0.5) * dt * t : 0);
}

/// NaN stays.
double largest(double so_far, double next) { return next <= so_far ? so_far : next; }

/// In a periodic box 0 and 1 are the same place.
double distance(double a, double b, bool periodic) {
  const double d = std::abs(a - b);
  return periodic ? std::min(d, 1 - d) : d;
}

template <class P>
class Pair {
 public:
  explicit Pair(bool periodic)
      : periodic_(periodic),
        host(bodies(), gravity(periodic), {.method = {.kernel = &direct_threads}}, Case<P>::precision),
        device(bodies(), gravity(periodic), {.method = {.kernel = &tile(), .shape = tile_shape}},
               Case<P>::precision) {}

  double difference() { return difference(device); }
  /// Of the host's positions and those of `other`.
  double difference(Engine& other) {
    Bodies a = bodies(), b = a;
    host.copy_to_host(a);
    other.copy_to_host(b);
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
      worst = largest(worst, distance(a.x[i], b.x[i], periodic_));
      worst = largest(worst, distance(a.y[i], b.y[i], periodic_));
      worst = largest(worst, distance(a.z[i], b.z[i], periodic_));
    }
    return worst;
  }

 private:
  bool periodic_;

 public:
  HostEngine<P> host;
  DeviceEngine<P> device;
};

template <class P>
void compare_integrators(bool periodic) {
  for (const auto* const each : integrators()) {
    const auto& integrator = *each;
    if (integrator.needs_doubles || integrator.in_blocks) continue;
    for (const double damping : {1.0, 0.9}) {
      if (damping != 1 && integrator.name != "euler") continue;
      Pair<P> pair(periodic);
      const StepPlan plan{.integrator = &integrator, .dt = dt, .damping = damping};
      pair.host.advance(plan, steps);
      pair.device.advance(plan, steps);
      EXPECT_LE(pair.difference(), bound<P>(periodic))
          << integrator.name << ", damping " << damping << (periodic ? ", periodic" : "");
      EXPECT_EQ(pair.host.evaluations(), pair.device.evaluations()) << integrator.name;
    }
  }
}

/// |a / b - 1| in units of rounding, NaN when either is.
template <class P>
double roundings(double a, double b) {
  return std::abs(a / b - 1) / Case<P>::u;
}

template <class P>
void compare_diagnostics() {
  Pair<P> pair(false);
  const auto a = pair.host.totals(), b = pair.device.totals();
  // 96 terms a row, each rounded some 8 times; rows are added in double precision.
  EXPECT_LE(roundings<P>(a.energies.kinetic, b.energies.kinetic), 16);
  EXPECT_LE(roundings<P>(a.energies.potential, b.energies.potential), 96);
  EXPECT_LE(roundings<P>(a.largest_acceleration, b.largest_acceleration), 96);
  EXPECT_LE(roundings<F64>(a.centre.mass, b.centre.mass), 96);
  // 96 terms of at most mass 1/96, distance sqrt(3) and speed 0.3, three roundings each and one for each of
  // the additions, in double precision on both.
  for (const auto& [p, q] : {std::pair{a.centre.position, b.centre.position},
                             {a.centre.velocity, b.centre.velocity},
                             {a.momentum, b.momentum},
                             {a.angular_momentum, b.angular_momentum}})
    EXPECT_LE(norm(p - q), 100 * 0x1p-53 * 3);
  EXPECT_TRUE(b.finite);
  const auto& kdk = integrator_named("kdk");
  EXPECT_LE(roundings<P>(pair.host.suggest_dt(kdk, 0.02), pair.device.suggest_dt(kdk, 0.02)), 96);
  Snapshot s, t;
  pair.host.fields(s), pair.device.fields(t);
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    worst = largest(worst, std::abs(s.ax[i] - t.ax[i]));
    worst = largest(worst, roundings<P>(s.potential[i], t.potential[i]) * Case<P>::u);
  }
  EXPECT_LE(worst, 96 * Case<P>::u * largest_pull);
}

Bodies state_of(Engine& engine) {
  Bodies b = bodies();
  engine.copy_to_host(b);
  return b;
}

/// Positions and velocities after some steps in batches, by replays of a record or by plain launches.
template <class P>
struct Stepped {
  Stepped(const Integrator& integrator, double damping, bool periodic, const StepKernel* by)
      : engine(bodies(), gravity(periodic), {.method = {.kernel = &tile(), .shape = tile_shape, .steps = by}},
               Case<P>::precision),
        plan{.integrator = &integrator, .dt = dt, .damping = damping} {}
  Bodies after(std::initializer_list<std::uint64_t> batches) {
    for (const auto count : batches) engine.advance(plan, count);
    return state_of(engine);
  }
  DeviceEngine<P> engine;
  StepPlan plan;
};

template <class P>
void compare_ways_to_step(bool periodic) {
  for (const auto* const each : integrators()) {
    const auto& integrator = *each;
    if (integrator.needs_doubles || integrator.in_blocks) continue;
    for (const double damping : {1.0, 0.9}) {
      if (damping != 1 && integrator.name != "euler") continue;
      Stepped<P> by_replays(integrator, damping, periodic, nullptr),
          one_by_one = {integrator, damping, periodic, &plain};
      const auto expected = one_by_one.after({7});
      const std::string what = std::string(integrator.name) + (periodic ? ", periodic" : "");
      EXPECT_TRUE(by_replays.after({7}) == expected) << what;
      EXPECT_EQ(by_replays.engine.evaluations(), one_by_one.engine.evaluations()) << what;
      for (const auto* by : {static_cast<const StepKernel*>(nullptr), &plain})
        EXPECT_TRUE((Stepped<P>{integrator, damping, periodic, by}.after({1, 1, 1, 4}) == expected)) << what;
    }
  }
}

/// A run that goes on and one that is loaded from what the first had after 3 steps: the same adaptive steps
/// and the same bits.
template <class P>
void compare_after_a_resume(const Integrator& integrator, const StepKernel* by) {
  const auto step = [&](DeviceEngine<P>& engine, int count) {
    std::vector<double> lengths;
    for (int k = 0; k < count; ++k) {
      engine.advance({.integrator = &integrator, .dt = k == 0 ? dt : lengths.back()}, 1);
      lengths.push_back(engine.suggest_dt(integrator, 0.02));
    }
    return lengths;
  };
  const Choice choice{.method = {.kernel = &tile(), .shape = tile_shape, .steps = by}};
  DeviceEngine<P> first(bodies(), gravity(false), choice, Case<P>::precision);
  step(first, 3);
  DeviceEngine<P> second(state_of(first), gravity(false), choice, Case<P>::precision);
  EXPECT_EQ(step(first, 4), step(second, 4)) << integrator.name;
  EXPECT_TRUE(state_of(first) == state_of(second)) << integrator.name;
}

template <class P>
void compare_copies(bool fields) {
  Pair<P> pair(false);
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = dt};
  // The second copy takes the room of the first.
  for (int k = 0; k < 2; ++k) {
    pair.device.advance(plan, 1);
    Snapshot now, copied;
    now.bodies = copied.bodies = state_of(pair.device);
    if (fields) pair.device.fields(now);
    std::fill(copied.bodies.x.begin(), copied.bodies.x.end(), -1.0);
    const auto finish = pair.device.begin_copy(fields);
    pair.device.advance(plan, 2);
    finish(copied);
    EXPECT_TRUE(copied.bodies == now.bodies);
    EXPECT_FALSE(copied.bodies == state_of(pair.device));
    EXPECT_EQ(copied.ax, now.ax);
    EXPECT_EQ(copied.potential, now.potential);
  }
}

template <class A, class B>
bool same_bytes(const A& a, const B& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

/// Set aside on the device or brought at once: what follows in the stream does not change it.
template <class T>
void compare_ways_of_copying() {
  constexpr std::size_t count = 1000;
  std::vector<Mass<T>> x(count);
  std::vector<Vec4<T>> v(count), sums(count);
  std::vector<std::array<double, 6>> low_parts(count);
  for (std::size_t i = 0; i < count; ++i)
    x[i] = {T(i), 1, 2, 3}, v[i] = {4, T(i), 5, 6}, sums[i] = {7, 8, T(i), 9}, low_parts[i][5] = double(i);
  for (const bool aside : {true, false})
    for (const bool fields : {false, true}) {
      const cuda::Stream stream;
      cuda::Buffer<Mass<T>> there(std::span<const Mass<T>>(x), stream.get());
      cuda::Buffer<Vec4<T>> moving(std::span<const Vec4<T>>(v), stream.get()),
          pulls(std::span<const Vec4<T>>(sums), stream.get());
      cuda::Buffer<std::array<double, 6>> low(std::span<const std::array<double, 6>>(low_parts),
                                              stream.get());
      DeviceCopy<T> copy(count, aside, true);
      copy.begin(there.data(), moving.data(), fields ? pulls.data() : nullptr, low.data(), stream.get());
      EXPECT_FALSE(copy.free());
      there.set_bytes(0), moving.set_bytes(0), pulls.set_bytes(0), low.set_bytes(0);
      copy.finish([&](auto positions, auto velocities, auto accelerations, auto low_of_bodies) {
        EXPECT_TRUE(same_bytes(low_of_bodies, low_parts)) << aside;
        EXPECT_TRUE(same_bytes(positions, x) && same_bytes(velocities, v)) << aside;
        EXPECT_EQ(accelerations.size(), fields ? count : 0);
        EXPECT_TRUE(!fields || same_bytes(accelerations, sums)) << aside;
      });
      EXPECT_TRUE(copy.free());
    }
}

/// A catalogue's kernel for fused steps in the engine: batches, a resume, and the host's positions.
template <class P>
void try_step_kernel(const StepKernel& kernel) {
  if (!kernel.has(Case<P>::precision)) return;
  for (const bool periodic : {false, true})
    for (const auto* name : test::emulated_size(std::vector{"kdk", "dkd", "kahan-li8"}, {"dkd"})) {
      if (periodic && !kernel.periodic) continue;
      const auto& integrator = integrator_named(name);
      const std::string what = fmt::format("{} {} {}{}", kernel.name, name_of(Case<P>::precision),
                                           integrator.name, periodic ? ", periodic" : "");
      Stepped<P> whole(integrator, 1, periodic, &kernel), parts(integrator, 1, periodic, &kernel);
      EXPECT_TRUE(whole.after({7}) == parts.after({1, 2, 4})) << what;
      Pair<P> pair(periodic);
      pair.host.advance(whole.plan, 7);
      EXPECT_LE(pair.difference(whole.engine), bound<P>(periodic)) << what;
      EXPECT_EQ(pair.host.evaluations(), whole.engine.evaluations()) << what;
      if (!periodic) compare_after_a_resume<P>(integrator, &kernel);
    }
}

}  // namespace

using DeviceEngineTest = Gpu;
using GraphTest = Gpu;
using DeviceCopies = Gpu;

/// What is recorded is done by replays alone, as often as they are made, with memory that comes and goes in
/// it.
TEST_F(GraphTest, DoesNothingUntilItIsReplayed) {
  const cuda::Stream stream;
  const std::vector<Vec4<double>> start{{1, 2, 3, 0}, {4, 5, 6, 0}};
  cuda::Buffer<Vec4<double>> v(std::span<const Vec4<double>>(start), stream.get());
  const auto queue = [&] {
    cuda::Buffer<Vec4<double>> other(2, stream.get());
    cuda::copy_on_device(other.data(), v.data(), 2 * sizeof(Vec4<double>), stream.get());
    cuda::reverse(other.data(), 2, stream.get());
    cuda::copy_on_device(v.data(), other.data(), 2 * sizeof(Vec4<double>), stream.get());
  };
  const auto x = [&] {
    std::vector<Vec4<double>> now(2);
    v.copy_to_host(now);
    return now[1].x;
  };
  queue();
  EXPECT_EQ(x(), -4);
  cuda::Graph graph;
  EXPECT_TRUE(graph.empty());
  ASSERT_TRUE(graph.record(stream.get(), queue));
  EXPECT_FALSE(graph.empty());
  EXPECT_EQ(x(), -4);
  for (const double expected : {4, -4, 4}) {
    graph.replay(stream.get());
    EXPECT_EQ(x(), expected);
  }
}
TEST_F(GraphTest, PassesOnWhatFailsWhileItRecords) {
  const cuda::Stream stream;
  cuda::Graph graph;
  const auto fails = [] { throw UsageError("no such shape"); };
#ifdef PLEIAD_EMULATE_CUDA
  ASSERT_TRUE(graph.record(stream.get(), fails));
  EXPECT_THROW(graph.replay(stream.get()), UsageError);
#else
  EXPECT_THROW((void)graph.record(stream.get(), fails), UsageError);
  EXPECT_TRUE(graph.empty());
  // The stream is usable again.
  cuda::Buffer<double> some(16, stream.get());
  some.set_bytes(0);
  cuda::wait(stream.get());
#endif
}

TEST_F(DeviceEngineTest, GivesTheSameBitsByReplaysByPlainLaunchesAndInAnyBatches) {
  for (const bool periodic : {false, true}) {
    compare_ways_to_step<F32>(periodic);
    compare_ways_to_step<F64>(periodic);
    compare_ways_to_step<Mixed>(periodic);
  }
}
TEST_F(DeviceEngineTest, GoesOnWithTheSameBitsAfterAResume) {
  for (const auto* const each : integrators()) {
    const auto& integrator = *each;
    if (integrator.needs_doubles || integrator.in_blocks) continue;
    for (const auto* by : {static_cast<const StepKernel*>(nullptr), &plain}) {
      compare_after_a_resume<F64>(integrator, by);
      compare_after_a_resume<Mixed>(integrator, by);
    }
  }
}
TEST_F(DeviceEngineTest, TakesEveryKernelOfWholeSteps) {
  for (const auto* kernel : all_cuda_step_kernels()) {
    ASSERT_GE(kernel->most_bodies, n) << kernel->name;
    try_step_kernel<F32>(*kernel);
    try_step_kernel<F64>(*kernel);
    try_step_kernel<Mixed>(*kernel);
  }
}
TEST_F(DeviceEngineTest, IsCopiedWhileItStepsOn) {
  for (const bool fields : {false, true}) {
    compare_copies<F32>(fields);
    compare_copies<Mixed>(fields);
  }
}
TEST_F(DeviceCopies, AreTheSameSetAsideOrBroughtAtOnce) {
  compare_ways_of_copying<float>();
  compare_ways_of_copying<double>();
}
/// One copy that nobody finishes, one that is finished after another was begun.
TEST_F(DeviceEngineTest, KeepsCopiesApart) {
  Pair<F64> pair(false);
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = dt};
  (void)pair.device.begin_copy(false);
  Snapshot first, second;
  first.bodies = second.bodies = bodies();
  const auto at_start = pair.device.begin_copy(false);
  pair.device.advance(plan, 1);
  const auto expected = state_of(pair.device);
  const auto after_a_step = pair.device.begin_copy(false);
  pair.device.advance(plan, 1);
  after_a_step(second);
  at_start(first);
  EXPECT_TRUE(first.bodies == bodies());
  EXPECT_TRUE(second.bodies == expected);
}
TEST_F(DeviceEngineTest, SaysWhichKernelsRun) {
  const auto why_of = [](std::string_view name) {
    const Choice choice{.method = {.kernel = &rung(name)}, .why = "asked for"};
    return DeviceEngine<F32>(bodies(), gravity(false), choice, Precision::f32).describe().why;
  };
  EXPECT_EQ(why_of("cuda/symmetric-atomics"), "asked for; potentials by cuda/split-reduced");
  EXPECT_EQ(why_of("cuda/equal-mass"), "asked for");
  const Choice whole{.method = {.kernel = &tile(), .steps = &plain}, .why = "asked for"};
  const auto d = DeviceEngine<F64>(bodies(), gravity(false), whole, Precision::f64).describe();
  EXPECT_EQ(d.kernel(), "cuda/tile; steps cuda/plain-steps");
  EXPECT_EQ(d.why, "asked for");
}
TEST_F(DeviceEngineTest, RefusesWhatDoesNotFitIntoTheDevicesMemory) {
  EXPECT_THROW((void)device_engine_bytes(std::size_t{1} << 60, Precision::f64), ResourceError);
#ifdef PLEIAD_EMULATE_CUDA  // which has 1 GiB
  Bodies many;
  many.resize(2'000'000);
  try {
    DeviceEngine<F32> engine(many, gravity(false), {.method = {.kernel = &tile()}}, Precision::f32);
    ADD_FAILURE() << "taken";
  } catch (const ResourceError& e) {
    const std::string words = e.what();
    EXPECT_NE(words.find("2000000 bodies need 1.62 GiB on the GPU, 1 GiB are free"), words.npos) << words;
  }
#endif
}

TEST_F(DeviceEngineTest, StepsAsTheHostDoes) {
  for (const bool periodic : {false, true}) {
    compare_integrators<F32>(periodic);
    compare_integrators<F64>(periodic);
    compare_integrators<Mixed>(periodic);
  }
}
TEST_F(DeviceEngineTest, ReportsWhatTheHostDoes) {
  compare_diagnostics<F32>();
  compare_diagnostics<F64>();
  compare_diagnostics<Mixed>();
}
/// Diagnostics between steps change nothing; neither does how steps are batched.
TEST_F(DeviceEngineTest, GivesTheSameBitsHoweverItIsWatched) {
  Pair<Mixed> quiet(true), watched(true);
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = dt};
  quiet.device.advance(plan, 6);
  for (int k = 0; k < 3; ++k) {
    watched.device.advance(plan, 2);
    (void)watched.device.energies();
    (void)watched.device.finite();
  }
  Bodies a = bodies(), b = a;
  quiet.device.copy_to_host(a);
  watched.device.copy_to_host(b);
  EXPECT_TRUE(a == b);
}
TEST_F(DeviceEngineTest, StepsByATree) {
  const Choice choice{.method = {.tree = tree_settings_of("cuda/fmm order=6 theta=0.3 leaf=8")}};
  const Choice on_host{.method = {.tree = tree_settings_of("cpu/fmm order=6 theta=0.3 leaf=8")}};
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = dt};
  DeviceEngine<Mixed> device(bodies(), gravity(false), choice, Precision::mixed);
  HostEngine<Mixed> host(bodies(), gravity(false), on_host, Precision::mixed);
  DeviceEngine<Mixed> watched(bodies(), gravity(false), choice, Precision::mixed);
  device.advance(plan, steps), host.advance(plan, steps);
  for (std::uint64_t k = 0; k < steps; ++k) {
    if (k % 2 == 0) watched.expect_potentials();
    watched.advance(plan, 1);
    (void)watched.totals();
  }
  EXPECT_LT(watched.evaluations(), device.evaluations() + steps);
  EXPECT_EQ(watched.totals().energies.potential, device.totals().energies.potential);
  auto a = bodies(), b = bodies(), c = bodies();
  device.copy_to_host(a), host.copy_to_host(b), watched.copy_to_host(c);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(a.x[i], c.x[i]) << "watched, body " << i;
    // Pulls differ by roundings in single precision and by what 0.3^6 leaves out, and move bodies by half
    // the square of the time, 1/16, of that.
    EXPECT_LE(std::abs(a.x[i] - b.x[i]), 1e-6) << "body " << i;
  }
  // The sum of the potentials' errors over the largest, 1e-6 each.
  EXPECT_LE(std::abs(device.totals().energies.potential / host.totals().energies.potential - 1), 1e-5);
  EXPECT_EQ(device.describe().kernel(), "cuda/fmm order=6 theta=0.3 leaf=8");
  device.retune(*force_method_of("cuda/fmm order=5 theta=0.5 leaf=8"));
  EXPECT_EQ(device.describe().kernel(), "cuda/fmm order=5 theta=0.5 leaf=8");
  EXPECT_THROW(device.retune({.kernel = &tile()}), UsageError);
  EXPECT_THROW(DeviceEngine<F64>(bodies(), gravity(false), choice, Precision::f64), UsageError);
}

/// A spring, by copies to the host and back: what a kernel of the user's would do there.
template <class T>
void spring(const ForceCall& call) {
  ASSERT_TRUE(call.on_gpu);
  std::vector<Mass<T>> x(call.n);
  std::vector<Vec4<T>> a(call.n);
  cuda::copy_to_host(x.data(), call.bodies, call.n * sizeof(x[0]), call.stream);
  for (std::size_t i = 0; i < call.n; ++i) a[i] = {-x[i].x, -x[i].y, T(call.time) - x[i].z, T(7)};
  cuda::copy_to_device(call.accelerations, a.data(), call.n * sizeof(a[0]), call.stream);
  cuda::wait(call.stream);
}
TEST_F(DeviceEngineTest, AddsAForceOfTheUser) {
  const auto on_host = [](const ForceCall& call) {
    const auto* x = static_cast<const Mass<double>*>(call.bodies);
    auto* a = static_cast<Vec4<double>*>(call.accelerations);
    for (std::size_t i = 0; i < call.n; ++i) a[i] = {-x[i].x, -x[i].y, call.time - x[i].z, 7};
  };
  Choice with_steps{.method = {.kernel = &tile()}};
  with_steps.method.steps = *std::ranges::find(cuda_step_kernels(), "cuda/block-steps", &StepKernel::name);
  for (const auto& choice :
       {Choice{.method = {.kernel = &tile()}}, with_steps,
        Choice{.method = {.tree = tree_settings_of("cuda/fmm order=6 theta=0.3 leaf=8")}}}) {
    DeviceEngine<Mixed> device(bodies(), gravity(false), choice, Precision::mixed);
    HostEngine<Mixed> host(bodies(), gravity(false), {.method = *force_method_of("cpu/threads")},
                           Precision::mixed);
    device.set_user_force(spring<double>, 0), host.set_user_force(on_host, 0);
    double time = 0;
    for (const std::uint64_t count : {3, 1, 2}) {
      const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = dt, .time = time};
      device.advance(plan, count), host.advance(plan, count);
      time += double(count) * dt;
    }
    auto a = bodies(), b = bodies();
    device.copy_to_host(a), host.copy_to_host(b);
    for (std::size_t i = 0; i < n; ++i) EXPECT_LE(std::abs(a.z[i] - b.z[i]), 1e-6) << "body " << i;
    EXPECT_EQ(device.describe().method.steps, nullptr);
  }
}

TEST_F(DeviceEngineTest, FusesStepsAgainWhenTheForceOfTheUserIsGone) {
  Choice with_steps{.method = {.kernel = &tile()}};
  with_steps.method.steps = *std::ranges::find(cuda_step_kernels(), "cuda/block-steps", &StepKernel::name);
  DeviceEngine<Mixed> device(bodies(), gravity(false), with_steps, Precision::mixed);
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = dt};
  device.set_user_force(spring<double>, 0);
  device.advance(plan, 3);
  device.set_user_force({}, 3 * dt);
  EXPECT_EQ(device.describe().method, with_steps.method);
  auto state = bodies();
  device.copy_to_host(state);
  DeviceEngine<Mixed> without(state, gravity(false), with_steps, Precision::mixed);
  const auto evaluations = device.evaluations();
  device.advance(plan, steps), without.advance(plan, steps);
  EXPECT_EQ(device.evaluations() - evaluations, without.evaluations());
  auto a = bodies(), b = bodies();
  device.copy_to_host(a), without.copy_to_host(b);
  EXPECT_EQ(state_hash(a), state_hash(b));
}

namespace {

/// Other bodies, of other masses and beyond the box, in numbers of single precision.
Bodies moved() {
  auto b = bodies();
  for (std::size_t i = 0; i < n; ++i) {
    b.x[i] = float(b.x[i]) + 0.25F * float(i % 7), b.y[i] = float(b.y[i]), b.z[i] = float(b.z[i]);
    b.vx[i] = float(b.vx[i]), b.vy[i] = -float(b.vy[i]), b.vz[i] = float(b.vz[i]);
    b.mass[i] = float(b.mass[i]) * (1.5F + 0.5F * float(i % 3));
  }
  return b;
}

template <class P>
void write_to_the_memory(bool periodic, const Choice& choice) {
  using Real = typename P::Position;
  const auto precision = Case<P>::precision;
  DeviceEngine<P> written(bodies(), gravity(periodic), choice, precision),
      loaded(moved(), gravity(periodic), choice, precision);
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = dt};
  written.advance(plan, 3);
  (void)written.totals();
  const auto state = written.device_state();
  ASSERT_TRUE(state);
  EXPECT_EQ(state->n, n);
  EXPECT_EQ(state->single, (std::is_same_v<Real, float>));
  std::vector<Mass<Real>> x(n);
  std::vector<Vec4<Real>> v(n);
  const auto b = moved();
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = {Real(b.x[i]), Real(b.y[i]), Real(b.z[i]), Real(b.mass[i])};
    v[i] = {Real(b.vx[i]), Real(b.vy[i]), Real(b.vz[i]), 0};
  }
  cuda::copy_to_device(state->bodies, x.data(), n * sizeof(x[0]), nullptr);
  cuda::copy_to_device(state->velocities, v.data(), n * sizeof(v[0]), nullptr);
  written.state_changed();
  EXPECT_EQ(written.energies().total(), loaded.energies().total());
  written.advance(plan, steps), loaded.advance(plan, steps);
  auto here = bodies(), there = moved();
  written.copy_to_host(here), loaded.copy_to_host(there);
  EXPECT_EQ(state_hash(here), state_hash(there)) << name_of(precision) << (periodic ? ", periodic" : "");
  // As many bodies are loaded into the same memory.
  written.load(bodies());
  EXPECT_EQ(written.device_state()->bodies, state->bodies);
  EXPECT_EQ(written.device_state()->velocities, state->velocities);
}

}  // namespace

TEST_F(DeviceEngineTest, GoesOnFromWhatWasWrittenToItsMemory) {
  const Choice plain{.method = {.kernel = &tile()}};
  for (const bool periodic : {false, true}) {
    write_to_the_memory<F32>(periodic, plain);
    write_to_the_memory<F64>(periodic, plain);
    write_to_the_memory<Mixed>(periodic, plain);
  }
  auto with_steps = plain;
  with_steps.method.steps = *std::ranges::find(cuda_step_kernels(), "cuda/block-steps", &StepKernel::name);
  write_to_the_memory<Mixed>(false, with_steps);
  write_to_the_memory<Mixed>(false,
                             {.method = {.tree = tree_settings_of("cuda/fmm order=5 theta=0.5 leaf=8")}});
}

TEST_F(DeviceEngineTest, HasTheBitsOfBeforeWhenNothingWasWritten) {
  const Choice choice{.method = {.kernel = &tile()}};
  DeviceEngine<F32> seen(bodies(), gravity(true), choice, Precision::f32),
      alone(bodies(), gravity(true), choice, Precision::f32);
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = dt};
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(seen.device_state());
    seen.state_changed();
    seen.advance(plan, 2), alone.advance(plan, 2);
  }
  auto a = bodies(), b = bodies();
  seen.copy_to_host(a), alone.copy_to_host(b);
  EXPECT_EQ(state_hash(a), state_hash(b));  // with masses that single precision has not
}

TEST_F(DeviceEngineTest, SeesASingleNaN) {
  auto sick = bodies();
  DeviceEngine<F32> engine(sick, gravity(false), {.method = {.kernel = &tile()}}, Precision::f32);
  EXPECT_TRUE(engine.finite());
  sick.vz[57] = std::numeric_limits<double>::quiet_NaN();
  engine.load(sick);
  EXPECT_FALSE(engine.finite());
  sick = bodies();
  sick.x[95] = std::numeric_limits<double>::infinity();
  engine.load(sick);
  EXPECT_FALSE(engine.finite());
  EXPECT_FALSE(engine.totals().finite);
}
TEST_F(DeviceEngineTest, RunsBackWhenVelocitiesAreReversed) {
  Pair<F64> pair(false);
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = dt};
  pair.device.advance(plan, steps);
  pair.device.reverse_velocities();
  pair.device.advance(plan, steps);
  EXPECT_LE(pair.difference(), 2 * bound<F64>(false));
}
namespace {

/// Of each kind something that takes another way through the passes.
template <class T>
std::vector<Mass<T>> many(int kind) {
  constexpr std::size_t count = 17001;
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  std::vector<Mass<T>> list(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double t = double(i), radius = std::pow(std::fmod(0.7548776662466927 * t, 1), kind == 0 ? 1 : 4);
    list[i] = {T(radius * std::cos(t)), T(radius * std::sin(t)), T(0.1 * std::cos(3 * t)), T(1 + i % 5)};
    if (kind == 2) list[i] = {T(i % 3), 0, 0, T(i % 2)};  // places by number, and bodies of no mass
    if (kind == 3) list[i].m = 0;
  }
  if (kind == 1) list[7].x = T(1e30);
  if (kind == 4) list[11].y = nan;
  return list;
}

template <class T>
void compare_radii() {
  for (int kind = 0; kind < 5; ++kind) {
    const auto list = many<T>(kind);
    const cuda::Buffer<Mass<T>> bodies{std::span<const Mass<T>>(list)};
    for (const std::size_t count : {list.size(), std::size_t{100}}) {
      const auto found = radii_of(*cuda::passes_over(bodies.data(), count, 0, count, nullptr)),
                 expected = radii_of(std::span<const Mass<T>>(list).first(count));
      EXPECT_EQ(found.lagrangian, expected.lagrangian) << kind;
      if (kind != 4) {  // NaN
        EXPECT_EQ(found.centre, expected.centre) << kind;
      }
    }
  }
}

}  // namespace

TEST_F(DeviceEngineTest, FindsTheRadiiThatTheHostFinds) {
  compare_radii<float>();
  compare_radii<double>();
}

TEST_F(DeviceEngineTest, TakesNoBodiesAtAll) {
  DeviceEngine<F64> engine({}, gravity(true), {.method = {.kernel = &tile()}}, Precision::f64);
  engine.advance({.integrator = &integrator_named("kdk"), .dt = dt}, 2);
  EXPECT_TRUE(engine.finite());
  EXPECT_EQ(engine.energies().total(), 0);
}
TEST_F(DeviceEngineTest, RefusesJerksInWords) {
  Pair<F64> pair(false);
  const StepPlan plan{.integrator = &integrator_named("hermite4"), .dt = dt};
  EXPECT_THROW(pair.device.advance(plan, 1), UsageError);
}

}  // namespace pleiad
