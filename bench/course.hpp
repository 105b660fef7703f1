/// Numbers of the rungs in the course (docs/ladder.md). They begin anew on each device: cpu/1 is cpu/scalar,
/// cuda/2 is cuda/tile. They are also the numbers of the files.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace pleiad::bench {

/// Returns the number in the course of a kernel's `rung`, which also orders the devices: 102 is number 2.
int number_in_course(int rung);

/// Returns the name of the rung "cuda/2", or of a number that `pleiad bench --list` had up to version 0.3: 1
/// to 6, 101 to 122 and 125 to 136. Any other text is returned unchanged. UsageError for a number such as
/// cuda/99 that the course does not have.
std::string kernel_of_number(std::string_view text);

}  // namespace pleiad::bench
