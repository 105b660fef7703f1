/// The output of all commands: valid descriptors, error messages of one line, and an exit code that reports
/// lost output.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/text.hpp"

#include <cstdio>
#include <string_view>

namespace pleiad::app {

/// Ignores SIGPIPE, and gives closed descriptors 0 to 2 a place, lest a snapshot be opened as "standard
/// output".
void prepare_streams();

/// Whether to use colour on a stream: it is a terminal, NO_COLOR is not set, and TERM is not "dumb".
bool use_colour(std::FILE* stream);

/// One line on stderr: "pleiad: error: <message>"; a message that starts with the command ("pleiad run: ...")
/// is about its use.
void complain(std::string_view message);
/// Writes one line to stderr, unchanged: errors in the use of a command start with the command's name.
void complain_about_usage(std::string_view line);

/// Whether something written to stdout was lost.
bool output_failed();

/// Flushes stdout. If the reader has closed it (`| head`), `code` stands. Any other loss is reported, and
/// makes 0 a 4.
int finish_output(int code);

}  // namespace pleiad::app
