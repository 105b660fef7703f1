/// The systems of an ensemble on several ranks: rank 0 has a copy of all of them, and every rank steps some.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ensemble/members.hpp"
#include "ranks/communicator.hpp"

#include <pleiad/ensemble.hpp>

#include <memory>
#include <vector>

namespace pleiad::run {

/// Rank 0's view: it sends the others their systems and gives the orders. The bodies of all systems come when
/// `snapshot` is first called after steps, which the thread that made this has to do. Its
/// destructor ends follow() on the other ranks. Collective with follow().
std::unique_ptr<Members> make_divided_members(ranks::Communicator& comm, std::vector<Member> members,
                                              const EngineOptions& engine, double hang_seconds);

/// Runs on every other rank: receives its systems, and carries out orders until the last one. A signal that
/// it receives is passed on to rank 0. AgreedError if rank 0 has failed before it had systems to send; also
/// throws errors of the orders.
void follow(ranks::Communicator& comm);

}  // namespace pleiad::run
