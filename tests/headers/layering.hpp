/// Who may include whom: the picture of ARCHITECTURE.md as a table, and a reader of #include lines that holds
/// the tree to it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pleiad::layering {

/// One line for each #include below `root` (include, src, apps, bench) that points upward or sideways, each
/// folder of src and each public header that the table does not know, and each header of the public interface
/// that needs more than the standard library.
std::vector<std::string> violations(const std::filesystem::path& root);

}  // namespace pleiad::layering
