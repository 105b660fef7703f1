/// Options of `pleiad ic cosmology`: the universe, its spectrum, the lattice.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.hpp"
#include "lpt/spectrum.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::app {

/// The defaults are those of the Planck Collaboration, Astronomy and Astrophysics 641, A6 (2020), table 2,
/// last column.
struct CosmologyArguments {
  double box = 0, redshift = 49, table_redshift = 0;
  std::uint64_t n = 0, seed = 1, order = 2;
  double omega_m = 0.3111, omega_b = 0.049, omega_r = 0, h = 0.6766, w0 = -1, wa = 0;
  std::vector<double> neutrino_masses;
  std::optional<double> omega_lambda, n_s, t_cmb, n_eff, sigma8, a_s;
  bool radiation = false, fixed = false, paired = false, single = false, json = false;
  std::string transfer = "eisenstein-hu", table, length_unit = "kpc", out;
};

void add_cosmology_options(Command command, const std::shared_ptr<CosmologyArguments>& arguments);

/// The universe and the spectrum of the options. UsageError for options that exclude each other.
cosmology::Cosmology universe_of(const CosmologyArguments& arguments);
lpt::Spectrum spectrum_of(const CosmologyArguments& arguments);

/// The command with the universe and the amplitude in full, so that the file describes itself.
std::string provenance(const CosmologyArguments& arguments, const cosmology::Cosmology& universe,
                       const lpt::Spectrum& spectrum);
/// The command to type, with a softening of a thirtieth of the mean distance of the bodies.
std::string run_line(const CosmologyArguments& arguments, const cosmology::Cosmology& universe);

}  // namespace pleiad::app
