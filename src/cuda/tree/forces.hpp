/// Forces of a tree on one GPU or, in parts, on several, as engines see them. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/barnes_hut.hpp"
#include "cuda/tree/interactions.hpp"
#include "cuda/tree/octree.hpp"

#include <pleiad/kernel/tree.hpp>
#include <pleiad/precision.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <variant>

namespace pleiad::cuda::tree {

/// Finds the accelerations that bodies give each other, in a stream. Real: float for F32, double for Mixed.
/// ResourceError when the tree or its lists do not fit into the device's memory.
template <class Real>
class Forces final : public ForceSolver<std::conditional_t<std::is_same_v<Real, float>, F32, Mixed>> {
 public:
  using P = std::conditional_t<std::is_same_v<Real, float>, F32, Mixed>;
  /// UsageError for settings that no tree on the GPU has.
  Forces(const TreeSettings& settings, void* stream, FirstRoom room = {});

  /// All stages, of the whole.
  void evaluate(const PairProblem<P>& problem) override;
  /// Queues the first stage of the work.
  void begin(const Request<Real>& request);
  /// Waits for what the next stage has to know of the one before, and queues it. False: all is queued.
  /// Several devices are busy at once when each is told to go on before the first is again.
  bool go_on();
  std::size_t bytes() const override;
  /// From now on evaluations are timed by phases, which costs a little.
  void measure_phases() { tree_.measure_phases(); }
  /// Times of the last evaluation; waits for it.
  PhaseSeconds phases() { return tree_.phases(); }
  /// Counts what is on the device.
  TreeWork work() override;

 private:
  using Method = std::variant<GroupWalks<Real>, Interactions<P>>;
  static Method method_of(const TreeSettings& settings, void* stream, FirstRoom room);
  GroupWalks<Real>* walks() { return std::get_if<GroupWalks<Real>>(&method_); }
  Interactions<P>* interactions() { return std::get_if<Interactions<P>>(&method_); }

  Method method_;
  Octree<Real> tree_;
  bool in_pages_ = false;
  /// What was queued last. Accelerations go to other devices only when all of them have been waited for once.
  enum class Stage { cells, moments, done } stage_ = Stage::done;
};

extern template class Forces<float>;
extern template class Forces<double>;

/// UsageError for settings or a precision that no tree on the GPU has.
template <class P>
std::unique_ptr<Forces<typename P::Position>> make_forces(const TreeSettings& settings, void* stream,
                                                          FirstRoom room = {});

}  // namespace pleiad::cuda::tree
