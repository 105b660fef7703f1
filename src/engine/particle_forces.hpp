/// Forces where some bodies are test particles: the bodies with mass get those that they have without the
/// particles, bit for bit, and the particles the pulls of the bodies with mass.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/force_solver.hpp"
#include "engine/test_particles.hpp"

#include <memory>

namespace pleiad {

/// Makes the solver on the host, for the bodies of `all` ranks. `evaluate` is collective; its problem has
/// this rank's bodies as targets and as sources. With direct sums the cost is that of the bodies with mass by
/// themselves, and N_massive pairs for each particle; with a tree that of a second tree, of all bodies. The
/// bits depend neither on the number of ranks nor on that of threads. Both references outlive the solver.
/// UsageError where why_not has a sentence.
template <class P>
std::unique_ptr<ForceSolver<P>> make_particle_solver(const ForceMethod& method, const Gravity& gravity,
                                                     const ranks::Collective& all,
                                                     const TestParticles& particles);

}  // namespace pleiad
