/// The engine on the device, or on its emulation, against the engine on the host: every integrator, precision
/// and boundary.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/device_engine.hpp"

#include "cuda/catalogue.hpp"
#include "engine/host_engine.hpp"
#include "gpu.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <cmath>
#include <limits>

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

const DirectKernel& tile() {
  for (const auto* kernel : cuda_kernels())
    if (kernel->name == "cuda/tile") return *kernel;
  throw UsageError("no cuda/tile");
}

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
        host(bodies(), gravity(periodic), {.kernel = &direct_threads, .shape = {}, .why = {}},
             Case<P>::precision),
        device(bodies(), gravity(periodic),
               {.kernel = &tile(), .shape = {.threads_per_block = 32}, .why = {}}, Case<P>::precision) {}

  double difference() {
    Bodies a = bodies(), b = a;
    host.copy_to_host(a);
    device.copy_to_host(b);
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
  for (const auto& integrator : integrators()) {
    if (integrator.hermite) continue;
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
void compare_looks() {
  Pair<P> pair(false);
  const auto a = pair.host.energies(), b = pair.device.energies();
  // 96 terms a row, each rounded some 8 times; rows are added in double precision.
  EXPECT_LE(roundings<P>(a.kinetic, b.kinetic), 16);
  EXPECT_LE(roundings<P>(a.potential, b.potential), 96);
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

}  // namespace

using DeviceEngineTest = Gpu;

TEST_F(DeviceEngineTest, StepsAsTheHostDoes) {
  for (const bool periodic : {false, true}) {
    compare_integrators<F32>(periodic);
    compare_integrators<F64>(periodic);
    compare_integrators<Mixed>(periodic);
  }
}
TEST_F(DeviceEngineTest, ReportsWhatTheHostDoes) {
  compare_looks<F32>();
  compare_looks<F64>();
  compare_looks<Mixed>();
}
/// Looking at energies and fields between steps changes nothing; neither does how steps are batched.
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
TEST_F(DeviceEngineTest, SeesASingleNaN) {
  auto sick = bodies();
  DeviceEngine<F32> engine(sick, gravity(false), {.kernel = &tile(), .shape = {}, .why = {}}, Precision::f32);
  EXPECT_TRUE(engine.finite());
  sick.vz[57] = std::numeric_limits<double>::quiet_NaN();
  engine.load(sick);
  EXPECT_FALSE(engine.finite());
  sick = bodies();
  sick.x[95] = std::numeric_limits<double>::infinity();
  engine.load(sick);
  EXPECT_FALSE(engine.finite());
}
TEST_F(DeviceEngineTest, RunsBackWhenVelocitiesAreReversed) {
  Pair<F64> pair(false);
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = dt};
  pair.device.advance(plan, steps);
  pair.device.reverse_velocities();
  pair.device.advance(plan, steps);
  EXPECT_LE(pair.difference(), 2 * bound<F64>(false));
}
TEST_F(DeviceEngineTest, TakesNoBodiesAtAll) {
  DeviceEngine<F64> engine({}, gravity(true), {.kernel = &tile(), .shape = {}, .why = {}}, Precision::f64);
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
