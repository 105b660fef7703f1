/// Default intervals of the outputs of a run, from their estimated costs.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/simulation.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace pleiad::run {

/// Rough times in seconds, from measurements on an H200 and on two cores. They depend on the problem, the
/// solver and whether a GPU computes, never on the number of threads or GPUs or on a clock: the same
/// configuration always has its rows at the same times.
struct Prices {
  double step = 0;
  double row = 0;    ///< potentials, and sums over all bodies
  double frame = 0;  ///< a picture of a movie
};
Prices prices_of(const EngineDescription& engine, std::size_t n, const Integrator& integrator);

/// Steps from one row to the next in a run of `steps` steps: 200 rows, or as few as take a fifteenth of the
/// time of the steps, or 0.04 s if that is more.
std::uint64_t steps_between_rows(double steps, const Prices& prices);
/// Steps from one frame of a movie to the next: 500 frames, or as few as take a thirtieth of the time of the
/// steps, or a second if that is more.
std::uint64_t steps_between_frames(double steps, const Prices& prices);

/// Gives intervals that were left to the program a value, a whole number of steps where steps are fixed. In
/// comoving coordinates rows are at most largest_log_row apart, whatever they cost.
void settle_cadence(Options& options, const Simulation& simulation);
/// Resolves the intervals for a simulation on one of several ranks, with `bodies` bodies on all.
void settle_cadence(Options& options, const Simulation& simulation, std::size_t bodies);
/// Resolves the intervals of an ensemble, whose diagnostics are cheap compared with its steps: twenty rows of
/// each system that starts at this time. They are at whole fixed steps of all systems.
void settle_cadence(Options& options, double start, std::span<const double> steps);

}  // namespace pleiad::run
