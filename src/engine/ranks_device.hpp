/// Solvers of several ranks with a GPU each: every GPU has the positions of all bodies and finds a part of
/// their sums; or those of its rank's bodies alone, with a divided tree.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/force_solver.hpp"
#include "engine/ranks_exchange.hpp"
#include "ranks/collective.hpp"

#include <pleiad/kernel/choice.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace pleiad {

/// Whether a choice for these ranks means a distributed tree. UsageError if one is requested but impossible.
bool divides_tree(const Choice& choice, Precision precision, const ranks::Collective& all);

/// Makes the solver on the present GPU, with a stream of it. `evaluate` is collective; its problem has this
/// rank's bodies as targets and all bodies as sources; with a distributed tree the sources are this rank's
/// bodies too. The result is that of the method on one GPU, bit for bit, for any number of ranks. `all` and
/// `exchange` outlive the solver.
template <class P>
std::unique_ptr<ForceSolver<P>> make_ranks_device_solver(const ForceMethod& method, bool divided,
                                                         const ranks::Collective& all,
                                                         RanksExchange<typename P::Position>& exchange,
                                                         void* stream);

/// The same by direct sums where only the bodies with the numbers `massive`, among those of all ranks, have
/// mass: see make_device_particle_solver.
template <class P>
std::unique_ptr<ForceSolver<P>> make_ranks_particle_solver(const ForceMethod& method,
                                                           std::span<const std::size_t> massive,
                                                           const ranks::Collective& all,
                                                           RanksExchange<typename P::Position>& exchange,
                                                           void* stream);

}  // namespace pleiad
