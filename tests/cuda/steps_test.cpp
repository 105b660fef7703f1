/// Kernels of fused steps: their forces against the oracle, their steps against forces and updates one after
/// another, bit for bit, and for any division into launches.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/catalogue.hpp"
#include "cuda/device/cuda.hpp"
#include "cuda/direct/scaled_source.hpp"
#include "cuda/direct/symmetric_sum.hpp"
#include "gpu.hpp"
#include "step_states.hpp"

#include <pleiad/error.hpp>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::conformance;

using Steps = Gpu;

namespace {

template <class P>
std::string words(const StepKernel& kernel, const LaunchShape& shape, std::size_t n) {
  return std::string(kernel.name) + " " +
         (std::is_same_v<P, F32>   ? "f32"
          : std::is_same_v<P, F64> ? "f64"
                                   : "mixed") +
         ", " + std::to_string(shape.threads_per_block) + " threads, " +
         std::to_string(shape.bodies_per_thread) + " bodies each, N = " + std::to_string(n);
}

/// Whether the shape was compiled for so many bodies; only the kernel's own choice takes any number.
template <class P>
bool takes(const StepKernel& kernel, const LaunchShape& shape, State<P> s) {
  try {
    make_steps<P>(kernel, shape, s, {}, 0, 0.01);
    return true;
  } catch (const UsageError&) {
    EXPECT_NE(shape, LaunchShape{}) << words<P>(kernel, shape, s.bodies.size());
    return false;
  }
}

/// One step as forces and updates, the former from the same kernel.
template <class P>
void step_by_parts(const StepKernel& kernel, const LaunchShape& shape, State<P>& s,
                   const StepProgram<typename P::Position>& program, double eps) {
  using std::fma;
  for (std::size_t stage = 0; stage < program.stages; ++stage) {
    const auto kick = program.kick[stage], drift = program.drift[stage];
    if (kick != 0 && !s.forces_current) make_steps<P>(kernel, shape, s, program, 0, eps);
    for (std::size_t i = 0; i < s.bodies.size(); ++i) {
      auto& x = s.bodies[i];
      auto& v = s.velocities[i];
      const auto& a = s.sums[i];
      if (kick != 0) v = {fma(kick, a.x, v.x), fma(kick, a.y, v.y), fma(kick, a.z, v.z), v.w};
      if (program.damping != 1)
        v = {v.x * program.damping, v.y * program.damping, v.z * program.damping, v.w};
      if (drift != 0) x = {fma(drift, v.x, x.x), fma(drift, v.y, x.y), fma(drift, v.z, x.z), x.m};
    }
    if (drift != 0) s.forces_current = false;
  }
}

}  // namespace

TEST_F(Steps, SumsAgreeWithTheReferenceAtAwkwardSizes) {
  for (const auto* kernel : all_cuda_step_kernels())
    for (const auto& shape : kernel->shapes)
      in_each_precision(*kernel, [&]<class P>(P) {
        for (const std::size_t n : {0, 1, 2, 31, 33, 65, 129, 190}) {
          auto s = state_of<P>(bodies_of(scenes()[0], n, false));
          if (!takes(*kernel, shape, s)) continue;
          make_steps<P>(*kernel, shape, s, {}, 0, scenes()[0].eps);
          EXPECT_LE(worst_of<P>(s.sums, s.bodies, scenes()[0].eps), 1) << words<P>(*kernel, shape, n);
        }
      });
}

TEST_F(Steps, SumsOfLargeMassesWithoutSofteningAreRight) {
  for (const auto* kernel : all_cuda_step_kernels())
    in_each_precision(*kernel, [&]<class P>(P) {
      auto bodies = bodies_of(scenes()[0], 60, false);
      for (auto& body : bodies) body.m *= 1e9;
      auto s = state_of<P>(bodies);
      make_steps<P>(*kernel, {}, s, {}, 0, 0);
      EXPECT_LE(worst_of<P>(s.sums, s.bodies, 0), 1) << kernel->name;
    });
}

TEST_F(Steps, SumsAreRightOnEveryScene) {
  for (const auto* kernel : all_cuda_step_kernels())
    for (const auto& scene : scenes())
      in_each_precision(*kernel, [&]<class P>(P) {
        if (!holds<P>(scene)) return;
        auto s = state_of<P>(bodies_of(scene, 100, false));
        make_steps<P>(*kernel, {}, s, {}, 0, scene.eps);
        EXPECT_LE(worst_of<P>(s.sums, s.bodies, scene.eps), 1) << kernel->name << ", " << scene.name;
      });
}

TEST_F(Steps, TheErrorIsOfTheSameClassAnywhere) {
  // As in Symmetric.TheErrorStaysSmallWhereBlocksMeet: 5e-7 promised for single precision's pairs, 2e-15 for
  // double's. Mixed also at (1000, 1000, 1000), where a float resolves 6e-5.
  for (const auto* kernel : all_cuda_step_kernels())
    for (const auto& shape : kernel->shapes)
      in_each_precision(*kernel, [&]<class P>(P) {
        for (const std::size_t n : {128, 250}) {
          auto s = state_of<P>(cluster_of(n, std::is_same_v<P, Mixed> ? 1000 : 0));
          if (!takes(*kernel, shape, s)) continue;
          make_steps<P>(*kernel, shape, s, {}, 0, 0.01);
          EXPECT_LE((rms_of<P>(s.sums, s.bodies, 0.01)), (std::is_same_v<P, F64> ? 2e-15 : 5e-7))
              << words<P>(*kernel, shape, n);
        }
      });
}

TEST_F(Steps, AreForcesAndUpdatesOneAfterAnother) {
  for (const auto* kernel : all_cuda_step_kernels())
    for (const auto* const each : integrators()) {
      const auto& integrator = *each;
      if (integrator.needs_doubles || integrator.in_blocks) continue;
      in_each_precision(*kernel, [&]<class P>(P) {
        const auto program =
            program_of<typename P::Position>(integrator, 0.01, integrator.name == "euler" ? 0.99 : 1);
        auto whole = state_of<P>(cluster_of(70, 0));
        auto parts = whole;
        make_steps<P>(*kernel, {}, whole, program, 2, 0.05);
        for (int step = 0; step < 2; ++step) step_by_parts<P>(*kernel, {}, parts, program, 0.05);
        EXPECT_TRUE(same_bits(whole, parts)) << words<P>(*kernel, {}, 70) << ", " << integrator.name;
        EXPECT_NE(whole.bodies[0].x, cluster_of(70, 0)[0].x);
      });
    }
}

TEST_F(Steps, HaveTheSameBitsForAnyDivisionIntoLaunches) {
  for (const auto* kernel : all_cuda_step_kernels())
    for (const auto& shape : kernel->shapes)
      in_each_precision(*kernel, [&]<class P>(P) {
        const auto program = program_of<typename P::Position>(integrator_named("kdk"), 0.01);
        auto once = state_of<P>(cluster_of(50, 0));
        if (!takes(*kernel, shape, once)) return;
        auto current = once, stale = once;
        make_steps<P>(*kernel, shape, once, program, 5, 0.05);
        for (const int steps : {1, 3, 1}) {
          make_steps<P>(*kernel, shape, current, program, static_cast<std::uint64_t>(steps), 0.05);
          stale.forces_current = false;  // the same sums are made again
          make_steps<P>(*kernel, shape, stale, program, static_cast<std::uint64_t>(steps), 0.05);
        }
        EXPECT_TRUE(once.forces_current && current.forces_current);
        EXPECT_TRUE(same_bits(once, current)) << words<P>(*kernel, shape, 50);
        EXPECT_TRUE(same_bits(once, stale)) << words<P>(*kernel, shape, 50);
      });
}

TEST_F(Steps, KeepAPlaneAPlane) {
  for (const auto* kernel : all_cuda_step_kernels())
    in_each_precision(*kernel, [&]<class P>(P) {
      auto bodies = cluster_of(40, 0);
      for (auto& b : bodies) b.z = 0;
      auto s = state_of<P>(bodies);
      for (auto& v : s.velocities) v.z = 0;
      make_steps<P>(*kernel, {}, s, program_of<typename P::Position>(integrator_named("kdk"), 0.01), 3, 0.05);
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        ASSERT_EQ(s.bodies[i].z, 0) << kernel->name;
        ASSERT_EQ(s.bodies[i].m, rounded<P>(bodies)[i].m) << kernel->name;
        ASSERT_EQ(s.velocities[i].w, 0) << kernel->name;
        ASSERT_EQ(s.sums[i].w, 0) << kernel->name;
      }
    });
}

TEST_F(Steps, OneOfThemThatIsNotFiniteShows) {
  for (const auto* kernel : all_cuda_step_kernels())
    in_each_precision(*kernel, [&]<class P>(P) {
      auto bodies = cluster_of(40, 0);
      bodies[17].y = std::numeric_limits<double>::quiet_NaN();
      auto s = state_of<P>(bodies);
      make_steps<P>(*kernel, {}, s, {}, 0, 0.05);
      for (const auto& sum : s.sums) ASSERT_TRUE(std::isnan(sum.x) || std::isnan(sum.y)) << kernel->name;
    });
}

TEST_F(Steps, WhatAKernelCannotDoIsRefusedInWords) {
  for (const auto* kernel : all_cuda_step_kernels())
    in_each_precision(*kernel, [&]<class P>(P) {
      auto s = state_of<P>(cluster_of(5, 0));
      EXPECT_THROW(make_steps<P>(*kernel, {.bodies_per_thread = 7}, s, {}, 0, 0.05), UsageError);
      auto many = state_of<P>(std::vector<Mass<double>>(kernel->most_bodies + 1));
      EXPECT_THROW(make_steps<P>(*kernel, {}, many, {}, 0, 0.05), UsageError) << kernel->name;
      const StepProblem<P> periodic{.bodies = s.bodies,
                                    .velocities = s.velocities,
                                    .sums = s.sums,
                                    .boundary = {.periodic = true, .length = {1, 1, 1}}};
      if (!kernel->periodic) {
        EXPECT_THROW(kernel->run<P>()(periodic, {}), UsageError) << kernel->name;
      }
    });
}

#ifdef PLEIAD_EMULATE_CUDA
TEST_F(Steps, HaveTheSameBitsInEveryOrderOfTheThreads) {
  for (const auto* kernel : all_cuda_step_kernels())
    for (const auto& shape : kernel->shapes)
      in_each_precision(*kernel, [&]<class P>(P) {
        const auto program = program_of<typename P::Position>(integrator_named("dkd"), 0.01);
        const auto begin = state_of<P>(cluster_of(60, 0));
        if (!takes(*kernel, shape, begin)) return;
        auto forward = begin;
        make_steps<P>(*kernel, shape, forward, program, 3, 0.05);
        for (const auto order : {emulator::Order::backward, emulator::Order::shuffled}) {
          emulator::order = order;
          auto s = begin;
          make_steps<P>(*kernel, shape, s, program, 3, 0.05);
          emulator::order = emulator::Order::forward;
          EXPECT_TRUE(same_bits(forward, s)) << words<P>(*kernel, shape, 60);
        }
      });
}
#endif

namespace {

/// The sums of a symmetric rung with one warp per block and K bodies a thread, in its two forms.
template <class P, int K>
std::vector<Vec4<typename P::Sum>> sums_of_rung(const State<P>& s, double eps) {
  using Sums = cuda::ExactSums<float>;
  using Body = Mass<typename P::Position>;
  constexpr bool pairs = std::is_same_v<P, Mixed>;
  const std::size_t n = s.bodies.size(), blocks = (n + 32 * K - 1) / (32 * K);
  const cuda::Buffer<Body> sources{std::span<const Body>(s.bodies)};
  cuda::Buffer<Vec4<typename P::Sum>> sums(n);
  const auto f = cuda::framed<P>(
      {.targets = sources.span(), .sources = sources.span(), .sums = sums.span(), .softening = {eps}},
      n + cuda::most_in_block);
  cuda::Buffer<Sums::Word> words(Sums::words_per_body * n);
  words.set_bytes(0);
  const cuda::Grid grid{.blocks = static_cast<unsigned>(blocks * (blocks + 1) / 2),
                        .threads = 32,
                        .shared_bytes = cuda::sweep_shared_bytes<1, pairs>(0.0f)};
  const auto sweep = [&](auto kernel, unsigned needs, unsigned taken) {
    cuda::launch("sweep", kernel, grid, nullptr, f.bodies.data(), f.rests.data(), f.boxes.data(),
                 Sums{words.data(), n}, f.frame.data(), static_cast<int>(n), f.eps2, 0u, needs, taken);
  };
  sweep(cuda::sweep<cuda::EqualMass, Sums, pairs, 1, K, 8, 1, false>, cuda::equal_masses, 0u);
  sweep(cuda::sweep<cuda::General, Sums, pairs, 1, K, 8, 1, false>, cuda::any_masses, cuda::equal_masses);
  cuda::launch("write_totals", cuda::write_totals<P, Sums>,
               {.blocks = static_cast<unsigned>((n + 255) / 256), .threads = 256}, nullptr,
               cuda::DevicePartialSums<Sums::Word>{{words.data()}, 1}, n, f.frame.data(),
               static_cast<const std::uint32_t*>(nullptr), std::size_t{0}, n, sums.data());
  std::vector<Vec4<typename P::Sum>> host(n);
  sums.copy_to_host(host);
  return host;
}

template <class P, int K>
void check_the_rungs_bits(const StepKernel& kernel, bool equal, double eps) {
  using T = typename P::Position;
  auto bodies = cluster_of(2 * 32 * K + 45, 3);
  if (equal)
    for (auto& b : bodies) b.m = 1.0 / 256;
  auto s = state_of<P>(bodies);
  // Also where the steps have moved the bodies to: the frame must have followed.
  make_steps<P>(kernel, {.bodies_per_thread = K}, s, program_of<T>(integrator_named("euler"), 0.05), 2, eps);
  make_steps<P>(kernel, {.bodies_per_thread = K}, s, {}, 0, eps);
  EXPECT_TRUE(same_bits(s.sums, sums_of_rung<P, K>(s, eps)))
      << words<P>(kernel, {.bodies_per_thread = K}, bodies.size()) << (equal ? ", equal masses" : "")
      << ", eps " << eps;
}

}  // namespace

TEST_F(Steps, SymmetricOnesHaveTheBitsOfTheirRung) {
  for (const auto* kernel : all_cuda_step_kernels()) {
    if (kernel->name != "cuda/symmetric-steps") continue;
    for (const bool equal : {false, true})
      for (const double eps : {0.05, 0.0}) {
        check_the_rungs_bits<F32, 4>(*kernel, equal, eps);
        check_the_rungs_bits<F32, 8>(*kernel, equal, eps);
        check_the_rungs_bits<Mixed, 4>(*kernel, equal, eps);
        check_the_rungs_bits<Mixed, 8>(*kernel, equal, eps);
      }
  }
}
