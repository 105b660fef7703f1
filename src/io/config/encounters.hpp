/// Encounters, as the configuration has them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

#include <pleiad/encounters.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pleiad {

/// Radii by id of texts "ID=RADIUS" (encounters.radii). UsageError for another text, a radius that is not
/// finite and >= 0, or an id that is there twice.
std::map<std::uint64_t, double> radii_of(const std::vector<std::string>& texts);

/// The settings of these options, whose reactions must be names. UsageError as radii_of.
EncounterSettings settings_of(const Options::Encounters& options);

}  // namespace pleiad
