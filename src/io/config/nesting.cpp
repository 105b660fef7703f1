/// Depth of brackets and of dotted keys, outside strings and comments.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/nesting.hpp"

#include <algorithm>

namespace pleiad::config {
namespace {

/// The position after the string that starts at `at` (a quote): single-line strings end at the line's end at
/// the latest.
std::size_t after_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool multiline = text.substr(at, 3) == std::string_view(quote == '"' ? "\"\"\"" : "'''");
  for (std::size_t i = at + (multiline ? 3 : 1); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') ++i;
    else if (text[i] == '\n' && !multiline) return i;
    else if (text[i] == quote && !multiline) return i + 1;
    else if (text[i] == quote && text.substr(i, 3) == text.substr(at, 3)) return i + 3;
  }
  return text.size();
}

}  // namespace

int line_nested_deeper_than(int limit, std::string_view text) {
  int line = 1, brackets = 0, dots = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = after_string(text, i);
      line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                          text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      i = end;
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '\n') ++line;
    if (c == '[' || c == '{') ++brackets;
    if ((c == ']' || c == '}') && brackets > 0) --brackets;
    if (c == '.') ++dots;
    if (c == '\n' || c == '=' || c == ',' || c == '[' || c == '{') dots = 0;
    if (brackets > limit || dots >= limit) return line;
    ++i;
  }
  return 0;
}

}  // namespace pleiad::config
