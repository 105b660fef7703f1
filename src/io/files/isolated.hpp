/// Reading in a child process: the HDF5 library can crash on damaged or malicious files (1.10.8 reads beyond
/// its buffers when single bytes are changed), so it parses where a crash costs nothing, and only checked
/// numbers come back through a pipe.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/parts.hpp"

#include <functional>

namespace pleiad::files {

/// What `read` returns or throws, done in a child process; InputError when the child dies of it. Where the
/// system allows no child, `read` is called here. The child is a copy of this process, where the locks of all
/// other threads stay as they are: none should be at work before `begun` is called here, after the fork. A
/// child that waits for such a lock is ended, and another one reads; ResourceError after 20 of them.
FileContent read_isolated(
    const fs::path& file, const std::function<FileContent(const fs::path&)>& read,
    const std::function<void()>& begun = [] {});

}  // namespace pleiad::files
