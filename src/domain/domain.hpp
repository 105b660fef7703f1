/// One evaluation of forces by a distributed tree: each rank builds the cells of its part of the
/// space-filling curve, and has of the others' those that its targets need. The steps are the same on hosts
/// and GPUs; Particles and Cells hide where they are computed.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/exchange.hpp"
#include "domain/let.hpp"
#include "ranks/communicator.hpp"

#include <pleiad/kernel/tree.hpp>

#include <cstdint>

namespace pleiad::domain {

/// Work of one rank in an evaluation.
struct RankWork {
  TreeWork tree;                    ///< bodies: the targets; cells: its own and others'
  std::uint64_t cost = 0;           ///< approximate cost of its targets, in pairs of bodies
  std::uint64_t migrated = 0;       ///< bodies of its own that others found the forces on
  std::uint64_t cells_fetched = 0;  ///< of other ranks
  std::uint64_t bodies_fetched = 0;
  std::uint64_t rounds = 0;  ///< of requests and answers
  /// Messages that it has sent: bodies to the ranks of their keys, with the cuts, and their sums back; the
  /// top tree; cells and bodies that others have requested, with its own requests.
  ranks::Traffic routed, shared, fetched;
};

class Domain {
 public:
  Domain(ranks::Communicator& comm, Particles& particles, Cells& cells)
      : comm_(comm), exchange_(comm, particles), cells_(cells), let_(comm, exchange_.part(), cells) {}

  /// `coarse_top`: the top tree has all cells below those whose bodies do not feel the same acceleration,
  /// else the largest cells of each rank and those above them. The error MAC has its accelerations from the
  /// first. `together`: see DomainExchange. False, and there are no forces, when a position is not finite.
  /// Collective.
  bool evaluate(const TreeSettings& settings, std::uint64_t together, bool coarse_top);

  const Part& part() const { return exchange_.part(); }
  RankWork& work() { return work_; }

 private:
  void count_in(ranks::Traffic& part);

  ranks::Communicator& comm_;
  DomainExchange exchange_;
  Cells& cells_;
  LocalEssentialTree let_;
  RankWork work_;
  ranks::Traffic counted_;
};

}  // namespace pleiad::domain
