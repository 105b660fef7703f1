/// Steps of test particles on a GPU: each is carried through many steps in the registers of a thread, past
/// bodies with mass whose positions at each evaluation are known. Plain C++; all pointers to bodies, trails
/// and potentials are the device's, and work is queued.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/instant.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/kernel/steps.hpp>
#include <pleiad/precision.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace pleiad::cuda {

/// The positions of the bodies with mass at consecutive evaluations, as the pair loop reads them.
template <class P>
struct Trail {
  /// Bytes of one body at one evaluation.
  static constexpr std::size_t bytes = sizeof(typename P::Position) == 4 ? 16 : 32;

  std::byte* memory = nullptr;
  std::size_t massive = 0;      ///< number of bodies with mass
  std::size_t evaluations = 0;  ///< for which there is room
};

/// Writes the positions at one evaluation.
template <class P>
void keep_places(std::span<const Mass<typename P::Position>> massive, const Trail<P>& trail,
                 std::size_t evaluation, void* stream);

/// The external potentials of the evaluations; none: count 0.
struct FieldOfSteps {
  const potentials::Instant<double>* potentials = nullptr;  ///< [evaluation][potential], or [potential]
  int count = 0;
  bool changes = false;  ///< whether each evaluation has potentials of its own
  double G = 1;
};

/// All arrays have one entry for each body. Those with mass are left as they are.
template <class P>
struct ParticleProblem {
  using Real = typename P::Position;
  std::span<Mass<Real>> bodies;
  std::span<Vec4<Real>> velocities{};
  /// Sums of pulls and potentials, without G. Input: those of the present positions, if `forces_current`.
  /// Output: those of the last evaluated positions.
  std::span<Vec4<Real>> sums;
  bool forces_current = false;
  Trail<P> trail{};
  FieldOfSteps field{};
  Softening softening{};
  double heaviest = 0;
  StepProgram<Real> program{};
  std::uint64_t steps = 0;
  int bodies_per_thread = 0;  ///< 1, 2, or 0: as many as are fast; the bits are the same
  bool leaves_room = false;   ///< one multiprocessor is left to work of other streams
  void* stream = nullptr;
};
template <class P>
void particle_steps(const ParticleProblem<P>& problem);

/// The pulls of the bodies of a trail with one evaluation, on those bodies that have no mass: with the bits
/// that they have in particle_steps.
template <class P>
void particle_pulls(std::span<const Mass<typename P::Position>> bodies, std::span<Vec4<typename P::Sum>> sums,
                    const Trail<P>& trail, const Softening& softening, double heaviest, void* stream);

}  // namespace pleiad::cuda
