/// The state of a GPU as text.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/finding.hpp"
#include "doctor/nvml.hpp"

namespace pleiad::doctor {

/// Errors of the memory, and what slows the GPU down; nothing for what is not known.
Findings findings_of(const Health& health, const std::string& group);

}  // namespace pleiad::doctor
