/// Launch shapes as text: "block=256,stride=32".
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/direct.hpp>

#include <string>
#include <string_view>

namespace pleiad::bench {

/// The fields that are not the kernel's own choice, as "block=256,stride=32"; "default" when all are.
std::string name_of(const LaunchShape& shape);
/// The inverse; UsageError with the fields there are.
LaunchShape shape_named(std::string_view text);

}  // namespace pleiad::bench
