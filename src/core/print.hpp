/// Writes all standard output and standard error. Printing never throws, even if the streams are closed.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace pleiad {

/// Writes results: `text`, unchanged, to standard output. A failure is recorded by standard output itself
/// (std::ferror), and reported once, at the end of the program.
void write_out(std::string_view text) noexcept;
/// Writes progress, notes and errors: `text`, unchanged, to standard error, at once. A failure there (a full
/// disk, a closed reader) changes nothing: a run continues.
void write_err(std::string_view text) noexcept;

/// As fmt::print to standard output, which throws when the text cannot be written; this does not.
template <class... Arguments>
void print_out(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_out(fmt::format(format, std::forward<Arguments>(arguments)...));
}
/// As fmt::print to standard error, without its exceptions.
template <class... Arguments>
void print_err(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_err(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace pleiad
