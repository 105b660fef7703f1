/// The field of external potentials on one body, for every kernel that needs it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/cuda.hpp"
#include "potentials/sum.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>

namespace pleiad::cuda {

/// Potentials that are summed before they are added to the pulls: those of a launch, of whose arguments, 4
/// KiB, they are one.
constexpr int potentials_at_once = 24;

/// A body's sum of pulls with the accelerations of `count` potentials added, divided by G; per_G is 1 / G.
/// Not inlined: which products and sums the compiler fuses depends on the code around them, and a step has
/// the same bits in every kernel.
template <class T>
__device__ __attribute__((noinline)) Vec4<T> with_field(const potentials::Instant<double>* potentials,
                                                        int count, double G, double per_G, Mass<T> x,
                                                        Vec4<T> sum) {
  const auto a = potentials::field_of(potentials, std::size_t(count), G,
                                      Vec3<double>{double(x.x), double(x.y), double(x.z)})
                     .acceleration *
                 per_G;
  return {T(double(sum.x) + a.x), T(double(sum.y) + a.y), T(double(sum.z) + a.z), sum.w};
}

}  // namespace pleiad::cuda
