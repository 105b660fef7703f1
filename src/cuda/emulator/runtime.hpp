/// The calls of the emulated runtime: counted, and failing when a fault is injected, as those of the real
/// one.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <source_location>
#include <string_view>

namespace pleiad::cuda {

/// Bytes that the emulated device has.
inline constexpr std::size_t emulated_memory = std::size_t{1} << 30;

/// The twin of check() and check_room(): every emulated function whose original can fail begins with it.
void called(std::size_t bytes = 0, std::source_location where = std::source_location::current());
/// Counts a call whose place has a name of its own.
void called(std::size_t bytes, std::string_view where);

}  // namespace pleiad::cuda
