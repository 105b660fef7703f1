/// The field of the images that no walk meets, at a place: a polynomial and its gradient, as kernels find
/// them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/cuda.hpp"
#include "cuda/tree/further_images.hpp"

namespace pleiad::cuda::tree {

/// The field of a place in parts of the box: its value and derivatives, by Horner's scheme along each axis in
/// turn.
template <class Real>
struct FieldAt {
  Real value = 0, x = 0, y = 0, z = 0;

  __device__ void find(const Real* field, Real at_x, Real at_y, Real at_z) {
    const Real* from = field + lattice::terms;
#pragma unroll
    for (int a = lattice::degree; a >= 0; --a) {
      Real v = 0, v_y = 0, v_z = 0;
#pragma unroll
      for (int b = lattice::degree - a; b >= 0; --b) {
        Real w = 0, w_z = 0;
#pragma unroll
        for (int c = lattice::degree - a - b; c >= 0; --c) {
          w_z = w_z * at_z + w;
          w = w * at_z + *--from;
        }
        v_y = v_y * at_y + v;
        v = v * at_y + w, v_z = v_z * at_y + w_z;
      }
      x = x * at_x + value;
      value = value * at_x + v, y = y * at_x + v_y, z = z * at_x + v_z;
    }
  }
};

/// The pull of the further images at a place among the sorted bodies, in the tree's units.
__device__ inline Vec3<float> pull_at(const FurtherImages& of, const Frame& frame,
                                      const Vec3<double>& place) {
  const auto by = of.scale(frame);
  FieldAt<double> at;
  at.find(of.field, place.x * by.x - 0.5, place.y * by.y - 0.5, place.z * by.z - 0.5);
  return {float(at.x * by.x), float(at.y * by.y), float(at.z * by.z)};
}

}  // namespace pleiad::cuda::tree
