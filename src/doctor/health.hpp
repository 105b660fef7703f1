/// The state of a GPU as text.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/finding.hpp"
#include "doctor/nvml.hpp"

namespace pleiad::doctor {

/// Findings on memory errors, and on causes that slow the GPU down; unknown values give none.
Findings findings_of(const Health& health, const std::string& group);

}  // namespace pleiad::doctor
