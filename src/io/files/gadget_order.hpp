/// Which blocks of a GADGET file without labels hold ids and masses.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/gadget_file.hpp"

#include <cstdint>
#include <string>

namespace pleiad::files::gadget {

/// In a file without labels smaller masses are taken for the bits of whole numbers, in single precision and
/// in double.
inline constexpr double least_mass = 1e-37, least_mass_of_doubles = 1e-300;

/// Whether a block holds so many masses: 0 or ordinary numbers above it, and one above 0 at least.
bool may_be_masses(const GadgetFile& file, const Block& block, std::uint64_t numbers);
/// Labels the blocks after the velocities. GADGET's order is ids, then masses; some programs write masses
/// first, or no ids. `masses`: how many bodies have a mass of their own. Returns a note, or "" where the
/// order is GADGET's beyond doubt. InputError where the masses would be the bits of whole numbers.
std::string settle_order(GadgetFile& file, std::uint64_t masses);

}  // namespace pleiad::files::gadget
