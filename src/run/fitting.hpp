/// Times that full steps have to meet with time.exact_steps and in ensembles: the end and the outputs. Where
/// one does not fit, one step is proposed that fits all of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

#include <pleiad/simulation.hpp>

#include <limits>
#include <span>

namespace pleiad::run {

/// Value of time.t_end if the end is set later: no step has to reach it.
inline constexpr double open_end = std::numeric_limits<double>::max();

/// The greatest step, at most `dt`, of which each of these lengths of time is a whole number; 0: there is
/// none of at least a millionth of it. Lengths are decimals, so equal up to rounding counts as equal.
double common_step(std::span<const double> lengths, double dt);

/// The least length of time that is a whole number of each of these steps; 0: none up to `most`.
double common_multiple(std::span<const double> steps, double most);

/// UsageError where steps from `start` on are lost in the rounding of times, or are too many to be counted;
/// with time.exact_steps and in ensembles also where full steps do not meet the end or an output, with the
/// key and a step that would be right for all keys.
void need_fitting_steps(const Options& options, double start);

/// UsageError, with ends that would be right, where the full steps of a run that is resumed have to meet its
/// new end, and do not: it keeps its step.
void need_fitting_end(const Options& options, const Clock& clock, const Method& method);

}  // namespace pleiad::run
