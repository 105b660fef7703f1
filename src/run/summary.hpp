/// The summary of a run, and its part in summary.json.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/outputs.hpp"
#include "run/ranks/work.hpp"
#include "run/timings.hpp"
#include "run/way_back.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pleiad::run {

/// Members of the summaries of one system and of an ensemble.
struct Summary {
  Options options;
  std::string stopped_by;  ///< "" at the end
  std::size_t bodies = 0;  ///< of all systems
  double time = 0;
  EngineDescription engine;
  double seconds = 0;
  Timings timings;
  double interactions_per_second = 0;  ///< of the steps
  std::string state_hash;
  std::vector<std::pair<std::string, std::string>> files;  ///< description and name; "" if there is none
  std::vector<std::string> notes;
  std::string energy_note;  ///< that the energy is wrong, if it is; one of the notes too
  std::string json;         ///< as in summary.json
};

/// The energy error that was asked for, and what came of it.
struct EnergyBudget {
  double asked = 0, worst = 0;
  std::uint64_t redone = 0;  ///< intervals
  std::string text{};        ///< one sentence
};

struct SystemSummary : Summary {
  std::uint64_t step = 0, evaluations = 0;
  std::optional<Diagnostics> row;  ///< the last
  double largest_energy_error = 0;
  const char* energy_error_name = "dE/E";  ///< name with the reference of the energy error
  bool has_pairs = true;                   ///< of bodies with mass: else no energy error is measured
  bool keeps_energy = true;                ///< no external field or added force changes it
  std::optional<MasslessChange> massless;  ///< of the last row
  double largest_massless_change = 0;
  std::optional<ForceErrors> force_errors;    ///< as last measured
  std::string trajectory;                     ///< its table, "" without one
  std::optional<EncounterCounts> encounters;  ///< if they are looked for
  std::optional<EnergyBudget> budget{};       ///< if one was asked for
  std::optional<WayBack> way_back{};          ///< on a lattice
  std::optional<RanksWork> ranks;             ///< of a run on several ranks
  StepCriterion criterion{};                  ///< of equal steps in comoving coordinates
};

/// Writes summary.json of a run. `known` has the values from the run: options, times, force errors, reason to
/// stop and hash; of the evaluations those of earlier engines.
SystemSummary summarised(SystemSummary known, const Simulation& simulation, const Outputs& outputs,
                         RunDirectory& directory);

}  // namespace pleiad::run
