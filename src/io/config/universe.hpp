/// The universe of a run in comoving coordinates, as the configuration has it, and the times of its
/// redshifts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosmology/cosmology.hpp"
#include "io/config/options.hpp"

#include <vector>

namespace pleiad::config {

/// The densities of [cosmology], whose omega_m is set, with h = 1 where none is.
cosmology::Cosmology universe_of(const Options::Cosmology& options);

/// The time of a redshift in a run in comoving coordinates: ln a = -ln(1 + z).
double time_of_redshift(double redshift);
/// The same of each.
std::vector<double> times_of_redshifts(const std::vector<double>& redshifts);

/// UsageError, in one sentence, for settings of [cosmology] that are not possible or not possible with the
/// others.
void check_universe(const Options& options);

}  // namespace pleiad::config
