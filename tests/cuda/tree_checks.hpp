/// Trees on the GPU, or on its emulation: what the tests of both methods ask of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/gpu.hpp"
#include "cuda/tree/forces.hpp"
#include "sizes.hpp"
#include "tree/settings.hpp"
#include "unit/tree/solving.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <memory>
#include <span>

#include <gtest/gtest.h>

namespace pleiad::tree_test {

/// Brings bodies of the host to the device and sums back. P: F32 or Mixed.
template <class P>
class ForHost final : public ForceSolver<P> {
 public:
  using Real = typename P::Position;
  ForHost(const TreeSettings& settings, cuda::tree::FirstRoom room)
      : settings_(settings), forces_(settings, stream_.get(), room) {
    forces_.measure_phases();
  }
  void evaluate(const PairProblem<P>& problem) override {
    need_space(settings_, problem.boundary);
    const cuda::Buffer<Mass<Real>> bodies(problem.sources, stream_.get());
    cuda::Buffer<Vec4<Real>> sums(problem.sums.size(), stream_.get());
    sums.set_bytes(0xFF);
    auto there = problem;
    there.targets = there.sources = bodies.span(), there.sums = sums.span();
    forces_.evaluate(there);
    sums.copy_to_host(problem.sums);
  }
  TreeWork work() override { return forces_.work(); }

 private:
  cuda::Stream stream_;
  TreeSettings settings_;
  cuda::tree::Forces<Real> forces_;
};

template <class P>
std::unique_ptr<ForceSolver<P>> solver_on_gpu(TreeSettings settings, cuda::tree::FirstRoom room = {}) {
  settings.device = Device::cuda;
  return std::make_unique<ForHost<P>>(settings, room);
}

template <class Test>
void for_precisions(const Test& test) {
  test(F32{}), test(Mixed{});
}

/// `sums_of<P>(bodies, eps)` of so few bodies that none is far. Some n roundings of numbers of one size;
/// separations of 1e-2 in single precision have 2^-24 / 1e-2.
template <class SumsOf>
void expect_exact_for_few(const SumsOf& sums_of) {
  for (const std::size_t n : {1, 2, 3, 31, 32, 33, 64, 129, 300}) {
    const auto bodies = rounded(random_cube(n, n));
    for (const double eps : {0.0, 0.01}) {
      const auto right = exact(bodies, eps, n);
      for_precisions([&]<class P>(P) {
        const auto e = errors<typename P::Sum>(sums_of.template operator()<P>(bodies, eps), right);
        EXPECT_LE(e.share, 1e-5) << name<P>() << ", N = " << n << ", eps = " << eps;
        EXPECT_LE(e.potential, 1e-5) << name<P>() << ", N = " << n << ", eps = " << eps;
      });
    }
  }
}

/// Again, after another problem, and without the potential. Returns them.
template <class P>
Sums<P> expect_same_bits_again(ForceSolver<P>& solver, const Masses& bodies) {
  const auto first = evaluate<P>(solver, bodies, 0.02);
  EXPECT_TRUE(same_bits(evaluate<P>(solver, bodies, 0.02), first)) << name<P>() << ", again";
  evaluate<P>(solver, plummer(300), 0.5);
  EXPECT_TRUE(same_bits(evaluate<P>(solver, bodies, 0.02), first)) << name<P>() << ", after another";
  auto without = evaluate<P>(solver, bodies, 0.02, false), with = first;
  for (auto& sum : with) sum.w = 0;
  EXPECT_TRUE(same_bits(without, with)) << name<P>() << ", without the potential";
  return first;
}

/// `sums_of(bodies)` where one body is nowhere.
template <class SumsOf>
void expect_no_numbers_from_nowhere(const SumsOf& sums_of) {
  for (const double bad : {double(INFINITY), double(NAN)}) {
    auto bodies = plummer(100);
    bodies[17].y = bad;
    for (const auto& sum : sums_of(bodies)) EXPECT_TRUE(std::isnan(sum.x) && std::isnan(sum.w));
  }
}

}  // namespace pleiad::tree_test
