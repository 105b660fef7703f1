/// External potentials on bodies in the memory of a GPU. Each body's field is its own, in double precision.
/// Plain C++; all pointers to bodies and sums are the device's.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/potential.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <span>

namespace pleiad::cuda {

/// Adds the accelerations, divided by G, to sums of pulls, which leave G out. T: float or double.
template <class T>
void add_external_field(std::span<const Potential> potentials, double G, const Mass<T>* x, Vec4<T>* sums,
                        std::size_t n, void* stream);
/// 2 phi / G into the fourth number of each sum, 0 into the others: then the potential energy that
/// sums_of_blocks finds is that of the bodies in the field, sum_i m_i phi(x_i).
template <class T>
void external_potentials(std::span<const Potential> potentials, double G, const Mass<T>* x, Vec4<T>* sums,
                         std::size_t n, void* stream);

}  // namespace pleiad::cuda
