/// The steps of `validate` that a part of all bodies can take by itself, and the errors of the others.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/error.hpp>
#include <pleiad/gravity.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pleiad {

/// InputError for arrays of unequal length, and for numbers that no body may have. `first`: the place of the
/// first of these bodies among all, for the message.
void need_valid_numbers(const Bodies& bodies, std::string_view origin, std::size_t first = 0);
/// See the one without `first`.
void need_flat(const Bodies& bodies, std::string_view origin, std::size_t first);

/// As validate of bodies.hpp, for this law: in external potentials, which pull, all masses may be 0.
void need_valid(const Bodies& bodies, const Gravity& gravity, std::string_view origin);

/// Numbers of bodies that are semi-active, and of those with mass.
std::array<std::size_t, 2> counts_of_semi_active(const Bodies& bodies, const SemiActive& law);
/// UsageError unless some bodies with mass are semi-active and, without external potentials, some are not: a
/// law that asks for semi-active bodies has them. The counts are those of all bodies.
void need_semi_active(const Gravity& gravity, std::size_t semi_active, std::size_t with_mass,
                      std::string_view origin);

InputError no_bodies(std::string_view origin);
/// `n`: bodies in all.
InputError no_mass(std::string_view origin, std::size_t n);
InputError repeated_id(std::string_view origin, std::size_t body, std::uint64_t id);

}  // namespace pleiad
