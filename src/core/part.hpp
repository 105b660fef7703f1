/// A part of the bodies, so that what needs some of them need not copy all.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>

#include <cstddef>

namespace pleiad {

/// Bodies [from, from + n) of `all` behind those of `to`, as they are. Where only some have low parts, zeros
/// stand for the others'. An array that `all` does not have is left as it is: forces ask for no velocities,
/// ids or types.
void append_part(Bodies& to, const Bodies& all, std::size_t from, std::size_t n);

/// The first n of them, or all where there are no more.
Bodies first_of(const Bodies& bodies, std::size_t n);

}  // namespace pleiad
