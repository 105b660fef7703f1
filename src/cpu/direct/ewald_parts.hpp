/// Ewald's sums in parts, for sources that are on several ranks: first the amplitudes of the waves, then the
/// pulls of pairs and of the waves on groups of targets. The result is that of cpu/ewald with all sources,
/// bit for bit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/direct/ewald.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace pleiad::cpu {

template <class P>
class EwaldParts {
 public:
  /// Makes the parts for the box and the softening of p, in units `scale`, which is scale_of for all targets
  /// and sources.
  EwaldParts(const PairProblem<P>& p, const Scale& scale);

  /// Number of sources in a piece, for this number of all sources: each piece is summed by one rank,
  /// whichever ranks have the sources.
  static std::size_t piece(std::size_t sources);
  /// Number of sums of a piece: those for each wave, and its mass.
  std::size_t numbers() const { return 4 * ewald_->waves.amplitude.size() + 1; }
  /// The sums of pieces, one behind the other; the last piece may be shorter.
  std::vector<double> waves_of(std::span<const Mass<typename P::Position>> sources, std::size_t piece) const;
  /// Sets the sums of all pieces of all sources.
  void set_waves(std::span<const double> sums);

  /// Doubles that a group of up to ewald_rows targets needs.
  static constexpr std::size_t group_sums = 4 * ewald_rows;
  /// Adds the pulls of p.sources, a part of all: a multiple of 256, but for the last part. p.self: the place
  /// of the first target among them, or where it would be before or behind.
  void add_pairs(const PairProblem<P>& p, std::size_t begin, std::size_t count, double* totals) const;
  /// Adds the waves, and writes the sums; p.sources is not looked at.
  void finish(const PairProblem<P>& p, std::size_t begin, std::size_t count, double* totals) const;

 private:
  EwaldProblem<P> problem(const PairProblem<P>& p) const;

  Boundary boundary_;
  Scale scale_;
  std::shared_ptr<const Ewald> ewald_;
  double mass_ = 0;
  std::vector<typename P::Math> field_;
};

}  // namespace pleiad::cpu
