/// Ensembles on a GPU; a build without CUDA has none.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ensemble/members.hpp"

#include <pleiad/kernel/ensemble_steps.hpp>

#include <span>
#include <string>

namespace pleiad {

/// Why the GPU cannot advance these members, or "" when it can: fixed steps of splittings, open space, few
/// bodies.
std::string why_not_on_device(std::span<const Member> members, const EngineOptions& options,
                              std::span<const EnsembleKernel* const> kernels);
/// Members that are alike but for bodies and softening (as many bodies, the same G and method, the same
/// clock) go through one launch; UsageError for a kernel that is not there.
std::unique_ptr<Members> make_device_members(std::vector<Member> members, const EngineOptions& options,
                                             std::span<const EnsembleKernel* const> kernels);

}  // namespace pleiad
