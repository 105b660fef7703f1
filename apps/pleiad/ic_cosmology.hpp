/// `pleiad ic cosmology`.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.hpp"

#include <functional>

namespace pleiad::app {

/// Adds the command below `ic`. `check` looks at the options of `ic` itself, before anything is made.
Command add_ic_cosmology(Command ic, std::function<void()> check);

}  // namespace pleiad::app
