/// Wisdom-Holman steps of test particles on a GPU: each is carried through many steps in the registers of a
/// thread, on its Kepler orbit about the central body and with kicks of the others, whose places after each
/// step are known. Plain C++; pointers are the device's, and work is queued.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace pleiad::cuda {

struct OrbitProblem {
  std::size_t particles = 0;
  /// [component][particle]: x y z, their low parts, velocities, their low parts.
  double* state = nullptr;
  const double* trail = nullptr;  ///< steps + 1 rows (orbits/trail.hpp)
  std::size_t pulling = 0;        ///< bodies that pull, at most most_pulling
  std::size_t steps = 0;
  double dt = 0, mu = 0;  ///< length of a step; G times the mass of the central body
  void* stream = nullptr;
};
inline constexpr std::size_t numbers_of_orbit = 12;
/// A row has to fit into shared memory.
inline constexpr std::size_t most_pulling = 1024;

/// The same bits however steps are divided into launches.
void orbit_steps(const OrbitProblem& problem);

}  // namespace pleiad::cuda
