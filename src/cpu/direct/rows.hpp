/// Rows: the one-sided vector loop over a range of targets; rung 3 runs one range, rung 4 many of them at
/// once.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/direct/frame.hpp"

#include <cstddef>
#include <vector>

namespace pleiad::cpu {

inline constexpr std::size_t most_rows = 512;
/// Targets that share an origin and one conversion of each source: many, so that the conversion costs little,
/// but few enough that 64 threads find work.
constexpr std::size_t rows_at_once(std::size_t targets) { return targets < 16384 ? 256 : most_rows; }

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

/// The same in pieces, for sources that come one part after the other; each part but the last is a multiple
/// of `source_tile` bodies. The bits are those of `rows` with all sources at once.
inline constexpr std::size_t source_tile = 256;
/// What has been summed for up to most_rows targets: three components, the potential, and in mixed precision
/// the sources that are too close for pairs of floats.
struct RowTotals {
  alignas(64) double of[5][most_rows];
};
/// Adds the pulls of p.sources, a part of all. `own`: where target `begin` is among them, or would be if they
/// went on before and behind; p.self is not looked at.
template <class P>
void add_to_rows(const PairProblem<P>& p, const Scale& scale, std::size_t begin, std::size_t count,
                 std::ptrdiff_t own, RowTotals& totals);
/// The sums of what has been added, where no source is too close. Targets with such a source are appended to
/// `close`: they are to be summed again in double precision. The targets are among the sources if p.self says
/// so; p.sources is not looked at.
template <class P>
void finish_rows(const PairProblem<P>& p, const Scale& scale, std::size_t begin, std::size_t count,
                 const RowTotals& totals, std::vector<std::size_t>& close);

}  // namespace pleiad::cpu
