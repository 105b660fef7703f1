/// The encounters of a simulation: found after every step, or inside the steps of a scheme that shows them,
/// and what follows from them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "encounters/ledger.hpp"
#include "encounters/radii.hpp"
#include "encounters/search.hpp"
#include "encounters/touching.hpp"
#include "integrate/step_watch.hpp"

#include <pleiad/encounters.hpp>
#include <pleiad/simulation.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
class EncounterWatch final : private StepWatch {
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
  /// Looks inside the steps of this simulation, where its integrator shows them. Another one that goes on
  /// with the bodies of the last is told by a call of this.
  void attach(Simulation& simulation);

  /// With the present radii by id, those of merged bodies too.
  EncounterSettings settings() const;
  const EncounterCounts& counts() const { return counts_; }
  /// The counts and the present radii by id, as checkpoints keep them.
  std::string counts_text() const;
  std::string radii_text() const { return radii_.text(); }
  /// InputError for other texts.
  void restore(const std::string& counts, const std::string& radii);

 private:
  /// What has been found inside the present step.
  struct Inside {
    std::vector<encounters::Event> met{};    ///< by bodies with steps of their own
    std::vector<encounters::Event> parts{};  ///< mergers and removals, in their order
    /// The closest approach and the first contact of each pair of members of a group.
    std::map<std::pair<std::uint32_t, std::uint32_t>, encounters::Event> closest{}, contacts{};
    std::vector<std::uint8_t> gone{}, changed{};  ///< of each body; empty: of none
    /// Where bodies were when the step began, those that merge since at their centre of mass.
    std::vector<encounters::Place> from{};
    bool masses_changed = false;
    encounters::Lost lost{};
  };

  double radius(std::size_t body) const override { return matter_.radius[body]; }
  double distance() const override { return limits_.distance; }
  bool parts_touching() const override { return limits_.contacts && limits_.contacts_end; }
  bool look(const Part& part) override;
  void tell_approach(const Moment& moment) override;
  void tell_contact(const Moment& moment) override;
  std::vector<Change> part(double time, std::vector<State> all, std::span<const Pair> touching) override;
  double energy_lost() const override { return inside_.lost.energy; }
  std::function<void()> keep_state() override;

  encounters::Event event_of(encounters::Kind kind, const Moment& moment) const;
  std::vector<encounters::Event> met_inside();
  void join_beginnings(const encounters::Component& component);
  void part_component(encounters::Ledger& ledger, const encounters::Component& component) const;
  void take_places(Simulation& simulation);
  void take_radii();
  void settle_energies(const Simulation& simulation, encounters::Found& found);
  void react(Simulation& simulation, const encounters::Found& found, Outcome& outcome);
  ChangedBodies change(Simulation& simulation, const encounters::Ledger& ledger);
  bool is_gone(std::size_t body) const { return !inside_.gone.empty() && inside_.gone[body] != 0; }

  EncounterSettings settings_;
  ranks::Communicator& ranks_;
  encounters::Radii radii_;
  encounters::Limits limits_;
  Gravity gravity_;
  encounters::Search search_;
  encounters::Matter matter_;              ///< all bodies now
  std::vector<encounters::Place> before_;  ///< where they were before the step
  double time_ = 0;                        ///< then
  std::uint64_t step_ = 0;                 ///< the last one
  bool inside_steps_ = false;              ///< looks there for approaches and collisions
  Inside inside_;
  EncounterCounts counts_;
};

}  // namespace pleiad
