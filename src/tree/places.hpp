/// Position and size of a cell: the same for all orders, precisions and instruction sets.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/moments.hpp"
#include "tree/tree.hpp"

#include <pleiad/kernel/tree.hpp>

#include <cstdint>

namespace pleiad::tree {

/// Finds the centre of mass and the box of a cell whose children have theirs; its mass.
double place_cell(const Tree& tree, std::uint32_t c, CellPlaces& up);

/// The radius about the centre of mass: of a cell with children the lesser of two bounds.
double radius_of(const Tree& tree, std::uint32_t c, const CellPlaces& up);

/// Beyond which distance a cell pulls as a whole.
double reach_of(const Tree& tree, std::uint32_t c, const CellPlaces& up, Mac mac, double theta);

}  // namespace pleiad::tree
