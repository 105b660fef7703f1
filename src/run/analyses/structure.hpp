/// What the analyses of the structure in a run share: when they are due, and the bodies that they measure.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/analysis.hpp"
#include "structure/comoving.hpp"

#include <optional>

namespace pleiad::run {

/// The times of output.analysis_interval, analysis_times and analysis_redshifts, or those of the snapshots.
Times structure_times(const Options& options, bool on);

/// The bodies of a copy of the run as files have them: all of them on rank 0, none on the others, with
/// peculiar velocities and the scale factor where they are comoving. Collective.
void gather_structure(const AnalysedRun& run, Snapshot& own);

/// The universe of the run at the time of such a snapshot; empty in static space.
std::optional<structure::Comoving> comoving_in(const Options& options, const Snapshot& snapshot);

}  // namespace pleiad::run
