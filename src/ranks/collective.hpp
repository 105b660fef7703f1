/// A rank's view of all bodies of a run: the range that it owns, and sums over all, equal bit for bit to
/// those of one process.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"
#include "ranks/communicator.hpp"
#include "ranks/division.hpp"
#include "ranks/self.hpp"

#include <pleiad/radii.hpp>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace pleiad::by_distance {
class Passes;
}

namespace pleiad::ranks {

/// All calls are collective.
class Collective {
 public:
  /// The bodies of this process are all there are.
  Collective() = default;
  /// UsageError on all ranks when some rank has another number of bodies than the division gives it.
  Collective(Communicator& comm, std::size_t own);

  Communicator& comm() const { return *comm_; }
  const Division& division() const { return division_; }
  /// The first of this rank's bodies; `own`: how many it has.
  std::size_t first() const { return division_.first(comm_->rank()); }
  /// Number of bodies on all ranks. A process alone may have others now than it began with.
  std::size_t bodies(std::size_t own) const { return comm_->ranks() == 1 ? own : division_.bodies; }

  /// See pleiad::blocked_sum; `part` is called with ranges of the `own` bodies.
  template <class V, class Part>
  V blocked_sum(std::size_t own, const Part& part) const {
    return sum_of_blocks(block_sums<V>(own, part));
  }
  /// Sum over all ranks of the sums of their blocks.
  template <class V>
  V sum_of_blocks(std::vector<V> own) const {
    return tree_sum(all_gather<V>(*comm_, own).data);
  }
  double max(double own) const { return ranks::max(*comm_, own); }
  double min(double own) const { return -max(-own); }
  Radii radii(std::span<const Mass<float>> own) const;
  Radii radii(std::span<const Mass<double>> own) const;
  /// Radii from passes over this rank's bodies.
  Radii radii(by_distance::Passes& own) const;

 private:
  Communicator* comm_ = &self();
  Division division_;
};

}  // namespace pleiad::ranks
