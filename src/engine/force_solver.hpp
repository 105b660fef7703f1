/// How the accelerations of bodies in one memory are found: by direct sums or by a tree, of this process
/// alone or of several ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/kernel/direct.hpp>
#include <pleiad/kernel/force_method.hpp>
#include <pleiad/kernel/tree.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace pleiad {
namespace ranks {
class Collective;
}

/// Direct sums by kernels of the catalogue.
template <class P>
class DirectSums final : public ForceSolver<P> {
 public:
  /// `potentials` sums them too, in its usual shape if it is another rung.
  DirectSums(const DirectKernel& kernel, const LaunchShape& shape, const DirectKernel& potentials,
             const LaunchShape& potential_shape)
      : kernel_(kernel), potentials_(potentials), shape_(shape), potential_shape_(potential_shape) {}
  void evaluate(const PairProblem<P>& problem) override {
    if (problem.targets.empty()) return;  // a rank may have none, and nothing is launched for them
    if (problem.potential) potentials_.template run<P>()(problem, potential_shape_);
    else kernel_.template run<P>()(problem, shape_);
  }

 private:
  const DirectKernel &kernel_, &potentials_;
  LaunchShape shape_, potential_shape_;
};

/// Makes a solver on the host. UsageError for a tree that it does not support.
template <class P>
std::unique_ptr<ForceSolver<P>> make_host_solver(const ForceMethod& method);
/// The same for the bodies of `all` ranks, which outlive the solver: `evaluate` is collective, and its
/// problem has this rank's bodies as targets and as sources. The bits are those of the method on one process
/// with all bodies, whatever the number of ranks. UsageError where why_not has a sentence.
template <class P>
std::unique_ptr<ForceSolver<P>> make_host_solver(const ForceMethod& method, const Gravity& gravity,
                                                 const ranks::Collective& all);
/// On the present GPU, whose stream this is.
template <class P>
std::unique_ptr<ForceSolver<P>> make_device_solver(const ForceMethod& method, void* stream);
/// The same where only the bodies with the numbers `massive`, of `own` in all, have mass, by direct sums:
/// those have the sums that they have by themselves, bit for bit, and the others, test particles, those of
/// the pulls of the bodies with mass. The targets are the sources.
template <class P>
std::unique_ptr<ForceSolver<P>> make_device_particle_solver(const ForceMethod& method,
                                                            std::span<const std::size_t> massive,
                                                            std::size_t own, void* stream);

/// A cache of the solver of the last requested method.
template <class P>
class KeptSolver {
 public:
  /// make(): one for this method.
  template <class Make>
  ForceSolver<P>& of(const ForceMethod& method, const Make& make) {
    if (solver_ && method_ == method) return *solver_;
    solver_.reset();  // frees memory before the next solver allocates its own
    solver_ = make();
    method_ = method;
    return *solver_;
  }
  void forget() { solver_.reset(); }

 private:
  ForceMethod method_;
  std::unique_ptr<ForceSolver<P>> solver_;
};

}  // namespace pleiad
