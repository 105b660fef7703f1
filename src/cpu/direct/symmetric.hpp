/// Rung 5 in pieces: the matches of an evaluation by symmetric pairs, one by one, for one process and for
/// ranks that share them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/direct/frame.hpp"

#include <cstddef>
#include <type_traits>
#include <vector>

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

/// Memory of an evaluation, for the next one to use again.
template <class P>
struct SymmetricMemory {
  std::vector<double> totals;
  std::vector<Mass<typename P::Math>> bodies, rests;
  std::size_t bytes() const {
    return totals.capacity() * sizeof(double) +
           (bodies.capacity() + rests.capacity()) * sizeof(Mass<typename P::Math>);
  }
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

/// Components of Sums that are in use, the first ones.
template <class P>
int components_of(const Evaluation<P>& e) {
  const bool counts = std::is_same_v<P, Mixed> && (e.careful || e.p.boundary.periodic);
  return e.p.potential || counts ? 4 : 3;
}

/// Whether symmetric pairs give what `p` asks for: potentials only in open space, with softening or without
/// coincident bodies, and with masses that can be multiplied. Else cpu/threads computes it.
template <class P>
bool by_pairs(const PairProblem<P>& p);

/// An evaluation whose matches and sums are called for one by one. The sums of a block get the results of its
/// matches in the order of turns (tournament.hpp): then they have the bits of cpu/symmetric, on whatever
/// thread or rank a match is computed.
template <class P>
class SymmetricEvaluation {
 public:
  using M = typename P::Math;
  /// p.targets are p.sources, all bodies, at least one; by_pairs(p). Both must outlive the evaluation.
  SymmetricEvaluation(const PairProblem<P>& p, SymmetricMemory<P>& memory);
  /// Number of blocks of bodies, and of bodies in each but the last.
  std::size_t blocks() const { return blocks_; }
  std::size_t block() const { return e_.block; }
  /// See components_of.
  int components() const;
  /// The match of blocks a <= b; may be called from several threads.
  void meet(std::size_t a, std::size_t b, Sums<M>& to_a, Sums<M>& to_b) const;
  /// Adds the next result of block `a`.
  void add(std::size_t a, const Sums<M>& found) const;
  /// Writes p.sums of the bodies [begin, end), whose blocks have all their results.
  void finish(std::size_t begin, std::size_t end) const;

 private:
  Evaluation<P> e_;
  std::size_t blocks_ = 0;
};

}  // namespace pleiad::cpu
