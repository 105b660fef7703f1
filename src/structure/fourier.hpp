/// Fourier transforms of real numbers on a cubic grid, by PocketFFT.
///
/// All threads; the bits do not depend on their number. The modes of n x n x n values, z the fastest, are n x
/// n x (n / 2 + 1) numbers, for k_z >= 0; wave numbers beyond n / 2 along x and y stand for negative ones.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pleiad::structure {

/// All wave numbers.
inline constexpr std::size_t all_modes = SIZE_MAX;

/// sum over x of values(x) exp(-2 pi i k x / n). With `most` only the modes of wave numbers up to it along
/// each axis are right.
std::vector<std::complex<double>> transformed(const std::vector<double>& values, std::size_t n,
                                              std::size_t most = all_modes);
/// sum over k of modes(k) exp(2 pi i k x / n). `modes` is lost. With `most` those of larger wave numbers
/// along any axis must be 0.
std::vector<double> transformed_back(std::vector<std::complex<double>>& modes, std::size_t n,
                                     std::size_t most = all_modes);

}  // namespace pleiad::structure
