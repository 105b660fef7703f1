/// Snapshot files as bytes: CSV, GADGET-1/2, TIPSY and HDF5, told apart by content; each has a corpus of its
/// own.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "snapshots.hpp"

using namespace pleiad::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  check_file(folder, folder.write("snapshot", text_of(data, size)));
  return 0;
}
