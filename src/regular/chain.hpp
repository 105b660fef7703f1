/// The chain of a few bodies: an order in which near neighbours follow each other, so that the vectors from
/// each body to the next have no rounding errors of the size of the system (Mikkola & Aarseth 1993, CeMDA 57,
/// 439).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "regular/double_sum.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace pleiad::regular {

/// Returns the numbers of the bodies in the order of the chain: it begins with the nearest two, and the body
/// that is nearest to one of its ends is added there until all are in it.
std::vector<std::size_t> chain_order(std::span<const DoubleVec> positions);

}  // namespace pleiad::regular
