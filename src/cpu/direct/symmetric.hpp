/// The interface between the vector loops of rung 5 and its tournament.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/direct/frame.hpp"

namespace pleiad::cpu {

/// The sum of a pair. `force` needs masses that can be multiplied and divided by; if all bodies have the same
/// mass, sums of d r^-3 are pulls without it, and the mass is multiplied last.
enum class Form { force, acceleration, without_mass };

/// Bodies of a block: both sides of a match stay in L1, and 64 threads find work at N = 65536.
inline constexpr std::size_t most_in_block = 512;
constexpr std::size_t bodies_in_block(std::size_t n) { return n <= 384 || n >= 8192 ? most_in_block : 256; }

/// Result of a match for the bodies of a block: pulls, and the number of bodies that were too near for pairs
/// of floats.
template <class M>
struct Sums {
  alignas(64) M of[4][most_in_block];
};

/// One evaluation: the problem, all bodies in the frame, and their double-precision sums in its units,
/// component by component; then the potentials or, where they are counted, the bodies too near for pairs of
/// floats.
template <class P>
struct Evaluation {
  const PairProblem<P>& p;
  Scale scale;
  bool careful;  ///< coincident pairs must be masked
  Form form;
  std::size_t block;
  Frame<typename P::Position> frame;
  /// Memory for whole blocks, the last bodies without mass; rests: remainders of the positions as floats.
  Mass<typename P::Math>*bodies, *rests;
  double* totals[4];
};

}  // namespace pleiad::cpu
