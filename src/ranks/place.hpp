/// The hosts of ranks: the GPUs and the processors of a host are divided among its ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"

#include <cstddef>
#include <string>

namespace pleiad::ranks {

/// The name of this host, which no other one has.
std::string host();
/// Number of ranks on this rank's host. Collective.
int ranks_on_host(Communicator& comm);
/// This rank's number among those on its host, from 0 on. Collective.
int number_on_host(Communicator& comm);

/// A note for the user on the processors of rank 0's host; "" unless its ranks may use half of them or less.
/// Collective.
std::string idle_processors(Communicator& comm);
/// The same note for ranks that may together use `used` processors of a host that has `there`.
std::string idle_processors(std::size_t used, std::size_t there);

}  // namespace pleiad::ranks
