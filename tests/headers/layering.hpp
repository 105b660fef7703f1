/// Who may include whom: the table of ARCHITECTURE.md, and a reader of #include lines that holds the tree to
/// it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace pleiad::layering {

using Names = std::set<std::string, std::less<>>;

/// A row of the table is a folder of src, the folders whose headers it includes beside its own, and the
/// public headers that belong to it. `rung` is no folder but the types that a kernel is written in: the
/// backends share them, and never each other.
struct Layers {
  std::vector<std::string> in_order;  ///< the lowest first
  std::map<std::string, Names, std::less<>> below;
  std::map<std::string, std::string, std::less<>> of_header;
};
/// Of a document in Markdown.
Layers image_planes_of(const std::filesystem::path& document);

/// One line for each row that includes one below it.
std::vector<std::string> defects(const Layers& layers);
/// One line for each #include below `root` (include, src, apps, bench) that the table does not have, each
/// folder of src and each public header that the table does not know, and each header of the public interface
/// that needs more than the standard library.
std::vector<std::string> violations(const std::filesystem::path& root, const Layers& layers);
/// One line for each inclusion of the table that no #include makes.
std::vector<std::string> unused(const std::filesystem::path& root, const Layers& layers);

}  // namespace pleiad::layering
