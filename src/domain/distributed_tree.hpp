/// Forces by one tree whose bodies are on the hosts of several ranks: the same sums, bit for bit, as one
/// process finds, for any number of ranks, and room for all bodies nowhere.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/domain.hpp"
#include "ranks/communicator.hpp"

#include <pleiad/kernel/tree.hpp>

#include <memory>

namespace pleiad::domain {

/// `evaluate` is collective. Its targets are the rank's bodies in the order of their indices; those of rank r
/// come before those of rank r + 1, and a rank may have none. At most 2^32 - 1 bodies in all. bytes(): the
/// most that this rank held during the last evaluation. `work`: what the rank did is written there after each
/// one. The communicator has to outlive it. UsageError for settings that ranks cannot use.
template <class P>
std::unique_ptr<ForceSolver<P>> make_distributed_tree(ranks::Communicator& comm, const TreeSettings& settings,
                                                      RankWork* work = nullptr);

}  // namespace pleiad::domain
