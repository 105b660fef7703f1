/// Direct sums in double precision for a few bodies of many on a GPU, and what was found for the same. All
/// spans of bodies are the device's.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace pleiad {

/// Accelerations of the chosen bodies, G included. T: float or double, as an engine holds them.
template <class T>
std::vector<Vec3<double>> exact_on_gpu(std::span<const Mass<T>> bodies, const Gravity& gravity,
                                       std::span<const std::size_t> chosen, void* stream);
/// The chosen ones of the sums of all bodies, times G.
template <class T>
std::vector<Vec3<double>> picked_on_gpu(std::span<const Vec4<T>> sums, double G,
                                        std::span<const std::size_t> chosen, void* stream);

}  // namespace pleiad
