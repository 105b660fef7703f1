/// A force of the user's as a callable of Python's.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "module/parts.hpp"

#include <pleiad/user_force.hpp>

namespace pleiad::python {

/// Calls `force` with the time, positions, accelerations to be written, and the queue of the GPU where they
/// are. `owner`: of the memory, as far as Python knows. UsageError when it has kept an array of the call. For
/// whoever holds the GIL.
void add_accelerations(const nb::object& force, nb::handle owner, const ForceCall& call);

}  // namespace pleiad::python
