/// Reading in a child process: the HDF5 library can crash on damaged or malicious files (1.10.8 reads beyond
/// its buffers when single bytes are changed), so it parses where a crash costs nothing, and only checked
/// numbers come back through a pipe.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/parts.hpp"

#include <functional>

namespace pleiad::files {

/// Calls `read` in a child process, and returns or throws its result; InputError if the child dies. If the
/// system allows no child, `read` is called here. The child is a copy of this process, in which the locks of
/// all other threads stay as they are: other threads should not work before `begun` is called here, after the
/// fork. A child that waits for such a lock is ended, and another one reads; ResourceError after 20 of them.
FileContent read_isolated(
    const fs::path& file, const std::function<FileContent(const fs::path&)>& read,
    const std::function<void()>& begun = [] {});

}  // namespace pleiad::files
