/// Bodies between the caller's arrays on the device and the records that kernels load. Plain C++; all
/// pointers are the device's, and work is queued.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vectors.hpp>

#include <span>

namespace pleiad::cuda {

/// One number for each body, `stride` apart.
template <class T>
struct Column {
  T* first = nullptr;
  std::size_t stride = 1;
};

/// T and Real: float or double, here and below. Without masses these are 0.
template <class T, class Real>
void pack(const Vectors<const T>& positions, Column<const T> masses, std::span<Mass<Real>> out, void* stream);
/// G times the sums; `potentials` may be null.
template <class T, class Real>
void unpack(std::span<const Vec4<Real>> sums, double G, const Vectors<T>& accelerations, Column<T> potentials,
            void* stream);
/// sums += factor added, but their potentials.
template <class Real>
void add_scaled(std::span<const Vec4<Real>> added, double factor, std::span<Vec4<Real>> sums, void* stream);
/// The sums times G, where they are.
template <class Real>
void scale(std::span<Vec4<Real>> sums, double G, void* stream);

}  // namespace pleiad::cuda
