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

/// The rung in pieces, for sources that arrive one part after another; each part but the last is a multiple
/// of `source_tile` bodies. The result is that of `rows` with all sources at once, bit for bit.
inline constexpr std::size_t source_tile = 256;
/// Totals of up to most_rows targets: three components, the potential, and in mixed precision the number of
/// sources that are too close for pairs of floats.
struct RowTotals {
  alignas(64) double of[5][most_rows];
};
/// Adds the pulls of p.sources, a part of all. `own`: where target `begin` is among them, or would be if they
/// went on before and behind; p.self is not looked at.
template <class P>
void add_to_rows(const PairProblem<P>& p, const Scale& scale, std::size_t begin, std::size_t count,
                 std::ptrdiff_t own, RowTotals& totals);
/// Writes the sums of the totals of targets without a close source. Targets with such a source are appended
/// to `close`: they must be summed again in double precision. The targets are among the sources if p.self is
/// an index; p.sources is not read.
template <class P>
void finish_rows(const PairProblem<P>& p, const Scale& scale, std::size_t begin, std::size_t count,
                 const RowTotals& totals, std::vector<std::size_t>& close);

}  // namespace pleiad::cpu
