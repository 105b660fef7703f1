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

/// Limits of a resolution, and its observer.
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

/// The demand of the table [solver].
control::Demand demand_of(const Options& options);

/// Whether [solver] requests a search.
bool searches_solver(const Options& options);

/// The engine that the options request. UsageError if they choose the method twice.
EngineOptions asked_engine(const Options& options);

/// The same for these ranks. Of several each has one GPU at most.
EngineOptions for_ranks(EngineOptions engine, ranks::Communicator& ranks);

/// Resolves the engine of a new run. Notes for the user are added to `notes`.
EngineOptions resolved_engine(const Options& options, const Bodies& bodies, const Resolving& resolving,
                              std::vector<std::string>& notes);
/// Makes a simulation with sufficiently accurate forces; a better precision, if they need one, is written
/// into the options.
control::AccurateStart accurate_start(Options& options, Snapshot initial, const Resolving& resolving,
                                      std::vector<std::string>& notes);

/// The engine of a resumed run: the kernels of the checkpoint, so that results stay the same, bit for bit.
/// InputError if they cannot be used here; if that is `accepted`, others are chosen as for a new run, on any
/// backend.
EngineOptions resumed_engine(Options& options, const Checkpoint& checkpoint, bool accepted,
                             const Resolving& resolving, std::vector<std::string>& notes);

/// Throws InputError if the results of this build may differ from those of the one that wrote the checkpoint,
/// unless that is `accepted`. Another GPU name gives a note only: kernels and shapes determine sums, not the
/// speed of the GPU.
void need_same_build(const Checkpoint& checkpoint, const EngineDescription& now, bool accepted,
                     std::vector<std::string>& notes);

/// The method that a run goes on with when its bodies have become fewer: the present one, unless it cannot
/// compute them, as kernels for equal masses; then unset, so that the table chooses. Collective.
std::optional<ForceMethod> method_for(const ForceMethod& present, const Bodies& own, const Gravity& gravity,
                                      const EngineOptions& engine);

}  // namespace pleiad::run
