/// Bodies as a structure of arrays, x, y, z and m apart, in global or in shared memory.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/cuda.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>

namespace pleiad::cuda {

template <class T>
struct Arrays {
  T *x, *y, *z, *m;
  /// n bodies at `memory`, which holds 4 n numbers.
  __device__ __host__ static Arrays at(T* memory, std::size_t n) {
    return {memory, memory + n, memory + 2 * n, memory + 3 * n};
  }
  /// The arrays from body `first` on.
  Arrays from(std::size_t first) const { return {x + first, y + first, z + first, m + first}; }
  __device__ Mass<T> operator[](std::size_t j) const { return {x[j], y[j], z[j], m[j]}; }
  __device__ void set(std::size_t j, Mass<T> body) const {
    x[j] = body.x, y[j] = body.y, z[j] = body.z, m[j] = body.m;
  }
};

/// A thread per body.
template <class T>
__global__ void pack(const Mass<T>* __restrict__ bodies, std::size_t n, Arrays<T> packed) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) packed.set(i, bodies[i]);
}

}  // namespace pleiad::cuda
