/// All kernels on the GPU in learning order: those of src/cuda and those that only the published benchmarks
/// need. Programs have the same in direct_kernels() and step_kernels() where there is CUDA; the library has
/// those of src/cuda alone.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/direct.hpp>
#include <pleiad/kernel/steps.hpp>

#include <span>

namespace pleiad {
std::span<const DirectKernel* const> all_cuda_kernels();
std::span<const StepKernel* const> all_cuda_step_kernels();
}  // namespace pleiad
