/// A force of the user's as a callable of Python's.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "module/parts.hpp"

#include <pleiad/user_force.hpp>

namespace pleiad::python {

/// Calls `force` with the time, positions, accelerations to be written, and the stream of the GPU that has
/// them. `owner`: the Python object that owns the memory. UsageError if `force` has kept an array of the
/// call. The caller must hold the GIL.
void add_accelerations(const nb::object& force, nb::handle owner, const ForceCall& call);

}  // namespace pleiad::python
