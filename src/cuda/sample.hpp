/// Some of many: elements of an array on the device, in double precision. Plain C++; all pointers are the
/// device's.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstddef>

namespace pleiad::cuda {

/// to[k] = from[chosen[k]] for the first `count`, or from[k] where `chosen` is null. T is float or double.
template <class T>
void pick(const Mass<T>* from, const std::size_t* chosen, std::size_t count, Mass<double>* to, void* stream);
template <class T>
void pick(const Vec4<T>* from, const std::size_t* chosen, std::size_t count, Vec4<double>* to, void* stream);

}  // namespace pleiad::cuda
