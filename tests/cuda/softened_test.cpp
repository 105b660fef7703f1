/// Splines and softenings of bodies on GPUs, or their emulation: forces, potentials and steps of the oracle
/// and the host, the same bits on several GPUs, on ranks and with test particles, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/part.hpp"
#include "cuda/catalogue.hpp"
#include "cuda/device/device.hpp"
#include "cuda/gpu.hpp"
#include "cuda/multi_gpu/probe.hpp"
#include "cuda/taking_turns.hpp"
#include "engine/device_engine.hpp"
#include "engine/multi_gpu_engine.hpp"
#include "engine/softenings.hpp"
#include "ranks/division.hpp"
#include "reference/reference.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad {
namespace {

using SofteningsOnAGpu = Gpu;

constexpr std::array laws{Softening{.kernel = SofteningKernel::plummer, .rule = SofteningRule::max},
                          Softening{.kernel = SofteningKernel::plummer, .rule = SofteningRule::quadratic},
                          Softening{.kernel = SofteningKernel::spline, .rule = SofteningRule::max},
                          Softening{.kernel = SofteningKernel::spline, .rule = SofteningRule::quadratic}};

template <class P>
constexpr Precision precision_of = std::is_same_v<P, F32>   ? Precision::f32
                                   : std::is_same_v<P, F64> ? Precision::f64
                                                            : Precision::mixed;

/// A sphere whose bodies have softenings from `least` on; every third is a test particle, if any.
Bodies sphere(std::size_t n, double least, bool particles = false) {
  auto b = make_model("plummer", std::array{fmt::format("n={}", n)}, 7).bodies;
  for (std::size_t i = 0; i < n; ++i) {
    b.softening.push_back(least + 0.02 * double(i % 13));
    if (particles && i % 3 == 1) b.mass[i] = 0;
  }
  return b;
}
Bodies with_mass(const Bodies& b) {
  Bodies some;
  for (std::size_t i = 0; i < b.size(); ++i)
    if (b.mass[i] > 0) append_part(some, b, i, 1);
  return some;
}
std::vector<std::size_t> all_of(std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  return all;
}
EngineOptions on(const char* backend, Precision precision, const char* method = "") {
  EngineOptions options{.precision = precision, .backend = backend};
  if (*method != 0) options.method = force_method_of(method);
  return options;
}
StepPlan plan(const char* integrator = "kdk", double time = 0) {
  return {.integrator = &integrator_named(integrator), .dt = 1e-3, .time = time};
}
Bodies after(Engine& engine, Bodies b) {
  engine.advance(plan(), 3);
  engine.advance(plan("kdk", 0.003), 2);
  engine.copy_to_host(b);
  return b;
}
Gravity with(const Bodies& b, const Softening& softening) {
  return {.G = 1.5, .softening = softening_of(b, softening)};
}
Choice choice() {
  const auto kernels = cuda_kernels();
  const auto* kernel = *std::ranges::find(kernels, "cuda/split-reduced", &DirectKernel::name);
  return {.method = {.kernel = kernel, .shape = kernel->shapes.front()}};
}
std::string refusal_of(const Bodies& b, const Gravity& gravity, const EngineOptions& options) {
  try {
    (void)make_engine(b, gravity, options);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

// Positions in single precision are rounded by 6e-8, which a pull within a spline feels as much: 1e-5 of the
// largest is far above. Pairs in single precision have some ten roundings: 1e-6.
TEST_F(SofteningsOnAGpu, AreThoseOfTheOracleInEveryPrecision) {
  constexpr std::size_t n = 203;
  for (const bool particles : {false, true})
    for (const auto& law : laws)
      for (const bool box : {false, true}) {
        const auto b = sphere(n, 0, particles);
        Gravity gravity{.G = 2, .softening = law};
        if (box) gravity.boundary = {.periodic = true, .length = {3, 4, 5}};
        std::vector<Mass<double>> x;
        for (std::size_t i = 0; i < n; ++i) {
          auto at = b.position(i);
          if (box)
            at = {at.x - 3 * std::floor(at.x / 3), at.y - 4 * std::floor(at.y / 4),
                  at.z - 5 * std::floor(at.z / 5)};
          x.push_back({at.x, at.y, at.z, b.mass[i]});
        }
        const auto exact = reference::softened_pulls(x, b.softening, law, gravity.boundary);
        double largest = 0, deepest = 0;
        for (const auto& e : exact) {
          largest = std::max(largest, 2 * norm(Vec3<double>{double(e.x), double(e.y), double(e.z)}));
          deepest = std::max(deepest, 2 * std::abs(double(e.w)));
        }
        for (const auto precision : {Precision::f32, Precision::f64, Precision::mixed}) {
          SCOPED_TRACE(fmt::format("{} {} {}{}{}", name_of(law.kernel), name_of(law.rule), name_of(precision),
                                   box ? " box" : "", particles ? " particles" : ""));
          const auto engine = make_engine(b, gravity, on("cuda", precision));
          EXPECT_EQ(engine->describe().gpus, 1);
          EXPECT_EQ(engine->describe().test_particles, particles ? n / 3 + 1 : 0);
          const auto found = engine->computed_accelerations(all_of(n));
          Snapshot fields;
          engine->fields(fields);
          const double allowed = precision == Precision::f32   ? 1e-5
                                 : precision == Precision::f64 ? 2e-14
                                                               : 1e-6;
          double worst = 0, worst_with_potentials = 0, of_potential = 0;
          for (std::size_t i = 0; i < n; ++i) {
            const Vec3<double> right{2 * double(exact[i].x), 2 * double(exact[i].y), 2 * double(exact[i].z)};
            if (const double off = norm(found.found[i] - right); !(off <= worst)) worst = off;
            if (const double off = norm(found.diagnostic[i] - right); !(off <= worst_with_potentials))
              worst_with_potentials = off;
            if (const double off = std::abs(fields.potential[i] - 2 * double(exact[i].w));
                !(off <= of_potential))
              of_potential = off;
          }
          EXPECT_LE(worst, allowed * largest);
          EXPECT_LE(worst_with_potentials, allowed * largest);
          EXPECT_LE(of_potential, allowed * deepest);
          // The reference of the sample is in double precision, at the positions of the state.
          const auto reference = engine->exact_accelerations(all_of(n));
          for (std::size_t i = 0; i < n; ++i)
            ASSERT_LE(norm(reference[i] -
                           2.0 * Vec3<double>{double(exact[i].x), double(exact[i].y), double(exact[i].z)}),
                      (precision == Precision::f32 ? 1e-5 : 2e-14) * largest)
                << i;
          const auto at_given = engine->exact_accelerations_of(b, std::array<std::size_t, 2>{0, 100});
          if (box) continue;
          const auto& e = exact[100];
          EXPECT_LE(norm(at_given[1] - 2.0 * Vec3<double>{double(e.x), double(e.y), double(e.z)}),
                    2e-14 * largest);
        }
      }
}

// More sources than one tile of each split, and more targets than a block has.
TEST_F(SofteningsOnAGpu, AreThoseOfTheHostForManyBodies) {
  constexpr std::size_t n = 2500;
  const auto b = sphere(n, 0.01, true);
  for (const auto& law : laws) {
    const auto gravity = with(b, law);
    const auto host = make_engine(b, gravity, on("cpu", Precision::f64)),
               gpu = make_engine(b, gravity, on("cuda", Precision::f64));
    const auto expected = host->computed_accelerations(all_of(n)).found,
               found = gpu->computed_accelerations(all_of(n)).found;
    for (std::size_t i = 0; i < n; ++i) ASSERT_LE(norm(found[i] - expected[i]), 1e-13) << i;
    EXPECT_NEAR(gpu->totals().energies.potential, host->totals().energies.potential, 1e-13);
    // The largest of all, particles among them.
    const double eta = 0.05, dt = gpu->suggest_dt(integrator_named("kdk"), eta);
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, norm(expected[i]) / b.softening[i]);
    EXPECT_NEAR(dt, eta * std::sqrt(1 / largest), 1e-12 * dt);
  }
}

template <class P>
void compare_several(const Softening& law, bool particles) {
  const auto b = sphere(701, 0.01, particles);
  const auto gravity = with(b, law);
  auto chosen = choice();
  DeviceEngine<P> one(b, gravity, chosen, precision_of<P>);
  const auto expected = after(one, b);
  Snapshot fields, found;
  one.fields(fields);
  const double step = one.suggest_dt(integrator_named("kdk"), 0.1);
  for (const auto exchange : {cuda::Exchange::direct, cuda::Exchange::host}) {
    if (exchange == cuda::Exchange::direct && !cuda::why_not_reachable(cuda::device_count()).empty())
      continue;
    for (int gpus = 1; gpus <= std::min(cuda::device_count(), 3); ++gpus) {
      chosen.gpus = gpus;
      MultiGpuEngine<P> several(b, gravity, chosen, precision_of<P>, exchange);
      EXPECT_TRUE(after(several, b) == expected) << gpus << " GPUs";
      several.fields(found);
      EXPECT_TRUE(found.ax == fields.ax && found.potential == fields.potential) << gpus << " GPUs";
      EXPECT_EQ(several.suggest_dt(integrator_named("kdk"), 0.1), step);
    }
  }
}

TEST_F(SofteningsOnAGpu, HaveTheBitsOfOneGpuOnSeveral) {
  for (const auto& law : laws) compare_several<Mixed>(law, false);
  compare_several<F32>(laws[2], true), compare_several<F64>(laws[1], true);
}

TEST_F(SofteningsOnAGpu, HaveTheBitsOfOneGpuOnRanks) {
  const auto b = sphere(9000, 0.01, true);  // a rank owns at least 4096 bodies
  const auto gravity = with(b, laws[2]);
  DeviceEngine<Mixed> one(b, gravity, choice(), Precision::mixed);
  one.advance(plan(), 1);
  auto expected = b;
  one.copy_to_host(expected);
  const double energy = one.totals().energies.total();
  const std::vector<std::size_t> chosen{3, 5000, 8999};
  const auto exact = one.exact_accelerations(chosen), exact_of = one.exact_accelerations_of(expected, chosen);
  for (const int ranks : {2, 3})
    with_ranks_in_turn(ranks, [&](ranks::Communicator& comm) {
      const ranks::Division division{b.size(), ranks};
      const std::size_t first = division.first(comm.rank()), count = division.count(comm.rank());
      Bodies own, mine;
      append_part(own, b, first, count), append_part(mine, expected, first, count);
      DeviceEngine<Mixed> engine(own, gravity, choice(), Precision::mixed, comm);
      engine.advance(plan(), 1);
      engine.copy_to_host(own);
      EXPECT_TRUE(own == mine) << "rank " << comm.rank() << " of " << ranks;
      EXPECT_EQ(engine.totals().energies.total(), energy);
      EXPECT_TRUE(engine.exact_accelerations(chosen) == exact);
      EXPECT_TRUE(engine.exact_accelerations_of(own, chosen) == exact_of);
    });
}

TEST_F(SofteningsOnAGpu, OfTestParticlesChangeNoBodyWithMass) {
  const auto b = sphere(400, 0.01, true), massive = with_mass(b);
  for (const auto& law : laws)
    for (const auto precision : {Precision::f32, Precision::f64, Precision::mixed}) {
      const auto all = make_engine(b, with(b, law), on("cuda", precision)),
                 alone = make_engine(massive, with(massive, law), on("cuda", precision));
      const auto expected = after(*alone, massive), found = with_mass(after(*all, b));
      EXPECT_TRUE(found.x == expected.x && found.vz == expected.vz) << name_of(law.kernel);
    }
}

TEST_F(SofteningsOnAGpu, MayChangeWithTheBodies) {
  auto b = sphere(60, 0.01);
  const auto gravity = with(b, laws[0]);
  const auto engine = make_engine(b, gravity, on("cuda", Precision::f64));
  engine->computed_accelerations(all_of(60));
  for (auto& eps : b.softening) eps += 0.1;
  engine->load(b);
  const auto found = engine->computed_accelerations(all_of(60)).found,
             expected = make_engine(b, gravity, on("cuda", Precision::f64))
                            ->computed_accelerations(all_of(60))
                            .found;
  EXPECT_TRUE(found == expected);
}

TEST_F(SofteningsOnAGpu, HaveMeasuredErrors) {
  auto b = sphere(500, 0.02);
  for (const auto precision : {Precision::mixed, Precision::f32}) {
    Snapshot start;
    start.bodies = b;
    Simulation sim(start, Gravity{.softening = laws[2]},
                   Method{.integrator = &integrator_named("kdk"), .dt = 0.01},
                   EngineOptions{.precision = precision, .backend = "cuda"});
    const auto errors = sim.force_errors();
    EXPECT_TRUE(errors.measured);
    EXPECT_GT(errors.p99, 1e-9);
    EXPECT_LT(errors.p99, 1e-5);
  }
}

TEST_F(SofteningsOnAGpu, AreRefusedInWordsByOtherKernels) {
  const auto b = sphere(300, 0.02);
  const Gravity gravity{.softening = laws[0]};
  for (const char* kernel : {"cuda/tile", "cuda/mixed-symmetric"})
    EXPECT_EQ(
        refusal_of(b, gravity, on("cuda", Precision::mixed, kernel)),
        fmt::format(
            "bodies with softenings of their own: computed by cuda/split-reduced, not by '{}'; use that one",
            kernel));
  const Gravity splines{.softening = {.eps = 0.1, .kernel = SofteningKernel::spline}};
  EXPECT_TRUE(refusal_of(sphere(300, 0.1), splines, on("cuda", Precision::mixed, "cuda/fmm order=5"))
                  .starts_with("bodies with softenings of their own: trees take it on CPUs, not 'cuda/fmm"));
}

}  // namespace pleiad
