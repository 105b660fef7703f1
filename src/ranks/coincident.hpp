/// Bodies at one place, also where they are on different ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"

#include <pleiad/bodies.hpp>

#include <array>
#include <cstdint>
#include <optional>

namespace pleiad::ranks {

/// The ids of the two that coincident_pair finds among the bodies of all ranks, if there are such. Every
/// body's place is sent to one rank, 40 bytes each. Collective.
std::optional<std::array<std::uint64_t, 2>> coincident_ids(Communicator& comm, const Bodies& own);

}  // namespace pleiad::ranks
