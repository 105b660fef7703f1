/// The external potential that an added force refers to.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace pleiad::added {

/// Its place in Gravity::potentials; empty for a force that refers to none.
std::optional<std::size_t> medium_of(const AddedForce& force);
/// Why some force refers to a potential that is not there, in one sentence; empty if none does.
std::optional<std::string> missing_medium(const Gravity& gravity);

}  // namespace pleiad::added
