/// The encounters of a simulation: found after every step, and what follows from them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "encounters/ledger.hpp"
#include "encounters/radii.hpp"
#include "encounters/search.hpp"

#include <pleiad/encounters.hpp>
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

namespace pleiad {

/// Sums since the start.
struct EncounterCounts {
  std::array<std::uint64_t, encounters::kind_names.size()> events{};  ///< by kind
  encounters::Lost lost{};                                            ///< by mergers and removals
  double seconds = 0;                                                 ///< of the search, in this process
};

/// The bodies after mergers and removals.
struct ChangedBodies {
  Bodies all{};                                ///< of all ranks
  std::vector<std::uint8_t> kept_particles{};  ///< of the test particles of all ranks, which are still there
  bool masses_changed = false;                 ///< a body with mass is gone or has another mass
  encounters::Lost lost{};
};

/// Every rank knows all bodies and finds the same events, so that no bit depends on the number of ranks. All
/// calls are collective.
class EncounterWatch {
 public:
  /// Begins with the present bodies. UsageError for settings that cannot be (see check), for what cannot be
  /// combined with encounters, and for radii of bodies that are not there. `ranks` must outlive this object.
  EncounterWatch(EncounterSettings settings, Simulation& simulation, ranks::Communicator& ranks);

  struct Outcome {
    std::vector<encounters::Event> events;  ///< in the order of their rows
    std::string stop;                       ///< why the run is to end here; "": it goes on
    std::optional<ChangedBodies> changed;
  };
  /// After one step from where the last call, or the construction, was. All places must be finite.
  Outcome look(Simulation& simulation);
  /// Takes the present bodies, which have been moved or have other masses between two steps.
  void take_bodies(Simulation& simulation);

  /// With the present radii by id, those of merged bodies too.
  EncounterSettings settings() const;
  const EncounterCounts& counts() const { return counts_; }
  /// The counts and the present radii by id, as checkpoints keep them.
  std::string counts_text() const;
  std::string radii_text() const { return radii_.text(); }
  /// InputError for other texts.
  void restore(const std::string& counts, const std::string& radii);

 private:
  void take_places(Simulation& simulation);
  void take_radii();
  void settle_energies(const Simulation& simulation, encounters::Found& found);
  void react(Simulation& simulation, const encounters::Found& found, Outcome& outcome);
  ChangedBodies change(Simulation& simulation, const encounters::Ledger& ledger);

  EncounterSettings settings_;
  ranks::Communicator& ranks_;
  encounters::Radii radii_;
  encounters::Search search_;
  encounters::Matter matter_;              ///< all bodies now
  std::vector<encounters::Place> before_;  ///< where they were before the step
  double time_ = 0;                        ///< then
  EncounterCounts counts_;
};

}  // namespace pleiad
