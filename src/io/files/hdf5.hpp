/// GADGET's HDF5 files, in and out.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/parts.hpp"

namespace pleiad::files {

FileContent read_hdf5(const fs::path& file, const Wanted& wanted);
/// Up to this size an HDF5 file is built in memory and written as one piece; above it, its rows are written
/// into a temporary file that HDF5 has made, as those of several ranks are.
inline constexpr std::size_t hdf5_image_limit = std::size_t{1} << 20;
void write_hdf5(const fs::path& file, const Snapshot& snapshot, const WriteOptions& options,
                const Share& share, std::size_t image_limit = hdf5_image_limit);

}  // namespace pleiad::files
