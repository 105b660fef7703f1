/// `pleiad ic cosmology`.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.hpp"

namespace pleiad::app {

/// Adds the command below `ic`.
Command add_ic_cosmology(Command ic);

}  // namespace pleiad::app
