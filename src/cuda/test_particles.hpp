/// The bodies with mass among all in the memory of a GPU, for forces on test particles. Plain C++; all
/// pointers are the device's, and work is queued.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstddef>
#include <span>

namespace pleiad::cuda {

/// to[k] = from[chosen[k]]. T: float or double, here and below.
template <class T>
void gather(const Mass<T>* from, std::span<const std::size_t> chosen, Mass<T>* to, void* stream);
/// to[chosen[k]] = from[k].
template <class T>
void scatter(const Vec4<T>* from, std::span<const std::size_t> chosen, Vec4<T>* to, void* stream);

}  // namespace pleiad::cuda
