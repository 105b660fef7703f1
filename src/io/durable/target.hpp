/// The target of an output name: a file to create or replace, or a device to write to.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/descriptor.hpp"

#include <filesystem>
#include <string_view>

namespace pleiad {

/// The target of a name when the links on the way are followed.
struct Target {
  std::filesystem::path file;  ///< the regular file that is there or will be; else the device or FIFO
  bool through = false;  ///< a character device, a FIFO or an open descriptor: written into, never replaced
  int descriptor = -1;   ///< the open descriptor that the name stands for (/dev/stdout, /dev/fd/N), or -1
};

/// Returns the target of a file name; ResourceError for targets that cannot take a file's bytes: folders,
/// block devices, sockets, links in a circle.
Target target_of(const std::filesystem::path& file);

/// Opens a target that is not to be replaced, as write_through does.
Descriptor opened_through(const Target& target);
/// Writes into a target that is not to be replaced. If no program reads a FIFO it waits, ten seconds at
/// most; ResourceError names `target.file` and the system's reason.
void write_through(const Target& target, std::string_view content);

}  // namespace pleiad
