/// The valid settings of trees, for code that chooses among them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capabilities/capabilities.hpp"

#include <pleiad/kernel/tree.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pleiad {

/// The reason why no solver supports these settings, in one sentence; none if one does. (need_able throws
/// it.) Combinations with other features are in capabilities.hpp.
std::optional<std::string> fault_in(const TreeSettings& settings);
/// A tree as an applicant for the table of possible combinations.
Applicant applicant(const TreeSettings& settings);
/// UsageError where the table has no such tree for the boundary of a single evaluation.
void need_space(const TreeSettings& settings, const Boundary& boundary);

/// "cpu/fmm": the first word of its text.
std::string_view name_of(const TreeSettings& settings);
/// Whether a text, "cpu/fmm order=5", is that of a tree.
constexpr bool names_a_tree(std::string_view text) {
  for (const auto name : tree_names)
    if (text.substr(0, text.find(' ')) == name) return true;
  return false;
}

}  // namespace pleiad
