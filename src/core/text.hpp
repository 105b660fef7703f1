/// Untrusted text: the check for UTF-8, and its form on one line.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pleiad {

/// The number of bytes of the UTF-8 character at the start of `text`, which is not empty, or 0 when there is
/// none.
std::size_t utf8_length(std::string_view text);

/// Whether all of `text` is UTF-8 without NUL: anything else can be written neither to TOML nor to JSON and
/// read again.
bool is_text(std::string_view text);

/// `text` fit for one line of a terminal: line breaks become "; ", control characters and bytes that are not
/// UTF-8 are escaped.
std::string one_line(std::string_view text);

}  // namespace pleiad
