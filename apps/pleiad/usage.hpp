/// What a mistake on the command line deserves: one line, with the nearest name.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace pleiad::app {

/// "pleiad run: no option '--dtt'; did you mean '--dt'?"
std::string explain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace pleiad::app
