/// Solvers of several ranks with a GPU each: every GPU has the positions of all bodies and finds a part of
/// their sums.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/force_solver.hpp"
#include "ranks/together.hpp"

#include <memory>

namespace pleiad {

/// The GPUs of a host are given to its ranks in turn. `evaluate` is collective; its problem is in the host's
/// memory, with this rank's bodies as targets and as sources. The bits are those of the method on one GPU
/// with all bodies, whatever the number of ranks. `all` outlives the solver. ResourceError without a GPU.
template <class P>
std::unique_ptr<ForceSolver<P>> make_ranks_device_solver(const ForceMethod& method,
                                                         const ranks::Together& all);

}  // namespace pleiad
