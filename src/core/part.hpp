/// A part of the bodies, for functions that need some bodies without a copy of all.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>

#include <cstddef>

namespace pleiad {

/// Appends the bodies [from, from + n) of `all` to `to`. If only some have low parts, those of the others are
/// zeros. An array that is empty in `all` is not appended to: forces need no velocities, ids or types.
void append_part(Bodies& to, const Bodies& all, std::size_t from, std::size_t n);

/// The first n of them, or all where there are no more.
Bodies first_of(const Bodies& bodies, std::size_t n);

}  // namespace pleiad
