/// The softening of each type of bodies, from the texts of gravity.softening_by_type.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

#include <pleiad/bodies.hpp>

#include <array>

namespace pleiad::config {

/// By the numbers of the types. Types without a text have gravity.softening. UsageError, with the nearest
/// name, for a text that is not "TYPE=LENGTH", a type that there is not or that is there twice, and a length
/// that is not finite and >= 0.
std::array<double, type_names.size()> softenings_of_types(const Options::Gravity& gravity);

}  // namespace pleiad::config
