/// Orbital elements of the bodies of a file, for `pleiad info --orbits`.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/snapshot.hpp>

#include <string>

namespace pleiad::app {

/// Prints the orbits of the bodies about `about` (see orbit_centre_named), angles in degrees, as a table or
/// as JSON. UsageError for a centre that is not there.
void print_orbits(const Snapshot& snapshot, const std::string& about, bool json);

}  // namespace pleiad::app
