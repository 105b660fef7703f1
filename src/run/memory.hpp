/// The memory available to this process, checked before it is allocated.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace pleiad {
struct EngineOptions;
}

namespace pleiad::run {

/// The least of the available memory of the machine, that of the cgroup, and the rest of the address-space
/// limit.
std::size_t available_memory();
/// ResourceError with both numbers when `bytes` are more than available_memory().
void need_memory(std::size_t bytes, std::string_view what);
/// Bytes of memory of a run of n bodies: its engine, and the copy of its state that is being written (see
/// copies.hpp). ResourceError on overflow.
std::size_t run_bytes(std::size_t n, const EngineOptions& engine);

}  // namespace pleiad::run
