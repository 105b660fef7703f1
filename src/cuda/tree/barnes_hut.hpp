/// Barnes and Hut's method on one GPU or, in parts, on several: groups of bodies walk the tree. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/forces.hpp"
#include "cuda/tree/octree.hpp"
#include "cuda/tree/walks.hpp"

namespace pleiad::cuda::tree {

/// Finds the accelerations that bodies give each other. It keeps its memory between evaluations, and nothing
/// else: the same bodies give the same bits, whatever came before. P: F32 or Mixed.
template <class P>
class BarnesHut final : public Forces<typename P::Position> {
 public:
  using Real = typename P::Position;
  /// UsageError for settings that it does not have.
  BarnesHut(const TreeSettings& settings, void* stream, FirstRoom room = {});

  void begin(const Request<Real>& request) override;
  bool go_on() override;
  std::size_t bytes() const override { return tree_.bytes(); }
  void measure_phases() override { tree_.measure_phases(); }
  PhaseSeconds phases() override { return tree_.phases(); }
  TreeWork work() override;

 private:
  void walk();

  TreeSettings settings_;
  const WalkKernels& kernels_;
  void* stream_;
  Octree<Real> tree_;
  Groups groups_{};
  /// The work that was queued last. Accelerations are sent to other devices only when all of them have been
  /// waited for once.
  enum class Stage { cells, moments, done } stage_ = Stage::done;
};

extern template class BarnesHut<F32>;
extern template class BarnesHut<Mixed>;

}  // namespace pleiad::cuda::tree
