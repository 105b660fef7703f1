/// Sets of the bodies on a GPU, as lists of their numbers: kicks, drifts, and the division of a set by the
/// steps that its members need. Plain C++; all pointers are the device's, and work is queued.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>

namespace pleiad::cuda {

/// Numbers in ascending order; null: those of all bodies.
struct BodySet {
  const std::uint32_t* members = nullptr;
  std::size_t count = 0;
};

/// to[k] = x[member k]. T: float or double, here and below.
template <class T>
void gather(const Mass<T>* x, const BodySet& set, Mass<T>* to, void* stream);
/// Adds h sums[k] to the velocity of member k, rounded once.
template <class T>
void kick(const BodySet& set, const Vec4<T>* sums, T h, Vec4<T>* v, void* stream);
/// Moves the members with their velocities; into the box, if it is periodic.
template <class T>
void drift(const BodySet& set, const Vec4<T>* v, T h, const Boundary& boundary, Mass<T>* x, void* stream);

/// The criterion of the step of a body: sqrt(2 eta eps / |a|).
struct StepCriterion {
  double eta = 0, eps = 0, G = 1;
  const double* softenings = nullptr;  ///< of all bodies, in place of eps; null: eps
};

/// What a division has found, in the memory of the device.
struct Division {
  std::uint32_t finer = 0;   ///< members that need a shorter step
  std::uint32_t differ = 0;  ///< 1: they are others than those of the present next set
  std::uint32_t lost = 0;    ///< 1: and some members of the set after the next are not among them
};

/// The memory in which sets of up to n bodies are divided.
class SetDivider {
 public:
  SetDivider(std::size_t n, void* stream);

  /// Finds which members need a step shorter than h by their sums, and lists these, finer(), and the others,
  /// `coarse`, which has room for all, in ascending order. `next`: the present next set, and `after` the one
  /// after it; a count of 0: there is none. Waits for what was found.
  template <class T>
  Division divide(const BodySet& set, const Vec4<T>* sums, const StepCriterion& by, double h,
                  const BodySet& next, const BodySet& after, std::uint32_t* coarse);
  const std::uint32_t* finer() const { return finer_.data(); }
  std::size_t bytes() const;

 private:
  void* stream_;
  Buffer<std::uint32_t> finer_, pages_;
  Buffer<Division> found_;
};

}  // namespace pleiad::cuda
