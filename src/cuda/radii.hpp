/// What the density centre and the Lagrangian radii take of bodies on the device. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/by_distance.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>
#include <memory>

namespace pleiad::cuda {

/// Of so few, in all, the passes are made sooner by the host, which has to be given the bodies: the same
/// bits.
inline constexpr std::size_t few_for_passes = 16384;

/// Over `count` bodies, the part from number `first` on, as by_distance::passes_over on the host: what they
/// give is to be joined with that of the other parts. Each waits for its result, of which nothing comes to
/// the host but sums, histograms and the few bodies that share a bucket. T is float or double.
template <class T>
std::unique_ptr<by_distance::Passes> passes_over(const Mass<T>* part, std::size_t count, std::size_t first,
                                                 std::size_t bodies, void* stream);

}  // namespace pleiad::cuda
