/// The check of bodies that several ranks have.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"
#include "ranks/division.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>

#include <string_view>

namespace pleiad::ranks {

/// As pleiad::validate, for the bodies of all ranks; messages number bodies as one process does. Ids that do
/// not ascend are sent to the ranks that compare them, 16 bytes each. Collective.
void validate(Communicator& comm, const Division& division, const Bodies& own, const Gravity& gravity,
              std::string_view origin);

}  // namespace pleiad::ranks
