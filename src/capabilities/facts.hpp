/// Facts of a problem that the choice of a force method depends on, computed once and passed on instead of
/// the bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/precision.hpp>

#include <cstddef>

namespace pleiad {

/// The facts of one problem. Defaults: one process, one GPU, an integrator that needs accelerations only.
struct ProblemFacts {
  std::size_t n = 0;            ///< bodies, on all ranks together
  std::size_t massless = 0;     ///< test particles among them
  std::size_t semi_active = 0;  ///< bodies that do not pull each other (Gravity::semi_active)
  bool equal_masses = false;    ///< all masses are the same and not 0
  Gravity gravity{};
  Precision precision = Precision::mixed;
  int gpus = 1;                            ///< GPUs of this process
  bool on_ranks = false;                   ///< bodies are divided among several ranks
  bool must_divide_tree = false;           ///< no GPU may have the whole tree
  const Integrator* integrator = nullptr;  ///< of the steps; null: one that needs accelerations only
  bool symmetric_steps = false;            ///< steps that change follow from both of their ends
  bool pair_steps = false;                 ///< block time steps follow from pairs of bodies
  bool close_groups = false;               ///< bodies that come close are regularised groups
  bool neighbours = false;                 ///< pulls of neighbours are summed by themselves
  bool adaptive = false;                   ///< every system of an ensemble has its own adaptive step
  bool user_force = false;                 ///< a function of the user adds accelerations
  bool resumes = true;                     ///< a run, which must have the same bits after it is resumed

  /// Number of bodies that a method on the CPU is chosen for: those that pull all others.
  std::size_t massive() const { return n - massless - semi_active; }
};

}  // namespace pleiad
