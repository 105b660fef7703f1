/// The graph of touching bodies: its components, in which all bodies meet at once.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "encounters/matter.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::encounters {

/// Bodies that touch, directly or through others: the heaviest first, of equal ones the one with the lowest
/// id, then the others in the order of their ids.
using Component = std::vector<std::uint32_t>;

/// The components of two bodies and more, in the order of the ids of their first bodies. They depend on
/// neither the order of the pairs nor that of the bodies.
std::vector<Component> components_of(const Matter& matter, std::span<const Pair> touching);

}  // namespace pleiad::encounters
