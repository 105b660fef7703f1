/// Gaussian random fields in a periodic box, from their power spectrum.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace pleiad::lpt {

struct FieldOptions {
  std::uint64_t seed = 1;
  bool fixed = false;   ///< every mode has its mean square (Angulo and Pontzen 2016)
  bool paired = false;  ///< all phases are turned by pi
};

/// The largest wave number along an axis of n places whose opposite is another one.
constexpr std::size_t largest_wave(std::size_t n) { return (n - 1) / 2; }

/// Modes of a field, delta(x) = sum over k of delta_k exp(2 pi i k x / n), as structure::transformed_back
/// takes them: delta_k = sqrt(variance(k^2)) sqrt(-ln u1) exp(2 pi i u2), with two random numbers of the seed
/// and the wave vector k alone, whole numbers of waves in the box, so that fields on different grids have the
/// same modes; x counts from the low corner of the box. delta_-k is the conjugate of delta_k. The modes with
/// |k| = n / 2 along any axis are 0, and so is the mean.
std::vector<std::complex<double>> gaussian_modes(std::size_t n, const std::vector<double>& variance,
                                                 const FieldOptions& options);

/// variance[k^2] = power(2 pi |k| / length) / length^3 for all k^2 of gaussian_modes; only those that are
/// sums of three squares are asked for.
std::vector<double> variances(std::size_t n, double length, const std::function<double(double)>& power);

}  // namespace pleiad::lpt
