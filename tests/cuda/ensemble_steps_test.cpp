/// Kernels of many systems at once: each system as the oracle has it, and with the bits it has alone.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "gpu.hpp"
#include "step_states.hpp"

#include <pleiad/error.hpp>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::conformance;

using EnsembleSteps = Gpu;

namespace {

/// Systems of n bodies, each another cluster.
template <class P>
State<P> states_of(std::size_t systems, std::size_t n, double shift = 0) {
  std::vector<Mass<double>> all;
  for (std::size_t s = 0; s < systems; ++s) {
    const auto one = cluster_of(n, shift, 100 + s);
    all.insert(all.end(), one.begin(), one.end());
  }
  return state_of<P>(all);
}
template <class T>
std::vector<T> part(const std::vector<T>& all, std::size_t s, std::size_t n) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(s * n);
  return {first, first + static_cast<std::ptrdiff_t>(n)};
}
template <class P>
State<P> part(const State<P>& all, std::size_t s, std::size_t n) {
  return {part(all.bodies, s, n), part(all.velocities, s, n), part(all.sums, s, n), all.forces_current};
}

}  // namespace

TEST_F(EnsembleSteps, EverySystemsSumsAgreeWithTheReference) {
  // Bounds as in Steps.TheErrorIsOfTheSameClassAnywhere.
  for (const auto* kernel : cuda_ensemble_kernels())
    in_each_precision(*kernel, [&]<class P>(P) {
      for (const std::size_t n : {2, 3, 31, 32, 33, 64, 65, 100, 128, 150}) {
        if (n > kernel->most_bodies) continue;
        auto all = states_of<P>(3, n, std::is_same_v<P, Mixed> ? 1000 : 0);
        make_steps<P>(*kernel, {}, all, 3, {}, 0, {0.01});
        for (std::size_t s = 0; s < 3; ++s)
          EXPECT_LE((rms_of<P>(part(all.sums, s, n), part(all.bodies, s, n), 0.01)),
                    (std::is_same_v<P, F64> ? 2e-15 : 5e-7))
              << kernel->name << ", N = " << n << ", system " << s;
      }
    });
}

TEST_F(EnsembleSteps, SumsAreRightOnEveryScene) {
  for (const auto* kernel : cuda_ensemble_kernels())
    for (const auto& scene : scenes())
      for (const std::size_t n : {1, 20, 90})
        in_each_precision(*kernel, [&]<class P>(P) {
          if (!holds<P>(scene)) return;
          auto s = state_of<P>(bodies_of(scene, n, false));
          make_steps<P>(*kernel, {}, s, 1, {}, 0, {scene.eps});
          EXPECT_LE(worst_of<P>(s.sums, s.bodies, scene.eps), 1)
              << kernel->name << ", " << scene.name << ", N = " << n;
        });
}

TEST_F(EnsembleSteps, SumsOfLargeMassesWithoutSofteningAreRight) {
  for (const auto* kernel : cuda_ensemble_kernels())
    for (const std::vector<double>& eps : {std::vector<double>{0}, {0, 0.01}})
      in_each_precision(*kernel, [&]<class P>(P) {
        auto both = states_of<P>(eps.size(), 60, 0);
        for (auto& body : both.bodies) body.m *= 1e9;
        make_steps<P>(*kernel, {}, both, eps.size(), {}, 0, eps);
        EXPECT_LE(worst_of<P>(part(both.sums, 0, 60), part(both.bodies, 0, 60), 0), 1) << kernel->name;
      });
}

TEST_F(EnsembleSteps, ASystemHasTheBitsThatItHasAlone) {
  for (const auto* kernel : cuda_ensemble_kernels())
    for (const auto* const each : integrators()) {
      const auto& integrator = *each;
      if (integrator.needs_doubles || integrator.in_blocks) continue;
      in_each_precision(*kernel, [&]<class P>(P) {
        const std::size_t n = 40, systems = 6;
        const std::vector<double> eps{0.01, 0.02, 0.03, 0.04, 0.05, 0.06};
        const auto program = program_of<typename P::Position>(integrator, 0.01);
        auto all = states_of<P>(systems, n);
        const auto begin = all;
        make_steps<P>(*kernel, {}, all, systems, program, 3, eps);
        for (std::size_t s = 0; s < systems; ++s) {
          auto alone = part(begin, s, n);
          // Its length as it comes to the device, so that it is the same number.
          for (int step = 0; step < 3; ++step) make_steps<P>(*kernel, {}, alone, 1, program, 1, {eps[s]});
          EXPECT_TRUE(same_bits(alone, part(all, s, n))) << kernel->name << ", " << integrator.name;
        }
      });
    }
}

TEST_F(EnsembleSteps, BodiesThatHaveBeenThrownFarAwayDoNotBlurTheRest) {
  // Mixed: two of 64 bodies at 1e5; relative to a mean, at 3000, a float would resolve 1e-4 of the cluster.
  // Their own pulls are those of a point.
  for (const auto* kernel : cuda_ensemble_kernels()) {
    if (kernel->mixed == nullptr) continue;
    auto bodies = cluster_of(64, 0);
    bodies[3].x += 1e5, bodies[40].y -= 1e5;
    auto s = state_of<Mixed>(bodies);
    make_steps<Mixed>(*kernel, {}, s, 1, {}, 0, {0.01});
    EXPECT_LE((rms_of<Mixed>(s.sums, s.bodies, 0.01)), 5e-7) << kernel->name;
  }
}

TEST_F(EnsembleSteps, EveryShapeMakesTheSameSystems) {
  for (const auto* kernel : cuda_ensemble_kernels())
    for (const auto& shape : kernel->shapes) {
      auto s = states_of<F64>(5, 32);
      make_steps<F64>(*kernel, shape, s, 5, {}, 0, {0.01});
      for (std::size_t i = 0; i < 5; ++i)
        EXPECT_LE((rms_of<F64>(part(s.sums, i, 32), part(s.bodies, i, 32), 0.01)), 2e-15) << kernel->name;
    }
}

TEST_F(EnsembleSteps, NothingIsDoneForNoSystemsAndWhatCannotBeIsRefused) {
  for (const auto* kernel : cuda_ensemble_kernels()) {
    if (kernel->f32 == nullptr) continue;  // planetary systems
    State<F32> none;
    EXPECT_NO_THROW(make_steps<F32>(*kernel, {}, none, 0, {}, 3, {0.01}));
    auto many = state_of<F32>(std::vector<Mass<double>>(kernel->most_bodies + 1));
    EXPECT_THROW(make_steps<F32>(*kernel, {}, many, 1, {}, 0, {0.01}), UsageError);
    auto some = states_of<F32>(3, 10);
    EXPECT_THROW(make_steps<F32>(*kernel, {}, some, 3, {}, 0, {0.01, 0.02}), UsageError);
    EXPECT_THROW(make_steps<F32>(*kernel, {.threads_per_block = 96}, some, 3, {}, 0, {0.01}), UsageError);
  }
}
