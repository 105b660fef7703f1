/// Passes over bodies on the device for the density centre and the Lagrangian radii. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/by_distance.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>
#include <memory>

namespace pleiad::cuda {

/// Largest number of all bodies for which the host is faster, including the copy of the bodies: the result is
/// the same, bit for bit.
inline constexpr std::size_t few_for_passes = 16384;

/// Passes over `count` bodies, the part from number `first` on, as by_distance::passes_over on the host:
/// their results must be joined with those of the other parts. Each waits for its result: sums, histograms
/// and the few bodies that share a bucket. T is float or double.
template <class T>
std::unique_ptr<by_distance::Passes> passes_over(const Mass<T>* part, std::size_t count, std::size_t first,
                                                 std::size_t bodies, void* stream);

}  // namespace pleiad::cuda
