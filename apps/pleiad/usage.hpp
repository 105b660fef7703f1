/// Messages for mistakes on the command line: one line, with the nearest valid name.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.hpp"

#include <string>

namespace pleiad::app {

/// "pleiad run: no option '--dtt'; did you mean '--dt'?"
std::string explain(Command app, const Mistake& mistake);

}  // namespace pleiad::app
