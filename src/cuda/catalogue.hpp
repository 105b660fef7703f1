/// The rungs on the GPU, in learning order; direct_kernels() has them too where there is CUDA.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <pleiad/direct.hpp>

namespace pleiad {
std::span<const DirectKernel* const> cuda_kernels();
}
