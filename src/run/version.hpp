/// Which program this is: version and commit, as checkpoints and headers name it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace pleiad::run {

/// "0.1.0".
std::string version();

}  // namespace pleiad::run
