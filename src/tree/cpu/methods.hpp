/// The methods of this binary, one for each order that is compiled.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/cpu/pass.hpp"

#include <span>

namespace pleiad::tree {

std::span<const Compiled* const> methods();
/// UsageError with the orders that there are.
const Compiled& compiled(Solver solver, int order);

}  // namespace pleiad::tree
