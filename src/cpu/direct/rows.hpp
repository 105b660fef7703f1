/// Rows: the one-sided vector loop over a range of targets; rung 3 runs one range, rung 4 many of them at
/// once.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/direct/frame.hpp"

namespace pleiad::cpu {

inline constexpr std::size_t most_rows = 512;
/// Targets that share an origin and one conversion of each source: many, so that the conversion costs little,
/// but few enough that 64 threads find work.
constexpr std::size_t rows_together(std::size_t targets) { return targets < 16384 ? 256 : most_rows; }

/// The units that rows of a problem are computed in; those of doubles depend on the instruction set.
Scale scale_of_rows(const PairProblem<F64>& p);
template <class P>
Scale scale_of_rows(const PairProblem<P>& p) {
  return scale_of(p);
}

/// Sums for `count` <= most_rows targets from `begin`; `scale` is scale_of_rows(p), computed once for all of
/// them.
template <class P>
void rows(const PairProblem<P>& p, const Scale& scale, std::size_t begin, std::size_t count);

}  // namespace pleiad::cpu
