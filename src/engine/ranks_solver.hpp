/// Solvers of several ranks: the targets are this rank's bodies, the sources those of all ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/force_solver.hpp"
#include "ranks/collective.hpp"

#include <memory>

namespace pleiad {

/// Makes the solver of several ranks. `evaluate` is collective; its problem has this rank's bodies as targets
/// and as sources. The result is that of the method on one process with all bodies, bit for bit, for any
/// number of ranks. UsageError if why_not refuses the method. `all` must outlive the solver.
template <class P>
std::unique_ptr<ForceSolver<P>> make_ranks_solver(const ForceMethod& method, const Gravity& gravity,
                                                  const ranks::Collective& all);

}  // namespace pleiad
