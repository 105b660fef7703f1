/// The bodies of all ranks on the root, for outputs that need all of them at once: pictures of few bodies,
/// the live view.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"

#include <pleiad/bodies.hpp>

namespace pleiad::ranks {

/// Masses, positions, velocities, ids and types of the bodies of all ranks, in the order of the ranks, on
/// rank 0; no bodies on the others. Rank 0 needs memory for all of them. Collective.
Bodies gather_bodies(Communicator& comm, const Bodies& own);

/// The same, with low-order parts where any rank has some, on every rank. Collective.
Bodies bodies_of_all(Communicator& comm, const Bodies& own);

}  // namespace pleiad::ranks
