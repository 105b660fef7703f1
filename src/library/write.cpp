/// A snapshot into a file whose ending says the format.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/files.hpp>

namespace pleiad {

void write(const Snapshot& snapshot, const std::filesystem::path& file) {
  WriteOptions options;
  options.format = &format_by_ending(file);
  write_snapshot(file, snapshot, options);
}

}  // namespace pleiad
