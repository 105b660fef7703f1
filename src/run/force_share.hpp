/// The accuracy of the forces of many bodies, in a run whose energy error is asked for.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

#include <cstddef>
#include <optional>

namespace pleiad::run {

/// Four times the energy error `budget`, where nothing is stated of the forces and a tree can compute them:
/// of 50,000 bodies or more with one Plummer softening. Energies of trees change by about 0.02 of the error
/// that 99 % of the forces have, and those of multipoles by a tenth of that, so this is at most an eighth of
/// the budget. Empty: direct sums, or what is stated.
std::optional<double> force_share(const Options& options, double budget, std::size_t bodies);

}  // namespace pleiad::run
