/// Forces by one tree whose bodies are on several ranks. Each rank builds the cells of a part of the curve,
/// and looks at as much of the others' cells as its targets need: the same sums, bit for bit, as one process
/// finds, for any number of ranks, and room for all bodies nowhere.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/transport.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/kernel/tree.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace pleiad::forest {

/// What one rank did in an evaluation.
struct RankWork {
  TreeWork tree;                    ///< bodies: the targets; cells: its own and others'
  std::uint64_t cost = 0;           ///< what its targets cost, roughly, in pairs of bodies
  std::uint64_t migrants = 0;       ///< bodies of its own that others found the forces on
  std::uint64_t cells_fetched = 0;  ///< of other ranks
  std::uint64_t bodies_fetched = 0;
  std::uint64_t rounds = 0;  ///< of requests and answers
  /// What it sent: with cuts, bodies to the ranks of their keys, and their sums back; the cells that all
  /// know; what others asked for, with their requests.
  ranks::Traffic routed, shared, fetched;
};

template <class P>
class Forest {
 public:
  virtual ~Forest() = default;
  /// Collective. `own`: the rank's bodies in the order of their indices; those of rank r come before those of
  /// rank r + 1, and a rank may have none. sums[i]: the pull on own[i], without G, with the potential's in w
  /// if it is asked for. At most 2^32 - 1 bodies in all.
  virtual void evaluate(std::span<const Mass<typename P::Position>> own,
                        std::span<Vec4<typename P::Sum>> sums, bool potential) = 0;
  /// The most that this rank held during the last evaluation.
  virtual std::size_t bytes() const = 0;
  virtual const RankWork& work() const = 0;
};

/// The transport has to outlive it. UsageError for settings that ranks cannot use.
template <class P>
std::unique_ptr<Forest<P>> make_forest(ranks::Transport& transport, const TreeSettings& settings,
                                       const Softening& softening, const Boundary& boundary);

}  // namespace pleiad::forest
