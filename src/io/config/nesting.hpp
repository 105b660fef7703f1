/// A guard in front of the TOML parser, which recurses once per level.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace pleiad::config {

/// The first line with more than `limit` open brackets, or parts in a dotted key; 0 when there is none. Reads
/// the text once, without recursion.
int line_nested_deeper_than(int limit, std::string_view text);

}  // namespace pleiad::config
