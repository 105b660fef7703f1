/// Accelerations, jerks and snaps of bodies in one memory, or of those of one of several ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/jerk.hpp"
#include "engine/test_particles.hpp"
#include "ranks/collective.hpp"

#include <span>

namespace pleiad {

/// Computes accelerations and jerks by the bodies of all ranks on this rank's, equal bit for bit to those of
/// one process (see cpu::add_acceleration_and_jerk). Test particles do not pull. Collective.
void accelerations_and_jerks(const ranks::Collective& all, const TestParticles& particles,
                             const cpu::MovingBodies& own, std::span<Vec4<double>> accelerations,
                             std::span<Vec4<double>> jerks, const Softening& softening,
                             const Boundary& boundary);
/// The same with snaps, for which `own` has accelerations.
void accelerations_to_snaps(const ranks::Collective& all, const TestParticles& particles,
                            const cpu::MovingBodies& own, std::span<Vec4<double>> accelerations,
                            std::span<Vec4<double>> jerks, std::span<Vec4<double>> snaps,
                            const Softening& softening, const Boundary& boundary);
/// The same without jerks.
void accelerations_of_doubles(const ranks::Collective& all, const TestParticles& particles,
                              const cpu::MovingBodies& own, std::span<Vec4<double>> accelerations,
                              const Softening& softening, const Boundary& boundary);

}  // namespace pleiad
