/// Hermite's fourth order with a step of its own for each body, thousands of blocks of them in one launch.
/// Plain C++; work is queued.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>

namespace pleiad::cuda {

/// Times are whole numbers of dt 2^-finest_step.
inline constexpr int finest_step = 40;

/// What a launch has done.
struct IndividualProgress {
  std::uint64_t now = 0;     ///< time of the last block
  std::uint64_t blocks = 0;  ///< of steps that end at one time
  std::uint64_t moves = 0;   ///< steps of bodies
  std::uint64_t redone = 0;  ///< sums that did not fit and were made again in larger units
  unsigned finest = 0;       ///< at least the finest level
  unsigned shrunk = 0;       ///< 1: a body needs a step below the shortest, and no more are made
};

/// Powers of two that bring lengths, velocities and masses near 1.
struct IndividualUnits {
  int length = 0, velocity = 0, mass = 0;
};
/// Lengths and velocities of an orbit past the mass of all, times G, that takes some dt: near those of any
/// system that steps of dt follow. They depend on what a resumed run has, too.
IndividualUnits units_of(double total, double dt);

/// Memory of the device. Bodies with mass come first.
struct IndividualProblem {
  std::size_t bodies = 0, pulling = 0;
  /// [component][body]: position, velocity, acceleration and jerk, each at the last end of a step of its
  /// body, then the low parts of position and velocity.
  double* state = nullptr;
  const double* mass = nullptr;     ///< times G
  double* steps = nullptr;          ///< lengths of the next steps, of bodies that are at one time
  unsigned char* levels = nullptr;  ///< of the steps, dt 2^-level
  double dt = 0, eta = 0.02, eps2 = 0;
  /// Pairs whose pull is a small part of the whole one are computed in floats (individual_pairs.hpp), in
  /// these units.
  bool in_floats = false;
  IndividualUnits units;
  double* mean_velocity = nullptr;         ///< three numbers (find_mean_velocity)
  std::uint64_t end = 0;                   ///< time at which all ends, a multiple of 2^finest_step
  std::uint64_t most_blocks = 4096;        ///< after which the launch ends
  IndividualProgress* progress = nullptr;  ///< where the last launch ended, and where this one has
  unsigned grid = 0;          ///< blocks of threads; 0: as many as are fast; the bits are the same
  void* workplace = nullptr;  ///< bytes_of_workplace
  void* stream = nullptr;
};
inline constexpr std::size_t numbers_of_state = 18;

/// Bytes of the memory in which the steps of these bodies work. UsageError where the blocks of a grid
/// cannot run together.
std::size_t bytes_of_workplace(const IndividualProblem& problem);
/// Accelerations and jerks of all bodies at their present places, which are of one time.
void find_accelerations_and_jerks(const IndividualProblem& problem);
/// Lengths of the first steps, from second and third derivatives that are summed over pairs.
void find_first_steps(const IndividualProblem& problem);
/// The mean velocity of the bodies with mass, weighted with it, to which velocities in floats are relative.
void find_mean_velocity(const IndividualProblem& problem);
/// Levels of the steps from their lengths, which another dt may have left.
void find_levels(const IndividualProblem& problem);
/// Lengths of the steps from their levels.
void find_lengths(const IndividualProblem& problem);
/// Blocks of steps, with the same bits whatever the grid: sums over 16 sources each are added as integers.
void individual_steps(const IndividualProblem& problem);
/// Positions and velocities to where others read them: `place[k]` is the number of body k there.
void give_bodies(const IndividualProblem& problem, const unsigned* place, Mass<double>* positions,
                 Vec4<double>* velocities);
/// Changes the sign of all velocities.
void reverse_velocities(const IndividualProblem& problem);

}  // namespace pleiad::cuda
