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

/// Plans the computation of forces: by `plain`; by the first plan in the cache that one evaluation proves
/// accurate enough on these bodies; or by a new search, whose result is stored, so that the next run of the
/// same bodies has the same result, bit for bit. A search that was cut short for a short run does not count
/// for one more than twice as long, which searches anew and replaces it. Tuning::off does not use the cache,
/// force searches anew. A tuning_context that does not measure guesses, and stores nothing. UsageError as
/// `plan`.
Plan planned(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options,
             const SolverRequest& request, Tuning tuning, const TuningContext& tuning_context);

}  // namespace pleiad::tune
