/// Earlier plans: looked up by the kind of bodies, and used if they are still accurate.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/self.hpp"
#include "tune/planner.hpp"
#include "tune/tuning.hpp"

namespace pleiad::tune {

/// The case of bodies on a machine whose plans are looked for. Equal for bodies that are distributed alike: a
/// tree of leaves of 48 is as deep where half of them are, and where all but a hundredth are.
/// `ranks`: whose bodies these are. Collective.
Case plan_case_of(Case machine, const Bodies& bodies, const SolverRequest& request,
                  ranks::Communicator& ranks = ranks::self());

/// How forces are found: as `plain` says; by the first plan in the cache that is found accurate enough on
/// these bodies by one evaluation; or by a new search, whose result is kept, so that the next run of the same
/// bodies has the same bits. A search that was cut short for a short run does not count for one more than
/// twice as long, which searches anew and keeps what it finds in its place. Tuning::off leaves the cache
/// alone, force searches anew. A tuning_context that does not measure guesses, and keeps nothing. UsageError
/// as `plan`.
Plan planned(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
             const SolverRequest& request, Tuning tuning, const TuningContext& tuning_context);

}  // namespace pleiad::tune
