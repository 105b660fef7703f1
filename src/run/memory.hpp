/// Memory: how much there is for this process, asked before it is taken.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace pleiad::run {

/// The least of: available memory of the machine, of the cgroup, and what the address-space limit leaves.
std::size_t available_memory();
/// ResourceError with both numbers when `bytes` are more than available_memory().
void need_memory(std::size_t bytes, std::string_view what);

}  // namespace pleiad::run
