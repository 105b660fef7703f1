/// Symmetric pairs of the bodies of all ranks, on CPUs: each match of two blocks is computed by one rank.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/direct/symmetric.hpp"
#include "ranks/collective.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace pleiad {

/// A match of two blocks a <= b of bodies, and the rank that computes it.
struct Match {
  std::size_t a, b;
  int by;
};

/// Sums with the bits of cpu/symmetric on one process. Every rank holds the positions of all bodies during an
/// evaluation (ADR 18). Calls are collective; `all` outlives the object. P: the precision policy.
template <class P>
class RankPairs {
 public:
  explicit RankPairs(const ranks::Collective& all) : all_(all) {}
  /// The sums of the own bodies, which are targets and sources. False if symmetric pairs do not give what is
  /// asked for (cpu::by_pairs); nothing is summed then.
  bool evaluate(const PairProblem<P>& own);
  std::size_t bytes() const;

 private:
  using T = typename P::Position;
  using M = typename P::Math;
  void play(const cpu::SymmetricEvaluation<P>& evaluation, std::vector<Match>& batch);
  void add(const cpu::SymmetricEvaluation<P>& evaluation, const std::vector<Match>& batch,
           const ranks::Received<M>& received, std::size_t each);

  const ranks::Collective& all_;
  cpu::SymmetricMemory<P> memory_;
  std::vector<Mass<T>> bodies_;  ///< of all ranks
  std::vector<Vec4<typename P::Sum>> sums_;
  std::vector<int> owners_;  ///< of blocks
  std::vector<M> kept_, sent_;
};

}  // namespace pleiad
