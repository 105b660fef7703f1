/// The rungs on the GPU, in learning order; direct_kernels() has them too where there is CUDA.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/direct.hpp>

#include <span>

namespace pleiad {
std::span<const DirectKernel* const> cuda_kernels();
}
