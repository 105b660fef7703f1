/// Cosmological files whose bodies stay comoving, for analyses and conversions.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/files.hpp>

#include <filesystem>
#include <optional>

namespace pleiad::files {

/// Reads a file as read_snapshot does, but a cosmological one in GADGET's conventions has the numbers of the
/// file: comoving lengths and masses per h, peculiar velocities, the scale factor as its time, and
/// FileContent::universe. Its box is periodic, with all images, also where the file says no more than its
/// length.
FileContent read_comoving(const std::filesystem::path& file, const std::optional<Units>& units = std::nullopt,
                          bool unless_stated = false);

}  // namespace pleiad::files
