/// The note of a run whose energy error is larger than that of a resolved run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/massless.hpp"

#include <pleiad/simulation.hpp>

#include <cstddef>
#include <string>

namespace pleiad::run {

/// Up to this |dE / E| energies are good. Who states a limit of their error, limits.max_energy_error, has
/// said what is good for him: then up to that, and the summary alone tells the error.
constexpr double energy_error_told(double stated_limit) { return stated_limit > 1e-4 ? stated_limit : 1e-4; }

/// Whether the energy must stay what it was: without damping.
bool conserves_energy(const Method& method);

/// One line about a run whose worst energy error is `worst`, of the kind that `name` says
/// (name_of_energy_error); empty up to `told`. No number is told too.
std::string energy_note(const char* name, double worst, double told);
/// The same of an ensemble: of its `all` systems `systems` are beyond, the worst by `worst`; empty for none.
std::string energy_note(const char* name, double worst, double told, std::size_t systems, std::size_t all);
/// The same of massless bodies in a fixed field.
std::string massless_note(const MasslessChange& change, double worst, double told);

}  // namespace pleiad::run
