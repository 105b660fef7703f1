/// The fast multipole method with one tree distributed over the GPUs of several ranks: each has its own
/// bodies, those of its part of the curve, and the cells and bodies of others that these need.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/force_solver.hpp"
#include "engine/ranks_exchange.hpp"
#include "ranks/collective.hpp"

#include <memory>

namespace pleiad {

/// Makes the solver on the present GPU, with a stream of it. `evaluate` is collective; its problem has this
/// rank's bodies as targets. The result is that of one GPU, bit for bit, for any number of ranks. `all` and
/// `exchange` outlive the solver. P: F32 or Mixed.
template <class P>
std::unique_ptr<ForceSolver<P>> make_device_domain(const TreeSettings& settings, const ranks::Collective& all,
                                                   RanksExchange<typename P::Position>& exchange,
                                                   void* stream);

}  // namespace pleiad
