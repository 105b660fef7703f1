/// A run in comoving coordinates: its start from a cosmological snapshot, and its snapshots.
///
/// In the run positions and softenings are comoving, velocities are momenta per mass p = a^2 dx/dt, and the
/// time is ln a. Files have peculiar velocities, a dx/dt = p / a, and the scale factor as their time.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

#include <pleiad/files.hpp>
#include <pleiad/simulation.hpp>
#include <pleiad/snapshot.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::run {

/// The largest step in ln a of a run whose time.dt is not set: the growth of a fundamental mode has an error
/// of 0.105 times its square in an e-fold.
inline constexpr double largest_log_step = 0.0156;

/// The number of steps of the preset `fast`: those of at most largest_log_step from z = 49 to 0.
inline constexpr int fast_steps = 251;

/// The force error that a run asks for which states neither one nor a solver: direct sums over all images of
/// 64^3 bodies take a minute a step, trees a second.
inline constexpr double comoving_accuracy = 1e-3;

/// The largest interval in ln a between rows of a run that does not state one. The energy equation is
/// integrated from row to row; with a quarter of it and with half of it errors are the same, with twice as
/// much they reach 1e-3, with five times 4e-3, in a run with haloes.
inline constexpr double largest_log_row = 4 * largest_log_step;

/// The factors of kicks and drifts; null in static space.
std::shared_ptr<const Space> space_of(const Options& options);

/// Space repeats, and all images pull, where nothing is stated of that.
void settle_comoving_box(Options& options);
/// Makes a comoving snapshot that of a run: momenta and ln a. Writes into `options` the end and, where they
/// are not set, h, radiation, the redshift of the start, the accuracy, and the longest step, which follows
/// the acceleration then: equal steps are too long in haloes. `universe`: what the file states. UsageError
/// where the file and the options differ, and where neither has the redshift.
void begin_comoving(Options& options, Snapshot& initial, const std::optional<ComovingUniverse>& universe);
/// Writes H0 into `options`, where it is not set. `mass`: of all bodies; empty: of unknown others, too.
/// UsageError where N-body units need this mass.
void settle_hubble(Options& options, const Snapshot& initial, std::optional<double> mass);
/// UsageError where the bodies with this mass are not the matter of the universe, to 1e-3.
void need_all_matter(const Options& options, double mass);

/// What a snapshot file of the run states.
ComovingUniverse universe_in_files(const Options& options);
/// Makes a snapshot of the run one for files: peculiar velocities and the scale factor.
void make_peculiar(Snapshot& snapshot);

/// The words for a moment of the run: "z = 1.25 (a = 0.444444)", or "t = 3" in static space.
std::string moment_in_words(const Options& options, double time);

}  // namespace pleiad::run
