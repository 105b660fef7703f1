/// Symmetric pairs of the bodies of all ranks, on CPUs: each match of two blocks is computed by one rank.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/force_solver.hpp"
#include "ranks/collective.hpp"

#include <memory>

namespace pleiad {

/// Sums with the bits of cpu/symmetric on one process. Every rank holds the positions of all bodies during an
/// evaluation. `rows` computes what symmetric pairs do not: see cpu::by_pairs. `all` outlives the solver.
template <class P>
std::unique_ptr<ForceSolver<P>> make_rank_pairs(const ranks::Collective& all,
                                                std::unique_ptr<ForceSolver<P>> rows);

}  // namespace pleiad
