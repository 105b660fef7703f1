/// Snapshots and units as dictionaries of plain data, and back.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "module/parts.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/encounters.hpp>
#include <pleiad/engine.hpp>
#include <pleiad/files.hpp>
#include <pleiad/snapshot.hpp>

#include <array>
#include <optional>
#include <vector>

namespace pleiad::python {

/// UsageError for entries that are missing or have another type or shape; optional entries have defaults.
Snapshot snapshot_of(const Dict& data);
Dict dict_of(const Snapshot& snapshot);

/// Units by the name of a system, or from a dict of dict_of.
Units units_of(nb::handle units);
/// Units, or nothing for None.
std::optional<Units> maybe_units(nb::handle units);
Dict dict_of(const Units& units);

/// The universe of a snapshot; empty: none is stated. UsageError for entries that are missing.
std::optional<ComovingUniverse> universe_in(const Dict& snapshot);
ComovingUniverse universe_of(const Dict& universe);
Dict dict_of(const ComovingUniverse& universe);

Dict dict_of(const Diagnostics& diagnostics);
Dict dict_of(const EngineDescription& description);
/// Encounters, a column for each property.
Dict dict_of(const std::vector<Encounter>& events);
Any array_of(const Vec3<double>& vector);

/// None, or the sides of a periodic box.
Boundary boundary_of(nb::handle box, Images images);

}  // namespace pleiad::python
