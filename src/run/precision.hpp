/// The precision that a run needs: measured at its start, and a better one where the forces are too rough.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/kernel.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/options.hpp>
#include <pleiad/simulation.hpp>

#include <string>
#include <vector>

namespace pleiad::run {

/// A look at forces: the bodies that it looked at, and what it found.
struct Looked {
  Sample sample;
  ForceErrors errors;
};

/// The error that 99 % of the bodies may have: the one asked for, else what counts as exact of direct sums.
double allowed_error(const Options& options);
/// Whether the arithmetic is too rough: direct sums beyond what is allowed, a tree whose closest neighbours
/// pull each other wrongly. (A tree's percentile is a matter of its dial.)
bool too_rough(const ForceErrors& errors, const Options& options, bool by_a_tree);
/// "0.05 (0.04 to 0.06)": the 99th percentile with its interval, which has no width where all are measured.
std::string percentile_of(const ForceErrors& errors);
/// "the force error is 0.05 (0.04 to 0.06) for 99 % of the bodies, 1 at worst of 2000".
std::string words_of(const ForceErrors& errors);
/// NumericalError when bodies are so close that sums in double precision are no measure.
void need_separation(const ForceErrors& errors, double eps);
bool by_a_tree(const Simulation& simulation);

struct AccurateStart {
  Simulation simulation;
  EngineOptions engine;
  Looked first;
};
/// A simulation whose forces are accurate enough: in the precision of the options, or in a better one, which
/// is written back into them and told in `notes`. NumericalError when none is left. Bodies are never copied.
AccurateStart accurate_start(Options& options, Snapshot initial, Settling settling,
                             std::vector<std::string>& notes);

/// The engine that goes on from here in a better precision, which is written into the options: the same
/// kernel, or that of the table, never one that was measured, so that another run takes the same.
/// NumericalError when there is none.
EngineOptions better_engine(Options& options, const Simulation& simulation, const ForceErrors& errors);

/// The next better precision into the options; NumericalError when there is none.
void take_better(Options& options, const ForceErrors& errors);

}  // namespace pleiad::run
