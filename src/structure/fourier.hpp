/// Fourier transforms of real numbers on a cubic grid, by PocketFFT.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace pleiad::structure {

/// sum over x of values(x) exp(-2 pi i k x / n): n x n x (n / 2 + 1) numbers, for k_z >= 0, of n x n x n
/// values, z the fastest. All threads; the bits do not depend on their number.
std::vector<std::complex<double>> transformed(const std::vector<double>& values, std::size_t n);

}  // namespace pleiad::structure
