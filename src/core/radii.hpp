/// Radii of bodies: one definition for the host and a device.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/by_distance.hpp"

#include <pleiad/radii.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace pleiad {

namespace by_distance {
/// Passes over a part of the bodies, from number `first` on, on the host: their results must be joined with
/// those of the other parts. `bodies`: number of bodies in all parts.
template <class T>
std::unique_ptr<Passes> passes_over(std::span<const Mass<T>> part, std::size_t first, std::size_t bodies);
}  // namespace by_distance

Radii radii_of(by_distance::Passes& passes);
/// Radii of bodies on the host, computed by all threads.
Radii radii_of(std::span<const Mass<float>> bodies);
Radii radii_of(std::span<const Mass<double>> bodies);
Radii radii_of(const Bodies& bodies);

}  // namespace pleiad
