/// GADGET's HDF5 layout as a format: everything is kept but the order of the bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/hdf5.hpp"

namespace pleiad {
namespace {

/// Its signature may follow a block of the user's.
Likeness likeness(std::string_view start) {
  for (const std::size_t offset : {0, 512, 1024, 2048})
    if (start.size() >= offset + 8 && start.substr(offset, 8) == "\x89HDF\r\n\x1a\n")
      return Likeness::certain;
  return Likeness::none;
}

}  // namespace

extern constinit const Format format_hdf5{
    .name = "hdf5",
    .family = "GADGET (binary or HDF5)",
    .ending = ".hdf5",
    .other_ending = ".h5",
    .digits = Format::Digits::either,
    .kept =
        {.accelerations = true, .potentials = true, .box = true, .G = true, .step = true, .softenings = true},
    .readers_units = "galactic",
    .wants_fields = true,
    .likeness = likeness,
    .read = [](const files::fs::path& file, bool,
               const files::Wanted& wanted) { return files::read_hdf5(file, wanted); },
    .write = [](const files::fs::path& file, const Snapshot& snapshot, const WriteOptions& options,
                const files::Share& share) { files::write_hdf5(file, snapshot, options, share); }};

}  // namespace pleiad
