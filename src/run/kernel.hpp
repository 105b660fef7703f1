/// The kernels of a run: named, tuned or from the table at the start; those of its checkpoint after a
/// resume.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/start.hpp"
#include "io/config/options.hpp"
#include "ranks/self.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/engine.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace pleiad::run {

class Observer;

/// How much resolving may do and say.
struct Resolving {
  bool measure = true;                         ///< what is not in the cache; false: a forecast
  Observer* observer = nullptr;                ///< is told what is measured
  double evaluations = 0;                      ///< that the run will make, at least; 0: unknown
  std::filesystem::path cache{};               ///< of what is measured; empty: nothing is kept
  double* seconds = nullptr;                   ///< the time that measuring takes is added to it
  ranks::Communicator& ranks = ranks::self();  ///< whose bodies are given
};

/// Evaluations of a run from a time on, at least: adaptive steps may be shorter.
double evaluations_from(const Options& options, double time);

/// What [solver] asks for.
control::Demand demand_of(const Options& options);

/// Whether [solver] asks for a search.
bool searches_solver(const Options& options);

/// The engine that the options ask for. UsageError when they choose the method twice.
EngineOptions asked_engine(const Options& options);

/// The same for these ranks. Of several each has one GPU at most.
EngineOptions for_ranks(EngineOptions engine, ranks::Communicator& ranks);

/// For a new run. What the user should know goes to `notes`.
EngineOptions resolved_engine(const Options& options, const Bodies& bodies, const Resolving& resolving,
                              std::vector<std::string>& notes);
/// The same with a simulation whose forces are accurate enough: a better precision that they need is written
/// into the options.
control::AccurateStart accurate_start(Options& options, Snapshot initial, const Resolving& resolving,
                                      std::vector<std::string>& notes);

/// For the run of a checkpoint: its very kernels, so that the bits stay. InputError when they cannot be used
/// here; if that is `accepted`, others are chosen as for a new run, on any backend.
EngineOptions resumed_engine(Options& options, const Checkpoint& checkpoint, bool accepted,
                             const Resolving& resolving, std::vector<std::string>& notes);

/// InputError when the checkpoint was written by what would not give the same bits now, unless that is
/// `accepted`. A GPU of another name is a note: kernels and shapes decide its sums, not their speed.
void need_same_build(const Checkpoint& checkpoint, const EngineDescription& now, bool accepted,
                     std::vector<std::string>& notes);

}  // namespace pleiad::run
