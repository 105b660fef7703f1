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

/// sum over x of values(x) exp(-2 pi i k x / n), in `modes`, which gets the size that it needs. With `most`
/// only the modes of wave numbers up to it along each axis are right.
void transform(const std::vector<double>& values, std::size_t n, std::vector<std::complex<double>>& modes,
               std::size_t most = all_modes);
std::vector<std::complex<double>> transformed(const std::vector<double>& values, std::size_t n);
/// sum over k of modes(k) exp(2 pi i k x / n), in `values`, which gets the size that it needs. The modes of
/// wave numbers up to `most` are lost; those of larger ones, along any axis, must be 0, and those of larger
/// k_z stay so.
void transform_back(std::vector<std::complex<double>>& modes, std::size_t n, std::vector<double>& values,
                    std::size_t most = all_modes);

}  // namespace pleiad::structure
