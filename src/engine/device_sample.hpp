/// Direct sums in double precision for a few bodies of many on a GPU or on those of several ranks, and
/// computed accelerations of the same bodies. All spans of bodies are in GPU memory.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/collective.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace pleiad {

/// Sources that are summed at once: a chunk in double precision takes 128 MiB.
inline constexpr std::size_t exact_chunk = std::size_t{1} << 22;

/// Accelerations of the chosen bodies of all ranks, G included; `own`: those of this one. The pulls of each
/// `chunk` of sources, in the order of all bodies, are summed by the rank where it begins, which is given the
/// rest of it, and the sums of chunks are added in their order: the same bits for any number of ranks.
/// Collective; every rank gets all. T: float or double, as an engine holds them.
template <class T>
std::vector<Vec3<double>> exact_on_gpu(const ranks::Collective& all, std::span<const Mass<T>> own,
                                       const Gravity& gravity, std::span<const std::size_t> chosen,
                                       void* stream, std::size_t chunk = exact_chunk);
/// Exact accelerations for bodies in host memory; the GPU has one chunk of them at a time.
std::vector<Vec3<double>> exact_on_gpu(const ranks::Collective& all, const Bodies& own,
                                       const Gravity& gravity, std::span<const std::size_t> chosen,
                                       void* stream, std::size_t chunk = exact_chunk);
/// The chosen ones of the sums of all bodies, times G.
template <class T>
std::vector<Vec3<double>> picked_on_gpu(std::span<const Vec4<T>> sums, double G,
                                        std::span<const std::size_t> chosen, void* stream);

}  // namespace pleiad
