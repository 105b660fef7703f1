/// The valid settings of trees, for code that chooses among them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/tree.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pleiad {

/// Why no solver has these settings, in one sentence; nothing when one has. (need_able throws it.)
std::optional<std::string> why_not(const TreeSettings& settings);
/// The same for a precision and a space.
std::optional<std::string> why_not(const TreeSettings& settings, Precision precision,
                                   const Boundary& boundary);

/// "cpu/fmm": the first word of its text.
std::string_view name_of(const TreeSettings& settings);
/// Whether a text, "cpu/fmm order=5", is that of a tree.
constexpr bool names_a_tree(std::string_view text) {
  for (const auto name : tree_names)
    if (text.substr(0, text.find(' ')) == name) return true;
  return false;
}

}  // namespace pleiad
