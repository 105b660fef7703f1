/// The encounters of a run: found after every step, and what follows from them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "encounters/ledger.hpp"
#include "encounters/radii.hpp"
#include "encounters/search.hpp"
#include "io/config/options.hpp"
#include "ranks/division.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/simulation.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::ranks {
class Communicator;
}

namespace pleiad::run {

/// Numbers of a run for its summary.
struct EncounterCounts {
  std::array<std::uint64_t, encounters::kind_names.size()> events{};  ///< by kind
  encounters::Lost lost{};                                            ///< by mergers and removals
  double seconds = 0;                                                 ///< of the search, in this process
};

/// The bodies after mergers and removals.
struct ChangedBodies {
  Bodies own{};                                ///< of this rank, in the new division
  ranks::Division division{};                  ///< of all bodies
  std::vector<std::uint8_t> kept_particles{};  ///< of the test particles of all ranks, which are still there
  bool masses_changed = false;                 ///< a body with mass is gone or has another mass
  encounters::Lost lost{};
};

/// Every rank knows all bodies and finds the same events, so that no bit depends on the number of ranks. All
/// calls are collective.
class EncounterWatch {
 public:
  /// Begins with the present bodies. UsageError for what cannot be combined with encounters, and for radii of
  /// bodies that are not there. `simulation` and `ranks` must outlive this object.
  EncounterWatch(const Options& options, Simulation& simulation, ranks::Communicator& ranks);

  struct Outcome {
    std::vector<encounters::Event> events;  ///< in the order of their rows
    std::string stop;                       ///< why the run is to end here; "": it goes on
    std::optional<ChangedBodies> changed;
  };
  /// After one step from where the last call, or the construction, was. All places must be finite.
  Outcome look();

  const EncounterCounts& counts() const { return counts_; }
  void save(Checkpoint& checkpoint) const;
  /// InputError for what `save` has not written.
  void restore(const Checkpoint& checkpoint);

 private:
  void take_bodies();
  void take_places();
  void take_radii();
  void settle_energies(encounters::Found& found);
  void react(const encounters::Found& found, Outcome& outcome);
  ChangedBodies change(const encounters::Ledger& ledger);

  const Options::Encounters& options_;
  Simulation& simulation_;
  ranks::Communicator& ranks_;
  encounters::Radii radii_;
  encounters::Search search_;
  encounters::Matter matter_;              ///< all bodies now
  std::vector<encounters::Place> before_;  ///< where they were before the step
  double time_ = 0;                        ///< then
  EncounterCounts counts_;
};

}  // namespace pleiad::run
