/// Every rung's device code against the oracle, on the emulator: sizes, scenes, shapes, in three orders of
/// the threads.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "broken.hpp"
#include "cuda/catalogue.hpp"
#include "cuda/device/cuda.hpp"
#include "scenes.hpp"

#include <pleiad/error.hpp>

#include <limits>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::conformance;

namespace {

template <class P>
constexpr Precision precision_of = std::is_same_v<P, F32>   ? Precision::f32
                                   : std::is_same_v<P, F64> ? Precision::f64
                                                            : Precision::mixed;

struct Setup {
  const Scene& scene;
  std::size_t n;
  bool periodic = false, potential = false;
  std::size_t first = 0, count = 0;  ///< the targets among the sources; count 0: all
};

/// The worst error as a fraction of what is allowed; infinity when the kernel fails or leaves a NaN.
template <class P>
double worst(const DirectKernel& kernel, const LaunchShape& shape, const Setup& s) {
  const auto sources = rounded<P>(bodies_of(s.scene, s.n, s.periodic));
  const auto wide = widened<typename P::Position>(sources);
  const std::size_t count = s.count == 0 ? s.n : s.count;
  const Boundary boundary{s.periodic, {1, 1, s.scene.name == "flat" ? 0.0 : 1.0}};
  constexpr auto nan = std::numeric_limits<typename P::Sum>::quiet_NaN();
  std::vector<Vec4<typename P::Sum>> sums(count, {nan, nan, nan, nan});
  const PairProblem<P> problem{.targets = std::span(sources).subspan(s.first, count),
                               .sources = sources,
                               .sums = sums,
                               .softening = {s.scene.eps},
                               .boundary = boundary,
                               .self = static_cast<std::ptrdiff_t>(s.first),
                               .potential = s.potential,
                               .stream = nullptr};
  try {
    kernel.run<P>()(problem, shape);
  } catch (const std::logic_error&) {
    return std::numeric_limits<double>::infinity();
  }
  const auto wanted = expected(std::span<const Mass<double>>(wide).subspan(s.first, count), wide,
                               {s.scene.eps}, boundary, problem.self);
  const auto e = errors<P>(sums, wanted, s.periodic ? 1 : extent_of(wide), s.potential);
  const double all = std::max(e.worst, e.worst_potential);
  return std::isnan(e.worst) || std::isnan(e.worst_potential) ? std::numeric_limits<double>::infinity() : all;
}

/// Scenes whose numbers single precision cannot hold as they are: the rungs do not rescale.
template <class P>
bool too_wide(const Scene& scene) {
  return scene.name == "galaxy in cm" || (scene.name == "far away" && !std::is_same_v<P, F64>);
}

template <class P>
void check(const DirectKernel& kernel, const LaunchShape& shape, const Setup& s) {
  if (!kernel.has(precision_of<P>) || too_wide<P>(s.scene)) return;
  if ((s.periodic && !kernel.traits.periodic) || (s.potential && !kernel.traits.potential)) return;
  if ((s.first != 0 || s.count != 0) && !kernel.traits.separate_targets) return;
  EXPECT_LE((worst<P>(kernel, shape, s)), 1)
      << kernel.name << " " << name_of(precision_of<P>) << ", " << s.scene.name << ", N = " << s.n
      << ", block " << shape.threads_per_block << (s.periodic ? ", periodic" : "")
      << (s.potential ? ", potential" : "");
}

void check_all(const DirectKernel& kernel, const LaunchShape& shape, const Setup& s) {
  check<F32>(kernel, shape, s);
  check<F64>(kernel, shape, s);
  check<Mixed>(kernel, shape, s);
}

}  // namespace

TEST(Rungs, AgreeWithTheReferenceAtAwkwardSizes) {
  for (const auto* kernel : cuda_kernels())
    for (const auto& shape : kernel->shapes)
      for (const std::size_t n : {0, 1, 2, 31, 33, 127, 129, 257})
        check_all(*kernel, shape, {scenes()[0], n});
}
TEST(Rungs, AgreeOnEverySceneAndBoundary) {
  for (const auto* kernel : cuda_kernels())
    for (const auto& scene : scenes())
      for (const bool periodic : {false, true})
        for (const bool potential : {false, true})
          check_all(*kernel, kernel->shapes[0], {scene, 100, periodic, potential});
}
TEST(Rungs, TakeTargetsThatAreAPartOfTheSources) {
  for (const auto* kernel : cuda_kernels())
    check_all(*kernel, kernel->shapes[0], {scenes()[1], 203, false, false, 70, 61});
}
TEST(Rungs, AgreeInEveryOrderOfTheThreads) {
  for (const auto order : {emulator::Order::backward, emulator::Order::shuffled}) {
    emulator::order = order;
    for (const auto* kernel : cuda_kernels())
      for (const auto& shape : kernel->shapes) check_all(*kernel, shape, {scenes()[0], 161});
  }
  emulator::order = emulator::Order::forward;
}
TEST(Rungs, BrokenOnPurposeAreRejected) {
  for (const auto* kernel : broken_kernels()) {
    double seen = 0;
    for (const auto order :
         {emulator::Order::forward, emulator::Order::backward, emulator::Order::shuffled}) {
      emulator::order = order;
      for (const std::size_t n : {64, 161}) seen = std::max(seen, worst<F32>(*kernel, {}, {scenes()[0], n}));
    }
    emulator::order = emulator::Order::forward;
    EXPECT_GT(seen, 1) << kernel->name;
  }
}
