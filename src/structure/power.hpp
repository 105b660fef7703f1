/// Power spectra of bodies in a periodic box.
///
/// The masses are deposited on a grid by the piecewise cubic window (PCS), and on a second grid that is
/// shifted by half a cell in each direction; the mean of both transforms has no images of odd order
/// (Sefusatti, Crocce, Scoccimarro and Couchman 2016). The transform is divided by that of the window.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::structure {

struct PowerOptions {
  std::size_t grid = 0;  ///< cells along each side, even, 4 to 2048; 0: see grid_for
  /// Further spectra of the box divided into 4, 16, ... parts along each side, put on top of each other
  /// (Jenkins et al. 1998): each resolves scales that are four times smaller, with fewer modes.
  std::size_t folds = 0;
};

/// A shell of wave vectors: those whose length is within half a fundamental mode of a multiple of it.
struct Shell {
  double k = 0;             ///< mean of |k|, in 1 / length
  double power = 0;         ///< mean of V |delta_k|^2, in length^3: nothing is subtracted
  std::uint64_t modes = 0;  ///< wave vectors, of each two opposite ones one
  std::size_t fold = 0;     ///< number of foldings by four
};
struct PowerSpectrum {
  std::vector<Shell> shells{};
  double shot_noise = 0;  ///< of bodies at random: V sum m^2 / (sum m)^2, in length^3
  std::size_t grid = 0;
};

/// The smallest power of two that is at least twice the cube root of the number of bodies, 16 to 512.
std::size_t grid_for(std::size_t bodies);

/// The power spectrum of the mass of the chosen bodies, from the fundamental mode to the Nyquist frequency
/// pi grid / length, and of each fold to 4, 16, ... times that. Deposits are integers: the bits depend
/// neither on the number of threads nor on the order of the bodies. UsageError for a boundary that is not
/// periodic or whose sides differ, or an option out of its range; InputError if no chosen body has mass.
PowerSpectrum power_spectrum(const Bodies& bodies, std::span<const std::size_t> chosen,
                             const Boundary& boundary, const PowerOptions& options);

}  // namespace pleiad::structure
