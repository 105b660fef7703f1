/// Snapshots and units as dictionaries of plain data, and back.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "module/parts.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/engine.hpp>
#include <pleiad/snapshot.hpp>

#include <array>
#include <optional>

namespace pleiad::python {

/// UsageError for what is missing or has another type or shape; what may be left out has its default.
Snapshot snapshot_of(const Dict& data);
Dict dict_of(const Snapshot& snapshot);

/// A name of a system, or what dict_of made of one.
Units units_of(nb::handle units);
/// The same; none: none.
std::optional<Units> maybe_units(nb::handle units);
Dict dict_of(const Units& units);

Dict dict_of(const Diagnostics& diagnostics);
Dict dict_of(const EngineDescription& description);
Any array_of(const Vec3<double>& vector);

/// None, or the sides of a periodic box.
Boundary boundary_of(nb::handle box, Images images);

}  // namespace pleiad::python
