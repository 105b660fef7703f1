/// Order of the ids and masses in a GADGET file without labels.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/gadget_file.hpp"

#include <cstdint>
#include <string>

namespace pleiad::files::gadget {

/// In a file without labels smaller masses are taken for bits of whole numbers, in single precision and in
/// double.
inline constexpr double least_mass = 1e-37, least_mass_of_doubles = 1e-300;

/// Whether a block may have `numbers` masses: 0 or ordinary numbers above it, and at least one above 0.
bool may_be_masses(const GadgetFile& file, const Block& block, std::uint64_t numbers);
/// Labels the blocks after the velocities. GADGET's order is ids, then masses; some programs write masses
/// first, or no ids. `masses`: number of bodies with a mass of their own. Returns a note, or "" if the order
/// is certainly GADGET's. InputError if the masses would be bits of whole numbers.
std::string settle_order(GadgetFile& file, std::uint64_t masses);

}  // namespace pleiad::files::gadget
