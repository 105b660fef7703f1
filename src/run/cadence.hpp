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

/// Rough seconds, from what was measured on an H200 and on two cores. They depend on the problem, the solver
/// and whether a GPU computes, never on how many threads or GPUs there are or on a clock: the same
/// configuration has its rows at the same times on every day.
struct Prices {
  double step = 0;
  double row = 0;    ///< potentials, and sums over all bodies
  double frame = 0;  ///< a picture of a movie
};
Prices prices_of(const EngineDescription& engine, std::size_t n, const Integrator& integrator);

/// Steps from one row to the next in a run of so many: 200 rows, or as few as take a fifteenth of the time of
/// the steps. Where all 200 take less than a fifth of a second, their price does not matter.
std::uint64_t steps_between_rows(double steps, const Prices& prices);
/// The same of the frames of a movie: 500, or as few as take a thirtieth of the time; a second is not too
/// much.
std::uint64_t steps_between_frames(double steps, const Prices& prices);

/// Gives intervals that were left to the program a value, a whole number of steps where steps are fixed.
void settle_cadence(Options& options, const Simulation& simulation);
/// The same of a simulation that has some of so many bodies.
void settle_cadence(Options& options, const Simulation& simulation, std::size_t bodies);
/// Those of an ensemble, whose diagnostics are cheap beside its steps: twenty rows of each system that starts
/// at this time. The fixed steps of all systems meet them.
void settle_cadence(Options& options, double start, std::span<const double> steps);

}  // namespace pleiad::run
