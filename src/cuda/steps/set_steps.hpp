/// Block time steps of a set of few bodies with all their finer steps in one launch. Plain C++; work is
/// queued.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/body_sets.hpp"
#include "integrate/block_schedule.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/precision.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>

namespace pleiad::cuda {

/// What launches have done.
struct SetWork {
  std::uint64_t evaluations = 0;  ///< of the set and of sets of its members
  std::uint64_t pairs = 0;        ///< of all these
};

/// Memory of the device. P: the precision policy, whose sums are of the type of its positions.
template <class P>
struct SetProblem {
  using T = typename P::Position;
  BodySet set;              ///< at most most_members
  Mass<T>* x = nullptr;     ///< of all bodies
  Vec4<T>* v = nullptr;     ///< of all bodies
  Vec4<T>* sums = nullptr;  ///< of the set, by its order
  bool current = false;     ///< these are those of the present positions
  BlockStep step{};         ///< of the set, which is number 0 here
  unsigned steps = 1;       ///< one behind the other
  double dt = 0;
  int levels = 1;
  StepCriterion by{};
  double most_split = 0;  ///< the share of a set above which all of it takes the shorter step
  Softening softening{};
  double heaviest = 0;
  Boundary boundary{};
  SetWork* work = nullptr;    ///< to which what is done is added
  unsigned grid = 0;          ///< blocks of threads; 0: as many as are fast; the bits are the same
  void* workplace = nullptr;  ///< bytes_of_set_workplace
  void* stream = nullptr;
};

/// More are as fast by launches of their own.
inline constexpr std::size_t most_members = 8192;
/// Sets of members are at most this share of the set around: what shared memory has room for.
inline constexpr double most_split_of_sets = 0.6;

template <class P>
std::size_t bytes_of_set_workplace();
/// Makes the steps: the sums of the set are then those of their end. The bits are the same whatever the grid.
template <class P>
void set_steps(const SetProblem<P>& problem);

}  // namespace pleiad::cuda
