/// Block time steps on a GPU: lists of sets, the bits of a grid of any size, the order with levels that stay,
/// the momentum, the steps of the CPU to rounding, the same bits after a save, and what is refused. Sets of
/// few bodies make their steps in one launch; where an external field acts, each kick and drift is a launch.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/body_sets.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/peer.hpp"
#include "cuda/gpu.hpp"
#include "cuda/steps/set_steps.hpp"
#include "unit/scratch.hpp"
#include "unit/sim/three_scales.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {
namespace {

using SetsOnAGpu = Gpu;
using BlockStepsOnAGpu = Gpu;

struct How {
  double dt = 0, eta = 0.02;
  BlockSteps blocks{};
  const char *integrator = "block-kdk", *backend = "cuda";
  Precision precision = Precision::f64;
  const char* kernel = "auto";
  int gpus = 0;
};
Simulation simulation(const Snapshot& start, const Gravity& gravity, const How& how) {
  const auto* integrator = &integrator_named(how.integrator);
  Simulation made(start, gravity,
                  Method{.integrator = integrator, .dt = how.dt, .eta = how.eta, .blocks = how.blocks},
                  EngineOptions{.precision = how.precision,
                                .backend = how.backend,
                                .method = force_method_of(how.kernel),
                                .gpus = how.gpus,
                                .integrator = integrator,
                                .blocks = how.blocks});
  (void)made.reference_energy();
  return made;
}
Snapshot sphere(const char* name, int n) {
  return make_model(name, std::vector<std::string>{"n=" + std::to_string(n)}, 5);
}
bool same_bits(const Bodies& a, const Bodies& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.vx == b.vx && a.vy == b.vy && a.vz == b.vz;
}
double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = norm(a.position(i) - b.position(i));
    if (!(d <= largest)) largest = std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
  }
  return largest;
}
/// The largest sum of the lengths of the pulls on a body.
double largest_pulls(const Bodies& b, double eps) {
  double largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const auto d = b.position(k) - b.position(i);
      const double r2 = dot(d, d) + eps * eps;
      sum += b.mass[k] * norm(d) / (r2 * std::sqrt(r2));
    }
    largest = std::max(largest, sum);
  }
  return largest;
}
std::vector<Potential> weak_field() { return potentials_of_lines("plummer mass=0.01 scale=5"); }

template <class T>
cuda::Buffer<T> on_gpu(const std::vector<T>& items) {
  return cuda::Buffer<T>(std::span<const T>(items));
}
template <class T>
std::vector<T> on_host(const T* items, std::size_t count) {
  std::vector<T> copy(count);
  cuda::copy_to_host(copy.data(), items, count * sizeof(T), nullptr);
  return copy;
}

}  // namespace

/// Pages of 2048 members, one of them not full; all, none and some of them need a shorter step.
TEST_F(SetsOnAGpu, AreDividedInTheirOrder) {
  using Numbers = std::vector<std::uint32_t>;
  constexpr std::size_t bodies = 12000;
  const cuda::StepCriterion by{.eta = 0.02, .eps = 0.1, .G = 2};
  for (const std::size_t count : {1U, 31U, 2048U, 4097U, 5001U})
    for (const double share : {0.0, 0.25, 1.0}) {
      Numbers members;
      for (std::size_t k = 0; k < count; ++k) members.push_back(std::uint32_t(2 * k + k % 2));
      std::vector<Vec4<float>> pulls(count);
      Numbers finer, coarse;
      const double h = 0.01;
      for (std::size_t k = 0; k < count; ++k) {
        const auto random = double(k * 2654435761U % 1000) / 1000;
        // At the edge a step has the length h.
        const double edge = 2 * by.eta * by.eps / (by.G * h * h), pull = edge * (random < share ? 1.5 : 0.5);
        pulls[k] = {float(0.6 * pull), float(-0.8 * pull), 0, 0};
        (random < share ? finer : coarse).push_back(members[k]);
      }
      cuda::SetDivider divider(bodies, nullptr);
      const auto list = on_gpu(members);
      const auto sums = on_gpu(pulls);
      cuda::Buffer<std::uint32_t> others(count);
      const auto divide = [&](const Numbers& next, const Numbers& after) {
        const auto next_there = on_gpu(next), after_there = on_gpu(after);
        return divider.divide({list.data(), count}, sums.data(), by, h, {next_there.data(), next.size()},
                              {after_there.data(), after.size()}, others.data());
      };
      auto found = divide({}, {});
      ASSERT_EQ(found.finer, finer.size());
      EXPECT_EQ(on_host(divider.finer(), finer.size()), finer);
      EXPECT_EQ(on_host(std::as_const(others).data(), coarse.size()), coarse);
      EXPECT_EQ(found.differ, finer.empty() ? 0U : 1U);
      EXPECT_EQ(found.lost, 0U);
      if (finer.size() < 3) continue;
      found = divide(finer, {finer[1], finer.back()});
      EXPECT_EQ(found.differ, 0U);
      EXPECT_EQ(found.lost, 0U);
      auto another = finer;
      another[another.size() / 2] += 1;
      found = divide(another, {finer[1], finer.back() + 1});
      EXPECT_EQ(found.differ, 1U);
      EXPECT_EQ(found.lost, 1U);
    }
}

/// Blocks of threads that share the members differently, with one and with several members of a warp at a
/// time.
TEST_F(SetsOnAGpu, HaveTheSameBitsOnAnyGrid) {
  const auto run = [&]<class P>(const P&, const Snapshot& s, const std::vector<std::uint32_t>& members,
                                unsigned grid, bool periodic) {
    using T = typename P::Position;
    std::vector<Mass<T>> x;
    std::vector<Vec4<T>> v;
    for (std::size_t i = 0; i < s.bodies.size(); ++i) {
      const auto at = s.bodies.position(i), going = s.bodies.velocity(i);
      x.push_back({T(at.x), T(at.y), T(at.z), T(s.bodies.mass[i])});
      v.push_back({T(going.x), T(going.y), T(going.z), 0});
    }
    auto bodies = on_gpu(x);
    auto velocities = on_gpu(v);
    const auto list = on_gpu(members);
    cuda::Buffer<Vec4<T>> sums(members.size());
    cuda::Buffer<unsigned char> workplace(cuda::bytes_of_set_workplace<P>());
    cuda::Buffer<cuda::SetWork> work(1);
    work.set_bytes(0);
    cuda::set_steps<P>({.set = {list.data(), members.size()},
                        .x = bodies.data(),
                        .v = velocities.data(),
                        .sums = sums.data(),
                        .steps = 2,
                        .dt = 1.0 / 8,
                        .levels = 8,
                        .by = {.eta = 0.005, .eps = 0.02, .G = 1},
                        .most_split = 0.577,
                        .softening = {0.02},
                        .boundary = {.periodic = periodic, .length = {4, 4, 4}},
                        .work = work.data(),
                        .grid = grid,
                        .workplace = workplace.data()});
    cuda::SetWork done;
    work.copy_to_host({&done, 1});
    EXPECT_GT(done.evaluations, 20U);
    bodies.copy_to_host(x), velocities.copy_to_host(v);
    std::vector<unsigned char> bits(x.size() * sizeof(x[0]) + v.size() * sizeof(v[0]));
    std::memcpy(bits.data(), x.data(), x.size() * sizeof(x[0]));
    std::memcpy(bits.data() + x.size() * sizeof(x[0]), v.data(), v.size() * sizeof(v[0]));
    return bits;
  };
  const auto s = sphere("hernquist", 90);
  std::vector<std::uint32_t> members;
  for (std::uint32_t i = 0; i < 90; i += 1 + i % 3 / 2) members.push_back(i);
  for (const bool periodic : {false, true}) {
    const auto compare = [&](const auto& policy) {
      const auto one = run(policy, s, members, 1, periodic);
      for (const unsigned grid : {3U, 5U}) EXPECT_EQ(run(policy, s, members, grid, periodic), one) << grid;
    };
    compare(F32{}), compare(F64{}), compare(Mixed{});
  }
}

/// With eta proportional to dt^2 all bodies have the same levels at every dt: by their accelerations dt, dt /
/// 2 and dt / 8. The numbers of evaluations show it.
TEST_F(BlockStepsOnAGpu, AreOfSecondOrder) {
  const auto start = test::three_scales();
  const double end = 0.125;
  for (const bool in_a_field : {false, true}) {
    Gravity gravity{.softening = {0.02}};
    if (in_a_field) gravity.potentials = weak_field();
    auto exact = simulation(start, gravity, {.dt = 1.0 / 4096, .integrator = "kahan-li8", .backend = "cpu"});
    exact.run_until(end);
    std::vector<double> errors;
    for (const std::uint64_t steps : {16, 32, 64}) {
      const double dt = end / double(steps);
      auto sim = simulation(start, gravity, {.dt = dt, .eta = 7.5 * dt * dt});
      const auto before = sim.evaluations();
      sim.make_steps(steps);
      // Each launch, of 16 steps, finds the forces of its finer sets at its beginning.
      EXPECT_EQ(sim.evaluations() - before, (1 + 2 + 8) * steps + (in_a_field ? 3 : 2 * (steps / 16) + 1));
      errors.push_back(distance(sim.snapshot().bodies, exact.snapshot().bodies));
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.05) << errors[0];
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.05) << errors[1];
  }
}

/// Each body's sum of pulls is rounded by itself: the sum of all forces is at most 1e-14 of the sum of their
/// lengths, in single precision 1e-6; a step has kicks over two steps dt at most, each of a set by itself.
TEST_F(BlockStepsOnAGpu, KeepTheMomentum) {
  const double eps = 0.003, dt = 1.0 / 16;
  for (const auto precision : {Precision::f64, Precision::mixed, Precision::f32}) {
    auto sim = simulation(sphere("hernquist", 300), {.softening = {eps}},
                          {.dt = dt, .eta = 0.02, .precision = precision});
    for (int step = 0; step < 3; ++step) {
      const auto start = sim.snapshot().bodies;
      const auto evaluations = sim.evaluations();
      sim.make_steps(1);
      const auto& now = sim.snapshot().bodies;
      EXPECT_GE(sim.evaluations() - evaluations, 20U);
      const double forces = std::max(largest_pulls(start, eps), largest_pulls(now, eps));
      EXPECT_LE(norm(test::momentum(now) - test::momentum(start)),
                (precision == Precision::f64 ? 1e-14 : 1e-6) * 2 * dt * forces)
          << name_of(precision);
    }
  }
}

/// As in individual_engine_test.cpp: a sum of n pulls is rounded to (n + 4) / 2 units, places and velocities
/// in each of at most 256 steps of a body to half a unit of 4; what such a difference grows to is what
/// differences of all numbers do on the CPU. In mixed precision pulls are rounded as floats, on both.
TEST_F(BlockStepsOnAGpu, AreThoseOfTheCpuToRounding) {
  constexpr int n = 100;
  constexpr std::uint64_t steps = 3;
  const double dt = 1.0 / 32, eps = 0.02, time = double(steps) * dt;
  const auto start = sphere("hernquist", n);
  for (const bool in_a_field : {false, true})
    for (const auto precision : {Precision::f64, Precision::mixed, Precision::f32}) {
      Gravity gravity{.G = 1.25, .softening = {eps}};
      if (in_a_field) gravity.potentials = weak_field();
      const double aside = 0x1p-32;
      auto moved = start;
      for (std::size_t i = 0; i < n; ++i) {
        const double d = i % 2 == 0 ? aside : -aside;
        moved.bodies.x[i] += d, moved.bodies.y[i] -= d, moved.bodies.vx[i] -= d, moved.bodies.vz[i] += d;
      }
      const How of_cpu{.dt = dt, .eta = 0.005, .backend = "cpu"};
      auto cpu = simulation(start, gravity, of_cpu), apart = simulation(moved, gravity, of_cpu),
           gpu = simulation(start, gravity, {.dt = dt, .eta = 0.005, .precision = precision});
      const auto cpu_before = cpu.evaluations(), gpu_before = gpu.evaluations();
      gpu.make_steps(steps), cpu.make_steps(steps), apart.make_steps(steps);
      const double growth = distance(cpu.snapshot().bodies, apart.snapshot().bodies) / aside,
                   pulls =
                       2 * gravity.G *
                       std::max(largest_pulls(start.bodies, eps), largest_pulls(cpu.snapshot().bodies, eps)),
                   unit = precision == Precision::f64 ? 0x1p-53 : 0x1p-24,
                   rounding = (n + 4) * unit * pulls * time +
                              256 * 4 * unit * (precision == Precision::mixed ? 0 : 1);
      EXPECT_GE(growth, 1);
      EXPECT_LE(growth, 1e3);  // before chaos
      EXPECT_LE(distance(gpu.snapshot().bodies, cpu.snapshot().bodies), growth * rounding)
          << name_of(precision) << in_a_field;
      // The same sets, of which a launch finds the forces at its beginning.
      const auto made = gpu.evaluations() - gpu_before, wanted = cpu.evaluations() - cpu_before;
      EXPECT_GE(made + 1, wanted);
      EXPECT_LE(made, wanted + 20);
      EXPECT_GT(made, 20U);
      EXPECT_EQ(gpu.describe().gpus, 1);
      EXPECT_EQ(gpu.describe().precision, name_of(precision));
      EXPECT_LE(gpu.describe().interactions_per_evaluation, double(n) * n);
    }
}

/// One level is the leapfrog, and single steps are those of a leapfrog with the shortest step, bit for bit.
TEST_F(BlockStepsOnAGpu, AreThoseOfTheLeapfrogWhereAllBodiesHaveOne) {
  const auto start = sphere("plummer", 100);
  const double dt = 1.0 / 64;
  for (const bool in_a_field : {false, true}) {
    Gravity gravity{.G = 1.5, .softening = {0.05}};
    if (in_a_field) gravity.potentials = weak_field();
    // A launch of many steps has sums of its own.
    const auto shared = [&](double step) {
      if (in_a_field) return simulation(start, gravity, {.dt = step, .integrator = "kdk"});
      return simulation(start, gravity, {.dt = step, .blocks = {.levels = 1}});
    };
    auto long_steps = shared(dt), short_steps = shared(dt / 8),
         one_level = simulation(start, gravity, {.dt = dt, .eta = 1e-4, .blocks = {.levels = 1}}),
         single = simulation(start, gravity,
                             {.dt = dt, .eta = 1e-4, .blocks = {.levels = 4, .single_step = true}}),
         blocks = simulation(start, gravity, {.dt = dt, .eta = 1e-3});
    long_steps.make_steps(4), one_level.make_steps(4), single.make_steps(4), blocks.make_steps(4);
    short_steps.make_steps(32);
    EXPECT_TRUE(same_bits(one_level.snapshot().bodies, long_steps.snapshot().bodies)) << in_a_field;
    EXPECT_TRUE(same_bits(single.snapshot().bodies, short_steps.snapshot().bodies)) << in_a_field;
    EXPECT_FALSE(same_bits(blocks.snapshot().bodies, short_steps.snapshot().bodies));
    EXPECT_FALSE(same_bits(blocks.snapshot().bodies, long_steps.snapshot().bodies));
  }
}

/// Direct sums and trees, in one launch and in many: saved after any step, and with someone who looks between
/// the steps and at energies.
TEST_F(BlockStepsOnAGpu, HaveTheSameBitsAfterASave) {
  struct Case {
    const char *kernel, *name;
    int n;
    bool in_a_field = false;
    Precision precision = Precision::f32;
    SofteningKernel form = SofteningKernel::plummer;
  };
  const test::Folder folder;
  for (const Case& c : {Case{"auto", "direct sums", 150, false, Precision::f64},
                        Case{"auto", "direct sums in a field", 150, true, Precision::mixed},
                        Case{"auto", "splines", 150, false, Precision::f32, SofteningKernel::spline},
                        Case{"cuda/fmm order=4 theta=0.6", "a tree", 600},
                        Case{"cuda/barnes-hut order=2 theta=0.5", "another tree in a field", 600, true}}) {
    const auto start = sphere("hernquist", c.n);
    Gravity gravity{.softening = {.eps = 0.02, .kernel = c.form}};
    if (c.in_a_field) gravity.potentials = weak_field();
    const How how{.dt = 1.0 / 32, .eta = 0.01, .precision = c.precision, .kernel = c.kernel};
    auto whole = simulation(start, gravity, how), part = simulation(start, gravity, how),
         looked_at = simulation(start, gravity, how);
    looked_at.every(1.0 / 50, [&](const Snapshot&) {
      EXPECT_LE(std::abs(looked_at.diagnostics().energy_error), 1e-2) << c.name;
    });
    whole.make_steps(5), part.make_steps(2), looked_at.run_until(5.0 / 32);
    save(part, folder.path);
    auto onward = load(folder.path);
    EXPECT_EQ(onward.describe().gpus, 1);
    onward.make_steps(3);
    EXPECT_TRUE(same_bits(onward.snapshot().bodies, whole.snapshot().bodies)) << c.name;
    EXPECT_TRUE(same_bits(looked_at.snapshot().bodies, whole.snapshot().bodies)) << c.name;
    EXPECT_GT(whole.evaluations(), 20U) << c.name;
  }
}

/// An eccentric pair takes finer steps about its pericentre alone, and these are again those of the same set,
/// whose forces of an earlier place are not taken: a run that begins there knows nothing of them.
TEST_F(BlockStepsOnAGpu, OfASetThatRestedBeginWithItsPresentForces) {
  Snapshot start;
  const double far = 0.85, speed = std::sqrt(2 / far - 2);  // a = 0.5, e = 0.7
  start.bodies.add(0.5, {far / 2, 0, 0}, {0, speed / 2, 0});
  start.bodies.add(0.5, {-far / 2, 0, 0}, {0, -speed / 2, 0});
  for (int k = 0; k < 8; ++k)
    start.bodies.add(1e-3, {4 * std::cos(0.7 * k), 4 * std::sin(0.7 * k), 0.1 * k}, {0, 0, 0.05 * k});
  for (const bool in_a_field : {false, true}) {
    Gravity gravity{.softening = {0.02}};
    if (in_a_field) gravity.potentials = weak_field();
    const How how{.dt = 1.0 / 16, .eta = 0.29};
    auto sim = simulation(start, gravity, how), all = simulation(start, gravity, how);
    all.make_steps(80);
    int began = 0;
    std::uint64_t last = 0;
    for (int step = 0; step < 80; ++step) {
      auto anew = simulation(sim.snapshot(), gravity, how);
      const auto before = sim.evaluations();
      sim.make_steps(1), anew.make_steps(1);
      ASSERT_TRUE(same_bits(anew.snapshot().bodies, sim.snapshot().bodies)) << step;
      const auto made = sim.evaluations() - before;
      if (made > 2 && last <= 2) ++began;
      last = made;
    }
    EXPECT_TRUE(same_bits(all.snapshot().bodies, sim.snapshot().bodies));
    EXPECT_GE(began, 2);
  }
}

TEST_F(BlockStepsOnAGpu, GoOnWhereOthersHaveWritten) {
  const auto start = sphere("hernquist", 60);
  for (const bool in_a_field : {false, true}) {
    Gravity gravity{.softening = {0.02}};
    if (in_a_field) gravity.potentials = weak_field();
    const How how{.dt = 1.0 / 32};
    auto sim = simulation(start, gravity, how);
    sim.make_steps(1);
    auto changed = sim.snapshot();
    changed.bodies.x[0] += 0.5;
    const auto state = sim.device_state();
    ASSERT_TRUE(state);
    std::vector<Mass<double>> x(state->n);
    cuda::copy_to_host(x.data(), state->bodies, x.size() * sizeof(x[0]), nullptr);
    x[0].x += 0.5;
    cuda::copy_to_device(state->bodies, x.data(), x.size() * sizeof(x[0]), nullptr);
    sim.state_changed();
    auto anew = simulation(changed, gravity, how);
    sim.make_steps(1), anew.make_steps(1);
    EXPECT_TRUE(same_bits(sim.snapshot().bodies, anew.snapshot().bodies)) << in_a_field;
  }
}

TEST_F(BlockStepsOnAGpu, AreMadeForManyBodies) {
  const auto where = [&](int n, const Gravity& gravity) {
    return simulation(sphere("plummer", n), gravity, {.dt = 1.0 / 16, .backend = "auto"}).describe();
  };
  const auto few = where(500, {.softening = {0.1}});
  EXPECT_EQ(few.gpus, 0);
  EXPECT_NE(few.why.find("steps of their own of so few bodies are faster there"), std::string::npos)
      << few.why;
  EXPECT_EQ(where(520, {.softening = {0.1}}).gpus, 1);
  EXPECT_EQ(where(520, {}).gpus, 0);
}

TEST_F(BlockStepsOnAGpu, RefuseWhatTheyCannotHave) {
  const auto refusal = [&](const Gravity& gravity, const How& how, int massless = 0) {
    auto start = sphere("plummer", 20);
    for (int i = 0; i < massless; ++i) start.bodies.mass[std::size_t(i)] = 0;
    return test::message_of<UsageError>([&] { (void)simulation(start, gravity, how); });
  };
  const Softening softening{0.1};
  const std::string on_a_gpu = "integrator block-kdk on a GPU ";
  EXPECT_EQ(refusal({.softening = softening}, {.dt = 0.1}), "");
  EXPECT_EQ(
      refusal({}, {.dt = 0.1}),
      on_a_gpu + "takes no time.block_criterion = \"pairs\", as without a softening; use --backend cpu");
  EXPECT_EQ(refusal({.softening = softening}, {.dt = 0.1}, 3),
            on_a_gpu + "takes no test particles; use --backend cpu");
  EXPECT_EQ(refusal({.softening = softening}, {.dt = 0.1, .kernel = "cuda/grid-steps"}),
            on_a_gpu + "sums forces of sets of bodies, which 'cuda/grid-steps' does not; use --backend cpu");
  EXPECT_EQ(
      refusal({.softening = softening, .forces = added_forces_of_lines("gr-potential c=9")}, {.dt = 0.1}),
      "integrator block-kdk evaluates sets of bodies by themselves, without gravity.forces; use kdk");
  if (cuda::device_count() > 1) {
    EXPECT_EQ(refusal({.softening = softening}, {.dt = 0.1, .gpus = 2}),
              "gpus = 2 cannot be used: integrator block-kdk moves its bodies on one GPU; choose one");
  }
}

}  // namespace pleiad
