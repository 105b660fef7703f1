/// `pleiad help`, and help for a model of `pleiad ic`: other spellings of --help.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.hpp"

#include <string>
#include <vector>

namespace pleiad::app {

/// Returns the arguments with "help COMMAND" as "COMMAND --help", and "ic MODEL --help" as "ic MODEL --list".
std::vector<std::string> with_help(Command app, std::vector<std::string> arguments);

}  // namespace pleiad::app
