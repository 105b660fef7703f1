/// The linear power spectrum of a universe, as users ask for it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosmology/cosmology.hpp"
#include "lpt/linear_power.hpp"

#include <filesystem>
#include <optional>

namespace pleiad::lpt {

/// Which spectrum, and its amplitude. Without sigma8 and a_s a table keeps its own amplitude; a transfer
/// function needs one of the two.
struct Spectrum {
  enum class Shape { eisenstein_hu, no_wiggle, table };
  Shape shape = Shape::eisenstein_hu;
  double n_s = 0.9665;    ///< of P = k^n_s T(k)^2; not of a table
  double t_cmb = 2.7255;  ///< kelvin; not of a table
  std::optional<double> sigma8{}, a_s{};
  std::filesystem::path table{};
  double table_redshift = 0;  ///< the time of the table
};

/// The spectrum of today, grown from the time of a table by the growth in this universe. UsageError for
/// values that make no sense, InputError for a table that cannot be read.
LinearPower linear_power(const Spectrum& spectrum, const cosmology::Cosmology& universe);

}  // namespace pleiad::lpt
