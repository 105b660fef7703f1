/// The interface between the vector loops of rung 6 and its two passes.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/direct/frame.hpp"
#include "cpu/ewald.hpp"

namespace pleiad::cpu {

/// Targets that share an origin and one conversion of each source.
inline constexpr std::size_t ewald_rows = 256;

/// alpha times half the shortest side: where pairs end, erfc(x) + 2 x / sqrt(pi) exp(-x^2) of their pull are
/// left out, 2.4e-7 and 3e-11, and about as much of the waves.
template <class M>
inline constexpr double narrow = std::is_same_v<M, float> ? 4.1 : 5.1;
/// Degree of the polynomials for the part of a pair in the waves: errors of 5e-7 and 2e-11 of the pull at the
/// cut.
template <class M>
inline constexpr int degree = std::is_same_v<M, float> ? 16 : 27;

/// One evaluation.
template <class P>
struct EwaldProblem {
  const PairProblem<P>& p;
  Scale scale;
  const Ewald* ewald;                 ///< of the scaled box
  Vec3<double> per_length{}, unit{};  ///< 1 / sides as given; 2 pi / sides as scaled
  double mass = 0;                    ///< of all sources, scaled
  const void* field = nullptr;        ///< four P::Math for each place of the waves
};

}  // namespace pleiad::cpu
