/// The kernels of fused steps on the GPU, in learning order; step_kernels() and ensemble_kernels() have them
/// too where there is CUDA.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/ensemble_steps.hpp>
#include <pleiad/kernel/steps.hpp>

#include <span>

namespace pleiad {
std::span<const StepKernel* const> cuda_step_kernels();
std::span<const EnsembleKernel* const> cuda_ensemble_kernels();
}  // namespace pleiad
