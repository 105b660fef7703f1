/// Solvers for the accelerations of bodies in one memory: direct sums or trees.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/direct.hpp>
#include <pleiad/kernel/force_method.hpp>
#include <pleiad/kernel/tree.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace pleiad {

/// P: the precision policy. It keeps its memory between evaluations.
template <class P>
class ForceSolver {
 public:
  virtual ~ForceSolver() = default;
  /// The bodies are where the solver works, the host's memory or a GPU's, where work is queued in the stream
  /// of the solver. With a tree the targets are the sources. Sums with potentials may round accelerations
  /// differently: another rung may find them.
  virtual void evaluate(const PairProblem<P>& problem) = 0;
  /// Bytes of memory that the solver keeps.
  virtual std::size_t bytes() const { return 0; }
  /// Work of the last evaluation of a tree; direct sums are not counted.
  virtual TreeWork work() { return {}; }
};

/// Direct sums by kernels of the catalogue.
template <class P>
class DirectSums final : public ForceSolver<P> {
 public:
  /// `potentials` sums them too, in its usual shape if it is another rung.
  DirectSums(const DirectKernel& kernel, const LaunchShape& shape, const DirectKernel& potentials,
             const LaunchShape& potential_shape)
      : kernel_(kernel), potentials_(potentials), shape_(shape), potential_shape_(potential_shape) {}
  void evaluate(const PairProblem<P>& problem) override {
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
/// Makes a solver on the present GPU, with a stream of it.
template <class P>
std::unique_ptr<ForceSolver<P>> make_device_solver(const ForceMethod& method, void* stream);

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
