/// Steps on a lattice on GPUs, or their emulation: whole numbers are added as on the host, and the steps lead
/// back bit for bit, by direct sums and trees, on one GPU and on two.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/lattice.hpp"

#include "core/part.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/gpu.hpp"
#include "cuda/taking_turns.hpp"
#include "engine/device.hpp"
#include "ranks/division.hpp"
#include "sizes.hpp"
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace pleiad {
namespace {

using LatticeOnAGpu = Gpu;
using Low = std::array<double, 6>;

/// A state on a lattice whose numbers have all sizes, some next to its end, with pulls.
struct State {
  std::vector<Mass<double>> x;
  std::vector<Vec4<double>> v, pulls;
  std::vector<Low> low;

  State(std::size_t n, const LatticeUnits& units, std::uint64_t seed) : x(n), v(n), pulls(n), low(n) {
    std::mt19937_64 random(seed);
    const auto number = [&](double unit, double& rest) {
      return lattice::number_of(static_cast<std::int64_t>(random()) >> (2 + random() % 40), unit, rest);
    };
    const auto pull = [&] {
      return std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), -int(random() % 40) - 60);
    };
    for (std::size_t i = 0; i < n; ++i) {
      auto& l = low[i];
      x[i] = {number(units.length, l[0]), number(units.length, l[1]), number(units.length, l[2]), 0.1};
      v[i] = {number(units.velocity, l[3]), number(units.velocity, l[4]), number(units.velocity, l[5]), 0};
      pulls[i] = {pull(), pull(), pull(), 7};
    }
  }
};

template <class A>
bool same_bytes(const std::vector<A>& a, const std::vector<A>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(A)) == 0;
}

/// All of these bodies but the first three are those of the device.
void expect_bits_of_the_host(const State& start, const Update<double>& update, const LatticeUnits& asked) {
  constexpr std::size_t first = 3;
  const lattice::Units units(asked.length, asked.velocity);
  auto host = start;
  bool left = false;
  for (std::size_t i = first; i < host.x.size(); ++i)
    lattice::update_body(update, units, host.x[i], host.v[i], host.low[i].data(), host.pulls[i], left);

  const cuda::Stream stream;
  const std::size_t n = start.x.size(), own = n - first;
  const auto part = [&](const auto& all) { return std::span(all).subspan(first); };
  const cuda::Buffer<Mass<double>> x(std::span<const Mass<double>>(start.x), stream.get());
  cuda::Buffer<Mass<double>> there(std::span<const Mass<double>>(start.x), stream.get()),
      elsewhere(std::span<const Mass<double>>(start.x), stream.get());
  cuda::Buffer<Vec4<double>> v(part(start.v), stream.get());
  const cuda::Buffer<Vec4<double>> pulls(part(start.pulls), stream.get());
  cuda::Buffer<Low> low(part(start.low), stream.get());
  cuda::Buffer<int> out(1, stream.get());
  out.set_bytes(0);
  cuda::update_on_lattice(update, units, {x.data(), v.data(), low.data(), pulls.data(), first, own},
                          {.count = 2, .bodies = {there.data(), elsewhere.data()}}, out.data(), stream.get());
  auto device = start;
  std::vector<Mass<double>> also(n);
  there.copy_to_host(device.x), elsewhere.copy_to_host(also);
  v.copy_to_host(std::span(device.v).subspan(first)), low.copy_to_host(std::span(device.low).subspan(first));
  int flag = 0;
  out.copy_to_host({&flag, 1});
  EXPECT_EQ(flag != 0, left);
  EXPECT_TRUE(same_bytes(device.x, host.x) && same_bytes(also, host.x));
  EXPECT_TRUE(same_bytes(device.v, host.v));
  EXPECT_TRUE(same_bytes(device.low, host.low));
}

/// No power of two: kicks and drifts have all bits of doubles.
constexpr double dt = 1.0 / 70;

Snapshot sphere(std::size_t n) { return model("plummer", {{"n", double(n)}}, 3); }
/// Finer than doubles of the sizes of these bodies, so that all bits of a state matter.
Method on_lattice(std::string_view integrator = "kdk") {
  return {.integrator = &integrator_named(integrator),
          .dt = dt,
          .lattice = LatticeUnits{.length = 0x1p-56, .velocity = 0x1p-58}};
}

struct Way {
  std::string method;
  Precision precision;
};
std::vector<Way> ways() {
  return {{"cuda/tile", Precision::mixed},
          {"cuda/split-reduced", Precision::f64},
          {"cuda/mixed-symmetric", Precision::mixed},
          {"cuda/fp64-symmetric", Precision::f64},
          {"cuda/grid-steps", Precision::f64},
          {"cuda/symmetric-steps", Precision::mixed},
          {"cuda/fmm order=4 theta=0.5", Precision::mixed},
          {"cuda/fmm order=5 criterion=error tolerance=0.1 leaf=16", Precision::mixed},
          {"cuda/barnes-hut order=1 theta=0.5", Precision::mixed}};
}
Simulation begun(const Snapshot& start, const Way& way, int gpus = 1, std::string_view integrator = "kdk",
                 const Gravity& gravity = {.softening = {0.05}}) {
  return Simulation(
      start, gravity, on_lattice(integrator),
      EngineOptions{.precision = way.precision, .method = force_method_of(way.method), .gpus = gpus});
}
std::vector<int> numbers_of_gpus() { return device_count() > 1 ? std::vector{1, 2} : std::vector{1}; }

Bodies reversed(Bodies b) {
  for (const auto axis : {&Bodies::vx, &Bodies::vy, &Bodies::vz})
    for (double& v : b.*axis) v = -v;
  for (auto& low : b.low)
    for (std::size_t k = 3; k < 6; ++k) low[k] = -low[k];
  return b;
}
/// Steps there, and as many back: whether all bits are those of the start.
bool returns(Simulation& s, std::uint64_t steps) {
  const auto start = s.snapshot().bodies;
  EXPECT_EQ(start.low.size(), start.size());
  s.make_steps(steps);
  EXPECT_FALSE(s.snapshot().bodies == start);
  EXPECT_TRUE(std::ranges::any_of(s.snapshot().bodies.low,
                                  [](const Low& low) { return low[2] != 0 && low[5] != 0; }));
  s.reverse_velocities();
  s.make_steps(steps);
  return reversed(s.snapshot().bodies) == start;
}

}  // namespace

TEST_F(LatticeOnAGpu, UpdatesHaveTheBitsOfTheHost) {
  const std::size_t n = test::emulated_size(100000, 2000);
  std::uint64_t seed = 1;
  for (const auto& units :
       {LatticeUnits{0x1p-53, 0x1p-50}, LatticeUnits{0x1p-700, 0x1p100}, LatticeUnits{1, 1}})
    for (const auto& update : {Update<double>{.kicks = 1, .kick = {0.3 * units.velocity, 0}},
                               {.kicks = 2, .kick = {-0.3 * units.velocity, 1.7 * units.velocity}},
                               {.drifts = true, .drift = 0.37 * units.length / units.velocity},
                               {.kicks = 2,
                               .kick = {0x1p20 * units.velocity, 0.1},
                               .drifts = true,
                               .drift = -0x1p-4 * units.length / units.velocity}}) {
      const State start(n, units, ++seed);
      expect_bits_of_the_host(start, update, units);
    }
  // Beyond the end, and no numbers.
  State start(300, {1, 1}, 7);
  for (const double odd : {0x1p63, -1e300, std::nan(""), std::numeric_limits<double>::infinity()}) {
    start.pulls[100].y = odd;
    expect_bits_of_the_host(start, {.kicks = 1, .kick = {1, 0}, .drifts = true, .drift = 0.25}, {1, 1});
  }
}

TEST_F(LatticeOnAGpu, LeadsBackWhateverTheForces) {
  const auto start = sphere(test::emulated_size(3000, 130));
  for (const auto& way : ways())
    for (const int gpus : numbers_of_gpus()) {
      auto s = begun(start, way, gpus);
      EXPECT_EQ(s.describe().method.steps, nullptr);
      EXPECT_TRUE(returns(s, test::emulated_size(200, 12))) << way.method << ", " << gpus;
    }
}

TEST_F(LatticeOnAGpu, LeadsBackByStepsOfEveryOrderInFieldsWithTestParticles) {
  auto start = sphere(20);
  for (int k = 0; k < 60; ++k)
    start.bodies.add(0, {std::cos(0.1 * k), 0.01 * k, std::sin(0.1 * k)}, {0.1, -0.2, 0.001 * k});
  Gravity soft{.softening = {0.05}}, field = soft, force = soft,
                                     spline{.softening = {0.1, SofteningKernel::spline}};
  field.potentials = potentials_of_lines("nfw mass=8 scale=2");
  force.forces = added_forces_of_lines("oblate j2=0.1 radius=0.1");
  for (const int gpus : numbers_of_gpus()) {
    for (const char* name : {"dkd", "forest-ruth", "kahan-li8"}) {
      auto s = begun(start, {"cuda/tile", Precision::mixed}, gpus, name);
      EXPECT_TRUE(returns(s, 12)) << name;
    }
    for (const auto& gravity : {field, force, spline}) {
      auto s = begun(start, {"cuda/split-reduced", Precision::f64}, gpus, "kdk", gravity);
      EXPECT_TRUE(returns(s, 12)) << gravity.potentials.size() << gravity.forces.size();
    }
  }
}

/// With a GPU each, which the ranks share here.
TEST_F(LatticeOnAGpu, LeadsBackOnRanks) {
#ifndef PLEIAD_EMULATE_CUDA
  // Ranks in turn, in one process, must share a GPU: with one each, NCCL waits for a rank whose turn it is
  // not.
  if (cuda::device_count() > 1) GTEST_SKIP() << "each rank would have a GPU of its own";
#endif
  const auto start = sphere(test::emulated_size(500, 130));
  for (const Way& way :
       {Way{"cuda/split-reduced", Precision::mixed}, {"cuda/fmm order=4 theta=0.5", Precision::mixed}}) {
    auto whole = begun(start, way);
    whole.make_steps(6);
    const auto expected = whole.snapshot().bodies;
    for (const int ranks : {2, 3})
      with_ranks_in_turn(ranks, [&](ranks::Communicator& comm) {
        const ranks::Division division{start.bodies.size(), ranks};
        auto own = start;
        own.bodies = {};
        append_part(own.bodies, start.bodies, division.first(comm.rank()), division.count(comm.rank()));
        Simulation s(
            own, {.softening = {0.05}}, on_lattice(),
            EngineOptions{.precision = way.precision, .method = force_method_of(way.method), .ranks = &comm});
        const auto first = s.snapshot().bodies;
        s.make_steps(6);
        const auto& there = s.snapshot().bodies;
        for (std::size_t i = 0, k = division.first(comm.rank()); i < there.size(); ++i, ++k) {
          EXPECT_EQ(there.position(i), expected.position(k)) << way.method << ", " << ranks;
          EXPECT_EQ(there.low[i], expected.low[k]) << way.method << ", " << ranks;
        }
        s.reverse_velocities();
        s.make_steps(6);
        EXPECT_TRUE(reversed(s.snapshot().bodies) == first) << way.method << ", " << ranks;
      });
  }
}

/// Snapshots in between, a copy while the steps go on, another time, energies, a saved state: nothing changes
/// the bits, and on two GPUs they are those of one.
TEST_F(LatticeOnAGpu, HasTheSameBitsHoweverTheRunIsCutOnAnyNumberOfGpus) {
  const test::Folder folder;
  const auto start = sphere(test::emulated_size(500, 130));
  for (const auto& way : ways()) {
    SCOPED_TRACE(way.method);
    auto whole = begun(start, way);
    const auto first = whole.snapshot().bodies;
    whole.make_steps(10);
    for (const int gpus : numbers_of_gpus()) {
      auto cut = begun(start, way, gpus);
      cut.make_steps(3);
      (void)cut.totals();
      cut.at_moment(cut.moment_at(3.5 * dt), [&] { (void)cut.snapshot(); });
      cut.expect_potentials();
      cut.make_steps(1);
      Snapshot meanwhile;
      const auto finish = cut.snapshot_meanwhile(true);
      const auto now = cut.snapshot().bodies;
      cut.make_steps(1);
      finish(meanwhile);
      EXPECT_TRUE(meanwhile.bodies == now);
      save(cut, folder.path);
      auto loaded = load(folder.path, {});
      EXPECT_EQ(loaded.describe().gpus, cut.describe().gpus);
      loaded.make_steps(5);
      EXPECT_TRUE(loaded.snapshot().bodies == whole.snapshot().bodies) << gpus;
      loaded.reverse_velocities();
      loaded.make_steps(4);
      save(loaded, folder.path);
      auto back = load(folder.path, {});
      back.make_steps(6);
      EXPECT_TRUE(reversed(back.snapshot().bodies) == first) << gpus;
    }
  }
}

TEST_F(LatticeOnAGpu, EndsWithWordsWhereABodyLeavesIt) {
  Snapshot pair;
  pair.bodies.add(1, {1, 0, 0}, {1, 0, 0});
  pair.bodies.add(1, {-1, 0, 0}, {0, 0, 0});
  auto method = on_lattice();
  method.dt = 1, method.lattice = LatticeUnits{.length = 0x1p-60, .velocity = 0x1p-60};
  for (const int gpus : numbers_of_gpus()) {
    Simulation s(pair, {}, method,
                 {.precision = Precision::f64, .method = force_method_of("cuda/tile"), .gpus = gpus});
    const auto message = test::message_of<NumericalError>([&] { s.make_steps(100); });
    EXPECT_NE(message.find("left the lattice"), std::string::npos) << message;
    EXPECT_NE(message.find("coordinates end at 4"), std::string::npos) << message;
    for (const double x : s.snapshot().bodies.x) EXPECT_LE(std::abs(x), 4);
  }
}

/// The caller's numbers are doubles, anywhere: the steps begin at the nearest numbers of the lattice.
TEST_F(LatticeOnAGpu, TakesStatesThatWereWrittenInItsMemory) {
  const auto start = sphere(70);
  auto s = begun(start, {"cuda/tile", Precision::f64});
  s.make_steps(3);
  const auto state = s.device_state();
  ASSERT_TRUE(state.has_value());
  std::vector<Mass<double>> x(state->n);
  cuda::copy_to_host(x.data(), state->bodies, x.size() * sizeof x[0], nullptr);
  for (auto& body : x) body.x *= 1e-3, body.y += 1e-9 / 3;
  cuda::copy_to_device(state->bodies, x.data(), x.size() * sizeof x[0], nullptr);
  s.state_changed();
  const auto units = *s.method().lattice;
  const auto now = s.snapshot().bodies;
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(now.x[i], std::nearbyint(x[i].x / units.length) * units.length);
    EXPECT_LE(std::abs(now.y[i] - x[i].y), units.length);
  }
  EXPECT_TRUE(returns(s, 10));
  x[5].z = std::nan("");
  cuda::copy_to_device(state->bodies, x.data(), x.size() * sizeof x[0], nullptr);
  EXPECT_NE(test::message_of<UsageError>([&] { s.state_changed(); }).find("beyond the end of the lattice"),
            std::string::npos);
}

TEST_F(LatticeOnAGpu, IsThereWhereNothingIsAskedForAndNotLeftOutByFusedSteps) {
  const auto start = sphere(100);
  Simulation s(start, {.softening = {0.05}}, on_lattice(), {.precision = Precision::mixed});
  EXPECT_EQ(s.describe().gpus, 1);
  EXPECT_EQ(s.describe().method.steps, nullptr);
  EXPECT_TRUE(returns(s, 10));
  auto plain = on_lattice();
  plain.lattice.reset();
  Simulation free(start, {.softening = {0.05}}, plain, {.precision = Precision::mixed});
  EXPECT_NE(free.describe().method.steps, nullptr);
}

TEST_F(LatticeOnAGpu, RefusesSumsWithoutAnOrder) {
  const auto message = test::message_of<UsageError>([&] {
    (void)begun(sphere(70), {"cuda/split-atomics", Precision::mixed});
  });
  EXPECT_NE(message.find("'cuda/split-atomics' adds up in any order"), std::string::npos) << message;
}

}  // namespace pleiad
