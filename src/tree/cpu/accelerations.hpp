/// The acceleration that the error-controlled MAC holds errors against.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/cpu/pass.hpp"

namespace pleiad::tree {

/// Pulls on all leaves with targets, and from these the least of each cell with targets. They are found from
/// the present positions alone, by a walk with monopoles only among cells of some hundred bodies: a run that
/// goes on after a checkpoint needs no memory of it. `scales` has its weights.
void measure_accelerations(const Tree& tree, const CellPlaces& up, const Pass& pass, Scales& scales);

}  // namespace pleiad::tree
