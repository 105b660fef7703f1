/// External potentials, as they are at one time, on bodies in the memory of a GPU. Each body's field is its
/// own, in double precision. Plain C++; all pointers to bodies and sums are the device's.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/multi_gpu/send.hpp"
#include "potentials/hill_drift.hpp"
#include "potentials/instant.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>
#include <span>

namespace pleiad::cuda {

/// Adds the accelerations, divided by G, to sums of pulls, which leave G out. T: float or double.
template <class T>
void add_external_field(std::span<const potentials::Instant<double>> potentials, double G, const Mass<T>* x,
                        Vec4<T>* sums, std::size_t n, void* stream);
/// The bodies `first` to `first` + n - 1 of `x` drift for a time on their epicycles: see
/// potentials/hill_drift.hpp. v begins with the first of them. Their new positions go to all destinations, of
/// which `x` may be one.
template <class T>
void drift_in_hill_frame(const potentials::HillDrift& drift, const Mass<T>* x, Vec4<T>* v, std::size_t first,
                         std::size_t n, const Destinations<T>& to, void* stream);
/// 2 phi / G into the fourth number of each sum, 0 into the others: then the potential energy that
/// sums_of_blocks finds is that of the bodies in the field, sum_i m_i phi(x_i).
template <class T>
void external_potentials(std::span<const potentials::Instant<double>> potentials, double G, const Mass<T>* x,
                         Vec4<T>* sums, std::size_t n, void* stream);

}  // namespace pleiad::cuda
