/// Findings of the doctor: one marked fact per line, in groups.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pleiad::doctor {

/// `note`: something optional is missing, or worth knowing; `broken`: it should work, and does not.
enum class Mark { ok, note, broken };

struct Finding {
  Mark mark = Mark::ok;
  std::string group, subject;                             ///< "GPU 0", "memory"
  std::string text;                                       ///< one line
  std::vector<std::pair<std::string, double>> numbers{};  ///< the text's, with their units in the names
};
using Findings = std::vector<Finding>;

bool any_broken(const Findings& findings);
/// A line for each under its group's name, aligned, and a verdict; with `colour` the marks are coloured.
std::string as_text(const Findings& findings, bool colour);
/// {"healthy": ..., "findings": [{"mark", "group", "subject", "text", and its numbers}]}.
std::string as_json(const Findings& findings);

}  // namespace pleiad::doctor
