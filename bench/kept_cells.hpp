/// Gain and loss when the cells of a tree are kept for some steps and only their moments are updated.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tune/trial.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/kernel/tree.hpp>

#include <span>
#include <vector>

namespace pleiad::bench {

/// Of cells that are kept for settings.rebuild_every evaluations of moving bodies: seconds of an evaluation
/// on average and its parts, work.build being of cells that are made; the errors when the cells are oldest.
struct KeptCells {
  tune::Measurement tried;
  double refresh = 0;  ///< seconds, the median; 0 when cells are always made
};

/// Moves the bodies by leapfrog for `steps` steps of `dt`, with the forces of a tree that is always made, and
/// evaluates `settings` at each step with cells kept for `keep` evaluations, which divide the steps.
std::vector<KeptCells> measure_kept_cells(const Bodies& bodies, const Gravity& gravity, Precision precision,
                                          const TreeSettings& settings, std::span<const int> keep, int steps,
                                          double dt);

}  // namespace pleiad::bench
