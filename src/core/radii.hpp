/// Radii of bodies: one definition for the host and a device.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/by_distance.hpp"

#include <pleiad/radii.hpp>

#include <span>

namespace pleiad {

Radii radii_of(by_distance::Passes& passes);
/// Of bodies on the host, on all threads.
Radii radii_of(std::span<const Mass<float>> bodies);
Radii radii_of(std::span<const Mass<double>> bodies);
Radii radii_of(const Bodies& bodies);

}  // namespace pleiad
