/// External potentials on bodies in the memory of the host. Each body's field is its own, so results depend
/// on neither threads nor ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/potential.hpp>
#include <pleiad/snapshot.hpp>

#include <span>

namespace pleiad::potentials {

/// Adds the accelerations, divided by G, to sums of pulls, which leave G out. T: float or double.
template <class T>
void add_to_sums(std::span<const Potential> potentials, double G, std::span<const Mass<T>> bodies,
                 std::span<Vec4<T>> sums);
/// Adds accelerations and their time derivatives along these velocities, G included.
void add_with_jerks(std::span<const Potential> potentials, double G, std::span<const Mass<double>> bodies,
                    std::span<const Vec4<double>> velocities, std::span<Vec4<double>> accelerations,
                    std::span<Vec4<double>> jerks);
/// Adds accelerations and potentials, G included, to those of a snapshot; nothing where it has none.
void add_to_fields(std::span<const Potential> potentials, Snapshot& snapshot);

}  // namespace pleiad::potentials
