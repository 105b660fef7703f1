/// The token that a browser must show: 128 random bits of this run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace pleiad::live {

/// 32 hex digits from the random numbers of the system; ResourceError when it has none.
std::string new_token();

/// Whether both are equal, in a time that does not depend on where they differ.
bool same_token(std::string_view a, std::string_view b);

}  // namespace pleiad::live
