/// Forces by one tree whose bodies are on the hosts of several ranks: the same sums, bit for bit, as one
/// process finds, for any number of ranks, and room for all bodies nowhere.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/domain.hpp"
#include "ranks/communicator.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/kernel/tree.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace pleiad::domain {

template <class P>
class DistributedTree {
 public:
  virtual ~DistributedTree() = default;
  /// Computes the pulls on the own bodies. Collective. `own`: the rank's bodies in the order of their
  /// indices; those of rank r come before those of rank r + 1, and a rank may have none. sums[i]: the pull on
  /// own[i], without G; w has the sum for the potential if `potential`. At most 2^32 - 1 bodies on all ranks.
  virtual void evaluate(std::span<const Mass<typename P::Position>> own,
                        std::span<Vec4<typename P::Sum>> sums, bool potential) = 0;
  /// The most that this rank held during the last evaluation.
  virtual std::size_t bytes() const = 0;
  virtual const RankWork& work() const = 0;
};

/// The communicator has to outlive it. UsageError for settings that ranks cannot use.
template <class P>
std::unique_ptr<DistributedTree<P>> make_distributed_tree(ranks::Communicator& comm,
                                                          const TreeSettings& settings,
                                                          const Softening& softening,
                                                          const Boundary& boundary);

}  // namespace pleiad::domain
