/// Description of a file that is no snapshot.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace pleiad::files {

/// Describes a file with this start, and the remedy, for the end of a sentence; "" if it is unknown.
std::string foreign(std::string_view start);

}  // namespace pleiad::files
