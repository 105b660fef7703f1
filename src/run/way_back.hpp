/// What a run on a lattice knows of the way back: the hash of its first state, that of its last one with the
/// velocities reversed, and, of a run that goes back, that of the state which it is to reach.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/checkpoint.hpp>

#include <optional>
#include <string>

namespace pleiad::run {

struct WayBack {
  std::string start{};     ///< of the first state; see state_hash
  std::string reversed{};  ///< of the present one with its velocities reversed; "": not looked at yet
  std::string target{};    ///< the first state of the run that this one goes back through; "": it goes on

  /// Into the checkpoint, and out of it; empty: the run has no lattice.
  void save(Checkpoint& checkpoint) const;
  static std::optional<WayBack> restored(const Checkpoint& checkpoint);
  /// Looks at the present bodies, those of this rank. Collective.
  void look(ranks::Communicator& ranks, const Bodies& own);
  /// Whether the run is at the state that it is to reach; one sentence for the user, "" without a target.
  std::string verdict() const;
};

/// The hash of the first state of the run whose checkpoint this is; "": it has no lattice.
std::string first_state_of(const Checkpoint& checkpoint);

}  // namespace pleiad::run
