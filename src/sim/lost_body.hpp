/// Errors for bodies with which a run cannot continue.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/error.hpp>

#include <cstddef>
#include <cstdint>

namespace pleiad {

/// The first whose position or velocity is no longer finite; their number if there is none.
std::size_t first_lost(const Bodies& bodies);
/// `number`: of the body among all bodies.
NumericalError lost_body(std::size_t number, std::uint64_t id, std::uint64_t step, double time);
/// The error of two bodies at one position, without softening.
NumericalError coincident_bodies(std::uint64_t one, std::uint64_t other, std::uint64_t step, double time);

}  // namespace pleiad
