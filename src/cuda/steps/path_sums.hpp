/// Sums of pulls, with jerks, on some bodies by all at one time, where every body is on a path of its own
/// (BodyPaths). Plain C++; work is queued.
///
/// The paths stay in the memory of the device, and what has changed comes in rows. A device may have a part
/// of the sources: sums are whole numbers, which the host adds. The bits depend neither on the grid nor on
/// the parts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/steps/individual_steps.hpp"

#include <cstddef>
#include <cstdint>

namespace pleiad::cuda {

namespace individual {
struct Active;
}

/// Position, velocity, acceleration, jerk, and the time of these, in units of PathSums::unit.
inline constexpr std::size_t numbers_of_path = 13;
/// A path with its mass.
inline constexpr std::size_t numbers_of_row = numbers_of_path + 1;

/// A body whose sums are wanted.
struct ChosenPath {
  static constexpr unsigned unchanged = ~0U;
  unsigned place = 0;
  unsigned row = unchanged;  ///< of what has changed
};

/// How sums of a body become numbers: acceleration and jerk are whole numbers times 2^-unit.
struct SumUnits {
  int a = 0, j = 0;
};

/// Memory of the device. Bodies with mass come first.
struct PathSums {
  std::size_t room = 0;               ///< numbers of a component
  double* paths = nullptr;            ///< [number of a path][body]
  double* mass = nullptr;             ///< times G
  double now = 0, unit = 1;           ///< the time, and a unit of it
  const double* rows = nullptr;       ///< [change][number of a row]
  const unsigned* changed = nullptr;  ///< the bodies that these are of, each once
  std::size_t changes = 0;
  const ChosenPath* chosen = nullptr;
  std::size_t count = 0;  ///< of chosen ones
  /// The sources here, among the bodies with mass: both are multiples of 16, or the end of all.
  std::size_t first = 0, last = 0;
  std::size_t pulling = 0;  ///< sources on all devices
  double eps2 = 0;
  /// As in IndividualProblem; `in_floats` needs accelerations that are not 0.
  bool in_floats = false;
  IndividualUnits units;
  const double* mean_velocity = nullptr;
  individual::Active* active = nullptr;  ///< [chosen], workplace
  unsigned long long* sums = nullptr;    ///< [chosen][6]: accelerations and jerks, whole numbers
  SumUnits* sum_units = nullptr;         ///< [chosen]
  int* shifts = nullptr;                 ///< [chosen][2]: by which powers of two units must be larger
  unsigned* misfit = nullptr;            ///< not 0: some must be
  bool again = false;                    ///< sums in units that are larger by the shifts
  unsigned grid = 0;                     ///< blocks of threads; 0: as many as are fast
  unsigned at_once = 1;                  ///< see blocks_at_once
  void* stream = nullptr;
};

std::size_t bytes_of_active(std::size_t count);
/// Blocks of threads of add_pulls_of_paths that run at once on the present device, a query that takes as long
/// as a small launch.
unsigned blocks_at_once(bool in_floats);
/// Takes what has changed, predicts the chosen bodies, and finds the units of their sums, which begin with 0.
void take_paths(const PathSums& problem);
/// Second and third derivatives of the accelerations of all `bodies`, six numbers each, from paths that begin
/// at one time.
void find_higher_derivatives(const PathSums& problem, std::size_t bodies, double* derivatives);
/// Adds the pulls of the sources of this device.
void add_pulls_of_paths(const PathSums& problem);

}  // namespace pleiad::cuda
