/// The check of bodies that several ranks have.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"
#include "ranks/division.hpp"

#include <pleiad/bodies.hpp>

#include <string_view>

namespace pleiad::ranks {

/// See pleiad::validate, of the bodies of all ranks; messages count bodies as one process does. Ids, where
/// they do not rise from body to body, are sent to the ranks that look at them, 16 bytes each. Collective.
void validate(Communicator& comm, const Division& division, const Bodies& own, double eps,
              std::string_view origin);

}  // namespace pleiad::ranks
