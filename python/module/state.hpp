/// The bodies of a simulation in arrays of Python's: copied on the host, or as they lie in a GPU's memory.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "module/parts.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/engine.hpp>

#include <memory>
#include <optional>
#include <string_view>

namespace pleiad::python {

/// Positions, velocities and masses into arrays of that size.
void copy_state(const Bodies& bodies, nb::handle positions, nb::handle velocities, nb::handle masses);
/// The bodies with the values of these arrays; none if they are unchanged.
std::optional<Bodies> changed_bodies(const Bodies& now, nb::handle positions, nb::handle velocities,
                                     nb::handle masses);

/// "positions", "velocities" or "masses" as an array over the GPU's memory, for DLPack: (n, 3) or (n,), of
/// the type of the state. It keeps `state`, and so the memory, as long as it or whatever was made of it
/// lives.
Any view_of(const std::shared_ptr<const DeviceState>& state, std::string_view column, bool writable);

}  // namespace pleiad::python
