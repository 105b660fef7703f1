/// The note of a run whose energy error is larger than that of a resolved run.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/massless.hpp"

#include <pleiad/simulation.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace pleiad::run {

/// Largest |dE / E| without a note: 1e-4, and 1e-3 for at least 1000 softened bodies, whose single orbits
/// mean nothing, and for the equation of Layzer and Irvine. If the user has stated a limit of the error,
/// limits.max_energy_error, it is at least that: then only the summary reports the error.
constexpr double energy_error_told(double stated_limit, std::size_t bodies, double softening,
                                   bool comoving = false) {
  const double usual = comoving || (bodies >= 1000 && softening > 0) ? 1e-3 : 1e-4;
  return stated_limit > usual ? stated_limit : usual;
}

/// Whether integration, field and forces conserve an energy: without damping, in external potentials that
/// rest or rotate together, and all work of added forces that take energy is counted.
bool conserves_energy(const Simulation& simulation);

/// The largest n for which Gauss-Radau costs less than Hermite for the same error. Systems of ensembles are
/// smaller.
inline constexpr std::size_t few_bodies = 100;
/// What reduces the error of this integration of n bodies: the settings to change, as the end of "use".
/// `kernel`: what sums the pulls, where it may have part in the error.
std::string smaller_error_by(const Method& method, const Gravity& gravity, std::size_t n,
                             std::string_view kernel = {});

/// One line about a run whose worst energy error is `worst`, of the kind `name` (name_of_energy_error); empty
/// up to `told`. NaN is reported too. `remedy` is that of smaller_error_by.
std::string energy_note(const char* name, double worst, double told, const std::string& remedy);
/// One line about an ensemble: of its `all` systems `systems` exceed the limit, the worst by `worst`; empty
/// for none.
std::string energy_note(const char* name, double worst, double told, std::size_t systems, std::size_t all,
                        const std::string& remedy);
/// One line about massless bodies in a fixed field.
std::string massless_note(const MasslessChange& change, double worst, double told, const std::string& remedy);

}  // namespace pleiad::run
