/// Wisdom-Holman steps of many planetary systems on a GPU: a thread for each planet, and many steps in a
/// launch. Plain C++; pointers are the device's, and work is queued.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace pleiad::cuda {

/// Numbers of a body: x y z, their low parts, velocities, their low parts.
inline constexpr std::size_t numbers_of_planet = 12;
inline constexpr std::size_t most_planets = 32;

/// Lanes of a system with `planets` planets: a power of two from 4 on.
constexpr std::size_t lanes_of_system(std::size_t planets) {
  std::size_t lanes = 4;
  while (lanes < planets) lanes *= 2;
  return lanes;
}

struct OrbitSystemsProblem {
  std::size_t systems = 0;
  std::size_t planets = 0;     ///< of each system, at most most_planets
  bool jacobi = false;         ///< Jacobi coordinates, in the order of the planets
  double* state = nullptr;     ///< [component][system lanes + planet]; lanes without a planet are anywhere
  double* stars = nullptr;     ///< [component][system]
  const double* Gm = nullptr;  ///< [system lanes + planet]; 0: a test particle, or no planet
  const double* Gm_stars = nullptr;  ///< [system]
  double dt = 0;
  std::size_t steps = 0;
  void* stream = nullptr;
};

/// The same bits however steps are divided into launches, and whatever the other systems.
void orbit_systems(const OrbitSystemsProblem& problem);

/// The kicks of a symplectic corrector in their order, in steps (integrate/corrector.hpp).
struct OrbitCorrector {
  struct Kick {
    double at = 0, length = 0;
  };
  static constexpr unsigned most = 10;
  Kick kicks[most]{};
  unsigned count = 0;
};
/// Makes these changes of all systems, and no steps.
void correct_orbit_systems(const OrbitSystemsProblem& problem, const OrbitCorrector& corrector);

}  // namespace pleiad::cuda
