/// The images of a periodic box that no walk meets, with the background that cancels the mean density: their
/// field as a polynomial, see src/tree/lattice.hpp, whose coefficients this takes. Plain C++.
///
/// Moments of all bodies, sums m x^a y^b z^c of degree 12 at most in parts of the box, make the coefficients
/// of a polynomial, of which each body takes the gradient. Blocks of bodies have single precision for a few
/// terms of each sum, whose rounding is below the error of the polynomial, 4e-7 of M / L^2. Sums are added in
/// one order.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/cells.hpp"
#include "tree/lattice_terms.hpp"

#include <cstddef>
#include <cstdint>

namespace pleiad::cuda::tree {

namespace lattice = pleiad::tree::lattice;

/// The field of a box, on the device.
struct FurtherImages {
  const double* field = nullptr;  ///< in the tree's units of potential; null: open space
  Vec3<double> box{};             ///< sides, in the caller's units

  /// What turns a coordinate of the sorted bodies into a part of the box.
  PLEIAD_HD Vec3<double> scale(const Frame& frame) const {
    return {1 / (frame.per_length * box.x), 1 / (frame.per_length * box.y), 1 / (frame.per_length * box.z)};
  }
};

/// Numbers that the device needs of a box, beside those of FurtherImages.
struct LatticeTables {
  const double* even = nullptr;  ///< of the potential of the further images, in powers of squares
  const int* boxes = nullptr;    ///< of each image: how many boxes it is away along x, y and z
  std::uint32_t images = 1;
};

/// Blocks of bodies whose moments are summed together.
constexpr std::uint32_t moment_block = 8192;
constexpr std::uint32_t moment_blocks(std::uint32_t bodies) {
  return bodies / moment_block + (bodies % moment_block > 0 ? 1 : 0);
}

/// The shifts of the images in the tree's units.
void set_shifts(const LatticeTables& of, const Vec3<double>& box, const Frame* frame, Vec3<double>* shifts,
                void* stream);
/// The field by `n` sorted bodies. `room`: for moment_blocks(n) + 1 times as many numbers as there are terms.
template <class T>
void find_field(const Mass<T>* bodies, std::uint32_t n, const LatticeTables& of, const Vec3<double>& box,
                const Frame* frame, double* room, double* field, void* stream);
/// Adds the pulls of the further images on n bodies, and with `potential` their potentials, to the sums.
template <class T>
void add_further_images(const Sorted<T>& bodies, const FurtherImages& of, const Frame* frame,
                        const Outputs<T>& sums, bool potential, void* stream);

}  // namespace pleiad::cuda::tree
