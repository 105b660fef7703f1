/// Test particles on one GPU: with a direct kernel they change no bit of the bodies with mass, and feel what
/// the host computes.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/part.hpp"
#include "cuda/catalogue.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/multi_gpu/probe.hpp"
#include "cuda/steps/particle_steps.hpp"
#include "cuda/taking_turns.hpp"
#include "engine/device_engine.hpp"
#include "engine/host_engine.hpp"
#include "engine/multi_gpu_engine.hpp"
#include "ranks/division.hpp"
#include "sizes.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

constexpr double eps = 0.1;
const Gravity open_space{.G = 1.5, .softening = {eps}};

/// `massive` bodies with different masses, 1 in all, at every third place of the order, and `massless`
/// particles, of which two are at one place.
Bodies scene(std::size_t massive, std::size_t massless) {
  Bodies b;
  std::size_t light = 0, heavy = 0;
  while (light + heavy < massive + massless) {
    const bool has_mass = light == massless || (heavy < massive && heavy * 2 <= light);
    const double t = has_mass ? 1000.0 + double(heavy) : std::max(1.0, double(light));
    b.add(has_mass ? (1 + 0.5 * std::sin(3 * t)) / double(massive) : 0,
          {std::sin(12.9 * t), std::sin(78.2 * t), std::sin(37.7 * t)},
          {0.3 * std::cos(5.1 * t), 0.3 * std::cos(9.7 * t), 0.3 * std::sin(t)});
    ++(has_mass ? heavy : light);
  }
  return b;
}
Bodies those(const Bodies& b, bool with_mass) {
  Bodies some;
  for (std::size_t i = 0; i < b.size(); ++i)
    if ((b.mass[i] > 0) == with_mass) some.add(b.mass[i], b.position(i), b.velocity(i));
  return some;
}

template <class P>
constexpr Precision precision_of = std::is_same_v<P, F32>   ? Precision::f32
                                   : std::is_same_v<P, F64> ? Precision::f64
                                                            : Precision::mixed;

ForceMethod by(std::string_view name) {
  for (const auto* kernel : cuda_kernels())
    if (kernel->name == name)
      return {.kernel = kernel, .shape = kernel->shapes.empty() ? LaunchShape{} : kernel->shapes.front()};
  throw UsageError("no kernel '" + std::string(name) + "'");
}

/// Enough steps that they are recorded and replayed.
Bodies after(Engine& engine, Bodies b, const Integrator& integrator) {
  engine.advance({.integrator = &integrator, .dt = 0.01}, 5);
  engine.advance({.integrator = &integrator, .dt = 0.01, .time = 0.05}, 2);
  engine.copy_to_host(b);
  return b;
}

template <class P>
void compare(std::string_view kernel) {
  SCOPED_TRACE(std::string(kernel) + " " + std::string(name_of(precision_of<P>)));
  const Choice choice{.method = by(kernel)};
  ASSERT_TRUE(choice.method.kernel->has(precision_of<P>));
  for (const std::size_t massive : {1, 60})
    for (const std::size_t massless : {1, 90}) {
      const auto bodies = scene(massive, massless);
      for (const auto* name : {"kdk", "forest-ruth"}) {
        const auto& integrator = integrator_named(name);
        DeviceEngine<P> with(bodies, open_space, choice, precision_of<P>),
            without(scene(massive, 0), open_space, choice, precision_of<P>);
        EXPECT_EQ(with.describe().test_particles, massless);
        EXPECT_EQ(with.describe().interactions_per_evaluation, double(massive) * double(massive + massless));
        const auto all = after(with, bodies, integrator);
        EXPECT_TRUE(those(all, true) == after(without, scene(massive, 0), integrator));
        // The state of the GPU, as the host sees it.
        HostEngine<F64> host(all, open_space, {.method = *force_method_of("cpu/threads")}, Precision::f64);
        Snapshot found, expected;
        with.fields(found), host.fields(expected);
        // Pulls of all mass at the distance where a softened pull is largest, each rounded some ten times and
        // summed in at most 60 terms; in single precision positions are rounded too, by 2^-25 of 1 / eps.
        const double u = precision_of<P> == Precision::f64 ? 0x1p-53 : 0x1p-24,
                     bound = 200 * u * 1.5 * 0.385 / (eps * eps);
        for (std::size_t i = 0; i < bodies.size(); ++i) {
          const Vec3<double> off{found.ax[i] - expected.ax[i], found.ay[i] - expected.ay[i],
                                 found.az[i] - expected.az[i]};
          EXPECT_LE(norm(off), bound) << i;
          EXPECT_LE(std::abs(found.potential[i] - expected.potential[i]), 200 * u * 1.5 / eps) << i;
        }
      }
    }
}

}  // namespace

TEST(CudaTestParticles, ChangeNoBitOfTheBodiesWithMassAndFeelThem) {
  compare<F32>("cuda/split-reduced"), compare<Mixed>("cuda/split-reduced"),
      compare<F64>("cuda/split-reduced");
  compare<F32>("cuda/tile"), compare<Mixed>("cuda/tile"), compare<F64>("cuda/tile");
  compare<F32>("cuda/symmetric-fixed-point"), compare<Mixed>("cuda/mixed-symmetric"),
      compare<F64>("cuda/fp64-symmetric");
}

/// Direct sums: those of one GPU, at numbers of bodies with mass where some GPUs have none.
template <class P>
void compare_several(std::string_view kernel) {
  for (const std::size_t massive : {0, 1, 2, 300})
    for (const auto exchange : {cuda::Exchange::direct, cuda::Exchange::host}) {
      if (exchange == cuda::Exchange::direct && !cuda::why_not_reachable(cuda::device_count()).empty())
        continue;
      const auto bodies = scene(massive, 101);
      Choice choice{.method = by(kernel)};
      const auto& integrator = integrator_named("kdk");
      DeviceEngine<P> one(bodies, open_space, choice, precision_of<P>);
      const auto expected = after(one, bodies, integrator);
      Snapshot fields, found;
      one.fields(fields);
      for (int gpus = 1; gpus <= std::min(cuda::device_count(), 3); ++gpus) {
        choice.gpus = gpus;
        MultiGpuEngine<P> several(bodies, open_space, choice, precision_of<P>, exchange);
        EXPECT_EQ(several.describe().test_particles, 101U);
        EXPECT_TRUE(after(several, bodies, integrator) == expected)
            << kernel << ", " << massive << " with mass, " << gpus << " GPUs";
        several.fields(found);
        EXPECT_TRUE(found.ax == fields.ax && found.potential == fields.potential) << kernel << ", " << gpus;
      }
    }
}

/// The same on ranks with a GPU each.
template <class P>
void compare_ranks(std::string_view kernel) {
  for (const std::size_t massive : {0, 1, 5000}) {
    const auto bodies = scene(massive, 5100);
    const Choice choice{.method = by(kernel)};
    const auto& integrator = integrator_named("kdk");
    const StepPlan plan{.integrator = &integrator, .dt = 0.01};
    DeviceEngine<P> one(bodies, open_space, choice, precision_of<P>);
    one.advance(plan, 2);
    auto expected = bodies;
    one.copy_to_host(expected);
    for (const int ranks : {2, 3})
      with_ranks_in_turn(ranks, [&](ranks::Communicator& comm) {
        const ranks::Division division{bodies.size(), ranks};
        const std::size_t first = division.first(comm.rank()), count = division.count(comm.rank());
        Bodies own, mine;
        append_part(own, bodies, first, count), append_part(mine, expected, first, count);
        DeviceEngine<P> engine(own, open_space, choice, precision_of<P>, comm);
        EXPECT_EQ(engine.describe().test_particles, 5100U);
        engine.advance(plan, 2);
        engine.copy_to_host(own);
        EXPECT_TRUE(own == mine) << kernel << ", " << massive << " with mass, rank " << comm.rank() << " of "
                                 << ranks;
      });
  }
}

/// Many steps in a launch: the bits of single steps, also of what the last step leaves for the next one.
template <class P>
void compare_launches(const Bodies& bodies, const Gravity& gravity, const char* name, double damping = 1,
                      std::vector<std::uint64_t> batches = {3, 70, 2, 70, 70}) {
  const Choice choice{.method = by("cuda/split-reduced")};
  const auto& integrator = integrator_named(name);
  const auto plan_at = [&](double time) {
    return StepPlan{.integrator = &integrator, .dt = 0.0078125, .damping = damping, .time = time};
  };
  DeviceEngine<P> single(bodies, gravity, choice, precision_of<P>),
      fused(bodies, gravity, choice, precision_of<P>);
  std::uint64_t made = 0;
  for (const auto steps : batches) {
    fused.advance(plan_at(double(made) * 0.0078125), steps);
    const auto end = made + steps;
    for (; made < end; ++made) single.advance(plan_at(double(made) * 0.0078125), 1);
    auto expected = bodies, found = bodies;
    single.copy_to_host(expected), fused.copy_to_host(found);
    ASSERT_TRUE(found == expected) << name << " " << name_of(precision_of<P>) << ", " << bodies.size()
                                   << " bodies, after step " << made;
    EXPECT_EQ(fused.evaluations(), single.evaluations()) << name;
  }
}

TEST(CudaTestParticles, HaveTheBitsOfSingleStepsInManyStepsOfALaunch) {
  for (const auto* name : {"kdk", "dkd", "euler", "blanes-moan4", "yoshida6", "kahan-li8"}) {
    const auto bodies = scene(10, 33);
    compare_launches<F32>(bodies, open_space, name, name == std::string_view("euler") ? 0.99 : 1);
    compare_launches<Mixed>(bodies, open_space, name), compare_launches<F64>(bodies, open_space, name);
  }
  Gravity in_field = open_space;
  for (const auto* text : {"plummer mass=1 scale=1", "nfw mass=2 scale=3 x=0.5"})
    in_field.potentials.push_back(potential_of(text));
  Gravity changing = in_field;
  changing.potentials.push_back(potential_of("bar mass=1 length=1 width=0.5 height=0.3 omega=2"));
  for (const std::size_t massive : {0, 1, 2, 10, 300})
    for (const std::size_t massless : {1, 31, 33, 1000, 4097}) {
      if (massive * massless > test::emulated_size(2'000'000U, 1000U)) continue;
      const auto bodies = scene(massive, massless);
      for (const auto& gravity : {open_space, in_field, changing}) {
        const bool long_runs = massless < 1000;
        compare_launches<Mixed>(
            bodies, gravity, "kdk", 1,
            long_runs ? std::vector<std::uint64_t>{3, 70, 2} : std::vector<std::uint64_t>{5});
        if (massless == 33)
          compare_launches<F32>(bodies, gravity, "kdk"), compare_launches<F64>(bodies, gravity, "dkd");
      }
    }
}

/// One particle or two in a thread.
template <class P>
void compare_shapes() {
  using Real = typename P::Position;
  const auto bodies = scene(70, 600);
  std::vector<Mass<Real>> x, massive;
  std::vector<Vec4<Real>> v;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    x.push_back({Real(bodies.x[i]), Real(bodies.y[i]), Real(bodies.z[i]), Real(bodies.mass[i])});
    v.push_back({Real(bodies.vx[i]), Real(bodies.vy[i]), Real(bodies.vz[i]), 0});
    if (bodies.mass[i] > 0) massive.push_back(x.back());
  }
  const cuda::Stream stream;
  const cuda::Buffer<Mass<Real>> sources(std::span<const Mass<Real>>(massive), stream.get());
  cuda::Buffer<std::byte> memory(3 * massive.size() * cuda::Trail<P>::bytes, stream.get());
  const cuda::Trail<P> trail{.memory = memory.data(), .massive = massive.size(), .evaluations = 3};
  for (std::size_t e = 0; e < 3; ++e) cuda::keep_places<P>(sources.span(), trail, e, stream.get());
  std::vector<std::vector<Mass<Real>>> found;
  for (const int shape : {1, 2}) {
    cuda::Buffer<Mass<Real>> at(std::span<const Mass<Real>>(x), stream.get());
    cuda::Buffer<Vec4<Real>> velocities(std::span<const Vec4<Real>>(v), stream.get()),
        sums(x.size(), stream.get());
    cuda::ParticleProblem<P> problem;
    problem.bodies = at.span(), problem.velocities = velocities.span(), problem.sums = sums.span();
    problem.trail = trail, problem.softening = {eps}, problem.steps = 2;
    problem.program.stages = 2;
    problem.program.kick = {Real(0.01), Real(0.01)}, problem.program.drift = {Real(0.02), 0};
    problem.bodies_per_thread = shape, problem.stream = stream.get();
    cuda::particle_steps<P>(problem);
    found.emplace_back(x.size());
    at.copy_to_host(found.back());
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(found[0][i].position(), found[1][i].position()) << i;
    EXPECT_EQ(found[0][i].position() == x[i].position(), x[i].m > 0) << i;
  }
}

TEST(CudaTestParticles, HaveTheSameBitsOneOrTwoInAThread) {
  compare_shapes<F32>(), compare_shapes<Mixed>(), compare_shapes<F64>();
}

/// More bodies with mass than fit into the kernel's shared memory; more potentials than one launch adds.
TEST(CudaTestParticles, HaveTheBitsOfSingleStepsBeyondOneTile) {
  const std::vector<std::uint64_t> some{3, 70}, few{3, 2};
  compare_launches<Mixed>(scene(1100, 5), open_space, "kdk", 1, test::emulated_size(some, few));
  Gravity many = open_space;
  for (int k = 0; k < 26; ++k)
    many.potentials.push_back(potential_of("plummer mass=0.1 scale=1 x=" + std::to_string(0.1 * k)));
  compare_launches<F32>(scene(2, 300), many, "kdk", 1, few);
  compare_launches<Mixed>(scene(0, 300), many, "kdk", 1, few);
}

/// The engine tells whether particles are carried; where they cannot be, single steps are made.
TEST(CudaTestParticles, AreCarriedThroughManyStepsWhereThatIsPossible) {
  const auto carries = [](const Bodies& bodies, const Gravity& gravity) {
    const DeviceEngine<Mixed> engine(bodies, gravity, {.method = by("cuda/tile")}, Precision::mixed);
    return engine.describe().why.find("steps of test particles in a launch") != std::string::npos;
  };
  EXPECT_TRUE(carries(scene(3, 40), open_space));
  EXPECT_FALSE(carries(scene(3, 0), open_space));
  EXPECT_FALSE(carries(scene(2049, 1), open_space));
  Gravity periodic = open_space;
  periodic.boundary = {.periodic = true, .length = {4, 4, 4}};
  EXPECT_FALSE(carries(scene(3, 40), periodic));
  DeviceEngine<Mixed> in_a_box(scene(3, 40), periodic, {.method = by("cuda/tile")}, Precision::mixed);
  EXPECT_GT(norm(after(in_a_box, scene(3, 40), integrator_named("kdk")).position(0)), 0);
}

TEST(CudaTestParticles, HaveTheBitsOfOneGpuOnSeveral) {
  compare_several<F32>("cuda/symmetric-fixed-point"), compare_several<Mixed>("cuda/mixed-symmetric"),
      compare_several<F64>("cuda/fp64-symmetric");
  compare_several<Mixed>("cuda/tile");
}

TEST(CudaTestParticles, HaveTheBitsOfOneGpuOnRanks) {
  compare_ranks<Mixed>("cuda/mixed-symmetric"), compare_ranks<F32>("cuda/split-reduced");
}

TEST(CudaTestParticles, OfWhichNoneIsPulledWhereNoBodyHasMass) {
  const auto bodies = scene(0, 50);
  DeviceEngine<Mixed> engine(bodies, open_space, {.method = by("cuda/tile")}, Precision::mixed);
  Snapshot found;
  engine.fields(found);
  for (const auto* each : {&found.ax, &found.ay, &found.az, &found.potential})
    EXPECT_TRUE(std::ranges::all_of(*each, [](double v) { return v == 0; }));
}

TEST(CudaTestParticles, GetMassInTheMemoryOfTheGpu) {
  auto bodies = scene(3, 40);
  const Choice choice{.method = by("cuda/tile")};
  DeviceEngine<F64> engine(bodies, open_space, choice, Precision::f64);
  const auto state = engine.device_state();
  ASSERT_TRUE(state);
  const auto light = std::size_t(std::ranges::find(bodies.mass, 0.0) - bodies.mass.begin());
  std::vector<Mass<double>> x(bodies.size());
  cuda::copy_to_host(x.data(), state->bodies, x.size() * sizeof(x[0]), nullptr);
  x[light].m = bodies.mass[light] = 0.25;
  cuda::copy_to_device(state->bodies, x.data(), x.size() * sizeof(x[0]), nullptr);
  cuda::wait(nullptr);
  engine.state_changed();
  DeviceEngine<F64> anew(bodies, open_space, choice, Precision::f64);
  const auto& kdk = integrator_named("kdk");
  EXPECT_TRUE(after(engine, bodies, kdk) == after(anew, bodies, kdk));
  EXPECT_EQ(engine.describe().test_particles, 39U);
}

}  // namespace pleiad
