/// Tables of stars of the programs of the field, for reading alone: McLuster's and PeTar's.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/files.hpp>

namespace pleiad {

/// They are read wherever a snapshot is, and never written: they are none of formats().
extern const Format format_mcluster, format_petar;

}  // namespace pleiad
