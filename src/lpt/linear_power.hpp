/// The linear power spectrum of today: a transfer function or a table, with its amplitude.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lpt/transfer.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace pleiad::lpt {

/// Wave numbers, in h/Mpc.
struct Range {
  double low = 0, high = 0;
};

/// P(k) at one time, in (Mpc/h)^3, k in h/Mpc, within a range.
struct LinearPower {
  std::function<double(double)> at;
  Range range{};
  std::string source;  ///< in words
  LinearPower times(double factor) const;
};

/// P = k^n_s T(k)^2, without an amplitude.
LinearPower power_law(const std::function<double(double)>& transfer, double n_s, std::string source);

/// A table of two columns, k in h/Mpc and P in (Mpc/h)^3, with comments after #, as CAMB and CLASS write it;
/// between its rows the logarithm of P is a cubic of that of k. InputError for a file that is no such table.
LinearPower power_of_table(const std::filesystem::path& file);

/// The root of the variance of the density in spheres of `radius` (Mpc/h), by quadrature. UsageError if a
/// table does not have the scales from 0.016 / radius to 40 / radius, outside of which are less than 1e-4 of
/// it.
double sigma(const LinearPower& power, double radius);

/// The same spectrum with this sigma(8 Mpc/h).
LinearPower with_sigma8(const LinearPower& power, double sigma8);

/// The amplitude of `power` of today that primordial curvature perturbations with the power A_s (k / (0.05
/// per Mpc))^(n_s - 1) have in an early universe of matter: what k^n_s T^2 is to be multiplied by. `growth`:
/// D1 at a = 1, where D1 = a early.
double amplitude_of(double a_s, double n_s, double omega_m, double h, double growth);

}  // namespace pleiad::lpt
