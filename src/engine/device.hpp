/// The way to the GPU, which a build without CUDA has not got.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/individual_bodies.hpp"
#include "engine/tree_trial.hpp"
#include "integrate/orbit_particles.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/kernel/choice.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace pleiad {

/// Whether this build has kernels for GPUs.
extern const bool built_for_devices;
/// GPUs that there are; 0 without.
int device_count();
/// Number of GPUs on which a tree is fastest, at most `most`; 0: all there are. Results do not depend on it,
/// bit for bit.
int gpus_for_tree(std::size_t n, int most);
/// Why no GPU can be used here, or "" when one can.
std::string why_no_device();
/// Has the driver make a GPU ready, for some tenths of a second, which the first call that needs one would
/// wait for. Nothing without one.
void make_device_ready() noexcept;
/// Whether the present GPU can run this kernel of fused steps for n bodies. Found by a query of the GPU: it
/// depends on how many blocks run at once, on their shared memory, on clusters.
bool device_can_launch(const StepKernel& kernel, std::size_t n, Precision precision);
/// Throws ResourceError, which names the backend or the kernel that needs a GPU, if none can be used.
void need_device(const EngineOptions& options);
/// Has the GPU calls of this process go to the rank's GPU: those of a host are given to its ranks in turn.
/// Nothing without GPUs, and where there is one rank, which stays on the present one. Collective.
void take_gpu_of(ranks::Communicator& ranks);
/// The engine on the present GPU; ResourceError without one. `ranks`: whose bodies these are.
std::unique_ptr<Engine> make_device_engine(const Bodies& bodies, const Gravity& gravity, Choice choice,
                                           Precision precision, ranks::Communicator& ranks);
/// The engine there in which each body has steps of its own; ResourceError without a GPU.
std::unique_ptr<Engine> make_individual_engine(const Bodies& bodies, const Gravity& gravity, Choice choice,
                                               Precision precision, const IndividualChoice& how);

/// Test particles of Wisdom-Holman maps on the present GPU; ResourceError without one.
std::unique_ptr<OrbitParticles> make_device_orbit_particles();

/// Makes a call of the CUDA runtime fail, for tests of the whole program: see cuda/device/fault.hpp. A build
/// without CUDA has none to fail. UsageError for another form than "7:ecc".
void inject_device_fault(const std::string& text);

/// Makes a trial on this rank's GPU (see make_tree_trial). The GPUs of a host are assigned to its ranks in
/// turn.
std::unique_ptr<TreeTrial> make_device_trial(const Bodies& bodies, const Gravity& gravity,
                                             Precision precision, ranks::Communicator& ranks,
                                             DivideTree divide_tree);

/// See exact_on, with a GPU for each rank; ResourceError without one.
std::vector<Vec3<double>> exact_on_device(ranks::Communicator& ranks, const Bodies& own,
                                          const Gravity& gravity, std::span<const std::size_t> chosen);

}  // namespace pleiad
