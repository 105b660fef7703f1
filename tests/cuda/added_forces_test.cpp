/// Added forces on GPUs, or their emulation: accelerations, energies and steps of the host for every kind,
/// implicit kicks, the same bits on one GPU, on several and on ranks, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "core/part.hpp"
#include "cuda/catalogue.hpp"
#include "cuda/device/device.hpp"
#include "cuda/gpu.hpp"
#include "cuda/multi_gpu/probe.hpp"
#include "cuda/taking_turns.hpp"
#include "engine/device_engine.hpp"
#include "engine/multi_gpu_engine.hpp"
#include "ranks/division.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

using AddedForcesOnAGpu = Gpu;

/// Forces of every kind, on all bodies.
const std::vector<std::string> of_positions{
    "gr-potential c=5", "oblate j2=0.1 radius=0.5 j4=0.05 axis_x=0.3 axis_y=-0.4 axis_z=0.8",
    "radiation beta=0.2"};
const std::vector<std::string> of_velocities{"post-newtonian c=5", "poynting-robertson beta=0.3 c=5 on=all",
                                             "gas-drag linear=0.2 quadratic=0.1 vx=0.3",
                                             "gas-drag linear=0.2 rotation=0.9",
                                             "dynamical-friction log_lambda=1 sigma=1"};

Gravity with(const std::vector<std::string>& texts) {
  Gravity gravity{.G = 1.5, .softening = {0.1}};
  gravity.forces = added_forces_of(texts);
  gravity.potentials = {potential_of("plummer mass=0.5 scale=1 vx=0.1"),
                        potential_of("table rows=0.3,0.1,1,0.5,3,0.7")};
  return gravity;
}
std::vector<std::string> all_kinds() {
  auto all = of_positions;
  all.insert(all.end(), of_velocities.begin(), of_velocities.end());
  return all;
}

/// A heavy body, which is neither the first nor at rest, among light ones and, every fifth, test particles.
Bodies scene(std::size_t n) {
  Bodies b;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == n / 2) {
      b.add(1, {0.05, -0.1, 0.02}, {0.1, 0.05, -0.02});
      continue;
    }
    const double t = 1000.0 + double(i), r = 1 + double(i) / double(n), speed = std::sqrt(1.5 / r);
    const Vec3<double> x{r * std::cos(t), r * std::sin(t), 0.3 * std::sin(3.7 * t)};
    b.add(i % 5 == 0 ? 0 : (1 + 0.5 * std::sin(3 * t)) / (10 * double(n)), x,
          {-speed * std::sin(t), speed * std::cos(t), 0.2 * std::cos(2.1 * t)});
  }
  return b;
}

template <class P>
constexpr Precision precision_of = std::is_same_v<P, F32>   ? Precision::f32
                                   : std::is_same_v<P, F64> ? Precision::f64
                                                            : Precision::mixed;
EngineOptions on(const char* backend, Precision precision, const char* integrator = "kdk") {
  return {.precision = precision, .backend = backend, .integrator = &integrator_named(integrator)};
}
Choice by(std::string_view name) {
  const auto kernels = cuda_kernels();
  const auto* kernel = *std::ranges::find(kernels, name, &DirectKernel::name);
  return {.method = {.kernel = kernel, .shape = kernel->shapes.front()}};
}
Bodies after(Engine& engine, Bodies b, const char* integrator = "kdk") {
  const StepPlan plan{.integrator = &integrator_named(integrator), .dt = 1.0 / 256};
  auto later = plan;
  engine.advance(plan, 5);
  later.time = 5.0 / 256;
  engine.advance(later, 2);
  engine.copy_to_host(b);
  return b;
}
double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (const double d : {norm(a.position(i) - b.position(i)), norm(a.velocity(i) - b.velocity(i))})
      take_larger(largest, d);
  return largest;
}

}  // namespace

// Sums of 300 bodies with accelerations near 1, each rounded some ten times in the precision of the pairs.
TEST_F(AddedForcesOnAGpu, AreThoseOfTheHost) {
  const auto b = scene(300);
  auto sets = std::vector<std::vector<std::string>>{all_kinds()};
  for (const auto& text : all_kinds()) sets.push_back({text});
  for (const auto& texts : sets)
    for (const auto precision : {Precision::f64, Precision::mixed, Precision::f32}) {
      SCOPED_TRACE(texts.front() + " " + std::string(name_of(precision)));
      const auto host = make_engine(b, with(texts), on("cpu", Precision::f64)),
                 gpu = make_engine(b, with(texts), on("cuda", precision));
      const double allowed = precision == Precision::f64 ? 1e-13 : 3e-6;
      Snapshot expected, found, copied;
      host->fields(expected), gpu->fields(found);
      copied.bodies = b;
      gpu->begin_copy(true)(copied);
      EXPECT_TRUE(copied.ax == found.ax && copied.potential == found.potential);
      for (std::size_t i = 0; i < b.size(); ++i) {
        const Vec3<double> off{found.ax[i] - expected.ax[i], found.ay[i] - expected.ay[i],
                               found.az[i] - expected.az[i]};
        const double size = 1 + norm(Vec3<double>{expected.ax[i], expected.ay[i], expected.az[i]});
        ASSERT_LE(norm(off), allowed * size) << i;
        ASSERT_LE(std::abs(found.potential[i] - expected.potential[i]),
                  allowed * (1 + std::abs(expected.potential[i])))
            << i;
      }
      const auto totals = host->totals().energies, ours = gpu->totals().energies;
      EXPECT_NEAR(ours.potential, totals.potential, allowed);
      EXPECT_NEAR(ours.external, totals.external, allowed);
      EXPECT_NE(totals.external, 0);
    }
}

// The stages of a kick settle to a few roundings, which a step of 1/256 passes on.
TEST_F(AddedForcesOnAGpu, MakeTheStepsOfTheHost) {
  const auto b = scene(120);
  auto sets = std::vector<std::vector<std::string>>{all_kinds(), of_positions};
  for (const auto& text : of_velocities) sets.push_back({text});
  for (const auto& texts : sets)
    for (const auto* integrator : {"kdk", "dkd", "euler", "forest-ruth", "yoshida6", "kahan-li8"}) {
      SCOPED_TRACE(texts.front() + " " + integrator);
      const auto host = make_engine(b, with(texts), on("cpu", Precision::f64, integrator)),
                 gpu = make_engine(b, with(texts), on("cuda", Precision::f64, integrator));
      const auto expected = after(*host, b, integrator), found = after(*gpu, b, integrator);
      EXPECT_LE(distance(found, expected), 1e-13);
      EXPECT_GT(distance(found, b), 1e-3);
      EXPECT_EQ(gpu->evaluations(), host->evaluations());
    }
  const auto host = make_engine(b, with(all_kinds()), on("cpu", Precision::f32)),
             gpu = make_engine(b, with(all_kinds()), on("cuda", Precision::f32));
  EXPECT_LE(distance(after(*gpu, b), after(*host, b)), 1e-5);
}

TEST_F(AddedForcesOnAGpu, DoTheWorkThatTheyDoOnTheHost) {
  const auto b = scene(120);
  Gravity gravity{.G = 1.5, .softening = {0.1}};
  gravity.forces = added_forces_of(std::vector<std::string>{"gas-drag linear=0.2 quadratic=0.1 vx=0.3",
                                                            "poynting-robertson beta=0.3 c=5 on=all"});
  for (const auto& potential :
       {"plummer mass=0.5 scale=1", "bar mass=0.5 length=1 width=0.3 height=0.2 omega=0.7"}) {
    SCOPED_TRACE(potential);
    gravity.potentials = {potential_of(potential)};
    for (const auto* integrator : {"kdk", "forest-ruth", "kahan-li8"}) {
      const auto host = make_engine(b, gravity, on("cpu", Precision::f64, integrator)),
                 gpu = make_engine(b, gravity, on("cuda", Precision::f64, integrator));
      (void)after(*host, b, integrator), (void)after(*gpu, b, integrator);
      EXPECT_GT(std::abs(host->work()[0]), 1e-7);
      EXPECT_NEAR(gpu->work()[0], host->work()[0], 1e-14);
      const auto kept = gpu->work();
      const auto back = gpu->keep_state();
      (void)after(*gpu, b, integrator);
      EXPECT_NE(gpu->work(), kept);
      back();
      EXPECT_EQ(gpu->work(), kept);
    }
    auto choice = by("cuda/tile");
    DeviceEngine<F64> one(b, gravity, choice, Precision::f64);
    (void)after(one, b);
    choice.gpus = std::min(cuda::device_count(), 2);
    MultiGpuEngine<F64> several(b, gravity, choice, Precision::f64, cuda::Exchange::host);
    (void)after(several, b);
    EXPECT_EQ(several.work(), one.work());
  }
}

TEST_F(AddedForcesOnAGpu, KeepTheMomentumOfTheBodies) {
  auto b = scene(120);
  Gravity gravity{.softening = {0.1}};
  gravity.forces =
      added_forces_of(std::vector<std::string>{of_positions[0], of_positions[1], "post-newtonian c=5"});
  const auto momentum = [](const Bodies& of) {
    Vec3<double> p{};
    for (std::size_t i = 0; i < of.size(); ++i) p += of.mass[i] * of.velocity(i);
    return p;
  };
  const auto gpu = make_engine(b, gravity, on("cuda", Precision::f64));
  EXPECT_LE(norm(momentum(after(*gpu, b)) - momentum(b)), 1e-15);
}

TEST_F(AddedForcesOnAGpu, RefuseAKickThatDoesNotSettle) {
  const auto gpu = make_engine(scene(20), with({"gas-drag linear=1e4"}), on("cuda", Precision::f64));
  EXPECT_THROW(after(*gpu, scene(20)), NumericalError);
}

template <class P>
void compare_several(std::string_view kernel, const std::vector<std::string>& texts) {
  const auto b = scene(601);
  const auto gravity = with(texts);
  auto choice = by(kernel);
  DeviceEngine<P> one(b, gravity, choice, precision_of<P>);
  const auto expected = after(one, b);
  Snapshot fields, found;
  one.fields(fields);
  const double energy = one.totals().energies.total();
  for (const auto exchange : {cuda::Exchange::direct, cuda::Exchange::host}) {
    if (exchange == cuda::Exchange::direct && !cuda::why_not_reachable(cuda::device_count()).empty())
      continue;
    for (int gpus = 1; gpus <= std::min(cuda::device_count(), 3); ++gpus) {
      choice.gpus = gpus;
      MultiGpuEngine<P> several(b, gravity, choice, precision_of<P>, exchange);
      EXPECT_TRUE(after(several, b) == expected) << kernel << ", " << gpus << " GPUs";
      several.fields(found);
      Snapshot copied;
      copied.bodies = b;
      several.begin_copy(true)(copied);
      EXPECT_TRUE(copied.ay == found.ay);
      EXPECT_TRUE(found.ax == fields.ax && found.potential == fields.potential) << kernel << ", " << gpus;
      EXPECT_EQ(several.totals().energies.total(), energy);
    }
  }
}

TEST_F(AddedForcesOnAGpu, HaveTheBitsOfOneGpuOnSeveral) {
  compare_several<Mixed>("cuda/mixed-symmetric", of_positions);
  compare_several<F32>("cuda/split-reduced", all_kinds()), compare_several<F64>("cuda/tile", all_kinds());
}

TEST_F(AddedForcesOnAGpu, HaveTheBitsOfOneGpuOnRanks) {
  const auto b = scene(9000);  // a rank owns at least 4096 bodies
  const auto gravity = with(all_kinds());
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = 1.0 / 256};
  DeviceEngine<Mixed> one(b, gravity, by("cuda/split-reduced"), Precision::mixed);
  one.advance(plan, 1);
  auto expected = b;
  one.copy_to_host(expected);
  const double energy = one.totals().energies.total();
  for (const int ranks : {2, 3})
    with_ranks_in_turn(ranks, [&](ranks::Communicator& comm) {
      const ranks::Division division{b.size(), ranks};
      const std::size_t first = division.first(comm.rank()), count = division.count(comm.rank());
      Bodies own, mine;
      append_part(own, b, first, count), append_part(mine, expected, first, count);
      DeviceEngine<Mixed> engine(own, gravity, by("cuda/split-reduced"), Precision::mixed, comm);
      engine.advance(plan, 1);
      engine.copy_to_host(own);
      EXPECT_TRUE(own == mine) << "rank " << comm.rank() << " of " << ranks;
      EXPECT_EQ(engine.totals().energies.total(), energy);
    });
}

TEST_F(AddedForcesOnAGpu, WorkWithTreesAndWithSplines) {
  auto b = scene(2000);
  auto gravity = with(all_kinds());
  auto options = on("cuda", Precision::mixed);
  options.method = force_method_of("cuda/fmm order=6 theta=0.4");
  const auto host = make_engine(b, gravity, on("cpu", Precision::f64)),
             tree = make_engine(b, gravity, options);
  EXPECT_LE(distance(after(*tree, b), after(*host, b)), 1e-5);
  gravity.softening.kernel = SofteningKernel::spline;
  const auto of_host = make_engine(b, gravity, on("cpu", Precision::f64)),
             of_gpu = make_engine(b, gravity, on("cuda", Precision::f64));
  EXPECT_LE(distance(after(*of_gpu, b), after(*of_host, b)), 1e-13);
}

TEST_F(AddedForcesOnAGpu, OfVelocitiesTakeSeveralGpusWhereTheyAreAskedFor) {
  if (cuda::device_count() < 2) GTEST_SKIP() << "there is one GPU";
  auto options = on("cuda", Precision::f64);
  options.gpus = 0;
  auto b = scene(13000);
  for (auto& m : b.mass) m = std::max(m, 1e-6);  // test particles would be on one GPU
  EXPECT_EQ(make_engine(b, with({"radiation beta=1"}), options)->describe().gpus,
            std::min(cuda::device_count(), 8));
  EXPECT_EQ(make_engine(b, with({"gas-drag linear=1"}), options)->describe().gpus, 1);
  options.gpus = 2;
  EXPECT_EQ(make_engine(b, with({"gas-drag linear=1"}), options)->describe().gpus, 2);
}

TEST_F(AddedForcesOnAGpu, OfVelocitiesOnFewBodiesStayOnTheCpuUnlessAsked) {
  const auto few = make_engine(scene(20), with({"gas-drag linear=1"}), on("auto", Precision::f64));
  EXPECT_EQ(few->describe().gpus, 0);
  EXPECT_NE(few->describe().why.find("kicks by forces of velocities"), std::string::npos)
      << few->describe().why;
  EXPECT_EQ(make_engine(scene(20), with({"radiation beta=1"}), on("auto", Precision::f64))->describe().gpus,
            1);
}

}  // namespace pleiad
